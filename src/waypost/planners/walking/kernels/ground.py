"""The ground: a map as walkers and their routes need it."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.climb import count_climb, vector_to
from waypost.kernels.compiling import inlined
from waypost.kernels.moves import octile


class Ground(NamedTuple):
    """The legal moves of each cell and the steps of climbs; how cells are numbered, and what moves cost."""

    mask: npt.NDArray[np.uint8]
    climb_table: npt.NDArray[np.uint8]
    stride: int
    straight: int
    diagonal: int
    tiles_across: int


@inlined
def distance(ground, a, b):
    """The octile distance between two cells."""
    dx, dy = vector_to(ground.stride, np.int64(a), np.int64(b))
    return octile(dx, dy, ground.straight, ground.diagonal)


@inlined
def climb_cost(ground, cell, target, limit):
    """Whether a climb of so many steps arrives, what it costs as far as it comes, and its steps."""
    arrives, steps, diagonals = count_climb(ground.mask, ground.climb_table, ground.stride, cell, target, limit)
    return arrives, (steps - diagonals) * ground.straight + diagonals * ground.diagonal, steps
