"""Painting shapes into maps: rectangles, discs and smooth noise."""

import numpy as np

from waypost.kernels.compiling import kernel

FULL = 1 << 10
"""One, in the fixed-point numbers of smooth noise."""


@kernel
def fill_rectangles(is_open, rectangles, value):
    """Set every cell of rectangles given as rows of x0, y0, x1, y1, the last two exclusive, all inside the map."""
    for i in range(rectangles.shape[0]):
        for y in range(rectangles[i, 1], rectangles[i, 3]):
            for x in range(rectangles[i, 0], rectangles[i, 2]):
                is_open[y, x] = value


@kernel
def fill_discs(is_open, discs, value):
    """Set every cell of discs given as rows of x, y, radius, cut off at the map's edge; returns how many changed."""
    height, width = is_open.shape
    changed = 0
    for i in range(discs.shape[0]):
        centre_x, centre_y, radius = discs[i]
        reach = radius * radius + radius  # between the radius and the next one: round without single cells sticking out
        for y in range(max(0, centre_y - radius), min(height, centre_y + radius + 1)):
            dy = y - centre_y
            for x in range(max(0, centre_x - radius), min(width, centre_x + radius + 1)):
                dx = x - centre_x
                if dx * dx + dy * dy <= reach and is_open[y, x] != value:
                    is_open[y, x] = value
                    changed += 1
    return changed


@kernel(allocates=True)
def add_noise(total, lattice, spacing, weight):
    """Add noise that runs smoothly between the values of a lattice, times a weight; integers only.

    The lattice holds values below 2**16 and has a row and a column more than fit into the map.
    """
    height, width = total.shape
    ease = np.empty(spacing, np.int64)
    for t in range(spacing):
        ease[t] = t * t * (3 * spacing - 2 * t) * FULL // (spacing * spacing * spacing)
    for y in range(height):
        row = y // spacing
        down = ease[y - row * spacing]
        for column in range((width + spacing - 1) // spacing):
            left = lattice[row, column] * (FULL - down) + lattice[row + 1, column] * down
            right = lattice[row, column + 1] * (FULL - down) + lattice[row + 1, column + 1] * down
            for t in range(min(spacing, width - column * spacing)):
                value = (left * (FULL - ease[t]) + right * ease[t]) // (FULL * FULL)
                total[y, column * spacing + t] += value * weight
