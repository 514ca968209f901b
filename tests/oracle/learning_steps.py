"""Walkers that plan one step at a time: rta, lrta-k and plrta."""

from tests.oracle.learning_walker import Walker

LIMIT = 2**31 - 1
"""Infinity."""


class OneStep(Walker):
    """A walker that only ever looks at neighbours: it holds one cell, its 8 neighbours and perhaps a queue."""

    def note_queue(self, cells):
        self.note_memory(open_nodes=8 + cells, closed_nodes=1)


class Rta(OneStep):
    """Remembers what the second best neighbour promised, which holds for one trial only."""

    keeps_tables = False

    def plan(self):
        self.note_queue(0)
        around = self.look_around(self.here)
        sums = {there: min(cost + self.h(there), LIMIT) for there, cost in around}
        self.target, _ = min(around, key=lambda found: (sums[found[0]], -found[1]))
        del sums[self.target]
        self.raise_h(self.here, min(sums.values(), default=LIMIT))
        return [self.target]


class LrtaK(OneStep):
    """Passes a raised value on to cells it has stood on, at most k updates a move."""

    def __init__(self, *world, k):
        super().__init__(*world)
        self.k = k

    def begin(self):
        self.trail = set()

    def plan(self):
        self.trail.add(self.here)
        queue, left, taken = [self.here], self.k - 1, 0
        while queue:
            self.note_queue(len(queue))
            cell = queue.pop(0)
            taken += 1
            around = self.look_around(cell)
            best = min(cost + self.h(there) for there, cost in around)
            if best > self.h(cell):
                self.learn(cell, best)
                for there, _ in around:
                    if there in self.trail and left > 0:
                        queue.append(there)
                        left -= 1
            self.note_queue(len(queue))
        if taken > 1:
            around = self.look_around(self.here)
        self.target = self.best_neighbour(around)
        return [self.target]


class Plrta(OneStep):
    """Passes raised values on to neighbours, the largest rise first."""

    def __init__(self, *world, queue):
        super().__init__(*world)
        self.room = queue

    def begin(self):
        self.key, self.age, self.put_in = {}, {}, 0

    def plan(self):
        self.note_queue(len(self.key))
        around = self.update(self.here)
        took_one = False
        for _ in range(self.room):
            if not self.key:
                break
            took_one = True
            cell = min(self.key, key=lambda c: (-self.key[c], self.age[c]))
            del self.key[cell]
            if cell != self.goal:
                self.update(cell)
        if took_one:
            around = self.look_around(self.here)
        self.target = self.best_neighbour(around)
        return [self.target]

    def update(self, cell):
        """Raise h to what the neighbours promise, and offer them for an update if that was news."""
        around = self.look_around(cell)
        best = min(cost + self.h(there) for there, cost in around)
        rise = best - self.h(cell)
        if rise > 0:
            self.learn(cell, best)
            for there, _ in around:
                self.offer(there, rise)
        return around

    def offer(self, cell, rise):
        if cell in self.key:
            self.key[cell] = max(self.key[cell], rise)
            return
        if len(self.key) == self.room:
            least = min(self.key, key=lambda c: (self.key[c], -self.age[c]))
            if rise <= self.key[least]:
                return
            del self.key[least]
        self.key[cell] = rise
        self.age[cell] = self.put_in
        self.put_in += 1
        self.note_queue(len(self.key))
