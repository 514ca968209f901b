"""Indexes of regions: wrong arrays of every kind are refused in one sentence, whatever is wrong with them."""

import numpy as np
import pytest

import waypost as wp
from tests.support.worlds import cases
from waypost import catalog
from waypost.errors import IndexFileError
from waypost.indexes.base import smallest
from waypost.maps.generate import generate

PLANNERS = {"dba": {"sector": 4, "depth": 1}, "hcdps": {"spacing": 4, "cutoff": 4, "depth": 1}}
TWO_PARTS = wp.grid_from_text("......\n....#.\n......\n######\n...#..\n......\n##.##.")
ONE_REGION_EACH = wp.grid_from_text("..#..\n..#..")

each_planner = pytest.mark.parametrize("name", PLANNERS)


def built(name, grid=TWO_PARTS):
    return wp.build(name, grid, threads=1, **PLANNERS[name])


def from_arrays(planner, **changed):
    entry = planner.entry
    return entry.index.from_arrays(planner.grid, entry.offline(planner.params), planner.index.arrays | changed)


def refused(planner, **changed):
    """The one sentence about changed arrays, each in the dtype that it is stored in unless that is what is wrong."""
    with pytest.raises(IndexFileError) as error:
        from_arrays(planner, **changed)
    text = str(error.value)
    assert text.isprintable()
    assert len(text) < 500
    return text


def stored(values):
    return smallest(np.array(values, np.int64))


def with_value(array, at, value):
    values = array.tolist()
    values[at] = value
    return stored(values)


@each_planner
def test_dtypes_and_dimensions(name):
    planner = built(name)
    for key, array in planner.index.arrays.items():
        for wrong in (array.astype(np.int64), array.astype(np.float32), array.astype(np.uint64), array[None]):
            assert key in refused(planner, **{key: wrong})
        assert key in refused(planner, **{key: np.array(0, array.dtype)})
        if array.size > 1:
            twice = np.repeat(array, 2, axis=0)
            assert "C order" in refused(planner, **{key: twice[::2]})


def test_bytes_in_another_order():
    planner = built("hcdps", wp.Grid(np.ones((40, 40), bool)))
    reps = planner.index.arrays["reps"]
    assert reps.dtype == np.uint16
    assert "reps must be 1-dimensional uint16" in refused(planner, reps=reps.astype(">u2"))


@each_planner
def test_numbers_that_are_huge_or_stored_in_too_many_bytes(name):
    planner = built(name)
    for key, array in planner.index.arrays.items():
        if key != "legs":
            for value in (2**64 - 1, 2**32):
                huge = array.astype(np.uint64)
                huge[-1] = value
                assert "must be 1-dimensional uint32" in refused(planner, **{key: huge})
            refused(planner, **{key: with_value(array, -1, 2**32 - 1)})
            assert "uint8" in refused(planner, **{key: array.astype(np.uint32)})


@each_planner
def test_sizes(name):
    """Arrays that are empty, too short or too long."""
    planner = built(name)
    for key, array in planner.index.arrays.items():
        for wrong in (array[:0], array[:-1], np.concatenate([array, array[-1:]])):
            refused(planner, **{key: wrong if key == "legs" else smallest(wrong)})
    everything = {
        key: array[:0] if key == "legs" else smallest(array[:0]) for key, array in planner.index.arrays.items()
    }
    refused(planner, **everything)


@each_planner
def test_every_value_that_is_refused_or_not_leaves_agents_on_the_map(name):
    """Nothing may hang or leave its array, though kernels do not check that: only what they are given was checked."""
    random = np.random.default_rng(1)
    planner = built(name)
    arrays = planner.index.arrays
    taken = 0
    for _ in range(cases(1500)):
        key = list(arrays)[random.integers(len(arrays))]
        changed = arrays[key].copy()
        limits = np.iinfo(changed.dtype)
        changed.flat[random.integers(changed.size)] = random.integers(limits.min, min(limits.max, 40) + 1)
        if random.random() < 0.3:
            changed = random.permutation(changed)
        changed = changed if key == "legs" else smallest(changed)
        try:
            index = from_arrays(planner, **{key: changed})
        except IndexFileError:
            continue
        taken += 1
        agent = wp.Planner(planner.entry, planner.grid, planner.params, index).agent()
        for problem in wp.sample_problems(planner.grid, 3, 1):
            trace = wp.simulate(agent, problem, max_moves=40)
            assert (planner.grid.component[trace.cells] == planner.grid.component[problem.start]).all()
    assert taken > cases(100)


@each_planner
def test_columns_must_be_a_permutation(name):
    planner = built(name)
    columns = planner.index.arrays["columns"]
    assert "columns" in refused(planner, columns=with_value(columns, 0, columns[1]))
    assert "columns" in refused(planner, columns=with_value(columns, 0, columns.size))


@each_planner
def test_ranks_must_be_on_the_list(name):
    planner = built(name)
    ranks = planner.index.arrays["run_ranks"]
    most = int(planner.index.arrays["path_counts"].max())
    for at in (0, -1):
        assert "run_ranks" in refused(planner, run_ranks=with_value(ranks, at, most))


@each_planner
def test_runs_have_two_bytes(name):
    planner = built(name)
    for key in ("run_columns", "run_ranks"):
        assert "run_columns" in refused(planner, **{key: with_value(planner.index.arrays[key], 0, 1 << 16)})


@each_planner
def test_legs_must_stay_on_open_cells_and_end_on_representatives(name):
    planner = built(name)
    legs = planner.index.arrays["legs"]
    for leg in ((127, 0), (-128, 0), (0, 127), (0, -128), (0, 0), (0, 3), (1, 0)):
        for at in range(len(legs)):
            if tuple(legs[at].tolist()) != leg and not leads_to_a_representative(planner, at, leg):
                changed = legs.copy()
                changed[at] = leg
                assert "legs" in refused(planner, legs=changed)
    assert "legs" in refused(planner, legs=np.zeros((len(legs), 3), np.int8))


