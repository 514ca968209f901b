"""The order of a kd-tree by sorting; the most similar records by looking at all of them (algorithms 9.2, 9.4, 9.5)."""


def order(points):
    """Numbers of the points: the middle of each stretch is its root, and its axis is that of the level."""

    def arranged(numbers, axis):
        if not numbers:
            return []
        numbers = sorted(numbers, key=lambda number: (points[number][axis], number))
        middle = len(numbers) // 2
        below = (axis + 1) % 4
        return [*arranged(numbers[:middle], below), numbers[middle], *arranged(numbers[middle + 1 :], below)]

    return arranged(list(range(len(points))), 0)


def octile(straight, diagonal, dx, dy):
    dx, dy = abs(dx), abs(dy)
    return straight * abs(dx - dy) + diagonal * min(dx, dy)


def ranked(points, straight, diagonal, combine, target):
    """All records as (how unlike, place), the most similar first; `combine` is max or sum of the two distances."""
    found = []
    for place, (a, b, c, d) in enumerate(points):
        at_start = octile(straight, diagonal, a - target[0], b - target[1])
        at_end = octile(straight, diagonal, c - target[2], d - target[3])
        found.append((combine((at_start, at_end)), place))
    return sorted(found)
