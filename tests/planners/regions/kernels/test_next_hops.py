import numpy as np
import pytest

from tests.oracle import next_hops as oracle
from tests.planners.regions.worlds import all_hops, arrays_of, random_lists, read_only
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases
from waypost.planners.regions.kernels import hop_sets, next_hops


def rows_of(lists, order, block_shift=next_hops.BLOCK_SHIFT, first=0, last=None):
    last = len(lists) if last is None else last
    distance, sets = hop_sets.hop_sets(*arrays_of(lists), first, last)
    distance.setflags(write=False)
    sets.setflags(write=False)
    return next_hops.rows(distance, sets, read_only(order, np.int32), block_shift, first)


def matrix_of(coded, regions, block_shift=next_hops.BLOCK_SHIFT):
    """Every rank, looked up in the coded rows."""
    counts, columns, ranks = coded
    starts = read_only(np.cumsum([0, *counts]), np.int32)
    return all_hops((starts, read_only(columns, np.uint16), read_only(ranks, np.uint16)), regions, block_shift)


def test_rows_equal_the_oracle():
    random = seeded(1)
    for _ in range(cases(400)):
        lists = random_lists(random)
        distance = oracle.distances(lists)
        columns = random.permutation(len(lists)).tolist()
        counts, firsts, ranks = rows_of(lists, np.argsort(columns))
        assert (counts.dtype, firsts.dtype, ranks.dtype) == (np.uint32, np.uint16, np.uint16)
        runs = iter(zip(firsts.tolist(), ranks.tolist(), strict=True))
        for i, count in enumerate(counts.tolist()):
            expected = oracle.runs(lists, distance, i, columns)
            assert [next(runs) for _ in range(count)] == expected
            assert count == oracle.fewest_runs(lists, distance, i, columns)
        assert next(runs, None) is None


@pytest.mark.parametrize("block_shift", [0, 1, 2, next_hops.BLOCK_SHIFT])
def test_every_hop_is_optimal(block_shift):
    """Also where rows are cut into blocks; and following hops leads to every region in reach."""
    random = seeded(2)
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


def test_paths_not_needed_make_no_run_more():
    random = seeded(3)
    for _ in range(cases(300)):
        lists = random_lists(random)
        fewer = [{k: cost for k, cost in row.items() if oracle.needed(lists, i, k)} for i, row in enumerate(lists)]
        order = random.permutation(len(lists))
        some, others = rows_of(fewer, order), rows_of(lists, order)
        assert np.array_equal(some[0], others[0])
        assert np.array_equal(some[1], others[1])


def test_more_neighbours_than_bits_in_a_word():
    """A star whose rays are joined in pairs: all but the centre's hops go through it."""
    rays = 70 if JIT_IS_OFF else 150
    lists = [dict.fromkeys(range(1, rays + 1), 5)]
    lists += [{0: 5, ray + 1 if ray % 2 else ray - 1: 2} for ray in range(1, rays + 1)]
    distance = oracle.distances(lists)
    matrix = matrix_of(rows_of(lists, np.arange(rays + 1)), rays + 1)
    for i, j in np.ndindex(matrix.shape):
        if i != j:
            assert matrix[i, j] in oracle.optimal_hops(lists, distance, i, j)
    assert matrix[0, 1:].tolist() == list(range(rays))


def test_ranges_join_to_the_whole():
    random = seeded(5)
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
    count = 60
    lists = [{j: 10 for j in range(count) if j != i} for i in range(count)]
    counts, _, _ = rows_of(lists, np.arange(count))
    assert counts.tolist() == [count - 1] * count
