"""The graph of regions: an edge for every stored path, weighed by its cost (algorithms 11.2).

`starts`, `neighbours` and `costs` are lists of edges, one list after the other; a negative cost says that there is no
path, and none is 0.

*Paths that are not needed.* Where two other paths together cost no more, a path is nobody's only optimal first hop:
the first of the two always serves as well, also for all columns of a run at once (next_hops.py). So `needed`
tells before any row is made which paths to store, and leaving out the others changes no distance and makes no run more.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.numbers import at
from waypost.kernels.queues import put

FAR = 1 << 60  # a cost where there is no way, or none that will do
_ONE = np.uint64(1)
_NONE = np.uint64(0)


@kernel(allocates=True)
def needed(starts, neighbours, costs, first, last):
    """Whether each path of a range of regions is needed: it is there, and no two others together cost no more."""
    best = np.full(starts.size - 1, FAR)
    keep = np.empty(starts[last] - starts[first], np.bool_)
    for region in range(first, last):
        for index in range(starts[region], starts[region + 1]):
            best[neighbours[index]] = costs[index]
        for index in range(starts[region], starts[region + 1]):
            middle = neighbours[index]
            if costs[index] >= 0:
                for onward in range(starts[middle], starts[middle + 1]):
                    there = neighbours[onward]
                    if costs[onward] >= 0 and costs[index] + costs[onward] <= best[there] < FAR:
                        best[there] = -1
        for index in range(starts[region], starts[region + 1]):
            keep[index - starts[first]] = best[neighbours[index]] >= 0
            best[neighbours[index]] = FAR
    return keep


@kernel(allocates=True)
def hop_sets(starts, neighbours, costs, first, last):
    """Distances from each region of a range to all, and for each the set of all first hops that are optimal.

    Regions `first` up to `last`, not included: ranges can be worked on side by side, and what they return joined.
    Distances are int64, FAR where there is no way. Sets have a bit for every rank, in as many words of uint64 as the
    longest of all lists needs; they say nothing of the region itself and of regions out of reach.
    """
    regions = starts.size - 1
    longest = 1
    for region in range(regions):
        longest = max(longest, starts[region + 1] - starts[region])
    distance = np.empty((last - first, regions), np.int64)
    sets = np.empty((last - first, regions, (longest + 63) // 64), np.uint64)
    shift, size = _buckets(costs)
    ring = np.full(size, -1)
    pool = np.empty((neighbours.size, 2), np.int64)  # each edge is tried once
    for row in range(last - first):
        _walk_from(starts, neighbours, costs, first + row, shift, ring, pool, distance[row], sets[row])
    return distance, sets


@helper
def _buckets(costs):
    """The shift from a distance to its bucket, none wider than the least cost, and the size of a ring of them."""
    least = np.int64(FAR)
    most = np.int64(1)
    for cost in costs:
        if cost >= 0:
            least = min(least, np.int64(cost))
            most = max(most, np.int64(cost))
    shift = 0
    while 2 << shift <= min(least, most):
        shift += 1
    size = 1
    while size < (most >> shift) + 2:
        size *= 2
    return shift, size


@helper
def _walk_from(starts, neighbours, costs, region, shift, ring, pool, distance, sets):
    """Distances from a region to all, and for each the set of all first hops that are optimal, as bits by rank.

    `ring` is empty before and after; the pool has a row for every edge.
    No edge is shorter than a bucket is wide: when a bucket's turn comes, distances and sets in it are final.
    """
    words = sets.shape[1]
    around = ring.size - 1
    distance[:] = FAR
    distance[region] = 0
    taken = 0
    fresh = 0
    for index in range(starts[region], starts[region + 1]):
        there = neighbours[index]
        if costs[index] >= 0:
            rank = index - starts[region]
            distance[there] = costs[index]
            for word in range(words):
                sets[there, word] = _ONE << np.uint64(rank & 63) if word == rank >> 6 else _NONE
            _, fresh = put(ring, pool, distance[there] >> shift & around, np.int64(there), -1, fresh)
    bucket = 0
    while taken < fresh:
        place = bucket & around
        slot = ring[at(place)]
        if slot < 0:
            bucket += 1
            continue
        here = pool[at(slot), 0]
        ring[at(place)] = pool[at(slot), 1]  # rows are not used again: there are enough
        taken += 1
        walked = distance[at(here)]
        if walked >> shift != bucket:  # reached more cheaply since
            continue
        for index in range(starts[at(here)], starts[at(here + 1)]):
            cost = np.int64(costs[at(index)])
            there = np.int64(neighbours[at(index)])
            if cost < 0 or walked + cost > distance[at(there)]:
                continue
            if walked + cost == distance[at(there)]:
                for word in range(words):
                    sets[at(there), at(word)] |= sets[at(here), at(word)]
            else:
                distance[at(there)] = walked + cost
                for word in range(words):
                    sets[at(there), at(word)] = sets[at(here), at(word)]
                _, fresh = put(ring, pool, (walked + cost) >> shift & around, there, -1, fresh)
