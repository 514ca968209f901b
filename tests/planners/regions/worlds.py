"""Graphs of regions that tests run on: `lists[i]` is a dict from neighbour to cost, in the order of ranks."""

import itertools

import numpy as np

from waypost.planners.regions.kernels import next_hops


def random_lists(random, most=14):
    """A random graph, now and then in several parts, sometimes with ways of equal cost; there and back may differ."""
    count = int(random.integers(1, most))
    density = random.uniform(0.05, 0.7)
    dearest = int(random.choice([3, 12, 60000]))
    return [
        {j: int(random.integers(1, dearest)) for j in range(count) if j != i and random.random() < density}
        for i in range(count)
    ]


def read_only(values, dtype):
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


def arrays_of(lists):
    """Starts, neighbours and costs of the lists, one after the other."""
    costs = list(itertools.chain(*(row.values() for row in lists)))
    return *chained(lists), read_only(costs, np.int32)


def chained(lists):
    """Starts and neighbours of the lists, one after the other."""
    starts = np.cumsum([0, *map(len, lists)])
    return read_only(starts, np.int64), read_only(list(itertools.chain(*lists)), np.int32)


def all_hops(coded, regions, block_shift=next_hops.BLOCK_SHIFT):
    """The whole matrix of ranks, by region and column, looked up in starts, columns and ranks of runs."""
    blocks = (regions - 1 >> block_shift) + 1
    ranks = np.empty((regions, regions), np.int64)
    for region, column in np.ndindex(ranks.shape):
        ranks[region, column], probes = next_hops.next_hop(*coded, block_shift, blocks, region, column)
        row = region * blocks + (column >> block_shift)
        assert probes <= max(0, int(coded[0][row + 1] - coded[0][row]) - 1).bit_length()
    return ranks
