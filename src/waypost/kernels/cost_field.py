"""The least cost from every cell to one of them: Dijkstra's algorithm without a goal, for offline work.

*Order.* Buckets of cost, last in first out within one. A bucket is narrower than any move, so whatever it holds is
final.

The loop stands once more in `trees.kernels.grow`, which has more to do for each cell. With helpers for both, compiled
into them, this one took 7 to 15 % longer.
"""

import numpy as np

from waypost.kernels.compiling import helper
from waypost.kernels.moves import FIRST_DIAGONAL, FIRST_MOVE, offset
from waypost.kernels.numbers import at
from waypost.kernels.queues import CELL_BITS, put, take

FAR = np.iinfo(np.int32).max  # what cannot be reached


@helper
def fill(mask, stride, straight, diagonal, shift, goal, until, costs, ring, pool):
    """Write the cost of every cell (int32), or of those that are no further than the cell `until`, if that is not -1.

    Further ones may have a cost that is too high. `ring` has RING buckets, and `pool` room for 8 entries per cell.
    """
    around = ring.size - 1
    ring[:] = -1
    costs[:] = FAR
    costs[goal] = 0
    free, fresh = put(ring, pool, 0, goal, -1, 0)
    open_count = 1
    bucket = 0
    while open_count:
        slot = ring[at(bucket & around)]
        if slot < 0:
            bucket += 1
            if until >= 0 and costs[at(until)] >> shift < bucket:
                break
            continue
        entry = pool[at(slot), 0]
        free = take(ring, pool, bucket & around, slot, free)
        open_count -= 1
        cell = entry & CELL_BITS
        g = entry >> 32
        if costs[at(cell)] != g:  # reached more cheaply since
            continue
        better = 0
        for move in range(8):
            there = g + (straight if move < FIRST_DIAGONAL else diagonal)
            better |= int(there < costs[at(cell + offset(move, stride))]) << move
        better &= mask[at(cell)]
        while better:
            move = FIRST_MOVE[better]
            better &= better - 1
            reached = g + (straight if move < FIRST_DIAGONAL else diagonal)
            neighbour = cell + offset(move, stride)
            costs[at(neighbour)] = reached
            free, fresh = put(ring, pool, (reached >> shift) & around, reached << 32 | neighbour, free, fresh)
            open_count += 1
