from itertools import chain

import numpy as np
import pytest

from tests.oracle import rules
from tests.oracle import sectors as oracle
from tests.support import compiled
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.planners.cuts.kernels import in_sector, sectors
from waypost.world.grid import Grid

SIDES = (2, 3, 4, 5, 7, 16, 17, 256)


def frozen(*arrays):
    for array in arrays:
        array.setflags(write=False)
    return arrays


def partition(grid, n):
    return frozen(*sectors.partition(grid.mask, grid.component, grid.stride, n))


def places(grid, cells):
    return [grid.xy(cell) for cell in cells]


def worlds(seed, count, largest=14):
    random = seeded(seed)
    for number in range(cases(count)):
        yield random_open(random, largest), SIDES[number % len(SIDES)], random


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_regions_and_representatives_equal_the_oracle(rule):
    for is_open, n, _ in worlds(1, 160):
        grid = Grid(is_open, diagonals=rule)
        firsts, reps, region_of = partition(grid, n)
        expected, representatives = oracle.partition(is_open, rule, n)
        assert firsts.tolist() == np.cumsum([0, *map(len, expected)]).tolist()
        assert places(grid, reps) == list(chain(*representatives))
        numbered = enumerate(chain(*expected))
        regions = {place: region for region, members in numbered for place in members}
        cells = region_of.reshape(-1, grid.stride)
        assert {(x - 1, y - 1): cells[y, x] for y, x in np.argwhere(cells >= 0)} == regions
        assert (cells[grid.component.reshape(cells.shape) == 0] == -1).all()


@pytest.mark.parametrize("n", SIDES)
def test_packed_is_small_and_loses_nothing(n):
    random = seeded(2)
    for _ in range(10):
        grid = Grid(random_open(random, largest=40))
        firsts, reps, _ = partition(grid, n)
        counts, offsets = sectors.pack(firsts, reps, grid.stride, n)
        assert counts.dtype == offsets.dtype == (np.uint8 if n <= 16 else np.uint16)
        unpacked = sectors.unpack(counts, offsets, grid.stride, n)
        for array, again in zip((firsts, reps), unpacked, strict=True):
            assert array.dtype == again.dtype
            assert array.tolist() == again.tolist()


@pytest.mark.parametrize("n", [16, 256])
def test_most_regions_that_a_sector_can_have_are_packed(n):
    grid = Grid(np.indices((n, n)).sum(axis=0) % 2 == 0, diagonals="never")
    firsts, reps, _ = partition(grid, n)
    counts, offsets = sectors.pack(firsts, reps, grid.stride, n)
    assert counts.tolist() == [n * n // 2] == [reps.size]
    assert sectors.unpack(counts, offsets, grid.stride, n)[1].tolist() == reps.tolist()


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_the_region_of_a_cell_is_found_as_the_oracle_finds_it(rule):
    for is_open, n, _ in worlds(3, 80):
        grid = Grid(is_open, diagonals=rule)
        firsts, reps, region_of = partition(grid, n)
        across = (grid.width + n - 1) // n
        scratch = np.zeros(in_sector.scratch_size(n), np.int64)
        _, representatives = oracle.partition(is_open, rule, n)
        for cell in np.flatnonzero(grid.component).tolist():
            place = grid.xy(cell)
            region, looked = compiled.look_up_in_sector(grid.mask, firsts, reps, grid.stride, n, across, cell, scratch)
            x, y = oracle.sector_of(n, place)
            expected = oracle.look_up(is_open, rule, n, place, representatives[y * across + x])
            assert region == region_of[cell]
            assert (grid.xy(reps[region]), looked) == expected
            assert looked <= n * n


def test_a_wall_between_regions_has_none():
    grid = Grid(np.array([[True, False, True]]))
    firsts, reps, _ = partition(grid, 4)
    scratch = np.zeros(in_sector.scratch_size(4), np.int64)
    region, _ = compiled.look_up_in_sector(grid.mask, firsts, reps, grid.stride, 4, 1, grid.cell((1, 0)), scratch)
    assert region == -1


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_paths_in_a_sector_equal_the_oracle(rule, costs):
    found = 0
    for is_open, n, random in worlds(4, 160):
        grid = Grid(is_open, diagonals=rule, costs=costs)
        scratch = np.zeros(in_sector.scratch_size(n), np.int64)
        out = np.empty(n * n, np.int32)
        cells = np.flatnonzero(grid.component)
        for start in random.choice(cells, 12).tolist():
            nearby = [cell for cell in cells.tolist() if same_sector(grid, n, start, cell)]
            goal = int(random.choice(nearby if random.random() < 0.9 else cells))
            size, expanded = in_sector.in_sector_path(
                grid.mask, grid.stride, n, *grid.costs[:2], start, goal, scratch, out
            )
            expected = oracle.path(is_open, rule, costs, n, grid.xy(start), grid.xy(goal))
            assert (places(grid, out[:size]), expanded) == expected
            assert expanded <= n * n
            found += size > 2
    assert found > 20


def test_the_cells_that_a_search_expanded_and_what_they_cost():
    for is_open, n, random in worlds(6, 40):
        grid = Grid(is_open)
        scratch = np.zeros(in_sector.scratch_size(n), np.int64)
        out = np.empty(n * n, np.int32)
        cells = np.flatnonzero(grid.component)
        start = int(random.choice(cells))
        for goal in [cell for cell in cells.tolist() if same_sector(grid, n, start, cell)][:4]:
            _, expanded = in_sector.in_sector_path(
                grid.mask, grid.stride, n, *grid.costs[:2], start, goal, scratch, out
            )
            closed, costs = in_sector.closed(scratch, grid.stride, n, start)
            assert len(closed) == len(set(closed)) == expanded
            for cell, cost in zip(closed, costs, strict=True):
                path, _ = oracle.path(is_open, "both-open", "sqrt2", n, grid.xy(cell), grid.xy(goal))
                assert path
                assert cost == rules.walk_cost("both-open", "sqrt2", path)


def same_sector(grid, n, a, b):
    return oracle.sector_of(n, grid.xy(a)) == oracle.sector_of(n, grid.xy(b))


def test_a_scratch_array_outlives_its_stamps():
    is_open = np.array([[True, True, True], [True, False, True]])
    grid = Grid(is_open)
    scratch = np.zeros(in_sector.scratch_size(4), np.int64)
    scratch[0] = (1 << 63 - 33) - 3
    out = np.empty(16, np.int32)
    start, goal = grid.cell((0, 1)), grid.cell((2, 1))
    for stamp in (-2, -1, 0):
        size, _ = in_sector.in_sector_path(grid.mask, grid.stride, 4, *grid.costs[:2], start, goal, scratch, out)
        assert places(grid, out[:size]) == [(0, 1), (0, 0), (1, 0), (2, 0), (2, 1)]
        assert scratch[0] == ((1 << 63 - 33) + stamp if stamp else 1)


def test_the_longest_way_through_the_largest_sector():
    is_open = np.ones((256, 256), bool)
    is_open[1::2] = False
    is_open[1::4, -1] = is_open[3::4, 0] = True
    is_open[255] = False
    grid = Grid(is_open)
    scratch = np.zeros(in_sector.scratch_size(256), np.int64)
    out = np.empty(256 * 256, np.int32)
    start, goal = grid.cell((0, 0)), grid.cell((0, 254))
    size, expanded = in_sector.in_sector_path(grid.mask, grid.stride, 256, *grid.costs[:2], start, goal, scratch, out)
    assert size == grid.open_count == expanded + 1
    rules.check_walk(is_open, "both-open", places(grid, out[:size]), (0, 0), (0, 254))
