"""Which neighbour to go to next, for every pair of regions: a matrix whose rows are run-length coded (algorithms 11.2, 12.3).

A row has a column for every region to go to, in depth-first order of the region graph: regions that lie behind the
same neighbour then stand together. Wherever several first hops are optimal, a run may go on with any of them: the
sets of optimal hops are intersected along the row until nothing is left, which gives the fewest runs that there can
be. Then few different hops are chosen for the runs of a row: paths that are nobody's first hop need not be stored.

A run is its first column, an uint16 counted from its *block* of 65,536 columns, and a rank, an uint8: which of the neighbours that are
kept. Runs do not reach across blocks, so a row has as many ranges of runs as there are blocks: one, nearly always.
"""

import numpy as np

from waypost.kernels.bits import trailing_zeros
from waypost.kernels.buckets import put, take
from waypost.kernels.compiling import helper, inlined, kernel

MOST_NEIGHBOURS = 256  # of one region: a rank is an uint8
NO_HOP = -1
BLOCK_SHIFT = 16
_COLUMN = (1 << BLOCK_SHIFT) - 1
_FAR = 1 << 60
_ONE = np.uint64(1)
_NONE = np.uint64(0)
_ALL = ~_NONE
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
def rows(starts, neighbours, costs, weights, order, first, last):
    """The rows of a range of regions: runs in each block of each row, their columns and ranks, and which paths are kept.

    `costs` and `weights` are of the paths on the lists: what it costs to walk one (negative: it is not there), and to store it. Ranks
    count the kept paths of a region. Costs of 0 are not allowed.
    """
    regions = order.size
    blocks = (regions - 1 >> BLOCK_SHIFT) + 1
    region_at = np.empty(regions, np.int32)
    for region in range(regions):
        region_at[order[region]] = region
    least, most = _extremes(costs)
    shift = 0
    while 2 << shift <= least:
        shift += 1
    size = 1
    while size < (most >> shift) + 2:
        size *= 2
    ring = np.full(size, -1)
    pool = np.empty((neighbours.size + 8, 2), np.int64)
    distance = np.empty(regions, np.int64)
    run_counts = np.empty((last - first) * blocks, np.uint32)
    run_columns = np.empty(64 * (last - first) + regions, np.uint16)
    run_ranks = np.empty(run_columns.size, np.uint8)
    kept = np.zeros(starts[last] - starts[first], np.bool_)
    block_ends = np.empty(blocks, np.int64)
    made = 0
    for region in range(first, last):
        start = starts[region]
        end = starts[region + 1]
        words = max(1, (end - start + 63) // 64)
        sets = np.empty((regions, words), np.uint64)
        _distances(starts, neighbours, costs, region, shift, ring, pool, distance, sets)
        if made + regions > run_columns.size:
            run_columns = _longer(run_columns, made + regions)
            run_ranks = _longer(run_ranks, run_columns.size)
        columns = run_columns[made : made + regions]
        run_sets = _cut(region, region_at, distance, sets, columns, block_ends)
        keep = kept[start - starts[first] : end - starts[first]]
        _choose(run_sets, weights[start:end], keep, run_ranks[made : made + run_sets.shape[0]])
        for block in range(blocks):
            before = block_ends[block - 1] if block else 0
            run_counts[(region - first) * blocks + block] = block_ends[block] - before
        made += run_sets.shape[0]
    return run_counts, run_columns[:made].copy(), run_ranks[:made].copy(), kept


@helper
def _extremes(costs):
    """The least and the largest cost, of those that are not negative."""
    least = _FAR
    most = 1
    for cost in costs:
        if cost >= 0:
            least = min(least, np.int64(cost))
            most = max(most, np.int64(cost))
    return min(least, most), most


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
def _cut(region, region_at, distance, sets, columns, block_ends):
    """Cut a row into as few runs as can be: writes their first columns, and how many there are up to each block's end.

    Returns what is left of each run's sets. The region itself and those out of reach go with any hop.
    """
    words = sets.shape[1]
    run_sets = np.empty((32, words), np.uint64)
    common = np.empty(words, np.uint64)
    runs = 0
    is_open = False
    for column in range(region_at.size):
        there = region_at[column]
        if column & _COLUMN == 0:
            is_open = False
        if there != region and distance[there] < _FAR:
            left = _NONE
            if is_open:
                for word in range(words):
                    common[word] = run_sets[runs - 1, word] & sets[there, word]
                    left |= common[word]
            if left != _NONE:
                run_sets[runs - 1] = common
            else:
                if runs == run_sets.shape[0]:
                    larger = np.empty((2 * runs, words), np.uint64)
                    larger[:runs] = run_sets
                    run_sets = larger
                # The first run of a block takes what stands before it along.
                columns[runs] = column & _COLUMN if is_open else 0
                run_sets[runs] = sets[there]
                is_open = True
                runs += 1
        block_ends[column >> BLOCK_SHIFT] = runs
    return run_sets[:runs]


@helper
def _choose(run_sets, weights, keep, ranks):
    """Choose few hops that serve all runs, light ones first, and write their ranks among those chosen.

    What is the only hop of some run is needed anyway; then, again and again, the hop that serves the most of the runs
    not served yet, for its weight (Chvátal 1979).
    """
    runs, words = run_sets.shape
    chosen = np.zeros(words, np.uint64)
    for run in range(runs):
        only = _only(run_sets, run)
        if only >= 0:
            chosen[only >> 6] |= _ONE << np.uint64(only & 63)
    serves = np.empty(keep.size, np.int64)
    waiting = True
    while waiting:
        serves[:] = 0
        waiting = False
        for run in range(runs):
            if not _meets(run_sets, run, chosen):
                waiting = True
                for word in range(words):
                    bits = run_sets[run, word]
                    while bits:
                        serves[word << 6 | trailing_zeros(bits)] += 1
                        bits &= bits - _ONE
        if waiting:
            best = 0
            for rank in range(1, keep.size):
                if serves[rank] * weights[best] > serves[best] * weights[rank]:
                    best = rank
            chosen[best >> 6] |= _ONE << np.uint64(best & 63)
    place = np.empty(keep.size, np.uint8)
    for rank in range(keep.size):
        keep[rank] = chosen[rank >> 6] >> np.uint64(rank & 63) & _ONE != _NONE
    count = 0
    for rank in range(keep.size):
        place[rank] = count
        count += keep[rank]
    for run in range(runs):
        for word in range(words):
            bits = run_sets[run, word] & chosen[word]
            if bits:
                ranks[run] = place[word << 6 | trailing_zeros(bits)]
                break


@helper
def _only(run_sets, run):
    """The only rank of a set, or -1 if it has several."""
    only = -1
    for word in range(run_sets.shape[1]):
        bits = run_sets[run, word]
        if bits:
            if only >= 0 or bits & (bits - _ONE):
                return -1
            only = word << 6 | trailing_zeros(bits)
    return only


@helper
def _meets(run_sets, run, chosen):
    """Whether one of the chosen hops serves a run."""
    for word in range(chosen.size):
        if run_sets[run, word] & chosen[word]:
            return True
    return False


@inlined
def hop(run_starts, run_columns, run_ranks, blocks, region, column):
    """The rank of the next hop from a region to the one in this column, and the runs looked at; NO_HOP if there is none."""
    block = np.int64(region) * blocks + (np.int64(column) >> BLOCK_SHIFT)
    low = np.int64(run_starts[_at(block)])
    high = np.int64(run_starts[_at(block + 1)])
    sought = np.int64(column) & _COLUMN
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
def next_hop(run_starts, run_columns, run_ranks, blocks, region, column):
    """`hop`, for Python."""
    return hop(run_starts, run_columns, run_ranks, blocks, region, column)


@kernel
def all_hops(run_starts, run_columns, run_ranks, blocks, regions):
    """The whole matrix of ranks, by region and column; NO_HOP where a block of a row has no runs."""
    ranks = np.empty((regions, regions), np.int16)
    for region in range(regions):
        for column in range(regions):
            ranks[region, column], _ = hop(run_starts, run_columns, run_ranks, blocks, region, column)
    return ranks
