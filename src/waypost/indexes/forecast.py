"""What an index would take, said by a formula before it is built.

The formulas were fitted once to builds on 13 maps (decision 0018); `tests/tuning` compares them with builds on two.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from waypost.world.grid import Grid

__all__ = ["OFF", "Forecast", "Growth", "MapShape", "shape_of"]

OFF = 4.0
"""A forecast may be so many times too high or too low, on maps like those of the MovingAI sets."""


class Forecast(NamedTuple):
    """What an index is expected to take."""

    bytes: float
    """In memory, tables derived when it is loaded or first used included."""
    seconds: float
    """To build, on one core."""

    @property
    def least_bytes(self) -> float:
        """What it takes at least, if the formula is off as far as it may be."""
        return self.bytes / OFF

    @property
    def least_seconds(self) -> float:
        """What its build takes at least, on one core, if the formula is off as far as it may be."""
        return self.seconds / OFF


class MapShape(NamedTuple):
    """What formulas know of a map."""

    open_cells: int
    padded_cells: int
    """Those that arrays of a map have, walls and a border included."""
    corners: int
    """Of walls that stick out into open ground: paths turn around them."""
    diagonals: str
    """When a diagonal move is legal."""


def shape_of(grid: Grid) -> MapShape:
    """What formulas know of this map."""
    is_open = np.pad(grid.is_open, 1)
    here, above, left, both = is_open[1:, 1:], is_open[:-1, 1:], is_open[1:, :-1], is_open[:-1, :-1]
    sides = (here, left, above), (left, here, both), (above, both, here), (both, above, left)
    corners = sum(int((~wall & beside & over).sum()) for wall, beside, over in sides)
    return MapShape(grid.open_count, grid.mask.size, corners, grid.diagonals)


class Growth(NamedTuple):
    """A product of powers of what a map and its parameters are like."""

    factor: float
    open_cells: float = 0.0
    """The exponent of the number of open cells."""
    padded_cells: float = 0.0
    """That of the number of all cells."""
    corners: float = 0.0
    """That of the number of corners, and one more."""
    params: Mapping[str, float] = MappingProxyType({})
    """Those of parameters by name."""

    def of(self, shape: MapShape, params: Mapping[str, float] = MappingProxyType({})) -> float:
        """The product for a map and these parameters."""
        by_map = shape.open_cells**self.open_cells * shape.padded_cells**self.padded_cells
        by_map *= (shape.corners + 1) ** self.corners
        return float(self.factor * by_map * math.prod(params[name] ** power for name, power in self.params.items()))
