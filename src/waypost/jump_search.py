"""JumpSearch: owns the scratch arrays of one jump point searcher and drives its kernel."""

import numpy as np
import numpy.typing as npt

from waypost import search
from waypost.errors import ParameterError, Unreachable
from waypost.grid import Grid
from waypost.kernels import best_first, jump
from waypost.search import Outcome

__all__ = ["JumpSearch"]

_FIRST_FOUND = 256  # jumps from one cell; at least 6


class JumpSearch:
    """Optimal search without corner cutting that expands only jump points; resumable (algorithms 13)."""

    def __init__(self, grid: Grid, *, record: bool = False) -> None:
        if not self.fits(grid):
            raise ParameterError(f"jump point search needs diagonals='both-open', not {grid.diagonals!r}")
        self.grid = grid
        self._rows, self._columns, self._cells = grid.jump_tables
        self._node = np.zeros(grid.mask.size, np.int64)
        self._parent = np.empty(grid.mask.size, np.int32)
        self._ring = np.full(search.FIRST_RING, -1, np.int64)
        self._pool = np.empty((search.FIRST_POOL, 2), np.int64)
        self._found = np.empty((_FIRST_FOUND, 4), np.int64)
        self._events = np.empty((search.FIRST_EVENTS if record else 0, best_first.EVENT_COLUMNS), np.int64)
        self._control = np.zeros(jump.CONTROL_SIZE, np.int64)
        words = self._rows.shape[1] // (grid.height + 2), self._columns.shape[1] // grid.stride
        settings = (grid.stride, *grid.costs, *words)
        self._control[: len(settings)] = settings
        self._control[jump.EPOCH] = 1  # newer than the empty marks

    @staticmethod
    def fits(grid: Grid) -> bool:
        """Whether jump point search can be used on this grid."""
        return grid.diagonals == "both-open"

    def begin(self, start: int, goal: int) -> None:
        """Start anew, towards one cell."""
        jump.begin(self._node, self._ring, self._pool, self._control, start, goal)

    def advance(self, budget: int = 1 << 62) -> Outcome:
        """Expand at most this many jump points."""
        last = self.expansions + budget
        while True:
            status = jump.advance(
                self._cells,
                self._rows,
                self._columns,
                self._node,
                self._parent,
                self._ring,
                self._pool,
                self._found,
                self._control,
                self._events,
                last - self.expansions,
            )
            if status == best_first.POOL_FULL:
                self._pool = search.doubled(self._pool)
            elif status == best_first.RING_FULL:
                lowest, highest, spread = self._control[[jump.BUCKET, jump.HIGHEST, jump.SPREAD]]
                self._ring = search.larger_ring(self._ring, lowest, highest, 1 << int(spread).bit_length())
            elif status == best_first.EVENTS_FULL:
                self._events = search.doubled(self._events)
            elif status == jump.FOUND_FULL:
                self._found = search.doubled(self._found)
            elif status == best_first.TOO_FAR:
                raise search.too_far(self.grid)
            else:
                return Outcome(status)

    def solve(self, start: int, goal: int) -> int:
        """Cost of the optimal path from start to goal."""
        self.begin(start, goal)
        if self.advance() is not Outcome.FOUND:
            raise Unreachable(f"no path leads from {self.grid.xy(start)} to {self.grid.xy(goal)}")
        return self.cost(goal)

    @property
    def expansions(self) -> int:
        """Jump points expanded since `begin`."""
        return int(self._control[jump.EXPANSIONS])

    @property
    def events(self) -> npt.NDArray[np.int64]:
        """Recorded rows of kind, cell, parent, g, f since `begin`."""
        return self._events[: self._control[jump.EVENTS]]

    def cost(self, cell: int) -> int:
        """Cost of the path found to a jump point or the goal, or -1 if the search has not reached it."""
        return int(jump.cost_to(self._node, self._control, cell))

    def path(self, cell: int) -> npt.NDArray[np.int32]:
        """All cells of the path found to a reached jump point or the goal, start first."""
        if self.cost(cell) < 0:
            raise Unreachable(f"the search has not reached {self.grid.xy(cell)}")
        return jump.path_to(self._parent, self._control, cell)
