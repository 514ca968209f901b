import numpy as np

from tests.oracle import next_hops as oracle
from tests.planners.regions.worlds import arrays_of, random_lists
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.planners.regions.kernels import hop_sets


def members(words):
    """The ranks in a set."""
    return {rank for rank in range(64 * len(words)) if int(words[rank // 64]) >> rank % 64 & 1}


def compare(lists):
    """Distances and sets of hops as by definition."""
    expected = oracle.distances(lists)
    distance, sets = hop_sets.hop_sets(*arrays_of(lists), 0, len(lists))
    assert (distance.dtype, sets.dtype) == (np.int64, np.uint64)
    for i, j in np.ndindex(distance.shape):
        if expected[i][j] == oracle.INFINITE:
            assert distance[i, j] == hop_sets.FAR
        else:
            assert distance[i, j] == expected[i][j]
            assert i == j or members(sets[i, j]) == oracle.optimal_hops(lists, expected, i, j)


def test_distances_and_hops_equal_the_oracle():
    random = seeded(1)
    for _ in range(cases(300)):
        compare(random_lists(random))


def test_more_neighbours_than_bits_in_a_word():
    """A wheel: a hub with many spokes, and a rim with short cuts."""
    spokes = 70
    lists = [dict.fromkeys(range(1, spokes + 1), 5)]
    lists += [{0: 5, spoke % spokes + 1: 3} for spoke in range(1, spokes + 1)]
    compare(lists)


def test_paths_not_needed_change_no_distance():
    random = seeded(2)
    dropped = 0
    for _ in range(cases(300)):
        lists = random_lists(random)
        keep = hop_sets.needed(*arrays_of(lists), 0, len(lists))
        expected = [oracle.needed(lists, i, k) for i, row in enumerate(lists) for k in row]
        assert keep.tolist() == expected
        fewer = [{k: cost for k, cost in row.items() if oracle.needed(lists, i, k)} for i, row in enumerate(lists)]
        assert oracle.distances(fewer) == oracle.distances(lists)
        dropped += expected.count(False)
    assert dropped


def test_paths_that_are_not_there_count_as_left_out():
    random = seeded(3)
    for _ in range(cases(100)):
        gone = [{j: -1 if random.random() < 0.2 else cost for j, cost in row.items()} for row in random_lists(random)]
        fewer = [{j: cost for j, cost in row.items() if cost >= 0} for row in gone]
        there = np.array([cost >= 0 for row in gone for cost in row.values()], bool)
        keep = hop_sets.needed(*arrays_of(gone), 0, len(gone))
        assert not keep[~there].any()
        assert np.array_equal(keep[there], hop_sets.needed(*arrays_of(fewer), 0, len(fewer)))
        distance, _ = hop_sets.hop_sets(*arrays_of(gone), 0, len(gone))
        assert np.array_equal(distance, hop_sets.hop_sets(*arrays_of(fewer), 0, len(fewer))[0])


def test_ranges_join_to_the_whole():
    random = seeded(4)
    for _ in range(cases(60)):
        lists = random_lists(random)
        arrays, count = arrays_of(lists), len(lists)
        cut = int(random.integers(count + 1))
        whole = hop_sets.needed(*arrays, 0, count)
        parts = [hop_sets.needed(*arrays, 0, cut), hop_sets.needed(*arrays, cut, count)]
        assert np.array_equal(whole, np.concatenate(parts))
        distance, _ = hop_sets.hop_sets(*arrays, 0, count)
        halves = hop_sets.hop_sets(*arrays, 0, cut)[0], hop_sets.hop_sets(*arrays, cut, count)[0]
        assert np.array_equal(distance, np.concatenate(halves))
