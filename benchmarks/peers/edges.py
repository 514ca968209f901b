"""The legal moves of a map as an edge list, for libraries that search graphs rather than grids."""

from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.peers.library import DIAGONAL, Open


class Edges(NamedTuple):
    """One entry per legal move; a node is row * width + column."""

    source: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]
    cost: npt.NDArray[np.float64]


STEPS = tuple((dx, dy) for dy, dx in product((-1, 0, 1), repeat=2) if dx or dy)


def may_step(is_open: Open, dx: int, dy: int) -> Open:
    """Where a step is legal, by the cell it starts from: a diagonal needs both straight neighbours open."""
    height, width = is_open.shape
    padded = np.pad(is_open, 1)

    def at(x: int, y: int) -> Open:
        return padded[1 + y : 1 + y + height, 1 + x : 1 + x + width]

    return is_open & at(dx, dy) & at(dx, 0) & at(0, dy)


def legal_edges(is_open: Open) -> Edges:
    """Every legal move of the map, in both directions."""
    width = is_open.shape[1]
    sources, targets, costs = [], [], []
    for dx, dy in STEPS:
        source = np.flatnonzero(may_step(is_open, dx, dy))
        sources.append(source)
        targets.append(source + dy * width + dx)
        costs.append(np.full(source.size, DIAGONAL if dx and dy else 1.0))
    return Edges(np.concatenate(sources), np.concatenate(targets), np.concatenate(costs))
