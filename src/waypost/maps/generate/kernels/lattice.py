"""Mazes and doors on a lattice. Random numbers are drawn outside: 64-bit words, or their halves of 32 bits."""

import numpy as np

from waypost.kernels.compiling import helper, kernel

EAST, SOUTH = 1, 2
"""Bits of a maze's passages."""


@helper
def _below(half, count):
    """A number from 0 to count - 1 from 32 random bits, as the upper half of their product."""
    return np.int64(half) * count >> 32


@kernel(allocates=True)
def grow_maze(halves, rows, columns):
    """A spanning tree of the lattice by depth-first search from the upper left: for every place its passages."""
    passages = np.zeros(rows * columns, np.uint8)
    seen = np.zeros(rows * columns, np.bool_)
    trail = np.empty(rows * columns, np.int32)
    ways = np.empty(4, np.int32)
    trail[0] = 0
    seen[0] = True
    length = 1
    used = 0
    while length:
        here = trail[length - 1]
        row = here // columns
        column = here - row * columns
        count = 0
        if row > 0 and not seen[here - columns]:
            ways[count] = here - columns
            count += 1
        if column + 1 < columns and not seen[here + 1]:
            ways[count] = here + 1
            count += 1
        if row + 1 < rows and not seen[here + columns]:
            ways[count] = here + columns
            count += 1
        if column > 0 and not seen[here - 1]:
            ways[count] = here - 1
            count += 1
        if count == 0:
            length -= 1
            continue
        there = ways[0]
        if count > 1:
            there = ways[_below(halves[used], count)]
            used += 1
        # In a lattice of one column the next place lies below, though its number is also the next one.
        is_row = there // columns == row
        passages[min(here, there)] |= EAST if is_row else SOUTH
        seen[there] = True
        trail[length] = there
        length += 1
    return passages


@kernel
def cut_doors(is_open, words, size, most_doors, chance):
    """Open doors in the walls between rooms of this size: first in upright walls, then in lying ones.

    A wall between two rooms gets doors with this chance, each at a random place of it.
    """
    half = np.uint64(0)
    has_half = False
    used = 0
    for lying in range(2):
        length = is_open.shape[lying]
        for wall in range(size, is_open.shape[1 - lying], size + 1):
            for first in range(0, length, size + 1):
                draw = np.float64(words[used] >> np.uint64(11)) / 9007199254740992.0  # 2**53: evenly from 0 to 1
                used += 1
                if draw >= chance:
                    continue
                stretch = min(size, length - first)
                doors = 1
                for turn in range(1 + most_doors):  # the first turn draws how many doors there are
                    if turn > doors:
                        break
                    count = stretch if turn else most_doors
                    place = np.int64(0)
                    if count > 1:
                        if not has_half:
                            half = words[used]
                            used += 1
                        place = _below(half & np.uint64(0xFFFFFFFF), count)
                        half >>= np.uint64(32)
                        has_half = not has_half
                    if turn == 0:
                        doors = 1 + place
                    elif lying:
                        is_open[wall, first + place] = True
                    else:
                        is_open[first + place, wall] = True
