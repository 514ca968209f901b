"""An agent and its plain-Python twin side by side: what all such pairs do."""

from abc import ABC, abstractmethod
from collections import Counter

import waypost as wp
from waypost.agents.step import WORK_COUNTERS


class SideBySide(ABC):
    """An agent and a walker that must do the same; a subclass says how the walker is made."""

    most_steps = None
    """Moves to follow if nothing else is said: walkers may wander for long, and what they do then they did before."""
    compared = WORK_COUNTERS
    """Work that the walker counts as well."""

    def __init__(self, name, world, start, goal, *, record=False, **params):
        is_open, rule, costs = self.world = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.planner = self.build(name, params)
        self.params = self.planner.params
        self.agent = self.planner.agent(record=record)
        self.set_up()
        self.reset(start, goal)

    def build(self, name, params):
        """The planner; its index may need more than parameters."""
        return wp.build(name, self.grid, threads=1, **params)

    def set_up(self):  # noqa: B027 - some need nothing
        """What all walkers in this world share."""

    @abstractmethod
    def new_walker(self, start):
        """A walker that has no goal yet."""

    def lead(self, walker, goal):
        """Give a walker its goal."""
        walker.set_goal(goal)

    def walker_to(self, start, goal):
        walker = self.new_walker(start)
        self.lead(walker, goal)
        return walker

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = self.walker_to(start, goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.lead(self.walker, goal)

    def goals_like_this(self):
        """Goals other than the present one that a planner may take for it."""
        return []

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        """One move of both: the same place, the same work, the same target."""
        step = self.agent.step()
        self.check_move(step.cell, {counter: getattr(step, counter) for counter in WORK_COUNTERS})
        assert self.agent.position == self.walker.here
        assert step.status is (wp.RunStatus.ARRIVED if self.arrived else wp.RunStatus.MOVING)
        self.check_step()

    def check_step(self):
        """What else a step shows that a whole walk does not."""
        assert self.agent.target == self.walker.target

    def check_move(self, cell, work):
        """The walker makes the move that the agent has made, with as much work, and not beyond a bound."""
        there, expected = self.move_of_walker()
        assert self.grid.xy(cell) == there
        assert {counter: work[counter] for counter in self.compared if work[counter]} == +Counter(expected)
        if self.planner.work_bound is not None:
            assert sum(work.values()) <= self.planner.work_bound

    def move_of_walker(self):
        """Where it goes, and its work by counters."""
        return self.walker.step()

    def follow(self, most=None):
        """Step by step; compare what was learned now and then, and at the end. Returns which rules were met."""
        most = self.most_steps if most is None else most
        moves = 0
        while not self.arrived and moves != most:
            self.step()
            moves += 1
            if moves % 5 == 0:
                self.check_learned()
        self.check_learned()
        return self.rules_met()

    def rules_met(self):
        """By the walker since it was made, counted."""
        return getattr(self.walker, "taken", Counter())

    def follow_walk(self, *max_moves):
        """The agent walks in one go, the walker step by step."""
        before = self.walker.here
        walk = self.agent.walk(*max_moves)
        assert self.grid.xy(walk.cells[0]) == before
        for cell, work in zip(walk.cells[1:].tolist(), walk.work.tolist(), strict=True):
            self.check_move(cell, dict(zip(WORK_COUNTERS, work, strict=True)))
        assert walk.status is (wp.RunStatus.ARRIVED if self.arrived else wp.RunStatus.OUT_OF_MOVES)
        assert self.arrived or len(walk.work) == max_moves[0]
        self.check_learned()

    def check_learned(self):
        """What was learned about the goal, and the most that was held."""
        cells, values = self.agent.learned()
        assert cells.dtype.kind == values.dtype.kind == "i"
        assert cells.tolist() == sorted(set(cells.tolist()))
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        self.check_memory()

    def check_memory(self):
        if self.walker.memory != (0, 0, 0):  # else it has made no plan yet
            assert tuple(self.agent.memory) == self.walker.memory


class WalkInOne:
    """A walker whose twin says at once all that it does: `moves_to(here, goal)` are places, and work."""

    learned, memory = {}, (0, 0, 0)
    """Nothing is learned, and what is held is for its own tests."""

    def __init__(self, here, moves_to):
        self.here, self.moves_to = here, moves_to

    def set_goal(self, goal):
        self.goal, self.left = goal, list(self.moves_to(self.here, goal))

    def step(self):
        self.here, work = self.left.pop(0)
        return self.here, work
