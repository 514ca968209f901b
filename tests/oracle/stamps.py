"""Shapes by asking every cell whether it lies inside; noise by its formula."""

import numpy as np


def places(is_open):
    height, width = is_open.shape
    return ((x, y) for y in range(height) for x in range(width))


def fill_rectangles(is_open, rectangles, value):
    for x, y in places(is_open):
        if any(x0 <= x < x1 and y0 <= y < y1 for x0, y0, x1, y1 in rectangles):
            is_open[y, x] = value


def fill_discs(is_open, discs, value):
    """Cells within the square root of radius * (radius + 1); returns how many change."""
    inside = [
        (x, y)
        for x, y in places(is_open)
        if any((x - cx) ** 2 + (y - cy) ** 2 <= radius * (radius + 1) for cx, cy, radius in discs)
    ]
    changed = sum(is_open[y, x] != value for x, y in inside)
    for x, y in inside:
        is_open[y, x] = value
    return changed


def noise(width, height, lattice, spacing):
    """The four values of the lattice round each cell, weighed by 3t^2 - 2t^3 in steps of 1/1024."""
    values = np.zeros((height, width), int)
    for x, y in places(values):
        (column, tx), (row, ty) = divmod(x, spacing), divmod(y, spacing)
        right, down = (int(1024 * (3 * spacing * t**2 - 2 * t**3)) // spacing**3 for t in (tx, ty))
        weighed = sum(
            int(lattice[row + i, column + j]) * (down if i else 1024 - down) * (right if j else 1024 - right)
            for i in (0, 1)
            for j in (0, 1)
        )
        values[y, x] = weighed // 1024**2
    return values
