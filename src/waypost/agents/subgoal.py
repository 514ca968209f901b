"""Agents that walk from subgoal to subgoal of a database: a route names the targets, a walker goes there (design 4)."""

from collections.abc import Callable
from functools import partial
from mmap import mmap
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent
from waypost.errors import WaypostError
from waypost.grid import Grid
from waypost.kernels import best_first, blocks, tiles, walk
from waypost.parameters import whole_number
from waypost.step import WORK_COUNTERS, Memory, Status, Step, Walk
from waypost.trace import NO_EVENTS, read_events

__all__ = ["Route", "Subgoal"]

_MOVING, _ARRIVED = Status.MOVING, Status.ARRIVED
_new_step: Callable[[list[Any]], Step] = partial(tuple.__new__, Step)  # half the time of Step(...)
_COUNTERS = len(WORK_COUNTERS)
_MOVES_AT_ONCE = 1 << 12  # of a walk; larger logs only leave the cache
_ONE_STEP = (8, 1)  # states on the open and closed list of a walker that looks around its cell


class Route(Protocol):
    """Names the targets of walkers: settings, the database's arrays and the kernel that walks by them."""

    kernel: str
    """The compiled function that walks, as module.function."""
    slots: int
    """Slots of a walker's state that the route needs, behind the walker's own."""

    def begin(self, state: npt.NDArray[np.int32], walker: int, goal: int) -> npt.NDArray[np.int32]:
        """Set a walker's slots for a new goal, in an array as large as that takes; no more work on a larger map."""

    def walk(self, pool: npt.NDArray[np.int32], state: npt.NDArray[np.int32], log: npt.NDArray[np.int32]) -> int:
        """Make as many moves as the log has room for, at most: cells first, then the work counters of each move.

        None, though the goal is not reached, says that a learned distance went beyond what is supported.
        """

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """Cell, g and f of all that the last move expanded, if anything; it was made from this cell to this target."""


class Subgoal(Agent):
    """One walker on a route. It climbs from target to target, and learns only where a climb is stuck."""

    def __init__(self, grid: Grid, *, route: Callable[..., Route], index: Any, record: bool = False, **params: Any):
        super().__init__(grid, record=record)
        self._route = route(grid, index, **params)
        self._walk = self._route.walk
        self.kernel = self._route.kernel
        across, down = tiles.tiles_across(grid.stride), tiles.tiles_across(grid.height + 2)
        self._across = across
        size, chains = blocks.pool_size(across * down)
        # From the system page by page: only what is stored to ever becomes real memory.
        self._pool = np.frombuffer(mmap(-1, size * np.dtype(np.int32).itemsize), np.int32)
        blocks.prepare(self._pool, chains)
        self._state = np.zeros((walk.SLOTS + self._route.slots, 1), np.int32)
        self._one_move = np.empty(1 + _COUNTERS, np.int32)
        self._unread_events: list[tuple[int, int, int, int, int]] = []

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most so many, thousands in one call."""
        if self.record:
            return super().walk(max_moves)
        self._require_reset()
        left = whole_number("max_moves", max_moves)
        cells, work = [np.array([self.cell], np.int32)], [np.empty(0, np.int32)]
        while left and self.cell != self.goal:
            room = min(left, _MOVES_AT_ONCE)
            log = np.empty(room * (1 + _COUNTERS), np.int32)
            made = self._walk(self._pool, self._state, log)
            if made == 0:
                raise self._too_far()
            cells.append(log[:made])
            work.append(log[room : room + _COUNTERS * made])
            left -= made
            self.cell = int(log[made - 1])
        status = _ARRIVED if self.cell == self.goal else Status.OUT_OF_MOVES
        return Walk(status, np.concatenate(cells), np.concatenate(work).reshape(-1, _COUNTERS))

    def take_events(self) -> npt.NDArray[np.void]:
        """The cells looked around and the targets set since the last call."""
        rows, self._unread_events = self._unread_events, []
        if not rows:
            return NO_EVENTS
        return read_events(self.grid, np.array(rows, np.int64).reshape(-1, best_first.EVENT_COLUMNS))

    @property
    def target(self) -> tuple[int, int] | None:
        """The subgoal that the agent is on its way to, as (x, y)."""
        cell = int(self._state[walk.TARGET, 0])
        return None if cell < 0 else self.grid.xy(cell)

    @property
    def memory(self) -> Memory:
        """A look around a cell, and the cells learned on all ways to a target, each way counted for itself."""
        return Memory(*_ONE_STEP, int(self._state[walk.LEARNED, 0]))

    @property
    def state_bytes(self) -> int:
        """Bytes of state that each walker needs, beside what it has learned."""
        return self._state.nbytes

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Cells whose heuristic towards the present target was raised, in rising order, and their integer values."""
        self._require_reset()
        first, last = (int(self._state[slot, 0]) for slot in (walk.FIRST_BLOCK, walk.LAST_BLOCK))
        x, y, rise = blocks.raised(self._pool, first, last, self._across)
        target = int(self._state[walk.TARGET, 0])
        cells = (y * self.grid.stride + x).astype(np.int32)
        order = np.argsort(cells)
        octile = np.array([self.grid.octile(int(cell), target) for cell in cells[order]], np.int64)
        return cells[order], octile + rise[order]

    def _begin(self) -> None:
        self._state[walk.LEARNED, 0] = 0
        self._unread_events = []
        self._retarget()

    def _retarget(self) -> None:
        try:
            self._state = self._route.begin(self._state, 0, self.goal)
        except WaypostError:
            self.cell = -1  # an agent that was refused its route has no problem
            raise
        walk.place(self._pool, self._state, 0, self.cell, self.goal)

    def _advance(self) -> Step:
        target = int(self._state[walk.TARGET, 0]) if self.record else -1
        if not self._walk(self._pool, self._state, self._one_move):
            raise self._too_far()
        row: list[Any] = self._one_move.tolist()
        if self.record:
            self._note(self.cell, target, row[1])
        row.insert(1, _ARRIVED if row[0] == self.goal else _MOVING)
        return _new_step(row)

    def _too_far(self) -> WaypostError:
        longest = self.grid.length(best_first.COST_LIMIT)
        return WaypostError(f"a learned distance went beyond the longest path supported, {longest:,.0f} cells")

    def _note(self, cell: int, target_before: int, expansions: int) -> None:
        """Remember what a move did: the new target if there is one, and the cells expanded."""
        target = int(self._state[walk.TARGET, 0])
        h = self.grid.octile(cell, target)
        if target != target_before:
            self._unread_events.append((best_first.TARGETED, target, cell, h, h))
        if expansions:
            for there, g, f in self._route.expanded(cell, target):
                self._unread_events.append((best_first.EXPANDED, there, there, g, f))
