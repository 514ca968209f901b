"""An agent on subgoal trees and its plain-Python twin side by side, and worlds for them."""

from hypothesis import strategies as st

from tests.oracle.tree_walk import TreeWalker
from tests.oracle.trees import tree
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin
from tests.support.worlds import JIT_IS_OFF

MOST_CELLS = 20 if JIT_IS_OFF else 200
"""Open cells of a map up to which trees of all goals are made."""


def tree_of(index, grid, goal):
    """{node: parent} of a goal, read from the index's words."""
    nodes, first, end, shift = index.tree(grid.cell(goal))
    words = nodes[first:end].tolist()
    places = [grid.xy(word >> shift) for word in words]
    return {place: places[word & (1 << shift) - 1] for place, word in zip(places, words, strict=True)}


class Pair(SideBySide):
    """An agent on subgoal trees, and its twin."""

    most_steps = 250

    def __init__(self, name, world, start, goal, *, goals_kept=3, **params):
        self.parents = {}
        super().__init__(name, world, start, goal, goals_kept=goals_kept, **params)

    @property
    def index(self):
        return self.planner.index

    def new_walker(self, start):
        return TreeWalker(*self.world, start, self.params["tries"], self.params["limit"])

    def lead(self, walker, goal):
        if goal not in self.parents:
            self.parents[goal] = tree(*self.world, goal, self.params["climb_exits"]).parent
        walker.set_goal(self.parents[goal])

    def retarget(self, goal):
        super().retarget(goal)
        self.check_tree()

    def reset(self, start, goal):
        super().reset(start, goal)
        self.check_tree()

    def check_tree(self):
        """That of the present goal."""
        goal = self.walker.goal
        found = tree_of(self.index, self.grid, goal)
        assert found == self.parents[goal]
        assert list(found) == list(self.parents[goal])


class OfAllGoals(Pair):
    """With trees of all goals, unless that is too much to make."""

    def __init__(self, name, world, start, goal, *, most_cells=MOST_CELLS, **params):
        super().__init__(name, world, start, goal, goals_kept=0 if world[0].sum() <= most_cells else 3, **params)


def random_params(random):
    """Both exit tests, both rules for the first target, limits that are too small and ones that are not."""
    return {
        "climb_exits": int(random.integers(2)),
        "tries": (0, 1, 2, 10, 1000)[random.integers(5)],
        "limit": (1, 2, 4, 250)[random.integers(4)],
    }


DRAWN = {"climb_exits": st.integers(0, 1), "tries": st.sampled_from([0, 1, 3]), "limit": st.sampled_from([1, 3, 250])}
WALKS = {
    "planner": "trees",
    "random_params": random_params,
    "small": 60,
    "retargeted": 20,
    "walked": 20,
    "most_walked": 500,
    "is_asking": lambda walker: walker.target is None,
}
TWINS = [
    Twin(pair=Pair, drawn_params=st.fixed_dictionaries(DRAWN), drawn=400, **WALKS),
    Twin(pair=OfAllGoals, name="trees-of-all-goals", in_fleets={"most_cells": 1000}, **WALKS),
]
