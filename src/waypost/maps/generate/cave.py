"""Caves: random walls, smoothed."""

from typing import Annotated

import numpy as np

from waypost.maps.generate.parameters import Open, Range, generator
from waypost.maps.generate.parts import one_part, rows_at_once

_ROUNDS = 5


@generator
def caves(
    width: int,
    height: int,
    seed: int = 0,
    *,
    walls: Annotated[float, Range(0.3, 0.55, "share of walls before smoothing: more makes narrower caves")] = 0.45,
) -> Open:
    """Winding caves: random walls smoothed by a majority vote of each cell's neighbourhood."""
    random = np.random.Generator(np.random.PCG64(seed))
    is_wall = np.empty((height, width), np.bool_)
    for first in range(0, height, rows_at_once(width)):
        rows = is_wall[first : first + rows_at_once(width)]
        np.less(random.random(rows.shape), walls, out=rows)
    for _ in range(_ROUNDS):
        _smooth(is_wall)
    return one_part(np.logical_not(is_wall, out=is_wall))


def _smooth(is_wall: Open) -> None:
    """One vote everywhere; outside of the map is wall."""
    padded = np.pad(is_wall, 1, constant_values=True).view(np.int8)
    columns = padded[:-2] + padded[1:-1]
    columns += padded[2:]
    votes = columns[:, :-2] + columns[:, 1:-1]
    votes += columns[:, 2:]
    np.greater_equal(votes, 5, out=is_wall)
