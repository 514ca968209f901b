"""Worlds that tests run in: seeded random small grids, hypothesis strategies, and drawn maps with a point."""

import os

import numpy as np
from hypothesis import strategies as st

from tests.oracle.rules import COSTS, DIAGONALS

JIT_IS_OFF = os.environ.get("NUMBA_DISABLE_JIT") == "1"


def cases(count):
    """How many random cases to run: a sixth where kernels are plain Python, for coverage and tracebacks."""
    return max(1, count // 6) if JIT_IS_OFF else count


def random_open(random, largest=10):
    """A random small map with at least one open cell: from nearly empty to nearly full, sometimes a corridor."""
    height, width = random.integers(1, largest + 1, size=2)
    is_open = random.random((height, width)) < random.uniform(0.3, 1.0)
    is_open[random.integers(height), random.integers(width)] = True
    return is_open


def random_place(random, is_open):
    y, x = random.choice(np.argwhere(is_open))
    return int(x), int(y)


@st.composite
def small_worlds(draw, largest=8):
    """(is_open, rule, costs, start, goal), shrinking to the smallest map that shows a fault."""
    width = draw(st.integers(1, largest))
    height = draw(st.integers(1, largest))
    cells = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    is_open = np.array(cells, bool).reshape(height, width)
    start = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    goal = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    is_open[start[1], start[0]] = is_open[goal[1], goal[0]] = True
    return is_open, draw(st.sampled_from(DIAGONALS)), draw(st.sampled_from(list(COSTS))), start, goal


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
