"""Mazes and doors cell by cell, drawing one random number at a time."""

import numpy as np


def maze(width, height, seed, corridor):
    """The open cells of a maze grown by depth-first search."""
    random = np.random.default_rng(seed)
    pitch = corridor + 1
    columns, rows = (width - 1) // pitch, (height - 1) // pitch
    is_open = np.zeros((height, width), bool)
    seen = {(0, 0)}
    trail = [(0, 0)]
    while trail:
        row, column = trail[-1]
        y, x = 1 + row * pitch, 1 + column * pitch
        is_open[y : y + corridor, x : x + corridor] = True
        around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        ways = [(r, c) for r, c in around if 0 <= r < rows and 0 <= c < columns and (r, c) not in seen]
        if not ways:
            trail.pop()
            continue
        r, c = ways[random.integers(len(ways))]
        y, x = 1 + min(row, r) * pitch, 1 + min(column, c) * pitch
        is_open[y : y + corridor + pitch * (r != row), x : x + corridor + pitch * (c != column)] = True
        seen.add((r, c))
        trail.append((r, c))
    return is_open


def cut_doors(is_open, seed, size, most_doors, chance):
    """Open doors in upright walls, then in lying ones."""
    random = np.random.default_rng(seed)
    for turned in (is_open, is_open.T):
        for wall in range(size, turned.shape[1], size + 1):
            for first in range(0, turned.shape[0], size + 1):
                if random.random() < chance:
                    stretch = min(size, turned.shape[0] - first)
                    doors = random.integers(1, most_doors + 1)
                    for place in random.integers(stretch, size=doors):
                        turned[first + place, wall] = True
