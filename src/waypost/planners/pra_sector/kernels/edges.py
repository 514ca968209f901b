"""Which regions of neighbouring sectors touch, in a byte per pair (after Sturtevant 2007; algorithms 7.2).

Touching is mutual, so a pair is stored once, with the region of the lower number. The other one then lies in the
sector to the east, south-west, south or south-east: two bits. The other six are its rank in that sector; 63 says that
the rank follows in two bytes, the lower one first. Regions are in order, and so are the pairs of each.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.planners.cuts.kernels.graph import mutual_lists

_EAST, _SOUTH_WEST, _SOUTH, _SOUTH_EAST = range(4)  # ascending, as the numbers of their sectors are
_RANK_BITS = 6
_ESCAPE = (1 << _RANK_BITS) - 1


@kernel(allocates=True)
def pack(firsts, sector_of, starts, neighbours, across, first, last):
    """Pairs of the regions first to below last: how many each has, and their bytes."""
    counts = np.zeros(last - first, np.int32)
    packed = np.empty(3 * (starts[last] - starts[first]), np.uint8)
    size = 0
    for region in range(first, last):
        here = sector_of[region]
        for i in range(starts[region], starts[region + 1]):
            if neighbours[i] < region:
                continue
            there = sector_of[neighbours[i]]
            side = _EAST
            if there // across != here // across:
                side = _SOUTH + there % across - here % across
            rank = neighbours[i] - firsts[there]
            packed[size] = side << _RANK_BITS | min(rank, _ESCAPE)
            size += 1
            if rank >= _ESCAPE:
                packed[size] = rank & 255
                packed[size + 1] = rank >> 8
                size += 2
            counts[region - first] += 1
    return counts, packed[:size].copy()


@kernel(allocates=True)
def unpack(firsts, sector_of, counts, packed, across):
    """Lists of the neighbours of all regions, as `graph.adjacency` has them; no lists at all if it is not so.

    Everything is checked: that the pairs are in order, that their sectors and ranks exist, that no byte is left over.
    """
    regions = counts.size
    total = 0
    for region in range(regions):
        total += counts[region]
    if total > packed.size:
        return np.empty(0, np.int64), np.empty(0, np.int32)
    pairs = np.empty((total, 2), np.int32)
    count = 0
    at = 0
    for region in range(regions):
        last = region
        for _ in range(counts[region]):
            there, at = _read(firsts, packed, across, sector_of[region], at)
            if there <= last:
                return np.empty(0, np.int64), np.empty(0, np.int32)
            pairs[count, 0] = region
            pairs[count, 1] = there
            count += 1
            last = there
    if at != packed.size:
        return np.empty(0, np.int64), np.empty(0, np.int32)
    return mutual_lists(pairs, regions)


@helper
def _read(firsts, packed, across, sector, at):
    """The other region of the pair that begins at this byte, -1 if there is none, and where the next pair begins."""
    if at >= packed.size:
        return -1, at
    side = np.int64(packed[at] >> _RANK_BITS)
    rank = np.int64(packed[at] & _ESCAPE)
    at += 1
    if rank == _ESCAPE:
        if at + 2 > packed.size:
            return -1, at
        rank = np.int64(packed[at]) | np.int64(packed[at + 1]) << 8
        at += 2
        if rank < _ESCAPE:
            return -1, at  # there is one spelling only
    column = sector % across + (1 if side == _EAST else side - _SOUTH)
    there = sector // across * across + column + (0 if side == _EAST else across)
    if column < 0 or column >= across or there >= firsts.size - 1 or rank >= firsts[there + 1] - firsts[there]:
        return -1, at
    return firsts[there] + rank, at
