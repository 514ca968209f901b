"""Which neighbour to go to next, for every pair of regions: a matrix of run-length coded rows (algorithms 11.2, 12.3).

A row has a column for every region to go to, in the order of column_order.py. Wherever several first hops are
optimal a run may go on with any of them: the sets of optimal hops are intersected along the row until nothing is
left, which gives the fewest runs that there can be.

*Blocks.* A run is its first column, an uint16, and the rank of the hop on the region's list, another. Columns are
counted from the start of their block of 65,536, and no run reaches across blocks. So a row has as many ranges of runs
as there are blocks: one, nearly always.
"""

import numpy as np

from waypost.kernels.bits import trailing_zeros
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import copy, longer
from waypost.kernels.numbers import at
from waypost.planners.regions.kernels.hop_sets import FAR

NO_HOP = -1
BLOCK_SHIFT = 16  # what fits an uint16
_NONE = np.uint64(0)


@kernel(allocates=True)
def rows(distance, sets, order, block_shift, first):
    """The rows of regions from `first` on: how many runs each block of each row has, their columns, and their ranks.

    `distance` and `sets` are their `hop_sets.hop_sets`; what ranges of regions return can be joined.
    """
    regions = order.size
    blocks = (regions - 1 >> block_shift) + 1
    region_at = np.empty(regions, np.int32)
    for region in range(regions):
        region_at[order[region]] = region
    run_counts = np.empty(distance.shape[0] * blocks, np.uint32)
    run_columns = np.empty(32 * distance.shape[0] + regions, np.uint16)
    run_ranks = np.empty(run_columns.size, np.uint16)
    made = 0
    for row in range(distance.shape[0]):
        if made + regions > run_columns.size:
            run_columns = longer(run_columns, made + regions)
            run_ranks = longer(run_ranks, made + regions)
        counts = run_counts[row * blocks : (row + 1) * blocks]
        made = _cut(first + row, region_at, distance[row], sets[row], block_shift, counts, run_columns, run_ranks, made)
    return run_counts, run_columns[:made].copy(), run_ranks[:made].copy()


@helper(allocates=True)
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
        if there == region or distance[there] == FAR:
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
            copy(sets[there], common)
        else:
            copy(met, common)
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
    low = np.int64(run_starts[at(block)])
    high = np.int64(run_starts[at(block + 1)])
    sought = np.int64(column) & (1 << block_shift) - 1
    if low == high:
        return NO_HOP, 0
    probes = 0
    while high - low > 1:  # the run is in low .. high - 1
        middle = (low + high) >> 1
        probes += 1
        if np.int64(run_columns[at(middle)]) <= sought:
            low = middle
        else:
            high = middle
    return np.int64(run_ranks[at(low)]), probes


@kernel
def next_hop(run_starts, run_columns, run_ranks, block_shift, blocks, region, column):
    """`hop`, for Python."""
    return hop(run_starts, run_columns, run_ranks, block_shift, blocks, region, column)
