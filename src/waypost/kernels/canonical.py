"""Exact costs around a cell, by a Dijkstra search that follows only paths with diagonal moves first.

*Pruned moves.* A cell that was reached by some move passes on only those moves that no equally cheap path around it
makes up for, with diagonal moves first (Harabor & Grastien 2011; Sturtevant & Rabin 2016). Which ones is a look-up
by the move and the cell's legal moves, and one table serves all diagonal rules: where rules differ it keeps the move.
A cell reached at equal cost by several moves passes on what any of them would.

*Buckets* are narrower than the straight cost, so no move leads into the bucket that it comes from: whatever is in the
lowest bucket is final, no cell is expanded twice because it got cheaper, and no order within a bucket matters.

*Marks.* Per cell one int64, `search << 39 | (COST_LIMIT - cost) << 8 | set of moves that reached it`; larger is newer
or cheaper, so nothing is cleared between searches. Cell 0 is a wall (maps are padded): its mark counts the searches.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import FIRST_DIAGONAL, FIRST_MOVE, offset
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.queues import RING, put, take

_SEARCH_SHIFT = 39
SEARCHES = 1 << 24
_MOVES = 255


def _onward():
    """The moves worth making, by the move that reached a cell and by the cell's legal moves."""
    table = np.zeros((8, 256), np.uint8)
    for quarter in range(4):  # everything is said for N and NE, and turned
        n, e, s, w, ne, se, sw, nw = (1 << (move + quarter) % 4 + (move & 4) for move in range(8))
        for mask in range(256):
            # After N: to a side only if the cell before could not go there slantwise, as it can if SE or SW is legal
            # here; and slantwise only if it could not do so first, and then go N.
            after = n
            for side, slantwise, back in ((e, ne, se), (w, nw, sw)):
                after |= 0 if mask & back else side
                after |= 0 if mask & back and mask & side else slantwise
            table[FIRST_MOVE[n], mask] = after & mask
            # After NE: back W or S only round a wall beside that move.
            after = n | e | ne | (0 if mask & w else nw) | (0 if mask & s else se)
            table[FIRST_MOVE[ne], mask] = after & mask
    return table.ravel()


ONWARD = _onward()


@helper
def shift_of(straight):
    """The shift from a cost to its bucket: the widest power of two that is no more than a straight move."""
    shift = 0
    while 2 << shift <= straight:
        shift += 1
    return shift


@helper
def spread(mask, stride, straight, diagonal, node, ring, pool, start, targets, count):
    """Find exact costs from a start to so many targets; False if the pool was too small, and nothing is found.

    A target out of reach has the search flood all that is in reach; what costs more than COST_LIMIT is not. `ring` is
    empty before and after.
    """
    base = _new_search(node)
    shift = shift_of(straight)
    node[start] = base | COST_LIMIT << 8
    free, fresh = put(ring, pool, 0, np.int64(start), -1, 0)
    open_count = 1
    bucket = 0
    settled = 0
    while settled < count and open_count > 0:
        place = bucket & (RING - 1)
        slot = ring[at(place)]
        while slot >= 0:
            if open_count + 8 > pool.shape[0]:
                ring[:] = -1
                return False
            cell = pool[at(slot), 0]
            free = take(ring, pool, place, slot, free)
            open_count -= 1
            mark = node[at(cell)]
            left = mark >> 8 & COST_LIMIT
            if (COST_LIMIT - left) >> shift == bucket and left >= diagonal:  # else it is done with, or too far
                legal = np.int64(mask[at(cell)])
                moves = mark & _MOVES
                onward = legal if moves == 0 else 0
                while moves:
                    onward |= np.int64(ONWARD[at(FIRST_MOVE[at(moves)] << 8 | legal)])
                    moves &= moves - 1
                while onward:
                    move = FIRST_MOVE[at(onward)]
                    onward &= onward - 1
                    there = cell + offset(move, stride)
                    left_there = left - (straight if move < FIRST_DIAGONAL else diagonal)
                    reached = base | left_there << 8
                    known = node[at(there)]
                    if reached > known:
                        node[at(there)] = reached | 1 << move
                        into = (COST_LIMIT - left_there) >> shift
                        free, fresh = put(ring, pool, into & (RING - 1), there, free, fresh)
                        open_count += 1
                    elif reached == known & ~_MOVES:
                        node[at(there)] = known | 1 << move
            slot = ring[at(place)]
        while settled < count and _is_settled(node, base, targets[settled], bucket, shift):
            settled += 1
        bucket += 1
    ring[:] = -1
    return True


@helper
def _new_search(node):
    """What the marks of a new search are larger than."""
    search = node[0] + 1
    if search == SEARCHES:
        node[:] = 0
        search = 1
    node[0] = search
    return search << _SEARCH_SHIFT


@inlined
def _is_settled(node, base, cell, bucket, shift):
    """Whether the search has come to the cell, and no later than in this bucket."""
    mark = node[at(cell)]
    return mark >= base and (COST_LIMIT - (mark >> 8 & COST_LIMIT)) >> shift <= bucket


@inlined
def cost_of(node, cell):
    """What it costs to reach a cell, or -1 if the last search has not reached it."""
    mark = node[at(cell)]
    return COST_LIMIT - (mark >> 8 & COST_LIMIT) if mark >> _SEARCH_SHIFT == node[0] else -1
