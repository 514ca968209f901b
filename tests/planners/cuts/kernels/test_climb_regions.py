import numpy as np
import pytest

from tests.oracle import climb_regions as oracle
from tests.oracle import rules
from tests.support import compiled
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.planners.cuts.kernels import cell_map, climb_regions
from waypost.world.grid import Grid

SETTINGS = ((250, 250), (4, 250), (3, 6), (1, 250), (5, 2), (2, 1), (8, 8), (7, 0))


def frozen(*arrays):
    for array in arrays:
        array.setflags(write=False)
    return arrays


def partition(grid, spacing, cutoff):
    world = grid.mask, grid.component, grid.climb_table, grid.stride
    return frozen(*climb_regions.partition(*world, *grid.costs[:2], spacing, cutoff))


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_climb_regions_equal_the_oracle(rule, costs):
    random = seeded(5)
    for number in range(cases(64)):
        is_open = random_open(random, largest=16)
        spacing, cutoff = SETTINGS[number % len(SETTINGS)]
        grid = Grid(is_open, diagonals=rule, costs=costs)
        seeds, region_of = partition(grid, spacing, cutoff)
        expected_seeds, expected = oracle.partition(is_open, rule, costs, spacing, cutoff)
        assert [grid.xy(cell) for cell in seeds] == expected_seeds
        cells = region_of.reshape(-1, grid.stride)
        assert {(x - 1, y - 1): cells[y, x] for y, x in np.argwhere(cells >= 0)} == expected
        assert (region_of[grid.component == 0] == -1).all()
        assert region_of[seeds].tolist() == list(range(seeds.size))


def check_runs(region_of, stride, cells):
    """Every cell is found in its region, from what was encoded and from what was stored."""
    (region_of,) = frozen(region_of)
    runs = frozen(*cell_map.encode(region_of, stride))
    stored = cell_map.pack(*runs)
    for array, again in zip(runs, cell_map.unpack(*stored), strict=True):
        assert array.dtype == again.dtype
        assert array.tolist() == again.tolist()
    for cell in cells:
        region, looked = compiled.look_up_in_runs(*runs, stride, cell)
        assert region == region_of[cell]
        assert looked <= 10
    component = (region_of >= 0).astype(np.int32)
    tables = runs[0].astype(np.int32), runs[1], runs[2].astype(np.int32)
    assert cell_map.decode(*frozen(*tables, component), stride).tolist() == region_of.tolist()
    return runs, stored


def test_runs_find_the_region_of_every_cell():
    random = seeded(6)
    for number in range(cases(160)):
        is_open = random_open(random, largest=40)
        grid = Grid(is_open)
        cells = np.flatnonzero(grid.component)
        if number % 2:
            _, region_of = partition(grid, 4, 250)
        else:
            region_of = np.full(grid.component.size, -1, np.int32)
            region_of[cells] = random.integers(0, 1 + number % 5, cells.size)
        runs, _ = check_runs(region_of, grid.stride, cells.tolist())
        assert runs[2].size == 1 + np.count_nonzero(np.diff(region_of[reading_order(grid, cells)]))


def reading_order(grid, cells):
    """Cells by rows of tiles, tiles from left to right, in a tile by rows, there and back."""

    def place(cell):
        x, y = grid.xy(cell)
        return y // 16, x // 16, y, -x if y % 2 else x

    return sorted(cells.tolist(), key=place)


def test_a_tile_of_256_runs_and_regions_of_two_bytes_and_more():
    grid = Grid(np.ones((16, 20), bool))
    cells = np.flatnonzero(grid.component)
    for most, small in (((1 << 16) - 1, np.uint16), (1 << 16, np.uint32)):
        region_of = np.full(grid.component.size, -1, np.int32)
        region_of[cells] = most - np.arange(cells.size)
        (tile_runs, _, _), (counts, _, regions) = check_runs(region_of, grid.stride, cells.tolist())
        assert tile_runs.tolist() == [0, 256, 320]
        assert counts.dtype == np.uint16
        assert regions.dtype == small


def test_walls_take_no_run():
    is_open = np.zeros((40, 40), bool)
    is_open[:, 39] = is_open[20, 20:] = True
    grid = Grid(is_open)
    region_of = np.where(grid.component, np.int32(0), np.int32(-1))
    (tile_runs, places, regions), _ = check_runs(region_of, grid.stride, np.flatnonzero(grid.component).tolist())
    assert tile_runs.tolist() == [0] + [1] * 9
    assert places.tolist() == regions.tolist() == [0]
