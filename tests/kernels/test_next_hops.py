import itertools

import numpy as np
import pytest

from tests.oracle import next_hops as oracle
from tests.worlds import cases
from waypost.kernels import next_hops


def read_only(values, dtype):
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


def random_lists(random, most=14):
    """A random graph: now and then in several parts, sometimes with paths of equal cost; costs there and back differ."""
    count = int(random.integers(1, most))
    density = random.uniform(0.05, 0.7)
    dearest = int(random.choice([3, 12, 60000]))
    return [
        {j: int(random.integers(1, dearest)) for j in range(count) if j != i and random.random() < density}
        for i in range(count)
    ]


def arrays_of(lists):
    """Starts, neighbours and costs of the lists, one after the other."""
    starts = read_only(np.cumsum([0, *map(len, lists)]), np.int64)
    neighbours = read_only(list(itertools.chain(*lists)), np.int32)
    costs = read_only(list(itertools.chain(*(row.values() for row in lists))), np.int32)
    return starts, neighbours, costs


def rows_of(lists, order, block_shift=next_hops.BLOCK_SHIFT, first=0, last=None):
    last = len(lists) if last is None else last
    return next_hops.rows(*arrays_of(lists), read_only(order, np.int32), block_shift, first, last)


def matrix_of(coded, regions, block_shift=next_hops.BLOCK_SHIFT):
    """Every rank, looked up in the coded rows."""
    counts, columns, ranks = coded
    starts = read_only(np.cumsum([0, *counts]), np.uint32)
    blocks = (regions - 1 >> block_shift) + 1
    arrays = starts, read_only(columns, np.uint16), read_only(ranks, np.uint8)
    matrix = next_hops.all_hops(*arrays, block_shift, blocks, regions)
    for region, column in np.ndindex(matrix.shape):
        rank, probes = next_hops.next_hop(*arrays, block_shift, blocks, region, column)
        assert rank == matrix[region, column]
        runs = counts[region * blocks + (column >> block_shift)]
        assert probes <= max(0, int(runs) - 1).bit_length()
    return matrix


def test_rows_equal_the_oracle():
    random = np.random.default_rng(1)
    for _ in range(cases(400)):
        lists = random_lists(random)
        distance = oracle.distances(lists)
        columns = random.permutation(len(lists)).tolist()
        counts, firsts, ranks = rows_of(lists, np.argsort(columns))
        assert (counts.dtype, firsts.dtype, ranks.dtype) == (np.uint32, np.uint16, np.uint8)
        runs = iter(zip(firsts.tolist(), ranks.tolist(), strict=True))
        for i, count in enumerate(counts.tolist()):
            expected = oracle.runs(lists, distance, i, columns)
            assert [next(runs) for _ in range(count)] == expected
            assert count == oracle.fewest_runs(lists, distance, i, columns)
        assert next(runs, None) is None


@pytest.mark.parametrize("block_shift", [0, 1, 2, next_hops.BLOCK_SHIFT])
def test_every_hop_is_optimal(block_shift):
    """Also where rows are cut into blocks; and following hops leads to every region in reach."""
    random = np.random.default_rng(2)
    for _ in range(cases(100)):
        lists = random_lists(random)
        distance = oracle.distances(lists)
        order = random.permutation(len(lists))
        matrix = matrix_of(rows_of(lists, order, block_shift), len(lists), block_shift)
        for i, j in np.ndindex(matrix.shape):
            if i != j and distance[i][j] < oracle.INFINITE:
                assert matrix[i, order[j]] in oracle.optimal_hops(lists, distance, i, j)
            elif not lists[i]:
                assert matrix[i, order[j]] == next_hops.NO_HOP


def test_paths_not_needed_change_no_distance_and_no_number_of_runs():
    random = np.random.default_rng(3)
    dropped = 0
    for _ in range(cases(300)):
        lists = random_lists(random)
        keep = next_hops.needed(*arrays_of(lists), 0, len(lists))
        expected = [oracle.needed(lists, i, k) for i, row in enumerate(lists) for k in row]
        assert keep.tolist() == expected
        cut = len(lists) // 2
        parts = [next_hops.needed(*arrays_of(lists), a, b) for a, b in ((0, cut), (cut, len(lists)))]
        assert np.concatenate(parts).tolist() == expected
        fewer = [{k: cost for k, cost in row.items() if oracle.needed(lists, i, k)} for i, row in enumerate(lists)]
        assert oracle.distances(fewer) == oracle.distances(lists)
        order = random.permutation(len(lists))
        assert np.array_equal(rows_of(fewer, order)[0], rows_of(lists, order)[0])
        dropped += expected.count(False)
    assert dropped


def test_paths_that_are_not_there_count_as_left_out():
    random = np.random.default_rng(4)
    for _ in range(cases(100)):
        lists = random_lists(random)
        gone = [{j: -1 if random.random() < 0.2 else cost for j, cost in row.items()} for row in lists]
        fewer = [{j: cost for j, cost in row.items() if cost >= 0} for row in gone]
        order = np.arange(len(lists))
        some, others = rows_of(gone, order), rows_of(fewer, order)
        assert np.array_equal(some[0], others[0])
        assert np.array_equal(some[1], others[1])
        keep = next_hops.needed(*arrays_of(gone), 0, len(gone))
        there = [cost >= 0 for row in gone for cost in row.values()]
        assert not keep[~np.array(there, bool)].any()
        assert np.array_equal(keep[there], next_hops.needed(*arrays_of(fewer), 0, len(fewer)))


def test_more_neighbours_than_bits_in_a_word():
    """A star whose rays are joined in pairs: all but the centre's hops go through it."""
    rays = 150
    lists = [dict.fromkeys(range(1, rays + 1), 5)]
    lists += [{0: 5, ray + 1 if ray % 2 else ray - 1: 2} for ray in range(1, rays + 1)]
    distance = oracle.distances(lists)
    matrix = matrix_of(rows_of(lists, np.arange(rays + 1)), rays + 1)
    for i, j in np.ndindex(matrix.shape):
        if i != j:
            assert matrix[i, j] in oracle.optimal_hops(lists, distance, i, j)
    assert matrix[0, 1:].tolist() == list(range(rays))


def test_ranges_join_to_the_whole():
    random = np.random.default_rng(5)
    for _ in range(cases(60)):
        lists = random_lists(random)
        order = random.permutation(len(lists))
        cut = int(random.integers(len(lists) + 1))
        whole = rows_of(lists, order)
        parts = [rows_of(lists, order, first=a, last=b) for a, b in ((0, cut), (cut, len(lists)))]
        for together, pieces in zip(whole, zip(*parts, strict=True), strict=True):
            assert np.array_equal(together, np.concatenate(pieces))


def test_rows_of_many_runs_outgrow_the_first_array():
    """Two rays to each of many regions, near ones and far ones in turn: every column is a run of its own."""
    count = 100
    lists = [{j: 10 for j in range(count) if j != i} for i in range(count)]
    counts, _, _ = rows_of(lists, np.arange(count))
    assert counts.tolist() == [count - 1] * count
