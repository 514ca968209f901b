"""Regions of a level of the clique abstraction and the subgoal of every two of them (docs/planners/clique-rules.md)."""

from tests.oracle import cliques
from tests.oracle.dijkstra import all_costs
from tests.oracle.rules import ORDER, may_move, move_costs

DIAGONALS_FIRST = ("NE", "SE", "SW", "NW", "N", "E", "S", "W")
STRAIGHTS_FIRST = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")


def in_hierarchical_order(levels, level):
    """The nodes of a level, by their ancestors from the top down."""

    def ancestors(node):
        return [cliques.ancestor(levels, node, above, below=level) for above in reversed(range(level, len(levels)))]

    return sorted(levels[level].nodes, key=ancestors)


class PairSubgoals:
    """Regions as lists of places in their order, the region of each place, representatives and subgoals."""

    def __init__(self, is_open, rule, costs, level, progress, last_exit=0, straight_first=0):
        self.world, self.progress, self.last_exit = (is_open, rule, costs), progress, last_exit
        self.order = STRAIGHTS_FIRST if straight_first else DIAGONALS_FIRST
        levels = cliques.abstraction(is_open, rule)
        self.level = min(level, len(levels) - 1)
        self.regions = [levels[self.level].cells[node] for node in in_hierarchical_order(levels, self.level)]
        self.region_of = {place: region for region, places in enumerate(self.regions) for place in places}
        self.reps = [cliques.representative(places) for places in self.regions]
        self._costs_to = {}

    def costs_to(self, place):
        """The least cost from every place that has a way to this one."""
        if place not in self._costs_to:
            self._costs_to[place] = all_costs(*self.world, place)
        return self._costs_to[place]

    def subgoal(self, start_region, goal_region):
        """Where the way to the other's leaves the region first or last, or comes nearer; None if there is no way."""
        left = self.costs_to(self.reps[goal_region])
        here = self.reps[start_region]
        if start_region == goal_region or here not in left:
            return None
        away = left[here]
        while self.region_of[here] == start_region or (self.progress and left[self.reps[self.region_of[here]]] >= away):
            here = self._next(here, left)
        if not self.last_exit or self.progress:
            return here
        way = [here]
        while way[-1] != self.reps[goal_region]:
            way.append(self._next(way[-1], left))
        inside = [step for step, place in enumerate(way) if self.region_of[place] == start_region]
        return way[inside[-1] + 1] if inside else here

    def _next(self, here, left):
        is_open, rule, costs = self.world
        straight, diagonal = move_costs(rule, costs)
        for dx, dy in map(ORDER.get, self.order):
            if may_move(is_open, rule, *here, dx, dy):
                there = here[0] + dx, here[1] + dy
                if left[here] == left[there] + (diagonal if dx and dy else straight):
                    return there
        raise AssertionError(f"no move leads on from {here}")
