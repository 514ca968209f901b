"""A walker from subgoal to subgoal and its route by a tree, in plain Python, read from docs/planners/trees.md alone."""

from collections import Counter

from tests.oracle.climb import climb
from tests.oracle.rules import heuristic, neighbours

TILE = 8


class Walker:
    """Goes to a target: climbs until that is stuck, then learns. `work` is that of the last move."""

    def __init__(self, is_open, rule, costs, here):
        self.world = is_open, rule, costs
        self.here, self.target, self.added = here, None, {}
        self.work = Counter()
        self.taken = Counter()
        """How often each rule was used, where a walker counts that."""
        self.ever_learned = 0

    def go_to(self, target):
        """Also the target that the walker has already: it begins again."""
        self.target = target
        self.added = {}
        """What was learned at each place on this way, beyond the octile distance."""
        self.is_climbing = True

    @property
    def learned(self):
        """{place: h} of all places where h was raised on this way."""
        return {place: self.h(place) for place in self.added}

    @property
    def memory(self):
        """(open, closed, learned): no more than a look around a cell is held."""
        return 8, 1, self.ever_learned

    def h(self, place):
        _, rule, costs = self.world
        return heuristic(rule, costs, place, self.target) + self.added.get(place, 0)

    def move(self):
        """One move; the walker must not stand on its target."""
        if self.is_climbing:
            _, places = climb(*self.world, self.here, self.target, limit=1)
            if len(places) == 2:
                self.here = places[1]
                self.work["climbs"] += 1
                return
            self.is_climbing = False
        self.learn_and_move()

    def learn_and_move(self):
        self.work["expansions"] += 1
        around = neighbours(*self.world, *self.here)
        best, cost = min(around, key=lambda found: (found[1] + self.h(found[0]), -found[1]))
        rise = cost + self.h(best) - self.h(self.here)
        if rise > 0:
            known = {tile_of(place) for place in self.added}
            self.work["growth"] += tile_of(self.here) not in known
            self.ever_learned += self.here not in self.added
            self.added[self.here] = self.added.get(self.here, 0) + rise
        self.here = best


def tile_of(place):
    """The tile of a place on the map with its border."""
    return tuple((coordinate + 1) // TILE for coordinate in place)


class TreeWalker(Walker):
    """A walker that follows the tree of its goal; `parent` is {node: parent node}."""

    def __init__(self, is_open, rule, costs, here, tries, limit):
        super().__init__(is_open, rule, costs, here)
        self.tries, self.limit = tries, limit

    def set_goal(self, parent):
        """A new route from here, whatever was before."""
        self.parent = parent
        self.goal = next(node for node, above in parent.items() if node == above)
        self.target, self.added, self.stood_on = None, {}, set()

    def step(self):
        """One move: where it leads, and the work that it took."""
        self.work = Counter()
        if self.here != self.goal:
            self.aim()
            self.move()
        return self.here, +self.work

    def aim(self):
        """Take another target, where the route says so."""
        self.work["probes"] += 1
        if self.here in self.parent:
            if self.here == self.target or self.here not in self.stood_on:
                self.go_to(self.parent[self.here])
            self.stood_on.add(self.here)
        elif self.target is None:
            self.work["probes"] += len(self.parent)
            self.go_to(self.first_target())

    def octile(self, a, b):
        _, rule, costs = self.world
        return heuristic(rule, costs, a, b)

    def first_target(self):
        if self.tries == 0:
            return min(self.parent, key=lambda node: (self.octile(self.here, node), node[::-1]))
        ranked = sorted(self.parent, key=lambda n: (self.octile(self.here, n) + self.way_down(n), n[::-1]))
        for node in ranked[: self.tries]:
            arrives, places = climb(*self.world, self.here, node, self.limit)
            self.work["climbs"] += len(places) - 1
            if arrives:
                return node
        return ranked[0]

    def way_down(self, node):
        """Octile distances from node to parent as far as the goal."""
        total = 0
        while node != self.goal:
            total += self.octile(node, self.parent[node])
            node = self.parent[node]
        return total
