"""A walker by way of a plaza, in plain Python, read from docs/planners/plaza.md alone."""

from collections import Counter

from tests.oracle.rules import heuristic, neighbours
from tests.oracle.tree_walk import Walker


def plaza_of(is_open, rule, costs, place, share):
    """The place before which so many percent of the component's places come, row by row."""
    found, ahead = {place}, [place]
    while ahead:
        for there, _ in neighbours(is_open, rule, costs, *ahead.pop()):
            if there not in found:
                found.add(there)
                ahead.append(there)
    in_rows = sorted(found, key=lambda at: at[::-1])
    return in_rows[share * (len(in_rows) - 1) // 100]


class PlazaWalker(Walker):
    """First to the plaza, if it is near, then to the goal."""

    def __init__(self, is_open, rule, costs, here, share):
        super().__init__(is_open, rule, costs, here)
        self.plaza = plaza_of(*self.world, here, share)

    def set_goal(self, goal):
        self.goal, self.target, self.added = goal, None, {}

    def octile(self, place):
        _, rule, costs = self.world
        return heuristic(rule, costs, self.here, place)

    def step(self):
        """One move: where it leads, and the work that it took."""
        self.work = Counter()
        if self.here == self.goal:
            return self.here, +self.work
        if self.target is None:
            self.work["probes"] += 1
            is_near = 2 * self.octile(self.plaza) < self.octile(self.goal)
            self.go_to(self.plaza if is_near else self.goal)
        if self.here == self.target:
            self.go_to(self.goal)
        self.move()
        return self.here, +self.work
