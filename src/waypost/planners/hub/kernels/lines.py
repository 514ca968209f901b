"""Where scans have to look, as bits of lines: rows, columns and diagonals (hub rules, "Scans").

A line's words begin with one of ones and end with one, as in `kernels/bits.py`, so that no scan tests for its end. Rows
and columns are there twice: with a bit where a wall or a corner NE or SW is, and with a bit where a wall or a corner NW
or SE is. Diagonals are there by direction, NE SE SW NW, with a bit where a walk along them has to look around.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.bits import GUARD, leading_zeros, trailing_zeros
from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels.corners import (
    CORNERS,
    NE_CORNER,
    NW_CORNER,
    SE_CORNER,
    SW_CORNER,
)

KINDS = np.array((NE_CORNER | SW_CORNER, NW_CORNER | SE_CORNER))
KIND_OF_DIAGONAL = np.array((1, 0, 1, 0))  # the corners that matter beside it: those off its line
_NORTH, _SOUTH, _ACROSS = range(3)  # of stops, those of columns by x; and of the row, before and after
_BEFORE, _AFTER = range(2)
_ONE = np.uint64(1)


class Lines(NamedTuple):
    """A map and its subgoals, as scans need them. All lines stand in one array, each kind from where its field says."""

    mask: npt.NDArray[np.uint8]
    bits: npt.NDArray[np.uint64]
    places: npt.NDArray[np.uint64]
    """For 64 cells each a bit for each subgoal, and how many come before."""
    cells: npt.NDArray[np.int32]
    """Of subgoals, rising."""
    corners: npt.NDArray[np.uint8]
    """Of subgoals."""
    stride: int
    row_words: int
    column_words: int
    columns: int
    diagonals: int
    straight: int
    diagonal: int
    is_dense: int
    """Whether every cell is a subgoal, as under diagonal rules for which there are no taut ways."""


@inlined
def steps_to_stop(bits, first, other, place, way):
    """Steps up or down a line to the next stop of one or the other kind: their words begin at `first` and `other`."""
    also = other - first
    if way > 0:
        there = GUARD + place + 1
        word = first + (there >> 6)
        found = (bits[at(word)] | bits[at(word + also)]) >> np.uint64(there & 63)
        if found:
            return trailing_zeros(found) + 1
        while not found:
            word += 1
            found = bits[at(word)] | bits[at(word + also)]
        return (word - first) * 64 + trailing_zeros(found) - GUARD - place
    there = GUARD + place - 1
    word = first + (there >> 6)
    found = (bits[at(word)] | bits[at(word + also)]) << np.uint64(63 - (there & 63))
    if found:
        return leading_zeros(found) + 1
    while not found:
        word -= 1
        found = bits[at(word)] | bits[at(word + also)]
    return place - ((word - first) * 64 + 63 - leading_zeros(found) - GUARD)


@inlined
def row_of(lines, kind, y):
    """Where the words of a row begin."""
    return kind * (lines.columns >> 1) + y * lines.row_words


@inlined
def column_of(lines, kind, x):
    """Where the words of a column begin."""
    return lines.columns + kind * (lines.diagonals - lines.columns >> 1) + x * lines.column_words


@inlined
def diagonal_of(lines, quarter, x, y):
    """Where the words of a diagonal begin, in the lines of one direction; places are rows."""
    line = x + y if KIND_OF_DIAGONAL[at(quarter)] else x - y
    if not 0 <= line < lines.stride:
        line %= lines.stride
    return lines.diagonals + (quarter * lines.stride + line) * lines.column_words


@inlined
def _clear(bits, first, place):
    """Say that a scan need not stop here."""
    there = GUARD + place
    bits[at(first + (there >> 6))] &= ~(_ONE << np.uint64(there & 63))


@kernel
def write_lines(lines, bits, stops):
    """Write the bits of rows and columns, which are all set before, and then of diagonals, which are not.

    `stops` is scratch: for each column and kind, where the last stop before a row is and the first one after it.
    """
    lines = Lines(*lines)
    mask, stride = lines.mask, lines.stride
    height = mask.size // stride
    for y in range(1, height - 1):
        for x in range(1, stride - 1):
            moves = mask[at(y * stride + x)]
            if moves:
                corners = np.int64(CORNERS[at(moves)])
                for kind in range(2):
                    if corners & KINDS[at(kind)] == 0:
                        _clear(bits, row_of(lines, kind, y), x)
                        _clear(bits, column_of(lines, kind, x), y)
    for kind in range(2):
        for x in range(stride):
            stops[_NORTH, kind, x] = stops[_SOUTH, kind, x] = 0
    for y in range(1, height - 1):
        for way in range(2):
            for kind in range(2):
                stops[_ACROSS, kind, way] = 0
        for x in range(1, stride - 1):
            moves = np.int64(mask[at(y * stride + x)])
            corners = np.int64(CORNERS[at(moves)])
            if moves:
                _find_stops(lines, bits, stops, x, y)
                for quarter in range(4):
                    goes_on = moves >> (FIRST_DIAGONAL + quarter) & 1
                    comes_here = moves >> (FIRST_DIAGONAL + (quarter ^ 2)) & 1
                    is_stop = not goes_on or corners & KINDS[at(KIND_OF_DIAGONAL[at(quarter)])] != 0
                    if comes_here and (is_stop or _is_fresh(lines, bits, stops, quarter, x, y)):
                        there = GUARD + y
                        bits[at(diagonal_of(lines, quarter, x, y) + (there >> 6))] |= _ONE << np.uint64(there & 63)
            for kind in range(2):
                if moves == 0 or corners & KINDS[at(kind)]:
                    stops[_ACROSS, kind, _BEFORE] = x
                    stops[_NORTH, kind, x] = y


@inlined
def _find_stops(lines, bits, stops, x, y):
    """Find the next stops east and south of a cell, where those that are known lie behind it."""
    for kind in range(2):
        if stops[_ACROSS, kind, _AFTER] <= x:
            first = row_of(lines, kind, y)
            stops[_ACROSS, kind, _AFTER] = x + steps_to_stop(bits, first, first, x, 1)
        if stops[_SOUTH, kind, x] <= y:
            first = column_of(lines, kind, x)
            stops[_SOUTH, kind, x] = y + steps_to_stop(bits, first, first, y, 1)


@inlined
def _is_fresh(lines, bits, stops, quarter, x, y):
    """Whether a scan beside a diagonal that comes here finds what the scan from the cell before does not hide."""
    mask, stride = lines.mask, lines.stride
    dx, dy = DX[at(FIRST_DIAGONAL + quarter)], DY[at(FIRST_DIAGONAL + quarter)]
    before = (y - dy) * stride + x - dx
    kind = KIND_OF_DIAGONAL[at(quarter)]
    stop = np.int64(stops[_ACROSS, kind, _AFTER if dx > 0 else _BEFORE])
    if mask[at(y * stride + stop)]:
        first = row_of(lines, kind, y - dy)
        steps = steps_to_stop(bits, first, first, x - dx, dx)
        if mask[at(before + steps * dx)] == 0 or abs(stop - x) < steps:
            return True
    stop = np.int64(stops[_SOUTH if dy > 0 else _NORTH, kind, x])
    if mask[at(stop * stride + x)]:
        first = column_of(lines, kind, x - dx)
        steps = steps_to_stop(bits, first, first, y - dy, dy)
        return mask[at(before + steps * dy * stride)] == 0 or abs(stop - y) < steps
    return False


@kernel(allocates=True)
def subgoals(mask, is_dense):
    """The cells of all subgoals; and for 64 cells each a bit for each of them, and how many come before."""
    words = (mask.size + 63) // 64
    places = np.zeros(2 * words, np.uint64)
    count = 0
    for cell in range(mask.size):
        if cell & 63 == 0:
            places[2 * (cell >> 6) + 1] = count
        if mask[cell] and (is_dense or CORNERS[mask[cell]]):
            places[2 * (cell >> 6)] |= _ONE << np.uint64(cell & 63)
            count += 1
    cells = np.empty(count, np.int32)
    count = 0
    for cell in range(mask.size):
        if places[2 * (cell >> 6)] >> np.uint64(cell & 63) & _ONE:
            cells[count] = cell
            count += 1
    return cells, places
