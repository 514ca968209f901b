"""Where a straight scan stops, as bits: 64 cells to a word, so that a scan looks at 64 cells at a time.

The map is seen as lines of places: rows as they stand, or columns of the map turned over. Place `p` of a line is bit
`64 + p` of the line's words, and a word of ones stands before and after every line, so that no scan needs to test for
the end.
"""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import E, N, S, W, offset

GUARD = 64
HITS = 8
UP, DOWN = range(2)  # directions along a line

if numba.config.DISABLE_JIT:

    def trailing_zeros(word):
        """How many zero bits stand below the lowest one."""
        return (int(word) & -int(word)).bit_length() - 1

    def leading_zeros(word):
        """How many zero bits stand above the highest one."""
        return 64 - int(word).bit_length()

    def count_ones(word):
        """How many bits are ones."""
        return int(word).bit_count()

else:  # pragma: no cover - one machine instruction each; the plain twins above are what coverage sees

    @intrinsic
    def trailing_zeros(_context, _word):
        """How many zero bits stand below the lowest one."""
        return types.int64(types.uint64), lambda _c, builder, _s, args: builder.cttz(
            args[0], ir.Constant(ir.IntType(1), 1)
        )

    @intrinsic
    def leading_zeros(_context, _word):
        """How many zero bits stand above the highest one."""
        return types.int64(types.uint64), lambda _c, builder, _s, args: builder.ctlz(
            args[0], ir.Constant(ir.IntType(1), 1)
        )

    @intrinsic
    def count_ones(_context, _word):
        """How many bits are ones."""
        return types.int64(types.uint64), lambda _c, builder, _s, args: builder.ctpop(args[0])


@kernel(allocates=True)
def stop_bits(component, lines, places, line_step, place_step):
    """Two bitmaps of the map's lines: where a scan up, and where a scan down, has to stop.

    At a wall, and at a jump point: a cell with a forced neighbour, that is an open cell beside it with a wall behind
    that one (no corner cutting). The outermost lines and places are walls (the map is padded).
    """
    words = (places + 63) // 64 + 2
    stops = np.full((2, lines * words), ~np.uint64(0))
    for line in range(1, lines - 1):
        for place in range(1, places - 1):
            cell = line * line_step + place * place_step
            if component[cell] == 0:
                continue
            for direction in range(2):
                if not turns(component, cell, line_step, -place_step if direction == UP else place_step):
                    set_stop(stops, direction, words, line, place, False)
    return stops


@helper
def turns(component, cell, line_step, behind):
    """Whether an open cell has a forced neighbour where a scan comes from behind."""
    left = component[cell - line_step] != 0 and component[cell - line_step + behind] == 0
    right = component[cell + line_step] != 0 and component[cell + line_step + behind] == 0
    return left or right


@helper
def set_stop(stops, direction, words, line, place, stops_there):
    """Note whether a scan has to stop at a place."""
    at = GUARD + place
    bit = np.uint64(1) << np.uint64(at & 63)
    if stops_there:
        stops[direction, line * words + (at >> 6)] |= bit
    else:
        stops[direction, line * words + (at >> 6)] &= ~bit


@helper
def is_stop(stops, direction, words, line, place):
    """Whether a scan has to stop at a place."""
    at = GUARD + place
    return stops[direction, line * words + (at >> 6)] >> np.uint64(at & 63) & np.uint64(1) != 0


@kernel(allocates=True)
def moves_and_hits(component, mask, rows, columns, stride):
    """Per cell its legal moves, and from bit 8 on whether a scan N, E, S or W hits a jump point before a wall."""
    height = component.size // stride
    row_words = rows.shape[1] // height
    column_words = columns.shape[1] // stride
    hits = mask.astype(np.uint16)
    for cell in range(component.size - stride - 2, stride, -1):  # east and south: later cells first
        y = cell // stride
        x = cell - y * stride
        if component[cell] != 0:
            for move, stop in (
                (E, is_stop(rows, UP, row_words, y, x + 1)),
                (S, is_stop(columns, UP, column_words, x, y + 1)),
            ):
                there = cell + offset(move, stride)
                if component[there] != 0:
                    hits[cell] |= 1 << HITS + move if stop else hits[there] & 1 << HITS + move
    for cell in range(stride + 1, component.size - stride - 1):  # west and north: earlier cells first
        y = cell // stride
        x = cell - y * stride
        if component[cell] != 0:
            for move, stop in (
                (W, is_stop(rows, DOWN, row_words, y, x - 1)),
                (N, is_stop(columns, DOWN, column_words, x, y - 1)),
            ):
                there = cell + offset(move, stride)
                if component[there] != 0:
                    hits[cell] |= 1 << HITS + move if stop else hits[there] & 1 << HITS + move
    return hits


@helper
def next_stop(stops, words, line, place):
    """The first place after this one where a scan up the line stops."""
    at = GUARD + place + 1
    word = line * words + (at >> 6)
    ahead = stops[UP, np.uintp(word)] >> np.uint64(at & 63)
    if ahead:
        return place + 1 + trailing_zeros(ahead)
    while True:
        word += 1
        ahead = stops[UP, np.uintp(word)]
        if ahead:
            return (word - line * words) * 64 + trailing_zeros(ahead) - GUARD


@helper
def previous_stop(stops, words, line, place):
    """The first place before this one where a scan down the line stops."""
    at = GUARD + place - 1
    word = line * words + (at >> 6)
    ahead = stops[DOWN, np.uintp(word)] << np.uint64(63 - (at & 63))
    if ahead:
        return place - 1 - leading_zeros(ahead)
    while True:
        word -= 1
        ahead = stops[DOWN, np.uintp(word)]
        if ahead:
            return (word - line * words) * 64 + 63 - leading_zeros(ahead) - GUARD
