"""Worlds that tests run in: seeded random small grids, hypothesis strategies, and drawn maps with a point."""

import os

import numpy as np
import pytest
from hypothesis import strategies as st

import waypost as wp
from tests.oracle.rules import COSTS, DIAGONALS
from tests.support.chance import SEED
from waypost.maps.generate import generate
from waypost.testing.subject import Subject
from waypost.testing.worlds import DRAWINGS, random_open

__all__ = [
    "DRAWINGS", "FEW", "IS_DEEP", "JIT_IS_OFF", "LARGE", "LEAST_SIDE", "WORLDS", "cases", "deep", "draw", "few",
    "large_world", "random_open", "random_place", "small_worlds", "some_params",
]  # fmt: skip

JIT_IS_OFF = os.environ.get("NUMBA_DISABLE_JIT") == "1"
IS_DEEP = os.environ.get("WAYPOST_TEST_DEEP") == "1"
"""Whether this is `make test-deep`."""
EVERY_WORLD = [(rule, costs) for rule in DIAGONALS for costs in COSTS]
ONE_COST_EACH = [(rule, list(COSTS)[(i + SEED) % len(COSTS)]) for i, rule in enumerate(DIAGONALS)]
WORLDS = EVERY_WORLD if IS_DEEP else ONE_COST_EACH[:: 2 if JIT_IS_OFF else 1]
"""Every rule for diagonals, with all costs of moves in a deep run and with one each in a quick one; half of these where
kernels are plain Python, for coverage."""
FEW = {
    "records": 60, "problems": 3, "goals_kept": 20, "lookahead": 30, "cap": 12, "depth": 6, "deepest": 6, "k": 20,
    "queue": 20, "limit": 8,
}  # fmt: skip
"""Where larger values only take longer, or do the same on maps as small as these."""


deep = pytest.mark.skipif(not IS_DEEP, reason="make test-deep")
"""A test that needs many cases."""


def cases(count):
    """How many random cases to run: a quarter, all in a deep run; a sixth of that where kernels are plain Python."""
    return max(1, count // ((1 if IS_DEEP else 4) * (6 if JIT_IS_OFF else 1)))


def few(many, count=2):
    """All of these in a deep run, else so many, spread over them."""
    many = list(many)
    return many if IS_DEEP else many[:: -(-len(many) // count)]


def some_params(random, entry):
    """A random value for some of a planner's parameters, small ones rather than large ones."""
    return Subject(entry.name, {}, FEW).some_params(random)


def random_place(random, is_open):
    y, x = random.choice(np.argwhere(is_open))
    return int(x), int(y)


def draw(random, choices):
    return choices[random.integers(len(choices))]


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


LEAST_SIDE = 8
"""Of a generated map."""

LARGE = (
    ("caves", {"walls": 0.42}),
    ("caves", {"walls": 0.5}),
    ("rooms", {"size": 5}),
    ("rooms", {"size": 12, "doors": 0.5}),
    ("maze", {"corridor": 1}),
    ("maze", {"corridor": 3}),
)
"""Kinds of maps on which routes have several hops."""


def large_world(random, rule, costs, side):
    """A generated map of about this side, and some ends of ways in one part of it."""
    kind, params = draw(random, LARGE)
    width, height = random.integers(max(side // 2, LEAST_SIDE), side + 1, size=2).tolist()
    is_open = generate(kind, width, height, int(random.integers(1000)), **params)
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    largest = int(np.argmax(np.bincount(grid.component[grid.component > 0])))
    cells = np.flatnonzero(grid.component == largest)
    return (is_open, rule, costs), [grid.xy(cell) for cell in random.choice(cells, size=8).tolist()]
