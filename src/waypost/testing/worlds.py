"""Small maps to check planners on: drawn ones, each with a trap in it, and generated ones of all kinds."""

from itertools import product

import numpy as np
import numpy.typing as npt

from waypost.maps import generate
from waypost.maps.text import read_drawing
from waypost.world.grid import COSTS, DIAGONALS

__all__ = ["DRAWINGS", "RULES", "drawn", "random_open", "small_maps"]

RULES = list(product(DIAGONALS, COSTS))
"""All rules of moving with all costs."""

DRAWINGS = {
    "dead end": """
        ..........
        .#######..
        .......#..
        a......#.b
        .......#..
        .#######..
        ..........
    """,
    "spiral": """
        ...........
        .#########.
        .#.......#.
        .#.#####.#.
        .#.#a..#.#.
        .#.###.#.#.
        .#.....#.#.
        .#######.#.
        .........#b
    """,
    "comb": """
        ...............
        .#.#.#.#.#.#.#.
        .#.#.#.#.#.#.#.
        .#.#.#.#.#.#.#.
        a#.#.#.#.#.#.#b
    """,
    "rooms": """
        a...#....#....
        ....#....#....
        .........#....
        ....#.........
        ##.###.####.##
        ....#....#....
        .........#...b
    """,
    "islands": """
        a.#..
        ..#.b
        ####.
        c..#.
    """,
    "diagonal squeeze": """
        a#..
        ..#.
        #..#
        .#.b
    """,
    "one cell": "a",
}
"""Small maps, each with a trap in it; letters mark places."""


def drawn(name: str) -> npt.NDArray[np.bool_]:
    """A drawn map, True where it is open."""
    return read_drawing(DRAWINGS[name])[0]


def small_maps() -> dict[str, npt.NDArray[np.bool_]]:
    """All of them by name, True where they are open."""
    made = {name: make(31, 23, seed=5) for name, make in generate.GENERATORS.items()}
    return {name: drawn(name) for name in DRAWINGS} | made


def random_open(random: np.random.Generator, largest: int = 10) -> npt.NDArray[np.bool_]:
    """A random small map with at least one open cell: from nearly empty to nearly full, sometimes a corridor."""
    height, width = random.integers(1, largest + 1, size=2)
    is_open = random.random((height, width)) < random.uniform(0.3, 1.0)
    is_open[random.integers(height), random.integers(width)] = True
    return is_open
