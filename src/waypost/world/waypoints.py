"""Paths as waypoints: only their turning points, or shortened by lines of sight."""

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, ParameterError, shown
from waypost.kernels import sight
from waypost.system.checks import whole_numbers

if TYPE_CHECKING:
    from waypost.world.grid import Grid

__all__ = ["Paths", "Waypoints"]


class Waypoints(NamedTuple):
    """A path as points to go to, each straight from the one before it."""

    points: npt.NDArray[np.int32]
    """An (n, 2) array of x, y, start and goal included."""
    length: float
    """Of all lines together, in cells."""


@dataclass(frozen=True)
class Paths:
    """Many paths on a grid as one ragged array: path i is the stretch of `cells` from offsets[i] to offsets[i + 1]."""

    grid: "Grid"
    cells: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def path(self, i: int) -> npt.NDArray[np.int32]:
        """Path i as an (n, 2) array of x, y; empty where there is none."""
        wanted = whole_numbers(i)
        if wanted is None or wanted.ndim or not -len(self) <= wanted < len(self):
            raise ParameterError(f"a path is named by its number, below {len(self):,} in this batch, not by {shown(i)}")
        i = int(wanted) % len(self)
        return self.grid.xys(self.cells[self.offsets[i] : self.offsets[i + 1]])

    @functools.cached_property
    def lengths(self) -> npt.NDArray[np.float64]:
        """The length of the lines of each path, in cells; NaN where there is no path."""
        steps = np.diff(self.grid.xys(self.cells).astype(np.float64), axis=0)
        walked = np.concatenate(([0.0], np.hypot(steps[:, 0], steps[:, 1]).cumsum()))
        lengths = np.full(len(self), np.nan)
        some = np.diff(self.offsets) > 0
        lengths[some] = walked[self.offsets[1:][some] - 1] - walked[self.offsets[:-1][some]]
        return lengths

    def corners(self) -> "Paths":
        """The same paths by their turning points, start and goal included."""
        moves = np.ones(self.cells.size, np.bool_)
        moves[1:] = np.diff(self.cells) != 0
        moving = _without(self, moves)
        steps, turns = np.diff(moving.cells), np.ones(moving.cells.size, np.bool_)
        turns[1:-1] = steps[1:] != steps[:-1]
        turns[moving.offsets[1:][np.diff(moving.offsets) > 0] - 1] = True
        return _without(moving, turns)

    def smooth(self) -> "Paths":
        """The paths shortened: points that can be left out, as the ones round them see each other, are left out."""
        kept, offsets = np.empty_like(self.cells), np.empty_like(self.offsets)
        bad = sight.shorten(self.grid.mask, self.grid.stride, self.cells, self.offsets, kept, offsets)
        if bad >= 0:
            (x, y), (u, v) = self.grid.xys(self.cells[bad - 1 : bad + 1]).tolist()
            raise MapError(f"no legal line leads from ({x}, {y}) to ({u}, {v}), the next point of the path")
        return Paths(self.grid, kept[: offsets[-1]], offsets)


def _without(paths: Paths, keep: npt.NDArray[np.bool_]) -> Paths:
    """Paths of those of their cells that are kept; the first of each is in any case."""
    keep[paths.offsets[:-1][np.diff(paths.offsets) > 0]] = True
    before = np.concatenate(([0], np.cumsum(keep)))
    return Paths(paths.grid, paths.cells[keep], before[paths.offsets])
