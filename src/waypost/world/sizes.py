"""What a robot's radius means in cells, and how far walls then reach along rows."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, shown
from waypost.world.frame import Frame, finite_number

__all__ = ["MOST_SIDE", "reach_of_disc"]

MOST_SIDE = 255
"""Of square units, in cells: clearance is a byte."""


def reach_of_disc(radius: Any, frame: Frame | None, most: int) -> npt.NDArray[np.int64]:
    """How many columns beside a wall are closed, by the rows between: where a disc round a cell's centre overlaps it.

    The nearest point of a cell that is dx columns and dy rows away is max(0, 2 dx - 1) and max(0, 2 dy - 1) half cells
    away: whole numbers, so that their squares are compared exactly. A map has at most `most` columns and rows; -1,
    behind the last, is of rows that are too far.
    """
    doubled = 2 * _in_cells(radius, frame)
    # A whole number is less than the square if it is less than this one. Walls stay closed, even if a robot is a point.
    square = max(1, math.ceil(doubled * doubled))
    reach = []
    for away in range(most):
        left = square - max(0, 2 * away - 1) ** 2
        if left <= 0:
            break
        reach.append(min((math.isqrt(left - 1) + 1) // 2, most))
    return np.array([*reach, -1])


def _in_cells(radius: Any, frame: Frame | None) -> Fraction:
    """A radius as cells: by the decimals that are written, so that 0.15 m are 3 cells of 0.05 m."""
    if isinstance(radius, str) or finite_number(radius, "radius") < 0:
        raise ParameterError(f"radius must be a number of at least 0, not {shown(radius)}")
    length = Fraction(str(float(radius)))
    return length if frame is None else length / Fraction(str(frame.resolution))
