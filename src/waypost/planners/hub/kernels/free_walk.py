"""The walk over free ground: diagonal moves first, then straight ones (hub rules, "Legs")."""

import numpy as np

from waypost.kernels.climb import vector_to
from waypost.kernels.compiling import helper
from waypost.kernels.moves import NE, NW, SE, SW
from waypost.kernels.numbers import at


@helper
def walk_freely(mask, stride, start, goal):
    """Whether all moves of that walk are legal, and how many were looked at."""
    dx, dy = vector_to(stride, start, goal)
    if dy > 0:
        move, down = SE if dx > 0 else SW, stride
    else:
        move, down = NE if dx > 0 else NW, -stride
    right = 1 if dx > 0 else -1
    aslant = min(abs(dx), abs(dy))
    cell = start
    for step in range(aslant):
        if not np.int64(mask[at(cell)]) >> move & 1:
            return False, step + 1
        cell += down + right
    onward = right if abs(dx) > abs(dy) else down
    rest = max(abs(dx), abs(dy)) - aslant
    for step in range(rest):
        cell += onward
        if mask[at(cell)] == 0:
            return False, aslant + step + 1
    return True, aslant + rest
