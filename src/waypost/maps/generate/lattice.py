"""Maps on a lattice: rooms with doors, and mazes."""

from typing import Annotated

import numpy as np

from waypost.maps.generate.kernels import lattice
from waypost.maps.generate.parameters import Open, Range, generator
from waypost.maps.generate.parts import one_part, random_words

_MOST_DOORS = 2


@generator
def rooms(
    width: int,
    height: int,
    seed: int = 0,
    *,
    size: Annotated[int, Range(2, 200, "cells along each side of a room")] = 9,
    doors: Annotated[float, Range(0.3, 1, "chance that there is a door between neighbours")] = 0.85,
) -> Open:
    """A lattice of rooms with one or two doors in most of the walls between neighbours."""
    is_open = np.ones((height, width), np.bool_)
    is_open[size :: size + 1, :] = False
    is_open[:, size :: size + 1] = False
    across, down = width // (size + 1) + 1, height // (size + 1) + 1
    # For each room two walls, each with a word for the chance, and halves for the number of doors and their places.
    words = random_words(seed, across * down * (2 + 1 + _MOST_DOORS) + 1)
    lattice.cut_doors(is_open, words, size, _MOST_DOORS, doors)
    return one_part(is_open)


@generator
def maze(
    width: int,
    height: int,
    seed: int = 0,
    *,
    corridor: Annotated[int, Range(1, 50, "cells across a corridor")] = 2,
) -> Open:
    """A maze grown by depth-first search on a lattice of corridors, all of it connected."""
    corridor = min(corridor, width - 2, height - 2)  # a small map is at least one piece of corridor
    pitch = corridor + 1
    columns, rows = (width - 1) // pitch, (height - 1) // pitch
    words = random_words(seed, rows * columns // 2 + 1)
    halves = np.empty(2 * words.size, np.uint32)
    halves[0::2] = words & np.uint64(0xFFFFFFFF)
    halves[1::2] = words >> np.uint64(32)
    passages = lattice.grow_maze(halves, rows, columns).reshape(rows, columns)
    is_open = np.zeros((height, width), np.bool_)

    def every(y: int, x: int) -> Open:
        """The cells at this place of every piece of the lattice."""
        return is_open[y : y + rows * pitch : pitch, x : x + columns * pitch : pitch]

    east, south = passages & lattice.EAST != 0, passages & lattice.SOUTH != 0
    for i in range(1, pitch):
        for j in range(1, pitch):
            every(i, j)[:] = True
        every(i, pitch)[:, : columns - 1] = east[:, :-1]
        every(pitch, i)[: rows - 1] = south[:-1]
    return is_open
