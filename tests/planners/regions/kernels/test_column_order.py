import numpy as np

from tests.oracle import column_order as oracle
from tests.planners.regions.worlds import arrays_of, random_lists, read_only
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.planners.regions.kernels import column_order, hop_sets


def random_graph(random):
    """A random graph whose paths cost the same there and back: tours are walked both ways."""
    lists = random_lists(random)
    return [
        {j: row.get(j, 0) + other.get(i, 0) for j, other in enumerate(lists) if j in row or i in other}
        for i, row in enumerate(lists)
    ]


def test_orders_equal_the_oracle():
    random = seeded(1)
    shorter = 0
    for _ in range(cases(300)):
        lists = random_graph(random)
        starts, neighbours, costs = arrays_of(lists)
        distance, _ = hop_sets.hop_sets(starts, neighbours, costs, 0, len(lists))
        distance.setflags(write=False)
        order = column_order.depth_first(starts, neighbours, costs)
        tour = oracle.depth_first(lists)
        assert order.dtype == np.int32
        assert np.argsort(order).tolist() == tour
        after = column_order.shortened(read_only(order, np.int32), distance, starts, neighbours)
        expected = oracle.shortened(tour, lambda a, b, distance=distance: int(distance[a, b]), lists)
        assert after.dtype == np.int32
        assert np.argsort(after).tolist() == expected
        shorter += tour != expected
    assert shorter


def test_paths_that_are_not_there_are_not_walked():
    starts, neighbours, costs = arrays_of([{1: -1, 2: 5}, {0: -1, 2: 1}, {0: 5, 1: 1}])
    assert column_order.depth_first(starts, neighbours, costs).tolist() == [0, 2, 1]


def test_tours_are_shortened_so_many_times_and_no_more():
    """Where there and back differ a tour may seem shorter each time it is turned."""
    distance = read_only([[0, 1, 9], [9, 0, 1], [1, 9, 0]], np.int64)
    starts, neighbours, _ = arrays_of([{1: 1, 2: 1}, {0: 1, 2: 1}, {0: 1, 1: 1}])
    order = column_order.shortened(read_only([0, 1, 2], np.int32), distance, starts, neighbours)
    assert sorted(order.tolist()) == [0, 1, 2]
