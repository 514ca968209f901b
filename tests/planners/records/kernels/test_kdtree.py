from operator import itemgetter

import numpy as np
import pytest

from tests.oracle import kdtree as oracle
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.planners.records.kernels import kdtree

MEASURES = {kdtree.MAX: max, kdtree.SUM: sum, kdtree.STARTS: itemgetter(0), kdtree.ENDS: itemgetter(1)}
COSTS = ((5741, 8119), (5, 7), (1, 2))


def read_only(points):
    points = np.array(points, np.int32).reshape(-1, 4)
    points.setflags(write=False)
    return points


def random_points(random, most=60):
    """Many points in little room, so that values and whole points are equal."""
    return read_only(random.integers(1, random.choice([2, 4, 12, 3000]), (random.integers(0, most), 4)))


def in_tree_order(points):
    return read_only(points[kdtree.order(points)])


def test_the_order_equals_the_oracle():
    random = seeded(1)
    for _ in range(cases(400)):
        points = random_points(random)
        order = kdtree.order(points)
        assert order.dtype == np.int32
        assert order.tolist() == oracle.order(points.tolist())
        assert kdtree.is_tree(in_tree_order(points))


def test_what_is_not_in_the_order_is_no_tree():
    points = np.arange(40).reshape(10, 4)
    assert kdtree.is_tree(read_only(points))
    for place in range(10):
        for axis in range(4):
            for value in (-100, 100):
                wrong = points.copy()
                wrong[place, axis] = value
                assert kdtree.is_tree(read_only(wrong)) == is_tree_by_definition(wrong.tolist(), 0)


def is_tree_by_definition(points, axis):
    if not points:
        return True
    middle = len(points) // 2
    left, root, right = points[:middle], points[middle], points[middle + 1 :]
    here = all(p[axis] <= root[axis] for p in left) and all(p[axis] >= root[axis] for p in right)
    return here and is_tree_by_definition(left, (axis + 1) % 4) and is_tree_by_definition(right, (axis + 1) % 4)


def most_similar(points, straight, diagonal, measure, *target, m):
    """The m most similar records, how unlike each is, and how many were looked at."""
    keys, records = np.empty(m, np.int64), np.empty(m, np.int32)
    count, probes = kdtree.nearest(points, straight, diagonal, measure, *target, m, keys, records)
    return records[:count], keys[:count], probes


def all_by_similarity(points, straight, diagonal, measure, *target):
    """All records, the most similar first."""
    queue, records = np.empty(len(points), np.int64), []
    left = kdtree.rank_all(points, straight, diagonal, measure, *target, queue)
    while left:
        record, left = kdtree.next_of(queue, left)
        records.append(int(record))
    return records


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("costs", COSTS)
def test_the_most_similar_equal_a_linear_scan(costs, measure):
    random = seeded(2)
    for _ in range(cases(300)):
        points = in_tree_order(random_points(random))
        target = random.integers(1, random.choice([2, 4, 12, 3000]), 4).tolist()
        m = int(random.choice([1, 2, 10, 100]))
        expected = oracle.ranked(points.tolist(), *costs, MEASURES[measure], target)
        records, keys, probes = most_similar(points, *costs, measure, *target, m=m)
        assert list(zip(keys.tolist(), records.tolist(), strict=True)) == expected[:m]
        assert min(m, len(points)) <= probes <= len(points)
        assert all_by_similarity(points, *costs, measure, *target) == [at for _, at in expected]


def test_few_of_many_records_are_looked_at():
    random = seeded(3)
    points = in_tree_order(read_only(random.integers(1, 200, (2000, 4))))
    probes = [most_similar(points, 5, 7, kdtree.MAX, *point, m=1)[2] for point in points[::100].tolist()]
    assert max(probes) < 200
