"""Records of kNN LRTA*, one at a time, by the rules (algorithms 9.2, 9.3): random pairs, optimal paths, legs."""

from fractions import Fraction
from itertools import count

from tests.oracle import best_first, jump
from tests.oracle.climb import climb
from tests.oracle.dijkstra import all_costs
from tests.oracle.region_paths import legs

SPAN = 2047
SHIFTS = {"sqrt2": 11, "1.4": 0}
WORD = (1 << 64) - 1
PLASTIC = Fraction("1.324717957244746025960908854478097340734404056901733364534")
STEPS = [int(2**64 / PLASTIC), int(2**64 / PLASTIC**2)]
"""Of the sequence R2: the golden ratio in two dimensions."""


def mixed(number):
    """splitmix64."""
    number = (number + 0x9E3779B97F4A7C15) & WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & WORD
    return number ^ number >> 31


def along_curve(place):
    """Blocks of 16 x 16 cells of the map with its border, in the order of a Z-curve; row by row within a block."""
    x, y = place[0] + 1, place[1] + 1
    bits = [f"{number // 16:020b}" for number in (y, x)]
    return int("".join(row + column for row, column in zip(*bits, strict=True)), 2), y, x


def pairs(places, seed, number, is_spread):
    """All pairs that are drawn for one record, one after the other; the first may be spread."""
    if is_spread:
        shifts = mixed(seed), mixed(mixed(seed))
        fractions = [(shift + step * number & WORD) >> 32 for shift, step in zip(shifts, STEPS, strict=True)]
        in_blocks = sorted(places, key=along_curve)
        yield tuple(in_blocks[fraction * len(places) >> 32] for fraction in fractions)
        places = in_blocks
    key = mixed((mixed(seed) + number) & WORD)
    for turn in count(2 if is_spread else 0, 2):
        yield tuple(places[mixed((key + turn + i) & WORD) % len(places)] for i in range(2))


def optimal_path(is_open, rule, costs, start, goal):
    """By jump points where corners may not be cut, else by A*."""
    if rule == "both-open":
        _, _, parent = jump.search(is_open, costs, start, goal, SHIFTS[costs])
        return jump.path(parent, goal)
    shift = 0 if rule == "never" else SHIFTS[costs]
    _, _, parent = best_first.search(is_open, rule, costs, start, goal, g_weight=1, h_weight=1, shift=shift)
    return best_first.path(parent, goal)


def drawn_from(is_open, rule, costs):
    """Open cells of components of three or more, row by row."""
    cells = [(x, y) for y, row in enumerate(is_open) for x, is_free in enumerate(row) if is_free]
    return [cell for cell in cells if len(all_costs(is_open, rule, costs, cell)) >= 3]


def first_leg(is_open, rule, costs, path):
    """Up to the state before the first, from the third on, that cannot be climbed to; None if there is none."""
    for i in range(2, len(path)):
        too_far = max(abs(path[i][0] - path[0][0]), abs(path[i][1] - path[0][1])) > SPAN
        if too_far or not climb(is_open, rule, costs, path[0], path[i])[0]:
            return path[i - 1][0] - path[0][0], path[i - 1][1] - path[0][1]
    return None


def record(is_open, rule, costs, places, seed, number, single, most_paths, is_spread=0, redraw=1):
    """Start, end and legs of a record; None if none of so many paths will do."""
    tried = 0
    for start, goal in pairs(places, seed, number, is_spread):
        if tried == most_paths:
            return None
        if start == goal or goal not in all_costs(is_open, rule, costs, start):
            continue
        tried += 1
        path = optimal_path(is_open, rule, costs, start, goal)
        if len(path) < 3:
            continue
        if not single:
            return start, goal, legs(is_open, rule, costs, path, False, SPAN)
        leg = first_leg(is_open, rule, costs, path)
        if leg or not redraw:
            return start, goal, [leg] if leg else []
    raise AssertionError("pairs never end")
