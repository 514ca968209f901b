"""Searches: each owns the scratch arrays of one searcher and drives a kernel. Here what all share, and best-first."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import Unreachable, WaypostError
from waypost.kernels import best_first, outcomes, search_many
from waypost.kernels.compiling import address_of
from waypost.kernels.events import EVENT_COLUMNS
from waypost.kernels.numbers import COST_LIMIT, NO_LIMIT
from waypost.world.grid import Grid

__all__ = ["KernelSearch", "SearchState", "Search", "doubled", "search_settings"]

FIRST_POOL = 4096
FIRST_RING = 256  # a power of two, as every size of the ring
FIRST_EVENTS = 4096


class SearchState(Enum):
    """What a search has come to so far."""

    RUNNING = outcomes.RUNNING
    FOUND = outcomes.FOUND
    EXHAUSTED = outcomes.EXHAUSTED


_STATES = tuple(SearchState)  # by their numbers; to ask the enum would take four times as long
_FOUND = SearchState.FOUND


class KernelSearch(ABC):
    """A search that can stop at any expansion and go on: scratch, room on request, and how to ask for results.

    Used again and again it allocates nothing, and no mark of a cell is ever reset.
    """

    def __init__(self, grid: Grid, control: npt.NDArray[np.void], *, record: bool, entries: int | None = None) -> None:
        self.grid = grid
        self._node = np.zeros(grid.mask.size, np.int64)
        self.ring = np.full(FIRST_RING, -1, np.int64)
        self.pool = np.empty((entries or FIRST_POOL, 2), np.int64)
        self._events = np.empty((FIRST_EVENTS if record else 0, EVENT_COLUMNS), np.int64)
        self.control = control

    @abstractmethod
    def begin(self, start: int, goal: int) -> None:
        """Start again, towards one cell."""

    @abstractmethod
    def cost(self, cell: int) -> int:
        """Cost of the path found to a cell, or -1 if the search has not reached it."""

    @abstractmethod
    def solver(self) -> Callable[..., int]:
        """A kernel that solves many problems (`kernels.many`); after `make_room` it must be asked for again."""

    @abstractmethod
    def _run_kernel(self, budget: int) -> int:
        """Let the kernel expand at most this many cells; returns how that ended."""

    @abstractmethod
    def walk_back(self, cell: int) -> npt.NDArray[np.int32]:
        """Cells of the path found to a reached cell, start first."""

    def advance(self, budget: int = NO_LIMIT) -> SearchState:
        """Expand at most this many cells."""
        before = self.expansions if budget < NO_LIMIT else 0
        status = self._run_kernel(budget)
        while status > outcomes.EXHAUSTED:
            self.make_room(status)
            status = self._run_kernel(budget - (self.expansions - before))
        return _STATES[status]

    def find(self, start: int, goal: int) -> None:
        """Search from start to goal, to the end."""
        self.begin(start, goal)
        if self.advance() is not _FOUND:
            raise Unreachable(f"no path leads from {self.grid.xy(start)} to {self.grid.xy(goal)}")

    def solve(self, start: int, goal: int) -> int:
        """Cost of the path found from start to goal, searching to the end."""
        self.find(start, goal)
        return self.cost(goal)

    def path(self, cell: int) -> npt.NDArray[np.int32]:
        """Cells of the path found to a reached cell, start first."""
        if self.cost(cell) < 0:
            raise Unreachable(f"the search has not reached {self.grid.xy(cell)}")
        return self.walk_back(cell)

    @property
    def expansions(self) -> int:
        """Cells expanded since `begin`."""
        return self.control["expansions"].item()

    @property
    def generated(self) -> int:
        """Entries put on the open list since `begin`."""
        return self.control["generated"].item()

    @property
    def peak_open(self) -> int:
        """Most entries on the open list at a time since `begin`."""
        return self.control["peak_open"].item()

    @property
    def events(self) -> npt.NDArray[np.int64]:
        """Recorded rows of kind, cell, parent, g and key since `begin`."""
        return self._events[: self.control["events"][0]]

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """`best_first.SearchArrays` as a plain tuple, for kernels that search on; others after `make_room`."""
        arrays = best_first.SearchArrays(
            node=self._node, ring=self.ring, pool=self.pool, control=self.control, events=self._events
        )
        return tuple(arrays)

    def take_events(self) -> npt.NDArray[np.int64]:
        """Rows recorded since the last call, or since `begin`; makes their room free again."""
        rows = self.events.copy()
        self.control["events"] = 0
        return rows

    def make_room(self, status: int) -> None:
        """Enlarge what a kernel said is full."""
        if status == outcomes.POOL_FULL:
            self.pool = doubled(self.pool)
        elif status == outcomes.EVENTS_FULL:
            self._events = doubled(self._events)
        elif status == outcomes.RING_FULL:
            used = np.arange(self.control["bucket"][0], self.control["highest"][0] + 1)
            larger = np.full(2 * self.ring.size, -1, np.int64)
            larger[used & (larger.size - 1)] = self.ring[used & (self.ring.size - 1)]
            self.ring = larger
        else:
            longest = self.grid.length(COST_LIMIT)
            raise WaypostError(f"the search went beyond the longest path supported, {longest:,.0f} cells")


class Search(KernelSearch):
    """Best-first search by g_weight * g + h_weight * h (algorithms 2).

    Equal weights make it A*, an h_weight of 0 Dijkstra, and h_weight > g_weight weighted A* with cost at most
    h_weight / g_weight times the optimum. `entries` reserves room on the open list.
    """

    def __init__(
        self, grid: Grid, *, g_weight: int = 1, h_weight: int = 1, entries: int | None = None, record: bool = False
    ) -> None:
        control = best_first.new_control(search_settings(grid, g_weight, h_weight))
        super().__init__(grid, control, record=record, entries=entries)

    def begin(self, start: int, goal: int) -> None:
        """Start again, towards one cell."""
        self._begin(start, goal, NO_LIMIT)

    def begin_all(self, start: int, cost_limit: int = NO_LIMIT) -> None:
        """Start again, towards all cells that can be reached within a cost; only without a heuristic."""
        if self.control["h_weight"][0]:
            raise ValueError("a search with a heuristic needs a goal")
        self._begin(start, -1, cost_limit)

    def cost(self, cell: int) -> int:
        """Cost of the path found to a cell, or -1 if the search has not reached it."""
        return int(best_first.cost_to(self._node, self.control, cell))

    def costs(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """Cost of every cell (-1 if not reached) and the move that reached it (255 if none)."""
        return best_first.all_costs(self._node, self.control)

    def count_within(self, lowest: int, highest: int) -> int:
        """How many cells were reached at a cost in this closed range."""
        return int(best_first.count_costs(self._node, self.control, lowest, highest))

    def pick_within(self, lowest: int, highest: int, rank: int) -> int:
        """The cell of this rank among those `count_within` counts."""
        return int(best_first.pick_cost(self._node, self.control, lowest, highest, rank))

    def solver(self) -> Callable[..., int]:
        """A kernel that solves many problems."""
        mask, scratch = self.grid.mask, (self._node, self.ring, self.pool, self.control)
        advance_at = address_of(best_first.advance, mask, *scratch, self._events, NO_LIMIT)
        return partial(search_many.solve_best_first, mask, self.arrays, self.begin_address, advance_at)

    @property
    def begin_address(self) -> int:
        """Where kernels find the one that begins a search."""
        return address_of(best_first.begin, self._node, self.ring, self.pool, self.control, 0, 0)

    def _begin(self, start: int, goal: int, cost_limit: int) -> None:
        self.control["limit"] = cost_limit
        best_first.begin(self._node, self.ring, self.pool, self.control, start, goal)

    def _run_kernel(self, budget: int) -> int:
        mask = self.grid.mask
        return best_first.advance(mask, self._node, self.ring, self.pool, self.control, self._events, budget)

    def walk_back(self, cell: int) -> npt.NDArray[np.int32]:
        """Cells of the path found to a reached cell."""
        return best_first.path_to(self._node, self.control, cell)


def search_settings(grid: Grid, g_weight: int = 1, h_weight: int = 1) -> best_first.Settings:
    """Settings of a searcher on a grid, with these weights."""
    straight, diagonal, shift = grid.costs
    if h_weight > g_weight:
        # The widest buckets with which the bound on the cost still holds (docs/decisions/0004).
        shift = ((h_weight - g_weight) * straight).bit_length() - 1
    return best_first.Settings(
        stride=grid.stride,
        straight_cost=straight,
        diagonal_cost=diagonal,
        shift=shift,
        g_weight=g_weight,
        h_weight=h_weight,
    )


def doubled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with twice as many rows."""
    larger = np.empty((2 * array.shape[0], *array.shape[1:]), array.dtype)
    larger[: array.shape[0]] = array
    return larger
