"""The open list: a ring of last-in-first-out lists, linked through a pool of entries that are used again.

A row of the pool is an entry and the index of the next row of its bucket, or of the next free row. An entry is
`(COST_LIMIT - g) << 32 | rest`. The ring's size is a power of two, and no two buckets in use may fall on one place.
"""

import numpy as np

from waypost.kernels.compiling import helper

RING = 16  # buckets of a search by cost alone: a move reaches over fewer than half of them, whatever the costs


@helper
def take(ring, pool, place, slot, free):
    """Take row `slot` off the head of the bucket at this place of the ring; returns the new first free row."""
    at = np.uintp(slot)  # unsigned: spares the test for a negative index
    ring[np.uintp(place)] = pool[at, 1]
    pool[at, 1] = free
    return slot


@helper
def put(ring, pool, place, entry, free, fresh):
    """Put an entry at the head of a bucket; returns the first free row (-1 if none) and the first one never used."""
    if free >= 0:
        slot = free
        free = pool[np.uintp(slot), 1]
    else:
        slot = fresh
        fresh += 1
    at = np.uintp(slot)
    pool[at, 0] = entry
    pool[at, 1] = ring[np.uintp(place)]
    ring[np.uintp(place)] = slot
    return free, fresh
