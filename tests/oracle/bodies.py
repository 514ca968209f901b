"""Where bodies fit, cell by cell: a disc against every wall, a square against every cell of it."""

from fractions import Fraction

HALF = Fraction(1, 2)


def is_wall(is_open, x, y):
    """What lies off the map is wall."""
    return not (0 <= y < len(is_open) and 0 <= x < len(is_open[0]) and is_open[y][x])


def walls(is_open):
    """All of them, and the ring round the map."""
    rows, columns = range(-1, len(is_open) + 1), range(-1, len(is_open[0]) + 1)
    return [(x, y) for y in rows for x in columns if is_wall(is_open, x, y)]


def square_of_distance(place, cell):
    """From a place to the nearest point of a cell; the centre of cell (x, y) is the place (x, y)."""
    nearest = [min(max(along, middle - HALF), middle + HALF) for along, middle in zip(place, cell, strict=True)]
    return sum((here - there) ** 2 for here, there in zip(place, nearest, strict=True))


def disc_fits(around, place, radius):
    """Whether a disc round a place overlaps none of some walls."""
    return all(square_of_distance(place, wall) >= radius * radius for wall in around)


def disc_places(is_open, radius):
    """Whether the disc fits round the centre of each cell; a wall is no place, even for a point."""
    around = walls(is_open)
    rows, columns = range(len(is_open)), range(len(is_open[0]))
    return [[not is_wall(is_open, x, y) and disc_fits(around, (x, y), radius) for x in columns] for y in rows]


def square_fits(is_open, x, y, size):
    """Whether all cells of a square are open, of which (x, y) is the upper left one."""
    return not any(is_wall(is_open, x + i, y + j) for i in range(size) for j in range(size))


def largest_square(is_open, x, y):
    """Its side."""
    size = 0
    while square_fits(is_open, x, y, size + 1):
        size += 1
    return size


def may_move_square(is_open, rule, size, x, y, dx, dy):
    """Whether a unit may move: it fits here and there, and a diagonal move asks for the two corners that it sweeps."""
    if not (square_fits(is_open, x, y, size) and square_fits(is_open, x + dx, y + dy, size)):
        return False
    if dx == 0 or dy == 0:
        return True
    right, low = (size, -1)[dx < 0], (size, -1)[dy < 0]
    beside = (x + right, y + (0 if dy > 0 else size - 1)), (x + (0 if dx > 0 else size - 1), y + low)
    free = sum(not is_wall(is_open, *corner) for corner in beside)
    return {"both-open": free == 2, "one-open": free >= 1, "always": True, "never": False}[rule]
