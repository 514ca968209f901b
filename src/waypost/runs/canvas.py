"""The map as a picture to draw on: several pixels to a cell, or several cells to a pixel."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, WaypostError, shown
from waypost.system.checks import whole_number
from waypost.world.grid import Grid

__all__ = [
    "CELLS_AT_ONCE", "FLOOR", "SIDE_FLOOR", "WALL", "Paint", "Pixels", "checked_scale", "draw_map", "fill_cells",
    "size_at",
]  # fmt: skip

Pixels = npt.NDArray[np.uint8]
Paint: TypeAlias = Callable[[Pixels, slice], None]
"""Draws over some rows of the map, of which it is given the colours, one pixel to a cell."""

WALL = (44, 52, 64)
FLOOR = (244, 241, 234)
SIDE_FLOOR = (214, 208, 196)  # open, but not part of the largest component

_LARGE_ENOUGH = 640
_SMALL_ENOUGH = 4096
_LEAST = 1e-6
_MOST_PIXELS = 100_000_000
CELLS_AT_ONCE = 1 << 20


def checked_scale(grid: Grid, scale: float | None) -> float:
    """Pixels per cell: a whole number or 1/2, 1/3 and so on; where none is given, one that suits the map's size."""
    if not isinstance(grid, Grid):
        raise ParameterError(f"what is drawn is a Grid, not {shown(grid)}")
    if scale is None:
        longest = max(grid.width, grid.height)
        return (
            max(1, min(16, _LARGE_ENOUGH // longest)) if longest <= _SMALL_ENOUGH else 1 / -(-longest // _SMALL_ENOUGH)
        )
    if isinstance(scale, (float, np.floating)) and _LEAST <= scale < 1:
        cells = round(1 / scale)
        if abs(scale * cells - 1) > 1e-6:
            raise ParameterError(f"the scale of a picture must be a whole number or 1/2, 1/3 ..., not {shown(scale)}")
        return 1 / cells
    return whole_number("the scale of a picture", scale, lowest=1)


def size_at(grid: Grid, scale: float) -> tuple[int, int]:
    """Height and width of a picture of the map."""
    cells, pixels = _cells_of(scale), max(1, int(scale))
    return -(-grid.height // cells) * pixels, -(-grid.width // cells) * pixels


def draw_map(grid: Grid, scale: float, paint: Paint | None = None) -> Pixels:
    """The map: walls dark, the largest component light, other open cells a shade darker; then what is painted over.

    Made of a few rows at a time. Where several cells share a pixel it has the mean of their colours.
    """
    height, width = size_at(grid, scale)
    if height * width > _MOST_PIXELS:
        raise WaypostError(
            f"a picture of {grid.width} x {grid.height} cells at scale {scale:g} is not possible: "
            f"a picture has at most {_MOST_PIXELS:,} pixels"
        )
    pixels = np.empty((height, width, 3), np.uint8)
    colours = _colours_of_components(grid)
    labels = grid.component.reshape(-1, grid.stride)[1:-1, 1:-1]
    cells = _cells_of(scale)
    at_once = cells * max(1, CELLS_AT_ONCE // (cells * grid.width))
    for first in range(0, grid.height, at_once):
        rows = slice(first, min(first + at_once, grid.height))
        band = colours[labels[rows]]
        if paint:
            paint(band, rows)
        if cells > 1:
            pixels[first // cells : first // cells + -(-len(band) // cells)] = _mean(band, cells)
        else:
            times = int(scale)
            _by_cell(pixels, times)[rows] = band.repeat(times, axis=1).reshape(len(band), 1, grid.width, times, 3)
    return pixels


def fill_cells(pixels: Pixels, grid: Grid, cells: npt.NDArray[np.int32], colours: Any, scale: float) -> None:
    """Fill cells with a colour each; of a cell named twice, or cells that share a pixel, the last one counts."""
    x, y = grid.xys(cells).T
    shared = _cells_of(scale)
    if shared > 1:
        pixels[y // shared, x // shared] = colours
    else:
        _by_cell(pixels, int(scale))[y, :, x] = np.asarray(colours, np.uint8)[..., None, None, :]


def _cells_of(scale: float) -> int:
    """How many cells lie along a pixel."""
    return max(1, round(1 / scale))


def _by_cell(pixels: Pixels, scale: int) -> Pixels:
    """A picture by row of the map, row of pixels in it, column of the map, column of pixels in it, and channel."""
    height, width, _ = pixels.shape
    by_cell = pixels.view()
    by_cell.shape = (height // scale, scale, width // scale, scale, 3)  # which refuses to copy
    return by_cell


def _mean(band: Pixels, cells: int) -> Pixels:
    """The mean of each square of so many cells, or of what there is of it at the right and lower edge."""
    height, width, _ = band.shape
    tops, lefts = np.arange(0, height, cells), np.arange(0, width, cells)
    down, across = np.diff(tops, append=height), np.diff(lefts, append=width)
    columns = np.add.reduceat(band.reshape(height, 3 * width), tops, axis=0, dtype=np.uint32).reshape(-1, width, 3)
    total = np.add.reduceat(columns, lefts, axis=1)
    return (total // (down[:, None] * across)[..., None]).astype(np.uint8)


def _colours_of_components(grid: Grid) -> Pixels:
    colours = np.empty((grid.component_count + 1, 3), np.uint8)
    colours[:] = SIDE_FLOOR
    colours[0] = WALL
    colours[int(grid.component_sizes.argmax())] = FLOOR
    return colours
