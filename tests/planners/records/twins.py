"""An agent that walks by records and its plain-Python twin side by side, and parameters for them."""

import warnings
from itertools import accumulate, pairwise
from unittest import mock

import numpy as np
from hypothesis import strategies as st

from tests.oracle.first_leg_walk import FirstLeg, FirstLegWalker
from tests.oracle.record_walk import Record, RecordWalker, at_end, at_start
from tests.oracle.rules import move_costs
from tests.support.once import optimal_costs
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import JIT_IS_OFF, draw
from waypost.planners.records.kernels import kdtree

OFFLINE = ("records", "seed", "spread", "redraw")


class Pair(SideBySide):
    """An agent that walks by records, and its twin."""

    most_steps = 400

    def build(self, name, params):
        with warnings.catch_warnings():  # records are drawn by numbers of 64 bits that overflow on purpose
            warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
            return super().build(name, params)

    def set_up(self):
        self.online = {key: value for key, value in self.params.items() if key not in OFFLINE}
        self.records = self.records_of(self.planner.index)

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
        return RecordWalker(self.world, self.records, self.looked_at, start, **self.online)

    def looked_at(self, here, goal, by, most):
        """How many records a search of the tree looks at."""
        target = (here[0] + 1, here[1] + 1, goal[0] + 1, goal[1] + 1)
        measure = {max: kdtree.MAX, at_start: kdtree.STARTS, at_end: kdtree.ENDS}[by]
        straight, diagonal, _ = self.grid.costs
        room = np.empty(most, np.int64), np.empty(most, np.int32)
        points = self.planner.index.tables["points"]
        _, probes = kdtree.nearest(points, straight, diagonal, measure, *target, most, *room)
        return probes


class FirstLegPair(Pair):
    """An agent of 2009, and its twin."""

    def build(self, name, params):
        """On open ground hardly any path needs a subgoal; a limit that only plain Python sees spares it the time."""
        with mock.patch("waypost.planners.records.kernels.draw.MOST_PATHS", 20):
            return super().build(name, params)

    def records_of(self, index):
        points, legs = index.tables["points"].tolist(), index.tables["legs"].tolist()
        return [
            FirstLeg((x - 1, y - 1), (u - 1, v - 1), (x - 1 + dx, y - 1 + dy))
            for (x, y, u, v), (dx, dy) in zip(points, legs, strict=True)
        ]

    def new_walker(self, start):
        return FirstLegWalker(self.world, self.records, start, **self.online)


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
    return max(optimal_costs(is_open, rule, costs, start).values()) > max(move_costs(rule, costs))


def random_params_of_2009(random):
    return {
        "records": draw(random, (1, 5, 15) if JIT_IS_OFF else (1, 5, 40, 150)),
        "seed": int(random.integers(100)),
        "depth": draw(random, (2, 2, 3, 5)),
        "limit": draw(random, (1, 4, 25)),
        "redraw": int(random.integers(2)),
    }


SWITCHES = ("skip_first", "skip_last", "tree", "shortest")
DRAWN = {
    "records": st.sampled_from([1, 3, 12]),
    "candidates": st.sampled_from([0, 1, 3]),
    "limit": st.sampled_from([1, 3, 250]),
    "direct": st.integers(0, 2),
    "ahead": st.sampled_from([0, 1, 4]),
    "quota": st.sampled_from([0.0, 0.5, 3.0]),
    "second_limit": st.sampled_from([0, 6]),
    "joins": st.sampled_from([0, 2, 9]),
} | {name: st.integers(0, 1) for name in SWITCHES}
TWINS = [
    Twin(
        planner="knn",
        pair=Pair,
        random_params=random_params,
        drawn_params=st.fixed_dictionaries(DRAWN),
        drawn=300,
        small=80,
        large=24,
        largest=side(60, 24),
        retargeted=12,
        walked=20,
        most_walked=1000,
        presets=4,
        preset_params=lambda random: {"records": draw(random, (10, 60, 300))},
        takes=has_a_record,
        is_asking=lambda walker: walker.target in (None, walker.here) or walker.quota_left <= 0,
    ),
    Twin(
        planner="knn-2009",
        pair=FirstLegPair,
        random_params=random_params_of_2009,
        small=30,
        large=8,
        largest=side(50, 16),
        retargeted=6,
        walked=8,
        most_walked=300,
        preset_params=lambda random: {"records": draw(random, (5, 15) if JIT_IS_OFF else (15, 150))},
        takes=has_a_record,
    ),
]
