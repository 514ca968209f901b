"""Agents that walk from subgoal to subgoal of a database (how-it-fits, "A route and a walker")."""

from collections.abc import Callable
from mmap import mmap
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from waypost.agents.logged import Logged
from waypost.agents.many import Cells
from waypost.agents.move_log import read_log
from waypost.agents.step import WORK_COUNTERS, Memory
from waypost.agents.trace import NO_EVENTS, read_events
from waypost.errors import WaypostError
from waypost.kernels import tiles, ways
from waypost.kernels.events import EVENT_COLUMNS, EXPANDED, TARGETED
from waypost.kernels.numbers import COST_LIMIT
from waypost.planners.walking.kernels import blocks
from waypost.planners.walking.kernels.walker import Slot, place
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["Route", "Subgoal"]

_ONE_STEP = (8, 1)  # states on the open and closed list of a walker that looks around its cell
_EXPANSIONS = WORK_COUNTERS.index("expansions")


class Route(Protocol):
    """Names the targets of walkers: settings, the database's arrays and the kernel that walks by them."""

    slots: int
    """Slots of a walker's state, as long as no goal needs more."""

    def begin(self, now: Int32, goal: int) -> Int32:
        """Set a walker's slots for a new goal, in an array as large as that takes; no more work on a larger map."""

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:
        """Make as many moves as the log has room for, at most.

        None, though the goal is not reached, says that a learned distance went beyond what is supported, or that
        the database leads no way.
        """

    # A route may also have a `solver(pool, now, goals)`, for goals of many problems: a walker's slots, in an array as
    # large as these take, and a kernel that solves such problems by them (`kernels.many`), or None.

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """Cell, g and f of all that the last move expanded, if anything; it was made from this cell to this target."""


class Subgoal(Logged):
    """One walker on a route. It climbs from target to target, and learns only where a climb is stuck."""

    def __init__(self, grid: Grid, *, route: Callable[..., Route], index: Any, record: bool = False, **params: Any):
        super().__init__(grid, record=record)
        self.provider = route(grid, index, **params)
        self._walk = self.provider.walk
        across, down = tiles.tiles_across(grid.stride), tiles.tiles_across(grid.height + 2)
        self._across = across
        size, chains = blocks.pool_size(across * down)
        # From the system page by page: only what is stored to ever becomes real memory.
        self.pool = np.frombuffer(mmap(-1, size * np.dtype(np.int32).itemsize), np.int32)
        blocks.prepare(self.pool, chains)
        self.state = np.zeros(self.provider.slots, np.int32)
        self._unread_events: list[tuple[int, int, int, int, int]] = []

    def solver(self, goals: Cells) -> Callable[..., int] | None:
        """The kernel of the route, if it has one."""
        make = getattr(self.provider, "solver", None)
        if make is None:
            return None
        self.state, solve = make(self.pool, self.state, goals)
        return cast("Callable[..., int] | None", solve)

    def see_to(self, status: int) -> None:  # noqa: ARG002 - it is stuck
        """Say why a walker made no move."""
        raise self._given_up()

    def take_events(self) -> npt.NDArray[np.void]:
        """The cells looked around and the targets set since the last call."""
        rows, self._unread_events = self._unread_events, []
        if not rows:
            return NO_EVENTS
        return read_events(self.grid, np.array(rows, np.int64).reshape(-1, EVENT_COLUMNS))

    @property
    def target(self) -> tuple[int, int] | None:
        """The subgoal that the agent is on its way to, as (x, y)."""
        cell = int(self.state[Slot.TARGET])
        return None if cell < 0 or self.cell < 0 else self.grid.xy(cell)

    @property
    def memory(self) -> Memory:
        """A look around a cell, and the cells learned on all ways to a target, each way counted for itself."""
        self._require_reset()
        return Memory(*_ONE_STEP, int(self.state[Slot.LEARNED]))

    @property
    def state_bytes(self) -> int:
        """Bytes of state that each walker needs, beside what it has learned."""
        return self.state.nbytes

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Cells whose heuristic towards the present target was raised, in rising order, and their integer values."""
        self._require_reset()
        first, last = (int(self.state[slot]) for slot in (Slot.FIRST_BLOCK, Slot.LAST_BLOCK))
        x, y, rise = blocks.raised(self.pool, first, last, self._across)
        target = int(self.state[Slot.TARGET])
        cells = (y * self.grid.stride + x).astype(np.int32)
        order = np.argsort(cells)
        octile = np.array([self.grid.octile(int(cell), target) for cell in cells[order]], np.int64)
        return cells[order], octile + rise[order]

    def _begin(self) -> None:
        self.state[Slot.LEARNED] = 0
        self._unread_events = []
        self._retarget()

    def _retarget(self) -> None:
        try:
            self.state = self.provider.begin(self.state, self.goal)
        except WaypostError:
            self.cell = self.goal = -1  # an agent that was refused its route has no problem
            raise
        place(self.pool, self.state, self.cell, self.goal)

    def _make_moves(self, log: Int32) -> int:
        target = int(self.state[Slot.TARGET]) if self.record else -1
        made = self._walk(self.pool, self.state, log)
        if not made:
            raise self._given_up()
        if self.record:
            _, work = read_log(log, made)
            self._note(self.cell, target, int(work[0, _EXPANSIONS]))
        return made

    def _given_up(self) -> WaypostError:
        """Why the kernel made no move."""
        if self.state[Slot.TOO_FAR] == ways.NO_WAY:
            return self._leads_no_way()
        longest = self.grid.length(COST_LIMIT)
        return WaypostError(f"a learned distance went beyond the longest path supported, {longest:,.0f} cells")

    def _note(self, cell: int, target_before: int, expansions: int) -> None:
        """Remember what a move did: the new target if there is one, and the cells expanded."""
        target = int(self.state[Slot.TARGET])
        h = self.grid.octile(cell, target)
        if target != target_before:
            self._unread_events.append((TARGETED, target, cell, h, h))
        if expansions:
            for there, g, f in self.provider.expanded(cell, target):
                self._unread_events.append((EXPANDED, there, there, g, f))
