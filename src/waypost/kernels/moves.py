"""Cells, and the eight moves between them: their order, which of them are legal in a cell, and what they cost.

A cell is a flat index into a grid padded by one wall all round: cell = (y + 1) * stride + (x + 1), stride = width + 2.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel

# The order of moves is part of every planner's contract (N E S W NE SE SW NW: straight before diagonal).
DX = np.array((0, 1, 0, -1, 1, 1, -1, -1))
DY = np.array((-1, 0, 1, 0, -1, 1, 1, -1))
N, E, S, W, NE, SE, SW, NW = range(8)
FIRST_DIAGONAL = NE

# The first move of a set of moves, one bit each; 0 of the empty set.
FIRST_MOVE = np.array([0, *((moves & -moves).bit_length() - 1 for moves in range(1, 256))])

# Diagonal rules, as plain ints: enum members as arguments would recompile in every process.
BOTH_OPEN, ONE_OPEN, ALWAYS, NEVER = range(4)


@helper
def offset(move, stride):
    """The change of the flat index that a move makes."""
    return DY[move] * stride + DX[move]


@helper
def octile(dx, dy, straight, diagonal):
    """Octile distance M*straight + m*(diagonal - straight); with diagonal = 2*straight it is the Manhattan distance."""
    ax = abs(dx)
    ay = abs(dy)
    return straight * max(ax, ay) + (diagonal - straight) * min(ax, ay)


@helper
def moves_of(is_open, cell, stride, rule):
    """The legal moves of an open cell, one bit each, where walls are 0 (algorithms 1.2)."""
    legal = 0
    for move in range(4):
        if is_open[cell + offset(move, stride)] != 0:
            legal |= 1 << move
    if rule != NEVER:
        for move in range(4, 8):
            if is_open[cell + offset(move, stride)] != 0:
                # The two straight moves beside a diagonal one: NE lies between N and E, and so on round.
                beside = int(is_open[cell + DY[move] * stride] != 0) + int(is_open[cell + DX[move]] != 0)
                if beside == 2 or (beside == 1 and rule == ONE_OPEN) or rule == ALWAYS:
                    legal |= 1 << move
    return legal


@kernel(allocates=True)
def legal_moves(is_open, stride, rule):
    """One byte per cell: bit i says that move i is legal under the diagonal rule."""
    mask = np.zeros(is_open.size, np.uint8)
    for cell in range(stride + 1, is_open.size - stride - 1):
        if is_open[cell]:
            mask[cell] = moves_of(is_open, cell, stride, rule)
    return mask


@kernel
def cells_of(points, width, height, stride, cells):
    """Write the cell of each row of x, y; returns the first row that is outside of the map, or -1."""
    for i in range(points.shape[0]):
        x = points[i, 0]
        y = points[i, 1]
        if not (0 <= x < width and 0 <= y < height):
            return i
        cells[i] = (y + 1) * stride + x + 1
    return -1


@kernel
def points_of(cells, stride, points):
    """Write the x and y of each cell."""
    for i in range(cells.size):
        cell = np.int64(cells[i])
        row = np.int64(np.uint32(cell) // np.uint32(stride))
        points[i, 0] = cell - row * stride - 1
        points[i, 1] = row - 1
