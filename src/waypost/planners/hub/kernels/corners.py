"""Corners of subgoals, the two sides of each, and masks of sides (hub rules, "Subgoals" and "Sides").

A corner is a bit: 1, 2, 4, 8 for NE, SE, SW, NW. A side is a bit too, of eight: those of corner k are the vertical one,
2k, and the horizontal one, 2k + 1. A mask of pairs has bit 8z + x if a way leaves its hub by side z and arrives by x.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, NE, NW, SE, SW, E, N, S, W
from waypost.kernels.numbers import at

NE_CORNER, SE_CORNER, SW_CORNER, NW_CORNER = 1, 2, 4, 8
_BESIDE = ((N, E, NE), (S, E, SE), (S, W, SW), (N, W, NW))
CORNERS = np.array(
    [
        sum((moves >> a & moves >> b & ~(moves >> between) & 1) << k for k, (a, b, between) in enumerate(_BESIDE))
        for moves in range(256)
    ],
    np.uint8,
)
"""The corners of a cell with these legal moves: both straight neighbours are open, and the cell between them is not."""

ALL_SIDES = 255
_VERTICAL, _HORIZONTAL = 0x55, 0xAA
_ROWS = np.uint64(0x0101010101010101)
_EVEN, _ODD = np.uint64(0x5555555555555555), np.uint64(0xAAAAAAAAAAAAAAAA)
_HALVES, _QUARTERS = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0303030303030303)
_ONE, _TWO, _FOUR = np.uint64(1), np.uint64(2), np.uint64(4)
NO_PAIRS = np.uint64(0)


@inlined
def is_single(corners):
    """Whether there is one corner, so that a way leaves by the other side of it than it came by."""
    return corners & (corners - 1) == 0


@helper
def sides_towards(corners, dx, dy):
    """The sides, of these corners, on which a point lies that is dx, dy away."""
    sides = 0
    for k in range(4):
        if corners >> k & 1:
            across = dx * DX[FIRST_DIAGONAL + k]
            up = dy * DY[FIRST_DIAGONAL + k]
            if up > 0 and across <= 0:
                sides |= 1 << 2 * k
            if across > 0 and up <= 0:
                sides |= 2 << 2 * k
    return sides


@inlined
def other_sides(sides):
    """The other side of each corner."""
    return (sides & _VERTICAL) << 1 | (sides & _HORIZONTAL) >> 1


@inlined
def list_of(node, corners, arrived):
    """By which list of a node a way goes on that arrived by these sides: the other side of its corner."""
    return 2 * node + int(is_single(corners) and arrived & _VERTICAL != 0)


@inlined
def sides_of_list(which):
    """The sides by which ways leave that the first or the second list of a node with one corner is about."""
    return _HORIZONTAL if which else _VERTICAL


@inlined
def all_pairs_of(corners):
    """The mask of ways of no length: each side with itself, where the node has its corner."""
    pairs = NO_PAIRS
    for side in range(8):
        if corners >> (side >> 1) & 1:
            pairs |= _ONE << np.uint64(9 * side)
    return pairs


@inlined
def leaving(pairs):
    """The pairs of those that go on: by the other side of the corner at which they arrived."""
    return (pairs & _EVEN) << _ONE | (pairs & _ODD) >> _ONE


@inlined
def passed(pairs, tail, head):
    """The pairs at the far end of an edge, of those that may leave by one of its sides here."""
    rows = pairs & np.uint64(tail) * _ROWS
    rows = (rows | rows >> _FOUR) & _HALVES
    rows = (rows | rows >> _TWO) & _QUARTERS
    rows = (rows | rows >> _ONE) & _ROWS
    return rows * np.uint64(head)


@inlined
def in_column(side):
    """All pairs that arrive by a side."""
    return _ROWS << np.uint64(side)


@inlined
def in_rows(sides):
    """The first pair of each of these rows."""
    pairs = NO_PAIRS
    for side in range(8):
        if sides >> side & 1:
            pairs |= _ONE << np.uint64(8 * side)
    return pairs


@inlined
def whole_rows(rows):
    """All pairs of rows of which the first pair is given."""
    return rows * np.uint64(ALL_SIDES)


@inlined
def corners_at(mask, cell):
    """The corners of a cell."""
    return np.int64(CORNERS[at(mask[at(cell)])])
