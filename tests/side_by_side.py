"""An agent and its plain-Python twin side by side: what all such pairs do."""

from abc import ABC, abstractmethod

import waypost as wp
from waypost.step import WORK_COUNTERS


class SideBySide(ABC):
    """An agent and a walker that must do the same; a subclass says how the walker is made."""

    most_steps = None
    """Moves to follow if nothing else is said: walkers may wander for long, and what they do then they did before."""
    is_bounded = True
    """Whether the work of a move has a bound."""
    compared = WORK_COUNTERS
    """Work that the walker counts as well."""

    def __init__(self, name, world, *, record=False, **params):
        is_open, rule, costs = self.world = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.planner = wp.build(name, self.grid, threads=1, **params)
        self.agent = self.planner.agent(record=record)

    @abstractmethod
    def new_walker(self, start):
        """A walker that has no goal yet."""

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = self.new_walker(start)
        self.set_goal(goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.set_goal(goal)

    def set_goal(self, goal):
        """The walker's; the agent has it already."""
        self.walker.set_goal(goal)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        """One move of both: the same place, the same work, the same target."""
        step = self.agent.step()
        self.check_move(step.cell, {counter: getattr(step, counter) for counter in WORK_COUNTERS})
        assert self.agent.position == self.walker.here
        assert self.agent.target == self.walker.target
        assert step.status is (wp.Status.ARRIVED if self.arrived else wp.Status.MOVING)

    def check_move(self, cell, work):
        """The walker makes the move that the agent has made, with as much work, and not beyond a bound."""
        there, expected = self.walker.step()
        assert self.grid.xy(cell) == there
        assert {counter: work[counter] for counter in self.compared if work[counter]} == dict(expected)
        if self.is_bounded:
            assert sum(work.values()) <= self.planner.work_bound

    def follow(self, most=None):
        """Step by step; compare what was learned now and then, and at the end."""
        most = self.most_steps if most is None else most
        moves = 0
        while not self.arrived and moves != most:
            self.step()
            moves += 1
            if moves % 5 == 0:
                self.check_learned()
        self.check_learned()
        return self.walker.taken

    def follow_walk(self, *max_moves):
        """The agent walks in one go, the walker step by step."""
        walk = self.agent.walk(*max_moves)
        for cell, work in zip(walk.cells[1:].tolist(), walk.work.tolist(), strict=True):
            self.check_move(cell, dict(zip(WORK_COUNTERS, work, strict=True)))
        assert walk.status is (wp.Status.ARRIVED if self.arrived else wp.Status.OUT_OF_MOVES)
        self.check_learned()

    def check_learned(self):
        cells, values = self.agent.learned()
        assert cells.tolist() == sorted(cells.tolist())
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        if self.walker.memory != (0, 0, 0):  # else it has made no plan yet
            assert tuple(self.agent.memory) == self.walker.memory
