"""Worlds and parameters for tests of the learning planners: maps on which the heuristic misleads."""

import numpy as np
from hypothesis import strategies as st

from tests.oracle.dijkstra import all_costs
from tests.oracle.rules import heuristic
from tests.support.worlds import random_open, random_place

PARAMS = {
    "lrta": {"depth": (1, 6)},
    "lrta-cost": {"horizon": (1.5, 6.0)},
    "rta": {},
    "lrta-k": {"k": (1, 30)},
    "plrta": {"queue": (1, 12)},
    "lss": {"lookahead": (1, 40), "moves_per_plan": (0, 3)},
    "rtaa": {"lookahead": (1, 40), "moves_per_plan": (0, 3)},
    "lrts": {"depth": (1, 6), "gamma": (0.1, 1.0), "quota": (0.0, 50.0)},
}
"""Small ranges, ends included, of every parameter; those with a point are drawn in hundredths."""


def random_params(random, name):
    """Small values are likelier: they make the walker learn more."""

    def draw(low, high):
        part = random.random() ** 2
        return round(low + part * (high - low), 2 if isinstance(low, float) else None)

    return {param: draw(*ends) for param, ends in PARAMS[name].items()}


def params_of(name):
    """A hypothesis strategy for the parameters of a planner."""

    def numbers(low, high):
        if isinstance(low, int):
            return st.integers(low, high)
        return st.integers(round(100 * low), round(100 * high)).map(lambda hundredths: hundredths / 100)

    return st.fixed_dictionaries({param: numbers(*ends) for param, ends in PARAMS[name].items()})


def pockets(random):
    """Open ground with dead ends in it, each open to one side."""
    height, width = random.integers(9, 23, size=2)
    is_open = np.ones((height, width), bool)
    for _ in range(random.integers(1, 4)):
        y, x = random.integers(0, (height - 4, width - 4))
        deep, wide = random.integers(3, 9, size=2)
        is_open[y : y + deep, x : x + wide] = False
        is_open[y + 1 : y + deep - 1, x + 1 : x + wide - 1] = True
        is_open[[(y + deep // 2, slice(x, x + 2)), (slice(y, y + 2), x + wide // 2)][random.integers(2)]] = True
    return is_open


def winding(random):
    """Walls across the whole map, with one or two gaps each."""
    height, width = random.integers(5, 20, size=2)
    is_open = np.ones((height, width), bool)
    for y in range(1, height, int(random.integers(2, 5))):
        is_open[y] = False
        is_open[y, random.integers(0, width, size=random.integers(1, 3))] = True
    return is_open


def maze(random):
    """Corridors one cell wide without a loop, but for one wall that is taken out."""
    height, width = 2 * random.integers(2, 10, size=2) + 1
    is_open = np.zeros((height, width), bool)
    stack = [(1, 1)]
    while stack:
        y, x = stack[-1]
        is_open[y, x] = True
        ways = [
            (dy, dx)
            for dy, dx in ((-2, 0), (2, 0), (0, -2), (0, 2))
            if 0 < y + dy < height and 0 < x + dx < width and not is_open[y + dy, x + dx]
        ]
        if not ways:
            stack.pop()
            continue
        dy, dx = ways[random.integers(len(ways))]
        is_open[y + dy // 2, x + dx // 2] = True
        stack.append((y + dy, x + dx))
    is_open[random.integers(1, height - 1), random.integers(1, width - 1)] = True
    return is_open


def scattered(random):
    """Single walls everywhere, on maps of several blocks of 8 x 8 cells."""
    return random.random(random.integers(15, 25, size=2)) < random.uniform(0.45, 0.8)


TWO_WAYS = (
    "#.a#### .##.### .#.#b## ..##### .###### #.#####",
    "###.a# #..### .##.## .#.### ..#### .##### b#####",
    "##.....# #.##.##b #a#.#### ##.#####",
    "###b# ###.# ##..# #.#.# .##.# #a.##",
    "#b### #.### ..### ...## .#.## ...## ...## #.a##",
)
"""Drawings, rows parted by blanks, on which a way of diagonals is dearer than one of more moves: in a lookahead by
plies a node becomes cheaper in the very ply in which others are already reached from it."""

KINDS = (random_open, pockets, winding, maze, scattered)


def random_world(random, rule, costs):
    """(is_open, start, goal) of some kind, connected; of a few pairs the one with the longest detour."""
    is_open = KINDS[random.integers(len(KINDS))](random)
    if random.integers(2):
        is_open = is_open.T.copy()
    longest, world = -1, None
    for _ in range(4):
        start = random_place(random, is_open)
        exact = all_costs(is_open, rule, costs, start)
        for goal in (list(exact)[i] for i in random.integers(0, len(exact), size=4)):
            detour = exact[goal] - heuristic(rule, costs, start, goal) + (start != goal)
            if detour > longest:
                longest, world = detour, (is_open, start, goal)
    return world
