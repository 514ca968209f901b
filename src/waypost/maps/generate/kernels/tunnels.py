"""Joining the parts of a map by short tunnels."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.flood import join, root

OUTSIDE = -1
"""Label of the padding, which no tunnel may enter."""


@kernel(allocates=True)
def dig_tunnels(label, stride, count):
    """Join all components 1..count of a padded map by tunnels of one cell's width through walls (0); returns them.

    All components grow into the walls at once, and where two meet that are not yet joined, the ways back from
    there to both are dug: narrow walls are pierced before thick ones. Labels are overwritten.
    """
    is_dug = np.zeros(label.size, np.bool_)
    came_from = np.zeros(label.size, np.int8)  # 0 in open cells, else 1 + the straight move that leads back
    queue = np.empty(label.size, np.int32)
    joined = np.arange(count + 1).astype(np.int32)
    ahead = 0
    for cell in range(label.size):
        if label[cell] > 0:
            queue[ahead] = cell
            ahead += 1
    at = 0
    steps = np.array((-stride, 1, stride, -1))
    while at < ahead:
        cell = np.int64(queue[at])
        at += 1
        for move in range(4):
            there = cell + steps[move]
            if label[there] == OUTSIDE:
                continue
            if label[there] == 0:
                label[there] = label[cell]
                came_from[there] = 1 + (move + 2) % 4
                queue[ahead] = there
                ahead += 1
            elif root(joined, label[there]) != root(joined, label[cell]):
                join(joined, label[there], label[cell])
                for end in (cell, there):
                    while came_from[end]:
                        is_dug[end] = True
                        end += steps[came_from[end] - 1]
    return is_dug
