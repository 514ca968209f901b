"""An agent on subgoal trees and its plain-Python twin side by side, and worlds for them."""

import waypost as wp
from tests.learning_worlds import random_world
from tests.oracle.tree_walk import TreeWalker
from tests.oracle.trees import tree
from waypost.step import WORK_COUNTERS

MOST_STEPS = 250
"""Walkers may wander for long, and what they do then is what they did before."""


def tree_of(index, grid, goal):
    """{node: parent} of a goal, read from the index's words."""
    nodes, first, end, shift = index.tree(grid.cell(goal))
    words = nodes[first:end].tolist()
    places = [grid.xy(word >> shift) for word in words]
    return {place: places[word & (1 << shift) - 1] for place, word in zip(places, words, strict=True)}


class Pair:
    """An agent and a walker that must do the same."""

    def __init__(self, is_open, rule, costs, start, goal, *, climb_exits=0, goals_kept=3, record=False, **params):
        self.world = is_open, rule, costs
        self.climb_exits = climb_exits
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        planner = wp.build("trees", self.grid, threads=1, climb_exits=climb_exits, goals_kept=goals_kept, **params)
        self.index, self.agent = planner.index, planner.agent(record=record)
        self.reset(start, goal, **params)

    def reset(self, start, goal, **params):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = TreeWalker(*self.world, start, **params)
        self._set_goal(goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self._set_goal(goal)

    def _set_goal(self, goal):
        parent = tree(*self.world, goal, self.climb_exits).parent
        found = tree_of(self.index, self.grid, goal)
        assert found == parent
        assert list(found) == list(parent)
        self.walker.set_goal(parent)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        """One move of both: the same place, the same work, the same target."""
        step = self.agent.step()
        there, work = self.walker.step()
        assert self.grid.xy(step.cell) == self.agent.position == there
        assert {name: getattr(step, name) for name in WORK_COUNTERS if getattr(step, name)} == dict(work)
        assert step.status is (wp.Status.ARRIVED if self.arrived else wp.Status.MOVING)
        assert self.agent.target == self.walker.target

    def follow(self, most=MOST_STEPS):
        """Walk side by side; compare what was learned now and then, and at the end."""
        for moves in range(most):
            if self.arrived:
                break
            self.step()
            if moves % 5 == 4:
                self.check_learned()
        self.check_learned()

    def check_learned(self):
        cells, values = self.agent.learned()
        assert cells.tolist() == sorted(cells.tolist())
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        assert tuple(self.agent.memory) == (8, 1, self.walker.ever_learned)


def random_pair(random, rule, costs, goals_kept, most_cells, **params):
    """A pair in a world with a detour; with trees of all goals only where that is not too much to make."""
    is_open, start, goal = random_world(random, rule, costs)
    kept = goals_kept or (0 if is_open.sum() <= most_cells else 3)
    return Pair(is_open, rule, costs, start, goal, goals_kept=kept, **params)


def random_params(random):
    """Both exit tests, both rules for the first target, limits that are too small and ones that are not."""
    return {
        "climb_exits": int(random.integers(2)),
        "tries": (0, 1, 2, 10, 1000)[random.integers(5)],
        "limit": (1, 2, 4, 250)[random.integers(4)],
    }
