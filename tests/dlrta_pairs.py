"""A D LRTA* agent and its plain-Python twin side by side."""

import waypost as wp
from tests.oracle.dlrta import DlrtaWalker
from tests.oracle.pair_subgoals import PairSubgoals
from tests.worlds import JIT_IS_OFF

MOST_STEPS = 60 if JIT_IS_OFF else 400
"""Walkers may wander for long, and what they do then is what they did before."""


class Pair:
    """An agent and a walker that must do the same."""

    def __init__(self, world, start, goal, *, level, progress, record=False, **depths):
        is_open, rule, costs = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.planner = wp.build("dlrta", self.grid, threads=1, level=level, progress=progress, **depths)
        self.agent = self.planner.agent(record=record)
        self.subgoals = PairSubgoals(is_open.tolist(), rule, costs, level, progress)
        self.depths = depths
        self.reset(start, goal)

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = DlrtaWalker(self.subgoals, start, **self.depths)
        self.walker.set_goal(goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.walker.set_goal(goal)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        """One move of both: the same place, the same work, the same target."""
        step = self.agent.step()
        looks_nothing_up = self.walker.here in self.walker.stood_on or self.walker.is_close
        there, expansions, growth = self.walker.step()
        assert self.grid.xy(step.cell) == self.agent.position == there
        assert self.agent.target == self.walker.target
        assert (step.expansions, step.updates, step.climbs, step.growth) == (expansions, 0, 0, growth)
        assert (step.probes == 0) == looks_nothing_up
        assert step.work <= self.planner.work_bound
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
        if self.walker.memory != (0, 0, 0):  # else it has not moved yet
            assert tuple(self.agent.memory) == self.walker.memory
