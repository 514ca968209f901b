"""An agent that walks by records and its plain-Python twin side by side, and parameters for them."""

from itertools import accumulate, pairwise

import waypost as wp
from tests.learning_worlds import random_world
from tests.oracle.dijkstra import all_costs
from tests.oracle.record_walk import Record, RecordWalker, at_end, at_start
from tests.oracle.rules import move_costs
from tests.region_pairs import draw
from waypost.kernels import kdtree
from waypost.step import WORK_COUNTERS

MOST_STEPS = 400
"""Walkers without a record may wander for long, and what they do then is what they did before."""
OFFLINE = ("records", "seed", "spread")


class Pair:
    """An agent and a walker that must do the same."""

    name = "knn"

    def __init__(self, world, start, goal, **params):
        is_open, rule, costs = self.world = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.planner = wp.build(self.name, self.grid, threads=1, **params)
        self.params = {key: value for key, value in self.planner.params.items() if key not in OFFLINE}
        self.agent = self.planner.agent()
        self.records = self.records_of(self.planner.index)
        self.reset(start, goal)

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = self.new_walker(start)
        self.walker.set_goal(goal)

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

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.walker.set_goal(goal)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        """One move of both: the same place, the same work, the same target."""
        step = self.agent.step()
        there, work = self.walker.step()
        assert self.grid.xy(step.cell) == self.agent.position == there
        assert self.agent.target == self.walker.target
        assert {name: getattr(step, name) for name in WORK_COUNTERS if getattr(step, name)} == dict(work)
        assert sum(work.values()) <= self.planner.work_bound
        assert step.status is (wp.Status.ARRIVED if self.arrived else wp.Status.MOVING)

    def follow(self, most=MOST_STEPS):
        """Walk side by side; compare what was learned now and then, and at the end."""
        for moves in range(most):
            if self.arrived:
                break
            self.step()
            if moves % 5 == 4:
                self.check_learned()
        self.check_learned()
        return self.walker.taken

    def check_learned(self):
        cells, values = self.agent.learned()
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        assert tuple(self.agent.memory) == (8, 1, self.walker.ever_learned)


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
