"""Where bodies larger than a point fit: discs round the centre of a cell, squares from their upper left cell on."""

import numpy as np

from waypost.kernels.compiling import kernel


@kernel(allocates=True)
def clear_of_discs(component, stride, reach):
    """Where the centre of a disc may be; walls, padding included, close the cells round them.

    A wall that lies `d` rows away closes the cells of its column and up to `reach[d]` columns beside it; none where
    that is -1, as it is at the end. So each row needs only the rows to the nearest wall above and below each of its
    cells: two sweeps over the map, each of them along every row and back.
    """
    height = component.size // stride
    is_clear = np.ones(component.size, np.bool_)
    too_far = reach.size - 1
    rows = np.empty(stride, np.int64)  # since the last wall of each column
    for sweep in range(2):
        rows[:] = too_far
        for line in range(height):
            first = (line if sweep == 0 else height - 1 - line) * stride
            closed_to = -1
            for x in range(stride):
                away = 0 if component[first + x] == 0 else min(rows[x] + 1, too_far)
                rows[x] = away
                closed_to = max(closed_to, x + reach[away])
                if x <= closed_to:
                    is_clear[first + x] = False
            closed_to = stride
            for x in range(stride - 1, -1, -1):
                closed_to = min(closed_to, x - reach[rows[x]])
                if x >= closed_to:
                    is_clear[first + x] = False
    return is_clear


@kernel(allocates=True)
def clearance(component, stride):
    """Per cell the side of the largest open square whose upper left cell it is, at most 255; of a wall 0."""
    side = np.zeros(component.size, np.uint8)
    for cell in range(component.size - stride - 2, stride, -1):
        if component[cell] != 0:
            side[cell] = 1 + min(side[cell + 1], side[cell + stride], side[cell + stride + 1], 254)
    return side
