"""Which neighbour to go to next, for every pair of regions: a matrix of run-length coded rows (algorithms 11.2, 12.3).

A row has a column for every region to go to. Wherever several first hops are optimal a run may go on with any of
them: the sets of optimal hops are intersected along the row until nothing is left, which gives the fewest runs that
there can be.

*Paths that are not needed.* Where two other paths together cost no more, a path is nobody's only optimal first hop:
the first of the two always serves as well, also for all columns of a run at once. So `needed` tells before any row is
made which paths to store, and leaving out the others makes no run more.

*Blocks.* A run is its first column, an uint16, and the rank of the hop on the region's list, an uint8. Columns are
counted from the start of their block of 65,536, and no run reaches across blocks. So a row has as many ranges of runs
as there are blocks: one, nearly always.
"""

import numpy as np

from waypost.kernels.bits import trailing_zeros
from waypost.kernels.buckets import put, take
from waypost.kernels.compiling import helper, inlined, kernel

MOST_NEIGHBOURS = 256  # of one region: a rank is an uint8
NO_HOP = -1
BLOCK_SHIFT = 16  # what fits an uint16
_FAR = 1 << 60
_ONE = np.uint64(1)
_NONE = np.uint64(0)
_at = np.uintp


@kernel
def column_order(starts, neighbours):
    """The column of every region: preorder of a depth-first walk, neighbours in the order of their list."""
    regions = starts.size - 1
    order = np.full(regions, -1, np.int32)
    stack = np.empty(regions, np.int32)
    upcoming = starts[:-1].copy()
    column = 0
    for root in range(regions):
        if order[root] >= 0:
            continue
        order[root] = column
        column += 1
        stack[0] = root
        depth = 1
        while depth:
            region = stack[depth - 1]
            if upcoming[region] == starts[region + 1]:
                depth -= 1
                continue
            there = neighbours[upcoming[region]]
            upcoming[region] += 1
            if order[there] < 0:
                order[there] = column
                column += 1
                stack[depth] = there
                depth += 1
    return order


@kernel
def needed(starts, neighbours, costs, first, last):
    """Whether each path of a range of regions is needed: it is there, and no two others together cost no more."""
    best = np.full(starts.size - 1, _FAR)
    keep = np.empty(starts[last] - starts[first], np.bool_)
    for region in range(first, last):
        for index in range(starts[region], starts[region + 1]):
            best[neighbours[index]] = costs[index]
        for index in range(starts[region], starts[region + 1]):
            middle = neighbours[index]
            if costs[index] >= 0:
                for onward in range(starts[middle], starts[middle + 1]):
                    there = neighbours[onward]
                    if costs[onward] >= 0 and costs[index] + costs[onward] <= best[there] < _FAR:
                        best[there] = -1
        for index in range(starts[region], starts[region + 1]):
            keep[index - starts[first]] = best[neighbours[index]] >= 0
            best[neighbours[index]] = _FAR
    return keep


