"""Agents that plan the whole path, then walk it: A*, weighted A*, Dijkstra, jump points (algorithms 2 and 13)."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent, move_limit
from waypost.agents.many import Cells
from waypost.agents.step import WORK_COUNTERS, Memory, RunStatus, Step, Walk
from waypost.agents.trace import NO_EVENTS, read_events
from waypost.world.grid import Grid
from waypost.world.jump_search import JumpSearch
from waypost.world.search import Search

__all__ = ["PlanFirst"]


class PlanFirst(Agent):
    """Best-first search by f = gamma * g + h; not informed means h = 0.

    Keys are integers, so gamma is taken in hundredths; rounded up, which keeps the bound of optimum / gamma.
    With `jumps` the search is jump point search where the grid's diagonal rule allows it, and A* elsewhere.
    """

    def __init__(
        self, grid: Grid, *, gamma: float = 1.0, informed: bool = True, jumps: bool = False, record: bool = False
    ) -> None:
        super().__init__(grid, record=record)
        weights = Fraction(math.ceil(100 * Fraction(repr(float(gamma)))), 100)
        self._h_weight = weights.denominator if informed else 0
        self._search: Search | JumpSearch
        if jumps and JumpSearch.fits(grid):
            self._search = JumpSearch(grid, record=record)
        else:
            self._search = Search(grid, g_weight=weights.numerator, h_weight=self._h_weight, record=record)
        self._plan = np.empty(0, np.int32)
        self._next = 0  # index into the plan; 0 means that there is no plan yet
        self._unread_events = NO_EVENTS

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most this many: the first of them plans, the others are there."""
        self._require_reset()
        max_moves = move_limit(max_moves)
        if not max_moves or self.cell == self.goal:
            return super().walk(max_moves)
        expansions = 0 if self._next else self._make_plan()
        cells = self._plan[self._next - 1 : self._next + max_moves].copy()
        self._next += len(cells) - 1
        self.cell = int(cells[-1])
        work = np.zeros((len(cells) - 1, len(WORK_COUNTERS)), np.int32)
        work[0, 0] = expansions
        return Walk(RunStatus.ARRIVED if self.cell == self.goal else RunStatus.OUT_OF_MOVES, cells, work)

    def path(self, max_moves: int = MOST_MOVES) -> npt.NDArray[np.int32]:
        """All cells from where the agent stands to the goal, without walking them one by one."""
        self._require_reset()
        max_moves = move_limit(max_moves)
        if not self._next:
            self._plan_all()
        rest = self._plan[self._next - 1 :]
        if len(rest) > max_moves + 1:
            return super().path(max_moves)
        self.cell = self.goal
        self._next = len(self._plan)
        return rest

    def path_cost(self, max_moves: int = MOST_MOVES) -> int:
        """Cost of the way from where the agent stands to the goal, which it is then at; without making the path."""
        self._require_reset()
        max_moves = move_limit(max_moves)
        self._find()
        cost = self._search.cost(self.goal)
        if cost > max_moves * self.grid.costs.straight:  # only the path tells how many moves that is
            return super().path_cost(max_moves)
        self.cell = self.goal
        self._next = 0
        return cost

    def solver(self, goals: Cells) -> Callable[..., int]:  # noqa: ARG002 - any goals
        """A kernel that solves many problems by the search."""
        self._searched = False
        return self._search.solver()

    def see_to(self, status: int) -> None:
        """Make room."""
        self._search.make_room(status)

    def take_events(self) -> npt.NDArray[np.void]:
        """What the search did since the last call."""
        events, self._unread_events = self._unread_events, NO_EVENTS
        return events

    @property
    def search(self) -> Search | JumpSearch:
        """What it plans by."""
        return self._search

    @property
    def memory(self) -> Memory:
        """What the last search held."""
        self._require_reset()
        return Memory(self._search.peak_open, self._search.expansions) if self._searched else Memory()

    def _begin(self) -> None:
        self._searched = False
        self._next = 0
        self._unread_events = NO_EVENTS

    def _retarget(self) -> None:
        self._next = 0

    def _advance(self) -> Step:
        expansions = 0 if self._next else self._make_plan()
        cell = int(self._plan[self._next])
        self._next += 1
        return Step(cell, RunStatus.ARRIVED if cell == self.goal else RunStatus.MOVING, expansions)

    def _make_plan(self) -> int:
        self._plan_all()
        return self._search.expansions

    def _plan_all(self) -> None:
        self._find()
        self._plan = self._search.walk_back(self.goal)
        self._next = 1

    def _find(self) -> None:
        self._search.find(self.cell, self.goal)
        self._searched = True
        if self.record:
            # The key counts h in units of h_weight (g alone where there is no h).
            events = read_events(self.grid, self._search.events, self._h_weight or 1)
            self._unread_events = np.concatenate([self._unread_events, events])
