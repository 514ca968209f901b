import numpy as np
import pytest

from tests.oracle import pra, rules
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.errors import IndexFileError
from waypost.indexes.building import Works
from waypost.planners.pra_sector.index import SectorGraph
from waypost.planners.pra_sector.kernels.edges import pack
from waypost.world.grid import Grid

SIDES = (2, 3, 4, 5, 7, 16, 17)


def built(grid, n):
    return SectorGraph.build(grid, {"sector": n}, Works(threads=1))


def lists_of(index):
    return [index.neighbours[a:b].tolist() for a, b in zip(index.starts, index.starts[1:], strict=False)]


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_what_is_stored_is_what_touches(rule):
    random = seeded(8)
    for number in range(cases(120)):
        is_open, n = random_open(random, 14), SIDES[number % len(SIDES)]
        grid = Grid(is_open, diagonals=rule)
        index, world = built(grid, n), pra.World(is_open.tolist(), rule, "sqrt2", n)
        assert [grid.xy(cell) for cell in index.reps] == world.reps == [tuple(point) for point in index.points.tolist()]
        assert lists_of(index) == world.touching
        assert index.arrays["edges"].size == sum(map(len, world.touching)) // 2, "a byte for each pair"
        assert index.states == len(world.reps)
        region_of, reps, edges = index.regions()
        assert {grid.xy(cell): region_of[cell] for cell in np.flatnonzero(grid.component)} == world.region_of
        assert reps is index.reps
        assert edges.tolist() == [[a, b] for a, others in enumerate(world.touching) for b in others if a < b]


def comb(n):
    """Sectors full of rows that touch nothing above or below: as many regions, and edges, as n allows."""
    is_open = np.zeros((n, 2 * n), bool)
    is_open[::2] = True
    return is_open


def test_ranks_beyond_six_bits_take_three_bytes():
    n = 250
    grid = Grid(comb(n))
    index = built(grid, n)
    assert index.arrays["counts"].tolist() == [125, 125]
    assert index.arrays["edges"].size == 63 + 3 * 62
    assert lists_of(index) == [[(i + 125) % 250] for i in range(250)]
    edges = index.arrays["edges"]
    escape = 63 + 3 * np.arange(62)
    assert (edges[:63] == np.arange(63)).all()
    assert (edges[escape] == 63).all()
    assert (edges[escape + 1] == 63 + np.arange(62)).all()
    for bad in (edges[:-1], edges[:-2], np.append(edges, 0), np.where(np.arange(edges.size) == 64, 62, edges)):
        with pytest.raises(IndexFileError, match="edges of the index do not fit"):
            SectorGraph.from_arrays(grid, {"sector": n}, index.arrays | {"edges": bad.astype(np.uint8)})
    one_more = index.arrays["edge_counts"] + (np.arange(250) == 125).astype(np.uint16)
    with pytest.raises(IndexFileError, match="edges of the index do not fit"):
        SectorGraph.from_arrays(grid, {"sector": n}, index.arrays | {"edge_counts": one_more})


def test_parts_are_what_the_whole_is():
    grid = Grid(random_open(seeded(1), 14), diagonals="always")
    index = built(grid, 3)
    sector_of = np.repeat(np.arange(index.firsts.size - 1, dtype=np.int32), np.diff(index.firsts))
    world = (a.copy() for a in (index.firsts, sector_of, index.starts, index.neighbours))
    firsts, of, starts, neighbours = world
    parts = [pack(firsts, of, starts, neighbours, index.across, i, i + 1) for i in range(index.reps.size)]
    assert np.concatenate([edges for _, edges in parts]).tolist() == index.arrays["edges"].tolist()
    assert np.concatenate([counts for counts, _ in parts]).tolist() == index.arrays["edge_counts"].tolist()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("counts", [1, 1, 1]),
        ("counts", [2, 0]),
        ("counts", [1, 2]),
        ("places", [4, 200]),
        ("places", [4, 5]),  # outside the map
        ("places", [1, 4]),  # on a wall
        ("places", [4]),
        ("edge_counts", [1]),
        ("edge_counts", [2, 0]),
        ("edge_counts", [0, 0]),
        ("edge_counts", [0, 1]),
        ("edges", [1]),  # a rank that is not there
        ("edges", [1 << 6]),  # a sector that is not there
        ("edges", [2 << 6]),
        ("edges", [3 << 6]),
        ("edges", [0, 0]),
        ("edges", []),
        ("edges", [63]),
    ],
)
def test_wrong_arrays_are_refused(name, values):
    is_open = np.ones((3, 5), bool)
    is_open[0, 1] = False
    grid = Grid(is_open)
    arrays = built(grid, 3).arrays
    good = {"counts": [1, 1], "places": [4, 3], "edge_counts": [1, 0], "edges": [0]}
    assert {key: array.tolist() for key, array in arrays.items()} == good
    changed = arrays | {name: np.array(values, np.uint8)}
    with pytest.raises(IndexFileError, match="of the index do not fit the map and the other arrays"):
        SectorGraph.from_arrays(grid, {"sector": 3}, changed)
