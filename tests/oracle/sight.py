"""Lines of sight by geometry, in fractions: which cells a line runs through, and at which corners it passes."""

from fractions import Fraction
from itertools import pairwise

from tests.oracle.rules import standing

HALF = Fraction(1, 2)


def _open_stretch(start, step, middle):
    """For which share of the line its coordinate lies strictly within half a cell of a cell's middle."""
    if step == 0:
        return (0, 1) if start == middle else (1, 0)
    ends = sorted(((middle - HALF - start) / Fraction(step), (middle + HALF - start) / Fraction(step)))
    return max(ends[0], 0), min(ends[1], 1)


def _runs_through(start, step, cell):
    """Whether the line runs through the inside of a cell."""
    stretches = [_open_stretch(*of_axis) for of_axis in zip(start, step, cell, strict=True)]
    return max(first for first, _ in stretches) < min(last for _, last in stretches)


def sees(is_open, rule, start, end):
    """Whether all cells are open that the line runs through, and at each corner as many beside as the rule asks for."""
    if not (standing(is_open, *start) and standing(is_open, *end)):
        return False
    if start == end:
        return True
    step = end[0] - start[0], end[1] - start[1]
    columns, rows = (range(min(pair), max(pair) + 1) for pair in zip(start, end, strict=True))
    cells = [(x, y) for x in columns for y in rows]
    if not all(standing(is_open, *cell) for cell in cells if _runs_through(start, step, cell)):
        return False
    for x, y in cells:  # the corner at its lower right
        corner = x + HALF - start[0], y + HALF - start[1]
        on_line = corner[0] * step[1] == corner[1] * step[0]
        if not on_line or not (x + 1 in columns and y + 1 in rows):
            continue
        around = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
        free = sum(standing(is_open, *cell) for cell in around if not _runs_through(start, step, cell))
        if not {"both-open": free == 2, "one-open": free >= 1, "always": True, "never": False}[rule]:
            return False
    return True


def shortened(is_open, rule, points):
    """From each waypoint on to the last point before the first that is out of sight; None if a step is not legal."""
    kept, rest = points[:1], list(points[1:])
    last = points[0] if points else None
    for point in rest:
        if not sees(is_open, rule, kept[-1], point):
            if last == kept[-1] or not sees(is_open, rule, last, point):
                return None
            kept.append(last)
        last = point
    return [*kept, last] if points and last != kept[-1] else kept


def turns(points):
    """Where a path begins, changes its direction and ends; standing still is no turn."""
    moved = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(moved)]
    return [p for i, p in enumerate(moved) if i in (0, len(moved) - 1) or steps[i] != steps[i - 1]]
