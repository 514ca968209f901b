"""Sectors of a map and the gates on their borders (gates rules, "Gates").

A sector is a square of SIDE x SIDE cells. Border 2 * s lies east of sector s, border 2 * s + 1 south of it. The gates
of a border have numbers that follow one another. A gate has two *sides*: 0 is the upper or left sector, 1 the other.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.moves import NE, SE, SW, E, N, S, W
from waypost.kernels.numbers import at

SIDE = 16
CELLS = SIDE * SIDE
MOST_GATES = 4 * (SIDE + 2)
"""Of a sector: of each border one for every pair of cells, and two for its corners."""
_MIDDLE = SIDE // 2
_EASTERN, _SOUTHERN = 0, 1


class Sectors(NamedTuple):
    """A map cut into sectors, and its gates."""

    mask: npt.NDArray[np.uint8]
    stride: int
    width: int
    height: int
    across: int
    """Sectors in a row."""
    straight: int
    diagonal: int
    """What moves cost here: small even numbers in about the ratio of the grid's costs."""
    firsts: npt.NDArray[np.int32]
    """The first gate of each border, and how many there are in all."""
    ends: npt.NDArray[np.int32]
    """Of each gate the cells on both sides. Where a diagonal move crosses a corner, its other end stands for a side."""
    halves: npt.NDArray[np.int32]
    """Of each gate what the way from the cell on each side to the border costs."""
    is_first_choice: npt.NDArray[np.uint8]
    """Whether a gate is the one of its run that comes nearest the middle of the border."""


class Halves(NamedTuple):
    """What the way from a cell to the border costs: half a straight move, and both parts of a diagonal one."""

    straight: int
    upper: int
    lower: int


