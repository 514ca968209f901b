"""Which regions of a map touch, and which lie within some hops of each other (algorithms 7.2, 11.2).

Any partition will do: regions are numbers from 0, walls are -1. Lists of all regions stand one after the other: the
list of region r is neighbours[starts[r]] up to neighbours[starts[r + 1]].
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.copies import with_rows
from waypost.kernels.moves import FIRST_MOVE, SE, SW, E, S, offset
from waypost.kernels.numbers import at

_FORWARD = (E, S, SE, SW)  # one of each move and its reverse


@kernel(allocates=True)
def adjacency(mask, region_of, stride, regions):
    """Lists of the regions that some legal move leads to: ascending, each once, symmetric; returns starts, neighbours.

    The same two regions meet in many cells; most of that is dropped at once, by remembering whom a region met last.
    """
    pairs = np.empty((256, 2), np.int32)
    count = 0
    met_last = np.full(regions, np.int32(-1))
    for cell in range(stride + 1, region_of.size - stride - 1):
        here = region_of[at(cell)]
        if here < 0:
            continue
        crossing = 0  # moves that leave the region; found without a branch, since few cells have one
        for move in _FORWARD:
            crossing |= int(region_of[at(cell + offset(move, stride))] != here) << move
        crossing &= mask[at(cell)]
        while crossing:
            there = region_of[cell + offset(FIRST_MOVE[crossing], stride)]
            crossing &= crossing - 1
            low = min(here, there)
            high = max(here, there)
            if met_last[low] != high:
                met_last[low] = high
                if count == pairs.shape[0]:
                    pairs = with_rows(pairs, count + 1)
                pairs[count, 0] = low
                pairs[count, 1] = high
                count += 1
    return mutual_lists(pairs[:count], regions)


@helper(allocates=True)
def mutual_lists(pairs, regions):
    """Lists of neighbours, of pairs in any order: ascending, each once, symmetric; returns starts and neighbours."""
    return _sorted_lists(*_lists(pairs, regions))


@helper(allocates=True)
def _lists(pairs, regions):
    """Lists in the order of the pairs, both ways, with what repeats."""
    starts = np.zeros(regions + 1, np.int64)
    for i in range(pairs.shape[0]):
        starts[pairs[i, 0] + 1] += 1
        starts[pairs[i, 1] + 1] += 1
    starts = np.cumsum(starts)
    neighbours = np.empty(2 * pairs.shape[0], np.int32)
    ahead = starts.copy()
    for i in range(pairs.shape[0]):
        for end in range(2):
            here = pairs[i, end]
            neighbours[ahead[here]] = pairs[i, 1 - end]
            ahead[here] += 1
    return starts, neighbours


@helper(allocates=True)
def _sorted_lists(raw_starts, raw):
    """The same lists ascending and each neighbour once.

    Neighbours are mutual, so going through the lists and adding their owners to their members' lists writes every
    list in ascending order, without sorting.
    """
    regions = raw_starts.size - 1
    starts = np.zeros(regions + 1, np.int64)
    neighbours = np.empty(0, np.int32)
    ahead = starts
    for is_counted in (False, True):
        if is_counted:
            starts = np.cumsum(starts)
            neighbours = np.empty(starts[regions], np.int32)
            ahead = starts.copy()
        added_last = np.full(regions, np.int32(-1))
        for here in range(regions):
            for i in range(raw_starts[here], raw_starts[here + 1]):
                there = raw[i]
                if added_last[there] == here:
                    continue
                added_last[there] = here
                if is_counted:
                    neighbours[ahead[there]] = here
                    ahead[there] += 1
                else:
                    starts[there + 1] += 1
    return starts, neighbours


@kernel(allocates=True)
def neighbourhoods(starts, neighbours, hops):
    """Lists of all regions within so many hops, the region itself left out: ascending; returns starts and neighbours.

    Being near is mutual: see `_sorted_lists`.
    """
    regions = starts.size - 1
    seen_by = np.full(regions, np.int32(-1))
    queue = np.empty(regions, np.int32)
    near_starts = np.zeros(regions + 1, np.int64)
    for here in range(regions):
        near_starts[here + 1] = _within(starts, neighbours, hops, here, seen_by, queue) - 1
    near_starts = np.cumsum(near_starts)
    near = np.empty(near_starts[regions], np.int32)
    ahead = near_starts.copy()
    seen_by[:] = -1
    for here in range(regions):
        for i in range(1, _within(starts, neighbours, hops, here, seen_by, queue)):
            there = queue[i]
            near[ahead[there]] = here
            ahead[there] += 1
    return near_starts, near


@helper
def _within(starts, neighbours, hops, region, seen_by, queue):
    """Write the regions within so many hops to the queue, nearest first, itself at its head; returns how many."""
    queue[0] = region
    seen_by[region] = region
    size = 1
    ring = 0  # where the regions of the last hop begin
    for _ in range(hops):
        end = size
        for place in range(ring, end):
            here = queue[place]
            for i in range(starts[here], starts[here + 1]):
                there = neighbours[i]
                if seen_by[there] != region:
                    seen_by[there] = region
                    queue[size] = there
                    size += 1
        ring = end
    return size
