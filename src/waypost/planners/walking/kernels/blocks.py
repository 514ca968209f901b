"""Learned values of many walkers: fixed-size blocks from one pool, found by hashing, given back in constant time.

A block holds one value for each cell of an 8 x 8 tile of the map, for one *leg*: a walker's way to one target, the
values being about that target alone. The pool is one flat array: a few counts, a table of chains, then the blocks.
Nothing is ever cleared or moved: a leg that ends puts its blocks on the list of free ones by joining two lists, and a
free block stays in its chain, where no living leg can match it, until it is used again. So every operation is
constant work, and memory that was never needed is never paged in.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at

_HEADS, _FREE, FRESH, LEGS = range(4)  # chains less one; first free block; end of those ever used; legs begun
CHAINS = 16
_LEG, _TILE, _AFTER, _BEFORE, _NEXT = range(5)  # of a block: its key, its neighbours in the chain, the next of its leg
VALUES = 8
BLOCK = VALUES + 64
MOST_LEGS = (1 << 31) - 1


def pool_size(tile_count):
    """Entries of a pool that can hold every tile of a map once, and of the table of chains in it."""
    chains = 1 << (tile_count - 1).bit_length()
    return CHAINS + chains + BLOCK * tile_count, chains


def prepare(pool, chains):
    """Make a pool of zeros ready for use."""
    pool[_HEADS] = chains - 1
    pool[FRESH] = CHAINS + chains


def new_pool(chains, blocks):
    """A pool that has room for so many blocks; chains are a power of two."""
    pool = np.zeros(CHAINS + chains + BLOCK * blocks, np.int32)
    prepare(pool, chains)
    return pool


def room(pool):
    """Blocks that can be added, even if none is given back."""
    return (pool.size - int(pool[FRESH])) // BLOCK


def enlarged(pool, blocks):
    """A copy of a pool that has room for so many blocks more, and is at least twice as large."""
    used = int(pool[FRESH])
    larger = np.zeros(max(2 * pool.size, used + BLOCK * blocks), np.int32)
    larger[:used] = pool[:used]
    return larger


def used_bytes(pool):
    """Memory of the blocks that were ever used."""
    return (int(pool[FRESH]) - CHAINS - int(pool[_HEADS]) - 1) * pool.itemsize


@inlined
def begin_leg(pool):
    """The number of a new leg."""
    pool[LEGS] = pool[LEGS] % MOST_LEGS + 1
    return pool[LEGS]


@inlined
def end_leg(pool, first, last):
    """Give back the blocks of a leg, the first and the last added to it (0 if none)."""
    if first:
        pool[at(last + _NEXT)] = pool[_FREE]
        pool[_FREE] = first


@inlined
def _chain_of(pool, leg, tile):
    """Where the chain of a key begins; tiles of one leg fall on chains of their own."""
    return CHAINS + (tile + leg * 0x9E3779B1 & pool[_HEADS])


@helper
def values_of(pool, leg, tile):
    """Where the values of a leg in a tile begin, or 0 if there are none."""
    block = np.int64(pool[at(_chain_of(pool, leg, tile))])
    while block and (pool[at(block + _LEG)] != leg or pool[at(block + _TILE)] != tile):
        block = np.int64(pool[at(block + _AFTER)])
    return block + VALUES if block else 0


@helper
def add_block(pool, leg, tile, before):
    """Add a tile to a leg behind its last block (0 if none), all values 0; returns the block."""
    block = np.int64(pool[_FREE])
    if block:
        pool[_FREE] = pool[block + _NEXT]
        _leave_chain(pool, block)
    else:
        block = np.int64(pool[FRESH])
        pool[FRESH] += BLOCK
    head = _chain_of(pool, leg, tile)
    after = pool[head]
    pool[block + _LEG] = leg
    pool[block + _TILE] = tile
    pool[block + _AFTER] = after
    pool[block + _BEFORE] = 0
    pool[block + _NEXT] = 0
    pool[block + VALUES : block + BLOCK] = 0
    if after:
        pool[after + _BEFORE] = block
    pool[head] = block
    if before:
        pool[before + _NEXT] = block
    return block


@helper
def _leave_chain(pool, block):
    """Take a free block out of the chain in which its last leg has left it."""
    after = pool[block + _AFTER]
    before = pool[block + _BEFORE]
    if after:
        pool[after + _BEFORE] = before
    if before:
        pool[before + _AFTER] = after
    else:
        pool[_chain_of(pool, np.int64(pool[block + _LEG]), np.int64(pool[block + _TILE]))] = after


def raised(pool, first, last, across):
    """x, y and value of every cell with a value other than 0, in the blocks of a leg from its first to its last."""
    cells = []
    while first:
        tile_y, tile_x = divmod(int(pool[first + _TILE]), across)
        values = pool[first + VALUES : first + BLOCK]
        cells += [
            (8 * tile_x + (i & 7), 8 * tile_y + (i >> 3), int(values[i])) for i in np.flatnonzero(values).tolist()
        ]
        first = 0 if first == last else int(pool[first + _NEXT])
    return np.array(cells, np.int64).reshape(-1, 3).T
