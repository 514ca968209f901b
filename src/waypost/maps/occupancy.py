"""Grids from the fields of a live nav_msgs/OccupancyGrid, without its message."""

from array import array
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from waypost.errors import MapError, ParameterError, shown
from waypost.maps.ros import OCCUPIED, UNKNOWN
from waypost.system.checks import whole_number, whole_numbers
from waypost.world.frame import Frame, finite_number, origin_of
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid, check_size

__all__ = ["grid_from_occupancy"]

Occupancies = TypeAliasType("Occupancies", npt.ArrayLike)
"""How sure it is that there is something in each cell, row by row from below: 0 to 100, or -1 where nobody knows."""

UnknownCells = TypeAliasType("UnknownCells", Literal["wall", "open"])
"""What cells of which nothing is known are taken for."""

_SOURCE = "the occupancy grid"


def grid_from_occupancy(
    data: Occupancies,
    width: int,
    height: int,
    resolution: float,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    unknown: UnknownCells = "wall",
    open_up_to: int = 0,
    diagonals: DiagonalRule = "both-open",
    costs: DiagonalCost = "sqrt2",
) -> Grid:
    """Build a grid with a frame from the fields of a nav_msgs/OccupancyGrid.

    `data` holds width * height numbers, the lower row first: -1 where nothing is known, else how occupied a cell is,
    from 0 to 100. Cells are open up to `open_up_to`, and unknown ones are as `unknown` says. `origin` is x, y and yaw
    of the lower left corner. A resolution with the digits of a 32-bit number, as in a message, is taken for the decimal
    that it stands for: 0.05 for 0.05000000074505806.
    """
    width, height = whole_number("width", width, lowest=1), whole_number("height", height, lowest=1)
    check_size(width, height, _SOURCE)
    most = whole_number("open_up_to", open_up_to, highest=OCCUPIED)
    if unknown not in ("wall", "open"):
        raise ParameterError(f"unknown must be 'wall' or 'open', not {shown(unknown)}")
    frame = Frame(_decimal(resolution), *origin_of(origin), width, height)
    occupancy = _checked(data, width, height)
    is_open = (occupancy >= 0) & (occupancy <= most)
    if unknown == "open":
        is_open |= occupancy == UNKNOWN
    upper_first = is_open.reshape(height, width)[::-1]
    return Grid(upper_first, diagonals=diagonals, costs=costs, source=_SOURCE, frame=frame)


def _checked(data: Any, width: int, height: int) -> npt.NDArray[Any]:
    """The numbers, as many as there are cells, each of them an occupancy."""
    # rclpy has an array.array, which would otherwise be looked at number by number.
    numbers = whole_numbers(np.asarray(data) if isinstance(data, array) else data)
    if numbers is None or numbers.ndim != 1:
        raise MapError(f"data must be a list or array of whole numbers, row after row, not {shown(data)}")
    if numbers.size != width * height:
        raise MapError(f"data holds {numbers.size:,} numbers, but {width} x {height} cells are {width * height:,}")
    odd = (numbers < UNKNOWN) | (numbers > OCCUPIED)
    if odd.any():
        first = int(np.argmax(odd))
        raise MapError(f"data[{first}] is {int(numbers[first])}; an occupancy is from 0 to 100, or -1 where unknown")
    return numbers


def _decimal(resolution: Any) -> float:
    """The decimal that a 32-bit number stands for, or the number itself if it has more digits."""
    metres = finite_number(resolution, "resolution")
    with np.errstate(over="ignore"):
        short = np.float32(metres)
    return float(str(short)) if float(short) == metres else metres