@kernel(allocates=True)
def place_gates(mask, stride, fine, straight, diagonal):
    """The gates of a map: `firsts`, `ends`, `halves` and `is_first_choice` of its sectors."""
    width = stride - 2
    height = mask.size // stride - 2
    across = (width + SIDE - 1) // SIDE
    down = (height + SIDE - 1) // SIDE
    firsts = np.empty(2 * across * down + 1, np.int32)
    room = 2 * (across * height + down * width) + 4 * across * down
    gates = np.empty((room, 2), np.int32), np.empty((room, 2), np.int32), np.empty(room, np.uint8)  # paged in when used
    half = Halves(straight // 2, diagonal // 2, diagonal - diagonal // 2)
    made = 0
    for border in range(2 * across * down):
        firsts[border] = made
        sector = border >> 1
        row = sector // across
        column = sector - row * across
        top = (row * SIDE + 1) * stride + column * SIDE + 1
        has_right, has_below = column + 1 < across, row + 1 < down
        if border & 1 == _EASTERN and has_right:
            length = min(SIDE, height - row * SIDE)
            cell = top + SIDE - 1
            made = _straight_gates(mask, cell, stride, E, 1, length, fine, half, gates, made)
            made = _slanting_gates(mask, cell, stride, E, 1, length, half, gates, made)
            if has_below:
                made = _east_corners(mask, stride, cell + (SIDE - 1) * stride, half, gates, made)
        elif border & 1 == _SOUTHERN and has_below:
            length = min(SIDE, width - column * SIDE)
            cell = top + (SIDE - 1) * stride
            made = _straight_gates(mask, cell, 1, S, stride, length, fine, half, gates, made)
            made = _slanting_gates(mask, cell, 1, S, stride, length, half, gates, made)
            made = _south_corners(mask, stride, cell, column > 0, has_right, half, gates, made)
    firsts[firsts.size - 1] = made
    return firsts, gates[0][:made].copy(), gates[1][:made].copy(), gates[2][:made].copy()


@inlined
def _is_legal(mask, cell, move):
    """Whether a move is legal in a cell."""
    return np.int64(mask[at(cell)]) >> move & 1 != 0


@inlined
def _put(gates, made, cell, other, half, other_half, chosen):
    """Note a gate, after so many others."""
    ends, halves, is_first_choice = gates
    ends[at(made), 0] = cell
    ends[at(made), 1] = other
    halves[at(made), 0] = half
    halves[at(made), 1] = other_half
    is_first_choice[at(made)] = chosen
    return made + 1


@helper
def _straight_gates(mask, cell, along, move, over, length, fine, half, gates, made):
    """A gate in the middle of each part, of at most `fine` pairs, of each run of open pairs; returns their end."""
    place = 0
    while place < length:
        if not _is_legal(mask, cell + place * along, move):
            place += 1
            continue
        end = place + 1
        while end < length and _is_legal(mask, cell + end * along, move):
            end += 1
        parts = (end - place + fine - 1) // fine
        best = made
        nearest = SIDE
        for part in range(parts):
            first = place + (end - place) * part // parts
            last = place + (end - place) * (part + 1) // parts - 1
            middle = (first + last + 1) // 2 if parts > 1 else max(first, min(last, _MIDDLE))
            if abs(middle - _MIDDLE) < nearest:
                nearest = abs(middle - _MIDDLE)
                best = made
            here = cell + middle * along
            made = _put(gates, made, here, here + over, half.straight, half.straight, 0)
        gates[2][best] = 1
        place = end
    return made


@helper
def _slanting_gates(mask, cell, along, move, over, length, half, gates, made):
    """A gate for each diagonal move over the border that no straight one makes up for; returns their end.

    There are such moves only where diagonals are always legal.
    """
    onward, slant, back, slant_back = (S, SE, N, NE) if move == E else (E, SE, W, SW)
    for place in range(length):
        here = cell + place * along
        if _is_legal(mask, here, move):
            continue
        if place + 1 < length and _is_legal(mask, here, slant) and not _is_legal(mask, here, onward):
            made = _put(gates, made, here, here + over + along, half.upper, half.lower, 1)
        if place > 0 and _is_legal(mask, here, slant_back) and not _is_legal(mask, here, back):
            made = _put(gates, made, here, here + over - along, half.upper, half.lower, 1)
    return made


@inlined
def _falls(mask, cell):
    """Whether a diagonal move leads south-east from a cell past two walls."""
    return _is_legal(mask, cell, SE) and not _is_legal(mask, cell, E) and not _is_legal(mask, cell, S)


@inlined
def _rises(mask, cell):
    """Whether a diagonal move leads south-west from a cell past two walls."""
    return _is_legal(mask, cell, SW) and not _is_legal(mask, cell, W) and not _is_legal(mask, cell, S)


@inlined
def _east_corners(mask, stride, corner, half, gates, made):
    """Diagonal moves over the corner below an east border, which pass by the upper one of the other two sectors."""
    if _falls(mask, corner):
        made = _put(gates, made, corner, corner + stride + 1, half.upper, 0, 1)
    if _rises(mask, corner + 1):
        made = _put(gates, made, corner + stride, corner + 1, 0, half.upper, 1)
    return made


@inlined
def _south_corners(mask, stride, cell, has_left, has_right, half, gates, made):
    """The same moves once more on the south border of the sector that they pass by."""
    if has_left and _falls(mask, cell - 1):
        made = _put(gates, made, cell - 1, cell + stride, 0, half.lower, 1)
    if has_right and _rises(mask, cell + SIDE):
        made = _put(gates, made, cell + SIDE, cell + SIDE - 1 + stride, 0, half.lower, 1)
    return made


@inlined
def side_border(sectors, sector, side):
    """The border on the north, west, east and south side of a sector; -1 at the map's edge."""
    if side == 0:
        return 2 * (sector - sectors.across) + 1 if sector >= sectors.across else np.int64(-1)
    if side == 1:
        return 2 * (sector - 1) if sector % sectors.across else np.int64(-1)
    return 2 * sector + side - 2


@inlined
def sector_of(sectors, cell):
    """The sector of a cell."""
    y = np.int64(np.uint32(cell) // np.uint32(sectors.stride))
    x = cell - y * sectors.stride
    return (y - 1) // SIDE * sectors.across + (x - 1) // SIDE


@inlined
def corner_of(sectors, sector):
    """The upper left cell of a sector."""
    row = sector // sectors.across
    return (row * SIDE + 1) * sectors.stride + (sector - row * sectors.across) * SIDE + 1
