"""The stored clique hierarchy: what is in a file, what is refused, and what is drawn of it."""

from itertools import pairwise

import numpy as np
import pytest

import waypost as wp
from tests.support.worlds import WORLDS, cases, random_open
from waypost.errors import IndexFileError
from waypost.indexes.building import Works
from waypost.planners.cuts.cliques import abstract
from waypost.planners.pra_clique.index import CliqueHierarchy

LINE = wp.grid_from_text("......")  # pairs, and then one


def index_of(grid):
    return CliqueHierarchy.build(grid, {}, Works(threads=1))


def forged(counts, parents, grid=LINE):
    arrays = {"counts": np.array(counts, np.uint32), "parents": np.array(parents, np.uint8)}
    return CliqueHierarchy.from_arrays(grid, {}, arrays)


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_what_is_stored_gives_all_of_it_back(rule, costs):
    random = np.random.default_rng(8)
    for _ in range(cases(60)):
        grid = wp.Grid(random_open(random, 20), diagonals=rule, costs=costs)
        built = index_of(grid)
        loaded = CliqueHierarchy.from_arrays(grid, {}, built.arrays)
        for one, other, expected in zip(built.cliques, loaded.cliques, abstract(grid), strict=True):
            assert np.array_equal(one, expected)
            assert np.array_equal(other, expected)
            assert one.dtype == other.dtype == expected.dtype
        assert np.array_equal(built.nodes, loaded.nodes)
        assert built.states == grid.open_count + sum(built.arrays["counts"].tolist()[:-1])


def test_parents_take_as_few_bytes_as_hold_them():
    grid = wp.Grid(np.ones((60, 60), bool))
    index = index_of(grid)
    below = [grid.open_count, *index.arrays["counts"].tolist()]
    assert below[1] > 256 > below[3]
    expected = [nodes * (2 if count > 256 else 1) for nodes, count in pairwise(below)]
    assert index.arrays["parents"].size == sum(expected)
    assert np.array_equal(CliqueHierarchy.from_arrays(grid, {}, index.arrays).nodes, index.nodes)


@pytest.mark.parametrize(("counts", "parents", "complaint"), [
    ([], [], "counts of the index must fall"),
    ([0], [0] * 6, "counts of the index must fall"),
    ([7, 1], [0] * 13, "counts of the index must fall"),
    ([2, 3, 1], [0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0], "counts of the index must fall"),
    ([2, 1], [0, 0, 0, 1, 1, 1, 0], "must have 8 bytes, not 7"),
    ([2, 1], [0, 0, 0, 1, 1, 1, 0, 0, 0], "must have 8 bytes, not 9"),
    ([2, 1], [0, 0, 0, 1, 1, 2, 0, 0], "from 0 to below 2, not 2"),
    ([2, 1], [0, 0, 0, 0, 0, 0, 0, 0], "must be the parent of something"),
    ([2], [0, 0, 0, 1, 1, 1], "must end where no edges are left"),
    ([2, 1, 1], [0, 0, 0, 1, 1, 1, 0, 0, 0], "must end where no edges are left"),
    ([2**32 - 1, 1], [0, 0, 0, 1, 1, 1, 0, 0], "counts of the index must fall"),
])  # fmt: skip
def test_wrong_levels_are_refused(counts, parents, complaint):
    with pytest.raises(IndexFileError, match=complaint):
        forged(counts, parents)


def test_levels_other_than_ours_will_do():
    """As long as they are levels: an index file may come from elsewhere."""
    index = forged([3, 2, 1], [0, 0, 1, 1, 2, 2, 0, 0, 1, 0, 0])
    assert index.cliques.firsts.tolist() == [0, 3, 5, 6]
    planner = wp.Planner(wp.build("pra-clique", LINE).entry, LINE, {"steps": 0, "width": 1, "euclid": 0}, index)
    assert planner.path((0, 0), (5, 0))[:, 0].tolist() == list(range(6))


def test_regions_of_a_level():
    grid = wp.load_map("caves")
    index = index_of(grid)
    sizes = index.arrays["counts"].tolist()
    for level in (1, 3, index.cliques.top):
        region_of, reps, edges = index.regions(level)
        assert reps.size == sizes[level - 1] == region_of.max() + 1
        assert np.array_equal(region_of >= 0, grid.component > 0)
        assert np.array_equal(region_of[reps], np.arange(reps.size))
        assert (edges[:, 0] < edges[:, 1]).all()
        assert edges.max(initial=0) < reps.size
        first, last = index.cliques.firsts[level - 1 : level + 1]
        assert 2 * len(edges) == index.cliques.starts[last] - index.cliques.starts[first]
    assert index.regions().reps.size == next(size for size in sizes if size**2 <= 4 * grid.open_count)


def test_regions_of_a_map_of_lone_cells():
    is_open = np.zeros((21, 21), bool)
    is_open[::2, ::2] = True
    grid = wp.Grid(is_open)
    assert index_of(grid).regions().reps.size == grid.open_count
