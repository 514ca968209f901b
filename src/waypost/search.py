"""Search: owns the scratch arrays of one searcher and drives the best-first kernel."""

from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import Unreachable, WaypostError
from waypost.grid import Grid
from waypost.kernels import best_first

__all__ = ["FIRST_EVENTS", "FIRST_POOL", "FIRST_RING", "Outcome", "Search", "doubled", "larger_ring", "too_far"]

_NO_LIMIT = 1 << 62
FIRST_POOL = 4096
FIRST_RING = 256  # a power of two, as every size of the ring
FIRST_EVENTS = 4096


class Outcome(Enum):
    """What a search has come to so far."""

    RUNNING = best_first.RUNNING
    FOUND = best_first.FOUND
    EXHAUSTED = best_first.EXHAUSTED


class Search:
    """Best-first search by g_weight * g + h_weight * h, resumable at any expansion (algorithms 2).

    Equal weights make it A*, an h_weight of 0 Dijkstra, and h_weight > g_weight weighted A* with cost at most
    h_weight / g_weight times the optimum. Used again and again it allocates nothing and resets nothing.
    """

    def __init__(self, grid: Grid, *, g_weight: int = 1, h_weight: int = 1, record: bool = False) -> None:
        self.grid = grid
        straight, diagonal, shift = grid.costs
        if h_weight > g_weight:
            # The widest buckets with which the bound on the cost still holds (docs/decisions/0004).
            shift = ((h_weight - g_weight) * straight).bit_length() - 1
        self._node = np.zeros(grid.mask.size, np.int64)
        self._ring = np.full(FIRST_RING, -1, np.int64)
        self._pool = np.empty((FIRST_POOL, 2), np.int64)
        self._events = np.empty((FIRST_EVENTS if record else 0, best_first.EVENT_COLUMNS), np.int64)
        self._control = np.zeros(best_first.CONTROL_SIZE, np.int64)
        settings = (grid.stride, straight, diagonal, shift, g_weight, h_weight, _NO_LIMIT)
        self._control[: len(settings)] = settings
        self._control[best_first.EPOCH] = 1  # newer than the empty marks

    def begin(self, start: int, goal: int) -> None:
        """Start anew, towards one cell."""
        self._control[best_first.LIMIT] = _NO_LIMIT
        best_first.begin(self._node, self._ring, self._pool, self._control, start, goal)

    def begin_all(self, start: int, cost_limit: int = _NO_LIMIT) -> None:
        """Start anew, towards all cells that can be reached within a cost; only without a heuristic."""
        if self._control[best_first.H_WEIGHT]:
            raise ValueError("a search with a heuristic needs a goal")
        self._control[best_first.LIMIT] = cost_limit
        best_first.begin(self._node, self._ring, self._pool, self._control, start, -1)

    def advance(self, budget: int = _NO_LIMIT) -> Outcome:
        """Expand at most this many cells."""
        last = self.expansions + budget
        while True:
            status = best_first.advance(
                self.grid.mask,
                self._node,
                self._ring,
                self._pool,
                self._control,
                self._events,
                last - self.expansions,
            )
            if status == best_first.POOL_FULL:
                self._pool = doubled(self._pool)
            elif status == best_first.RING_FULL:
                lowest, highest = self._control[[best_first.BUCKET, best_first.HIGHEST]]
                self._ring = larger_ring(self._ring, lowest, highest, 2 * self._ring.size)
            elif status == best_first.EVENTS_FULL:
                self._events = doubled(self._events)
            elif status == best_first.TOO_FAR:
                raise too_far(self.grid)
            else:
                return Outcome(status)

    def solve(self, start: int, goal: int) -> int:
        """Cost of the path found from start to goal, searching to the end."""
        self.begin(start, goal)
        if self.advance() is not Outcome.FOUND:
            raise Unreachable(f"no path leads from {self.grid.xy(start)} to {self.grid.xy(goal)}")
        return self.cost(goal)

    @property
    def expansions(self) -> int:
        """Cells expanded since `begin`."""
        return int(self._control[best_first.EXPANSIONS])

    @property
    def generated(self) -> int:
        """Entries put on the open list since `begin`."""
        return int(self._control[best_first.GENERATED])

    @property
    def events(self) -> npt.NDArray[np.int64]:
        """Recorded rows of kind, cell, parent, g, f since `begin` (f = g_weight * g + h_weight * h)."""
        return self._events[: self._control[best_first.EVENTS]]

    def cost(self, cell: int) -> int:
        """Cost of the path found to a cell, or -1 if the search has not reached it."""
        return int(best_first.cost_to(self._node, self._control, cell))

    def path(self, cell: int) -> npt.NDArray[np.int32]:
        """Cells of the path found to a reached cell, start first."""
        if self.cost(cell) < 0:
            raise Unreachable(f"the search has not reached {self.grid.xy(cell)}")
        return best_first.path_to(self._node, self._control, cell)

    def costs(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """Cost of every cell (-1 if not reached) and the move that reached it (255 if none)."""
        return best_first.all_costs(self._node, self._control)

    def count_within(self, lowest: int, highest: int) -> int:
        """How many cells were reached at a cost in this closed range."""
        return int(best_first.count_costs(self._node, self._control, lowest, highest))

    def pick_within(self, lowest: int, highest: int, rank: int) -> int:
        """The cell of this rank among those `count_within` counts."""
        return int(best_first.pick_cost(self._node, self._control, lowest, highest, rank))


def doubled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with twice as many rows."""
    larger = np.empty((2 * array.shape[0], *array.shape[1:]), array.dtype)
    larger[: array.shape[0]] = array
    return larger


def larger_ring(ring: npt.NDArray[np.int64], lowest: int, highest: int, size: int) -> npt.NDArray[np.int64]:
    """The buckets from lowest to highest on a ring of this size, a power of two."""
    used = np.arange(lowest, highest + 1)
    larger = np.full(size, -1, np.int64)
    larger[used & (size - 1)] = ring[used & (ring.size - 1)]
    return larger


def too_far(grid: Grid) -> WaypostError:
    """The refusal of a search whose costs would not fit."""
    longest = grid.length(best_first.COST_LIMIT)
    return WaypostError(f"the search went beyond the longest path supported, {longest:,.0f} cells")
