"""JumpSearch: optimal search that expands only jump points."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError
from waypost.kernels import jump, search_many
from waypost.kernels.compiling import address_of
from waypost.kernels.numbers import NO_LIMIT
from waypost.world.grid import Grid
from waypost.world.search import KernelSearch, doubled

__all__ = ["JumpSearch", "jump_settings"]

FIRST_FOUND = 256  # jumps from one cell; at least 6


class JumpSearch(KernelSearch):
    """Jump point search without corner cutting (algorithms 13). `cost` and `path` know jump points and the goal."""

    def __init__(self, grid: Grid, *, record: bool = False) -> None:
        if not self.fits(grid):
            raise ParameterError(f"jump point search needs diagonals='both-open', not {grid.diagonals!r}")
        self._rows, self._columns, self._cells = grid.jump_tables
        control = jump.new_control(jump_settings(grid, self._rows, self._columns))
        super().__init__(grid, control, record=record)
        self._parent = np.empty(grid.mask.size, np.int32)
        self._found = np.empty((FIRST_FOUND, 4), np.int64)

    @staticmethod
    def fits(grid: Grid) -> bool:
        """Whether jump point search can be used on this grid."""
        return grid.diagonals == "both-open"

    def begin(self, start: int, goal: int) -> None:
        """Start again, towards one cell."""
        jump.begin(self._node, self.ring, self.pool, self.control, start, goal)

    def cost(self, cell: int) -> int:
        """Cost of the path found to a jump point or the goal, or -1 if the search has not reached it."""
        return int(jump.cost_to(self._node, self.control, cell))

    def solver(self) -> Callable[..., int]:
        """A kernel that solves many problems."""
        begin_at = address_of(jump.begin, self._node, self.ring, self.pool, self.control, 0, 0)
        tables = self._cells, self._rows, self._columns
        scratch = self._node, self._parent, self.ring, self.pool, self._found, self.control, self._events
        advance_at = address_of(jump.advance, *tables, *scratch, NO_LIMIT)
        return partial(search_many.solve_by_jumps, tables, self.arrays, self._parent, self._found, begin_at, advance_at)

    def _run_kernel(self, budget: int) -> int:
        return jump.advance(
            self._cells,
            self._rows,
            self._columns,
            self._node,
            self._parent,
            self.ring,
            self.pool,
            self._found,
            self.control,
            self._events,
            budget,
        )

    def walk_back(self, cell: int) -> npt.NDArray[np.int32]:
        """Cells of the path found to a jump point or the goal."""
        return jump.path_to(self._parent, self.control, cell)

    def make_room(self, status: int) -> None:
        """Enlarge what a kernel said is full."""
        if status == jump.FOUND_FULL:
            self._found = doubled(self._found)
        else:
            super().make_room(status)


def jump_settings(grid: Grid, rows: npt.NDArray[np.uint64], columns: npt.NDArray[np.uint64]) -> jump.Settings:
    """Settings of a searcher on a grid with these tables to scan by."""
    straight, diagonal, shift = grid.costs
    return jump.Settings(
        stride=grid.stride,
        straight_cost=straight,
        diagonal_cost=diagonal,
        shift=shift,
        row_words=rows.shape[1] // (grid.height + 2),
        column_words=columns.shape[1] // grid.stride,
    )