@kernel
def rows(starts, neighbours, costs, order, block_shift, first, last):
    """The rows of a range of regions: how many runs each block of each row has, their columns, and their ranks.

    Regions `first` up to `last`, not included: ranges can be worked on side by side, and what they return joined.
    A list has at most MOST_NEIGHBOURS; a negative cost says that there is no path; none is 0.
    """
    regions = order.size
    blocks = (regions - 1 >> block_shift) + 1
    region_at = np.empty(regions, np.int32)
    for region in range(regions):
        region_at[order[region]] = region
    shift, size = _buckets(costs)
    ring = np.full(size, -1)
    pool = np.empty((neighbours.size + 1, 2), np.int64)  # an entry for each path, of regions expanded once
    distance = np.empty(regions, np.int64)
    run_counts = np.empty((last - first) * blocks, np.uint32)
    run_columns = np.empty(64 * (last - first) + regions, np.uint16)
    run_ranks = np.empty(run_columns.size, np.uint8)
    made = 0
    for region in range(first, last):
        words = max(1, (starts[region + 1] - starts[region] + 63) // 64)
        sets = np.empty((regions, words), np.uint64)
        _distances(starts, neighbours, costs, region, shift, ring, pool, distance, sets)
        if made + regions > run_columns.size:
            run_columns = _longer(run_columns, made + regions)
            run_ranks = _longer(run_ranks, made + regions)
        counts = run_counts[(region - first) * blocks : (region - first + 1) * blocks]
        made = _cut(region, region_at, distance, sets, block_shift, counts, run_columns, run_ranks, made)
    return run_counts, run_columns[:made].copy(), run_ranks[:made].copy()


@helper
def _buckets(costs):
    """The shift from a distance to its bucket, none wider than the least cost, and the size of a ring of them."""
    least = np.int64(_FAR)
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
def _longer(array, size):
    """A copy with room for at least so many, and for twice as many as before."""
    longer = np.empty(max(size, 2 * array.size), array.dtype)
    longer[: array.size] = array
    return longer


@helper
def _distances(starts, neighbours, costs, region, shift, ring, pool, distance, sets):
    """Distances from a region to all, and for each the set of all first hops that are optimal, as bits by rank.

    No path is shorter than a bucket is wide: when a bucket's turn comes, distances and sets in it are final.
    """
    words = sets.shape[1]
    around = ring.size - 1
    distance[:] = _FAR
    distance[region] = 0
    open_count = 0
    free = -1
    fresh = 0
    for index in range(starts[region], starts[region + 1]):
        there = neighbours[index]
        if costs[index] >= 0:
            rank = index - starts[region]
            distance[there] = costs[index]
            sets[there, :] = _NONE
            sets[there, rank >> 6] = _ONE << np.uint64(rank & 63)
            free, fresh = put(ring, pool, distance[there] >> shift & around, np.int64(there), free, fresh)
            open_count += 1
    bucket = 0
    while open_count > 0:
        place = bucket & around
        slot = ring[_at(place)]
        if slot < 0:
            bucket += 1
            continue
        here = pool[_at(slot), 0]
        free = take(ring, pool, place, slot, free)
        open_count -= 1
        walked = distance[_at(here)]
        if walked >> shift != bucket:  # reached more cheaply since
            continue
        for index in range(starts[_at(here)], starts[_at(here + 1)]):
            cost = np.int64(costs[_at(index)])
            there = np.int64(neighbours[_at(index)])
            if cost < 0 or walked + cost > distance[_at(there)]:
                continue
            if walked + cost == distance[_at(there)]:
                for word in range(words):
                    sets[_at(there), _at(word)] |= sets[_at(here), _at(word)]
            else:
                distance[_at(there)] = walked + cost
                for word in range(words):
                    sets[_at(there), _at(word)] = sets[_at(here), _at(word)]
                free, fresh = put(ring, pool, (walked + cost) >> shift & around, there, free, fresh)
                open_count += 1


@helper
def _cut(region, region_at, distance, sets, block_shift, counts, columns, ranks, made):
    """Cut a row into as few runs as can be; writes how many there are in each block, their first columns and ranks.

    The region itself and those out of reach go with any hop. Returns the number of runs made until now.
    """
    words = sets.shape[1]
    common = np.zeros(words, np.uint64)
    met = np.empty(words, np.uint64)
    counts[:] = 0
    for column in range(region_at.size):
        there = region_at[column]
        block = column >> block_shift
        if there == region or distance[there] == _FAR:
            continue
        left = _NONE
        if counts[block]:
            for word in range(words):
                met[word] = common[word] & sets[there, word]
                left |= met[word]
        if left == _NONE:
            # The first run of a block takes what stands before it along.
            columns[made] = column - (block << block_shift) if counts[block] else 0
            counts[block] += np.uint32(1)
            made += 1
            common[:] = sets[there]
        else:
            common[:] = met
        ranks[made - 1] = _lowest(common)
    return made


@helper
def _lowest(ranks):
    """The lowest rank of a set that is not empty."""
    word = 0
    while ranks[word] == _NONE:
        word += 1
    return word << 6 | trailing_zeros(ranks[word])


@inlined
def hop(run_starts, run_columns, run_ranks, block_shift, blocks, region, column):
    """The rank of the next hop from a region to the one in this column, and the runs looked at.

    NO_HOP if there is none at all; where only this pair has none, or needs none, it may be any.
    """
    block = np.int64(region) * blocks + (np.int64(column) >> block_shift)
    low = np.int64(run_starts[_at(block)])
    high = np.int64(run_starts[_at(block + 1)])
    sought = np.int64(column) & (1 << block_shift) - 1
    if low == high:
        return NO_HOP, 0
    probes = 0
    while high - low > 1:  # the run is in low .. high - 1
        middle = (low + high) >> 1
        probes += 1
        if np.int64(run_columns[_at(middle)]) <= sought:
            low = middle
        else:
            high = middle
    return np.int64(run_ranks[_at(low)]), probes


@kernel
def next_hop(run_starts, run_columns, run_ranks, block_shift, blocks, region, column):
    """`hop`, for Python."""
    return hop(run_starts, run_columns, run_ranks, block_shift, blocks, region, column)


@kernel
def all_hops(run_starts, run_columns, run_ranks, block_shift, blocks, regions):
    """The whole matrix of ranks, by region and column; NO_HOP where a block of a row has no runs."""
    ranks = np.empty((regions, regions), np.int16)
    for region in range(regions):
        for column in range(regions):
            ranks[region, column], _ = hop(run_starts, run_columns, run_ranks, block_shift, blocks, region, column)
    return ranks
