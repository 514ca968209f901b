"""Veil: cells of a World that are blocked for some ticks, such as by a door or a parked unit; nothing is repaired."""

import numpy as np
import numpy.typing as npt

from waypost.kernels import repair
from waypost.world.grid import DIAGONALS, Grid
from waypost.world.live_grid import LiveGrid

__all__ = ["Veil", "with_moves"]


class Veil:
    """The legal moves of a World's map but for those into blocked cells, or past them as past a wall.

    Only fleets walk by it: to all else a blocked cell is as open as before. It counts the ticks of the fleet that has
    ticked most often.
    """

    def __init__(self, grid: LiveGrid) -> None:
        self._grid = grid
        self._moves: npt.NDArray[np.uint8] | None = None
        self._is_free: npt.NDArray[np.uint8] | None = None
        self._until: dict[int, int] = {}
        self._ends_next = 0
        self.now = 0
        """Ticks so far."""
        self.version = 0
        """How often it has changed but by edits."""

    def __len__(self) -> int:
        return len(self._until)

    @property
    def mask(self) -> npt.NDArray[np.uint8]:
        """The legal moves, made when a fleet first asks for them: a view that is changed in place."""
        if self._moves is None:
            self._moves = self._grid.mask.copy()
        view = self._moves.view()
        view.setflags(write=False)
        return view

    @property
    def bytes(self) -> int:
        """Memory of it."""
        return sum(array.nbytes for array in (self._moves, self._is_free) if array is not None)

    def block(self, cells: npt.NDArray[np.int32], ticks: int) -> None:
        """Block cells for so many ticks from now on, those that are blocked already as well; 0 ends that."""
        if ticks:
            self._until.update(dict.fromkeys(cells.tolist(), self.now + ticks))
        else:
            for cell in cells.tolist():
                self._until.pop(cell, None)
        self._ends_next = min(self._until.values(), default=0)
        self.version += 1
        self._renew(cells)

    def ends_before(self, ticks: int) -> bool:
        """Whether a block ends before the tick of this number."""
        return bool(self._until) and self._ends_next < ticks

    def count_tick(self, ticks: int) -> None:
        """A fleet begins its tick of this number."""
        if ticks <= self.now:
            return
        self.now = ticks
        if self.ends_before(ticks):
            ended = np.array([cell for cell, until in self._until.items() if until < ticks], np.int32)
            self.block(ended, 0)

    def follow(self, cells: npt.NDArray[np.int32]) -> None:
        """These cells of the map were edited."""
        if self._moves is not None:
            self._renew(cells)

    def _renew(self, cells: npt.NDArray[np.int32]) -> None:
        if self._moves is None:
            self._moves = self._grid.mask.copy()
        if self._is_free is None:
            self._is_free = (self._grid.component != 0).astype(np.uint8)
        self._is_free[cells] = self._grid.component[cells] != 0
        self._is_free[[cell for cell in cells.tolist() if cell in self._until]] = 0
        rule = DIAGONALS[self._grid.diagonals]
        repair.renew_moves(self._moves, self._is_free, self._grid.stride, rule, cells)


def with_moves(grid: Grid, mask: npt.NDArray[np.uint8]) -> Grid:
    """What stands for a grid where other moves are legal, for routes and searches: all else is that of the grid."""
    twin = object.__new__(Grid)
    twin.__dict__.update(vars(grid))
    twin.__dict__["mask"] = mask
    return twin
