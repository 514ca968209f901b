"""Maps on which hub is compared with its twin."""

import numpy as np

from tests.support.learning_worlds import random_world
from tests.support.twins import side
from tests.support.worlds import large_world, random_place

LARGEST = side(30, 12)
PIECE = side(9, 6)
"""Side of a map on which every cell is a node: its twin takes long, and so does a build in plain Python."""


def some_map(random, rule, costs):
    """A small map of some kind, or a generated one that is a bit larger, as is_open[y][x]."""
    if random.integers(4):
        is_open, *_ = random_world(random, rule, costs)
    else:
        (is_open, *_), _ = large_world(random, rule, costs, LARGEST)
    if rule == "both-open":
        return is_open
    x, y = (max(0, coordinate - PIECE // 2) for coordinate in random_place(random, is_open))
    return is_open[y : y + PIECE, x : x + PIECE].copy()


def zigzag(width, rows):
    """A map with one way from row to row."""
    is_open = np.ones((2 * rows - 1, width), bool)
    is_open[1::2] = False
    is_open[1::4, -1] = is_open[3::4, 0] = True
    return is_open
