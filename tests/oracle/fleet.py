"""Many walkers that take turns, in plain Python, read from docs/fleets.md alone."""

from collections import deque


class FleetTwin:
    """Walkers by id. `asks` says whether a walker needs a target before its next move."""

    def __init__(self, asks):
        self.asks = asks
        self.walkers = {}
        self.queue = deque()
        """Ids with the tick in which each came; one that does not want anything any more keeps its place."""
        self.now = 0

    def put(self, number, walker):
        """A walker, new or with a new goal: it asks, unless it asked before."""
        self.walkers[number] = walker
        if walker.here != walker.goal and number not in dict(self.queue):
            self.queue.append((number, self.now))

    def leave(self, number):
        """A walker that is gone, or has nowhere to go."""
        self.walkers.pop(number, None)

    def wants(self, number):
        return number in self.walkers and self.walkers[number].here != self.walkers[number].goal

    def tick(self, most_chosen):
        """Everyone moves once who need not ask; then those who asked earlier, at most so many of them."""
        self.now += 1
        self.moved, self.chosen, self.longest_wait, self.arrived = [], 0, 0, []
        asked = dict(self.queue)
        for number in sorted(self.walkers):
            if self.wants(number) and number not in asked:
                self.move(number)
        while most_chosen and self.queue and self.queue[0][1] < self.now:
            most_chosen -= 1
            number, since = self.queue.popleft()
            if self.wants(number):
                self.chosen += 1
                self.longest_wait = max(self.longest_wait, self.now - 1 - since)
                self.move(number)
        left = [since for number, since in self.queue if since < self.now and self.wants(number)]
        self.longest_wait = max([self.longest_wait, *(self.now - since for since in left)])

    def move(self, number):
        walker = self.walkers[number]
        walker.step()
        self.moved.append(number)
        if walker.here == walker.goal:
            self.arrived.append(number)
        elif self.asks(walker):
            self.queue.append((number, self.now))

    @property
    def waiting(self):
        """Those who asked before the last tick and got nothing, the longest wait first."""
        return [number for number, since in self.queue if since < self.now and self.wants(number)]
