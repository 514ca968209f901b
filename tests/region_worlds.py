"""Graphs of regions that tests run on: `lists[i]` is a dict from neighbour to cost, in the order of ranks."""

import itertools

import numpy as np


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
