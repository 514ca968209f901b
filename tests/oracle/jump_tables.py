"""Whether scans hit a jump point before a wall, by following each to its end (docs/algorithms.md, section 13)."""

from tests.oracle.jump import forced
from tests.oracle.rules import ORDER, standing

BITS = ("N", "E", "S", "W")


def hits(is_open, place, move):
    """Whether a scan from a cell comes to a cell with a forced neighbour."""
    (x, y), (dx, dy) = place, ORDER[move]
    while standing(is_open, x, y) and standing(is_open, x + dx, y + dy):
        x, y = x + dx, y + dy
        if forced(is_open, (x, y), move):
            return True
    return False


def tables(is_open):
    """Of each cell a bit for each scan that hits something."""
    places = [(x, y) for y in range(len(is_open)) for x in range(len(is_open[0]))]
    return {place: sum(hits(is_open, place, move) << bit for bit, move in enumerate(BITS)) for place in places}
