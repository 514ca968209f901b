"""An agent that walks by records and its plain-Python twin side by side, and parameters for them."""

from itertools import accumulate, pairwise

from tests.learning_worlds import random_world
from tests.oracle.dijkstra import all_costs
from tests.oracle.record_walk import Record, RecordWalker, at_end, at_start
from tests.oracle.rules import move_costs
from tests.region_pairs import draw
from tests.side_by_side import SideBySide
from waypost.kernels import kdtree

OFFLINE = ("records", "seed", "spread")


class Pair(SideBySide):
    """An agent that walks by records, and its twin."""

    name = "knn"
    most_steps = 400

    def __init__(self, world, start, goal, **params):
        super().__init__(self.name, world, **params)
        self.params = {key: value for key, value in self.planner.params.items() if key not in OFFLINE}
        self.records = self.records_of(self.planner.index)
        self.reset(start, goal)

    def records_of(self, index):
        """The records of an index, in their order, as places."""
        points, legs = index.tables["points"].tolist(), index.tables["legs"].tolist()
        found = []
        for (x, y, _, _), (first, end) in zip(points, pairwise(index.tables["first_legs"].tolist()), strict=True):
            start = (x - 1, y - 1)  # the grid of the tables has a border
            places = accumulate(legs[first:end], lambda at, leg: (at[0] + leg[0], at[1] + leg[1]), initial=start)
            found.append(Record(list(places)))
        return found

    def new_walker(self, start):
        return RecordWalker(self.world, self.records, self.looked_at, start, **self.params)

    def looked_at(self, here, goal, by, most):
        """How many records a search of the tree looks at."""
        target = (here[0] + 1, here[1] + 1, goal[0] + 1, goal[1] + 1)
        measure = {max: kdtree.MAX, at_start: kdtree.STARTS, at_end: kdtree.ENDS}[by]
        straight, diagonal, _ = self.grid.costs
        _, _, probes = kdtree.most_similar(
            self.planner.index.tables["points"], straight, diagonal, measure, *target, most
        )
        return probes


def random_params(random):
    """One record and many, few steps and many, each enhancement on and off."""
    return {
        "records": draw(random, (1, 2, 5, 20, 100, 300)),
        "seed": int(random.integers(100)),
        "spread": int(random.integers(2)),
        "candidates": draw(random, (0, 1, 3, 20)),
        "limit": draw(random, (1, 5, 250)),
        "direct": int(random.integers(3)),
        "skip_first": int(random.integers(2)),
        "skip_last": int(random.integers(2)),
        "tree": int(random.integers(2)),
        "quota": draw(random, (0.0, 0.009, 0.29, 0.5, 3.0)),
        "shortest": int(random.integers(2)),
        "second_limit": draw(random, (0, 20)),
        "joins": draw(random, (0, 0, 1, 4, 20)),
        "ahead": draw(random, (0, 1, 4, 4)),
    }


def has_a_record(is_open, rule, costs, start):
    """Whether some place is more than a move away."""
    return max(all_costs(is_open, rule, costs, start).values()) > max(move_costs(rule, costs))


def small_pair(random, rule, costs, **params):
    """A pair in a small world."""
    while True:
        is_open, start, goal = random_world(random, rule, costs)
        if has_a_record(is_open, rule, costs, start):
            return Pair((is_open, rule, costs), start, goal, **random_params(random) | params)
