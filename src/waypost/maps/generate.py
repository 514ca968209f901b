"""Seeded maps that look like places in games. Each keeps only its largest component, so every problem has a path."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError
from waypost.grid import Grid

__all__ = ["GENERATORS", "caves", "maze", "rooms"]

Open = npt.NDArray[np.bool_]

_CAVE_ROUNDS = 5
_SMALLEST = 8


def caves(width: int, height: int, seed: int = 0, *, walls: float = 0.45) -> Open:
    """Winding caves: random walls smoothed by a majority vote of each cell's neighbourhood."""
    _check(width, height)
    is_wall = np.random.default_rng(seed).random((height, width)) < walls
    for _ in range(_CAVE_ROUNDS):
        padded = np.pad(is_wall.astype(np.int8), 1, constant_values=1)
        columns = padded[:-2] + padded[1:-1] + padded[2:]
        is_wall = columns[:, :-2] + columns[:, 1:-1] + columns[:, 2:] >= 5
    return _largest_part(~is_wall)


def rooms(width: int, height: int, seed: int = 0, *, size: int = 9) -> Open:
    """A lattice of rooms with one or two doors in most of the walls between neighbours."""
    _check(width, height)
    random = np.random.default_rng(seed)
    is_open = np.ones((height, width), np.bool_)
    is_open[size :: size + 1, :] = False
    is_open[:, size :: size + 1] = False
    for transposed in (is_open, is_open.T):
        for wall in range(size, transposed.shape[1], size + 1):
            for first in range(0, transposed.shape[0], size + 1):
                stretch = min(size, transposed.shape[0] - first)
                if random.random() < 0.85:
                    transposed[first + random.integers(stretch, size=random.integers(1, 3)), wall] = True
    return _largest_part(is_open)


def maze(width: int, height: int, seed: int = 0, *, corridor: int = 2) -> Open:
    """A maze grown by depth-first search on a lattice of corridors, all of it connected."""
    _check(width, height)
    random = np.random.default_rng(seed)
    pitch = corridor + 1
    columns, rows = (width - 1) // pitch, (height - 1) // pitch
    is_open = np.zeros((height, width), np.bool_)
    seen = np.zeros((rows, columns), np.bool_)
    trail = [(0, 0)]
    seen[0, 0] = True
    while trail:
        row, column = trail[-1]
        y, x = 1 + row * pitch, 1 + column * pitch
        is_open[y : y + corridor, x : x + corridor] = True
        ways = [
            (r, c)
            for r, c in ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
            if 0 <= r < rows and 0 <= c < columns and not seen[r, c]
        ]
        if not ways:
            trail.pop()
            continue
        r, c = ways[random.integers(len(ways))]
        y, x = 1 + min(row, r) * pitch, 1 + min(column, c) * pitch
        is_open[y : y + corridor + pitch * (r != row), x : x + corridor + pitch * (c != column)] = True
        seen[r, c] = True
        trail.append((r, c))
    return is_open


GENERATORS: dict[str, Callable[..., Open]] = {"caves": caves, "maze": maze, "rooms": rooms}
"""Every generator by the name of what it makes; all take width, height and seed."""


def _largest_part(is_open: Open) -> Open:
    grid = Grid(is_open)
    labels = grid.component.reshape(-1, grid.stride)[1:-1, 1:-1]
    return labels == max(1, int(grid.component_sizes.argmax()))


def _check(width: int, height: int) -> None:
    if width < _SMALLEST or height < _SMALLEST:
        raise ParameterError(f"a generated map is at least {_SMALLEST} x {_SMALLEST} cells, not {width} x {height}")