def leads_to_a_representative(planner, at, leg):
    """Whether a path whose only leg is changed so ends on a representative of its part after all."""
    index, grid = planner.index, planner.grid
    reps = index.tables["reps"]
    region = int(np.searchsorted(index.tables["first_legs"], at, side="right")) - 1
    part = grid.component
    there = [int(reps[region]) + leg[1] * grid.stride + leg[0]]
    x, y = reps[region] % grid.stride + leg[0], reps[region] // grid.stride + leg[1]
    is_inside = 0 < x <= grid.width and 0 < y <= grid.height
    is_other = is_inside and there[0] != reps[region] and there[0] in reps.tolist()
    return is_other and part[there[0]] == part[reps[region]]


@each_planner
def test_paths_must_stay_in_their_part_of_the_map(name):
    """A hop into another part could ask for hops that nobody stored."""
    planner = built(name, ONE_REGION_EACH)
    assert refused(planner, codes=stored([1]), path_counts=stored([1, 0]), legs=np.array([[3, 0]], np.int8))


@each_planner
def test_paths_must_have_legs(name):
    planner = built(name)
    codes = planner.index.arrays["codes"]
    assert "legs" in refused(planner, codes=np.zeros_like(codes), legs=np.empty((0, 2), np.int8))
    assert "path_counts" in refused(planner, codes=with_value(codes, codes.size - 1, 255))


@each_planner
def test_a_region_must_have_hops_where_there_are_others(name):
    """Else a walker would ask a row without runs."""
    planner = built(name)
    nothing = {key: stored([]) for key in ("run_columns", "run_ranks", "codes")}
    counts = {key: np.zeros_like(planner.index.arrays[key]) for key in ("run_counts", "path_counts")}
    assert "run_counts" in refused(planner, **nothing, **counts, legs=np.empty((0, 2), np.int8))
    run_counts = planner.index.arrays["run_counts"].tolist()
    first = next(at for at, count in enumerate(run_counts) if count > 0)
    run_counts[first + 1] += run_counts[first]
    run_counts[first] = 0
    assert "run_counts" in refused(planner, run_counts=stored(run_counts))


def test_sectors_must_be_those_of_the_map():
    planner = built("dba")
    counts, places = planner.index.arrays["counts"], planner.index.arrays["places"]
    assert "counts" in refused(planner, counts=with_value(counts, 0, 0), places=smallest(places[counts[0] :]))
    for at in range(places.size):
        assert "places" in refused(planner, places=with_value(places, at, (int(places[at]) + 1) % 16))


def test_climb_regions_must_cover_the_map():
    planner = built("hcdps")
    arrays = planner.index.arrays
    reps = arrays["reps"].tolist()
    wall, outside = planner.grid.cell((0, 0)) - 1, planner.grid.component.size
    for at in range(len(reps)):
        for wrong in (wall, outside, reps[at - 1]):
            refused(planner, reps=with_value(arrays["reps"], at, wrong))
    assert "run_places" in refused(planner, run_places=with_value(arrays["run_places"], 0, 1))
    regions = arrays["run_regions"]
    assert "run_regions" in refused(planner, run_regions=with_value(regions, 0, len(reps)))
    other_part = int(np.argmax(planner.grid.component[arrays["reps"]] != planner.grid.component[arrays["reps"][0]]))
    for at in range(regions.size):
        part = planner.grid.component[arrays["reps"][regions[at]]]
        if part == planner.grid.component[arrays["reps"][0]]:
            refused(planner, run_regions=with_value(regions, at, other_part))


def test_the_first_tile_must_have_a_run():
    grid = wp.Grid(np.ones((1, 40), bool))
    planner = built("hcdps", grid)
    counts = planner.index.arrays["tile_counts"].tolist()
    assert counts[0] > 0
    moved = stored([0, counts[0] + counts[1], *counts[2:]])
    assert "tile_counts" in refused(planner, tile_counts=moved)


@each_planner
def test_what_was_built_is_taken(name):
    for grid in (TWO_PARTS, ONE_REGION_EACH, wp.grid_from_text("."), wp.Grid(generate("caves", 40, 30, 1))):
        planner = built(name, grid)
        index = from_arrays(planner)
        assert index.states == planner.index.states
        assert index.most == planner.index.most
        assert index.side == PLANNERS[name].get("sector", 0)
        assert catalog.find(name).work_bound(planner.params, index) == planner.work_bound


def test_routes_in_circles_do_not_hang():
    """Hops that lead from one region to the other and back, for a goal in a third."""
    planner = wp.build("dba", wp.Grid(np.ones((2, 12), bool)), threads=1, sector=2, depth=1, direct=0, ahead=16)
    tables, arrays = planner.index.tables, planner.index.arrays
    assert np.unique(arrays["path_counts"]).tolist() == [1, 2]
    ranks = np.zeros_like(arrays["run_ranks"])  # always to the first neighbour
    for entries in (0, 1):
        for ahead in (0, 1, 16):
            index = from_arrays(planner, run_ranks=smallest(ranks))
            params = planner.params | {"entries": entries, "ahead": ahead, "limit": 1}
            agent = wp.Planner(planner.entry, planner.grid, params, index).agent()
            ends = (planner.grid.cell(place) for place in ((0, 0), (11, 1)))
            with pytest.raises(wp.WaypostError, match="the index leads no way from"):
                wp.simulate(agent, wp.Problem(*ends), max_moves=60)
    assert tables["reps"].size == 6
