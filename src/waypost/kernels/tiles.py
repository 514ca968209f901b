"""Tiles: a sparse map from cells to int32 values, all 0 at first, that costs memory only around what was stored.

The map of cells is cut into tiles of 8 x 8. A table is one flat array: an empty tile that all cells share which were
never stored to; how many tiles there are; a directory with one slot per tile of the map (where it lies, 0 for the
empty one); the slots in use; then the tiles, in the order in which they were first stored to. So reading takes two
loads and no branch, adding a tile is constant work, and whatever was not touched is memory that is never paged in.

A tile can have a second plane: one more value per cell.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel

ROW = 8  # cells of a row of a tile
PLANE = ROW * ROW  # cells of a tile
_COUNT = 2 * PLANE  # the empty tile has both planes
_DIRECTORY = _COUNT + 1


def tiles_across(cells):
    """Tiles needed for a row of so many cells."""
    return -(-cells // 8)


def table_size(tile_count, planes):
    """Entries of a table that can hold every tile of a map."""
    return _DIRECTORY + (2 + planes * PLANE) * tile_count


def stored(table, across, tile_count, planes):
    """x, y and value of every cell whose value is not 0, in the order of tiles."""
    in_use = _DIRECTORY + tile_count
    slots = table[in_use : in_use + table[_COUNT]]
    values = table[in_use + tile_count :][: slots.size * planes * PLANE].reshape(-1, planes, PLANE)[:, 0]
    tile, within_tile = np.nonzero(values)
    tile_y, tile_x = np.divmod(slots[tile].astype(np.int64) - _DIRECTORY, across)
    return 8 * tile_x + (within_tile & 7), 8 * tile_y + (within_tile >> 3), values[tile, within_tile].astype(np.int64)


@kernel
def clear(table, tile_count, planes):
    """Empty a table; costs as much as was stored in it."""
    in_use = _DIRECTORY + tile_count
    for slot in range(in_use, in_use + table[_COUNT]):
        table[table[slot]] = 0
    first = in_use + tile_count
    table[first : first + table[_COUNT] * planes * PLANE] = 0
    table[_COUNT] = 0


@inlined
def slot_of(across, x, y):
    """Where the directory keeps the tile of a cell, in a map of so many tiles a row."""
    return _DIRECTORY + (y >> 3) * across + (x >> 3)


@inlined
def within(x, y):
    """Where a cell stands within its tile."""
    return (y & 7) << 3 | x & 7


@helper
def add_tile(table, tile_count, planes, slot):
    """Give a directory slot a tile of its own."""
    count = table[_COUNT]
    in_use = _DIRECTORY + tile_count
    table[in_use + count] = slot
    table[slot] = in_use + tile_count + count * planes * PLANE
    table[_COUNT] = count + 1


@inlined
def count(table):
    """How many tiles were added."""
    return table[_COUNT]
