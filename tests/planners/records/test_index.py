from itertools import accumulate, pairwise

import numpy as np
import pytest

from tests.oracle import kdtree as kdtree_by_sorting
from waypost.errors import IndexFileError
from waypost.indexes.building import Works
from waypost.planners.records.index import FirstLegs, Records, drawn
from waypost.world.grid import Grid

KINDS = (Records, FirstLegs)
PARAMS = {"records": 60, "seed": 4}


@pytest.fixture(scope="module")
def grid():
    is_open = np.ones((13, 25), bool)
    is_open[:10, 8] = is_open[3:, 16] = is_open[4, 2:8] = False
    is_open[0, 24] = True
    is_open[1, 23:] = is_open[0, 23] = False  # an island of one cell
    return Grid(is_open)


def build(kind, grid, threads=1, **others):
    return kind.build(grid, PARAMS | others, Works(threads=threads, show_progress=False))


def expected_records(kind, grid):
    """Start, end and legs of all records in the order of the tree."""
    starts, ends, counts, legs = drawn(
        grid, kind.form({}), PARAMS["records"], PARAMS["seed"], Works(1, show_progress=False)
    )
    cuts = np.split(legs, np.cumsum(counts)[:-1])
    order = kdtree_by_sorting.order([(*grid.xy(s), *grid.xy(e)) for s, e in zip(starts, ends, strict=True)])
    return [(grid.xy(starts[i]), grid.xy(ends[i]), cuts[i].tolist()) for i in order]


@pytest.mark.parametrize("kind", KINDS)
def test_tables_hold_all_records_in_the_order_of_the_tree(kind, grid):
    tables = build(kind, grid).tables
    points, first_legs, legs = (tables[name] for name in ("points", "first_legs", "legs"))
    assert (points.dtype, first_legs.dtype, legs.dtype) == (np.int32, np.int32, np.int16)
    assert not any(table.flags.writeable for table in tables.values())
    held = [
        ((x - 1, y - 1), (u - 1, v - 1), legs[first_legs[i] : first_legs[i + 1]].tolist())
        for i, (x, y, u, v) in enumerate(points.tolist())
    ]
    assert held == expected_records(kind, grid)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_stored_is_small_and_reads_back(kind, grid):
    index = build(kind, grid)
    again = kind.from_arrays(grid, PARAMS, index.arrays)
    for name, table in index.tables.items():
        assert np.array_equal(table, again.tables[name])
    legs = len(index.tables["legs"])
    assert index.states == (60 + legs if kind is Records else 180)
    assert index.bytes == (60 * 5 + 3 * legs if kind is Records else 60 * 11)
    assert 8 * index.bytes < 32 * index.states


@pytest.mark.parametrize("kind", KINDS)
def test_threads_change_nothing(kind, grid):
    one, two = build(kind, grid), build(kind, grid, threads=2)
    for name, array in one.arrays.items():
        assert array.tobytes() == two.arrays[name].tobytes()
    assert build(kind, grid, seed=5).arrays["starts"].tolist() != one.arrays["starts"].tolist()


def changed(index, name, change):
    array = index.arrays[name].copy()
    change(array)
    return index.arrays | {name: array}


def refuse(kind, grid, arrays, match, **params):
    with pytest.raises(IndexFileError, match=match):
        kind.from_arrays(grid, PARAMS | params, arrays)


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_arrays_are_refused(kind, grid):
    index = build(kind, grid)
    refuse(kind, grid, index.arrays, "starts of the index", records=59)
    refuse(kind, grid, index.arrays | {"legs": index.arrays["legs"][:-1].copy()}, "legs of the index")
    refuse(kind, grid, index.arrays | {"legs": index.arrays["legs"][:, :2].copy()}, "legs of the index")
    refuse(kind, grid, index.arrays | {"starts": index.arrays["starts"].astype(np.int32)}, "array starts must be")
    refuse(kind, grid, {"starts": index.arrays["starts"]}, "the arrays must be")
    for place in (0, 2**32 - 1, grid.cell((8, 0)), grid.cell((24, 0)), grid.mask.size):
        refuse(kind, grid, changed(index, "starts", lambda a, to=place: a.__setitem__(3, to)), "record 3 does not lead")
    for value in (0, 255):
        refuse(kind, grid, changed(index, "legs", lambda a, to=value: a.__setitem__(2, to)), "record . does not lead")
    backwards = {name: array[::-1].copy() for name, array in index.arrays.items()}
    refuse(kind, grid, backwards, "of the index|does not lead")


def test_wrong_counts_are_refused(grid):
    index = build(Records, grid)
    codes = index.arrays["codes"]
    for wrong in (codes[:0], codes[:-1], np.append(codes, codes[:1]), np.append(codes[:-1], np.uint8(255))):
        refuse(Records, grid, index.arrays | {"codes": wrong.copy()}, "codes of the index|legs of the index")

    def move_all_legs_to_the_next(array):
        array[1] += array[0]
        array[0] = 0

    refuse(Records, grid, changed(index, "codes", move_all_legs_to_the_next), "record 0 does not lead")


def test_wrong_ends_are_refused(grid):
    index = build(FirstLegs, grid)
    refuse(FirstLegs, grid, index.arrays | {"ends": index.arrays["ends"][1:].copy()}, "ends of the index")
    for place in (0, 2**32 - 1, grid.cell((8, 0)), grid.cell((24, 0)), grid.mask.size):
        refuse(FirstLegs, grid, changed(index, "ends", lambda a, to=place: a.__setitem__(3, to)), "ends of the index")


def test_records_that_are_no_tree_are_refused(grid):
    index = build(FirstLegs, grid)
    backwards = {name: array[::-1].copy() for name, array in index.arrays.items()}
    refuse(FirstLegs, grid, backwards, "records of the index")


@pytest.mark.parametrize("kind", KINDS)
def test_a_map_with_nothing_to_record_has_an_empty_index(kind):
    grid = Grid(np.ones((2, 2), bool))
    index = build(kind, grid)
    assert (index.states, index.bytes) == (0, 0)
    assert kind.from_arrays(grid, PARAMS, index.arrays).tables["points"].shape == (0, 4)
    assert index.arcs(grid.cell((0, 0))).shape == index.arcs_from(grid.cell((0, 0))).shape == (0, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_show_the_legs_of_the_nearest_records(kind, grid):
    index, held = build(kind, grid), expected_records(kind, grid)
    for which, drawn_by in ((0, index.arcs_from), (1, index.arcs)):
        for place in ((0, 0), (20, 5), (7, 12)):
            ranked = sorted(held, key=lambda record: octile(record[which], place))
            expected = [arc for start, _, legs in ranked[:24] for arc in pairwise(ends_of(start, legs))]
            drawn_arcs = grid.xys(drawn_by(grid.cell(place)).ravel()).reshape(-1, 2, 2)
            assert drawn_arcs.tolist() == [[list(a), list(b)] for a, b in expected]


def octile(a, b):
    return kdtree_by_sorting.octile(5741, 8119, a[0] - b[0], a[1] - b[1])


def ends_of(start, legs):
    return accumulate(legs, lambda at, leg: (at[0] + leg[0], at[1] + leg[1]), initial=start)


def test_pictures_leave_out_other_parts_of_the_map():
    is_open = np.ones((9, 9), bool)
    is_open[4] = is_open[1:3, 2] = is_open[6:8, 2] = False
    grid = Grid(is_open)
    arcs = build(Records, grid).arcs(grid.cell((8, 8)))
    assert (grid.component[arcs] == grid.component[grid.cell((8, 8))]).all()
