"""Priority queues: a binary heap, and buckets.

*The heap* is of whole numbers, least first. What they stand for is packed into their bits, so that all differ.

*Buckets* are a ring of last-in-first-out lists, linked through a pool of entries that are used again. A row of the pool
is an entry and the index of the next row of its bucket, or of the next free row. An entry is
`(COST_LIMIT - g) << 32 | rest`. The ring's size is a power of two, and no two buckets in use may fall on one place.
"""

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at

CELL_BITS = (1 << 32) - 1  # of an entry, where the rest of it is a cell
RING = 16  # buckets of a search by cost alone: a move reaches over fewer than half of them, whatever the costs


@inlined
def push(heap, length, key):
    """Put a key in; returns the new length."""
    hole = length
    while hole > 0:
        above = (hole - 1) >> 1
        if heap[at(above)] < key:
            break
        heap[at(hole)] = heap[at(above)]
        hole = above
    heap[at(hole)] = key
    return length + 1


@inlined
def pop(heap, length):
    """Take the first key, heap[0], out; returns the new length."""
    replace(heap, length - 1, heap[at(length - 1)])
    return length - 1


@inlined
def replace(heap, length, key):
    """Take the first key out and put another one in."""
    hole = 0
    below = 1
    while below < length:
        # The lesser of the two below, without a branch: which of them it is, is a coin's toss.
        other = min(below + 1, length - 1)
        below += int(heap[at(other)] < heap[at(below)])
        if key < heap[at(below)]:
            break
        heap[at(hole)] = heap[at(below)]
        hole = below
        below = 2 * hole + 1
    heap[at(hole)] = key


@helper
def take(ring, pool, place, slot, free):
    """Take row `slot` off the head of the bucket at this place of the ring; returns the new first free row."""
    row = at(slot)
    ring[at(place)] = pool[row, 1]
    pool[row, 1] = free
    return slot


@helper
def put(ring, pool, place, entry, free, fresh):
    """Put an entry at the head of a bucket; returns the first free row (-1 if none) and the first one never used."""
    if free >= 0:
        slot = free
        free = pool[at(slot), 1]
    else:
        slot = fresh
        fresh += 1
    row = at(slot)
    pool[row, 0] = entry
    pool[row, 1] = ring[at(place)]
    ring[at(place)] = slot
    return free, fresh
