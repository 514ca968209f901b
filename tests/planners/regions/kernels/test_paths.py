import numba
import numpy as np
import pytest

from tests.oracle import region_paths as oracle
from tests.oracle import rules
from tests.oracle.climb import climb as climb_by_definition
from tests.oracle.dijkstra import all_costs
from tests.planners.regions.worlds import chained, read_only
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, cases, random_open, random_place
from waypost.kernels import canonical, climb
from waypost.kernels.queues import RING
from waypost.planners.regions.kernels import paths
from waypost.planners.walking.kernels.legs import count_codes
from waypost.world.grid import Grid

DEMANDS = (climb.ONE_WAY, climb.EXACT)


@numba.njit
def cost_of(node, cell):
    """Helpers that are compiled into their callers need one."""
    return canonical.cost_of(node, cell)


@numba.njit
def find_legs(codes, first_code, first_leg, rank):
    return paths.find_legs(codes, first_code, first_leg, rank)


def find_paths(grid, reps, neighbours, demand, first=0, last=None, node=None):
    cells = read_only([grid.cell(rep) for rep in reps], np.int32)
    node = np.zeros(grid.mask.size, np.int64) if node is None else node
    last = len(reps) if last is None else last
    world = grid.mask, grid.climb_table, grid.stride, grid.costs.straight, grid.costs.diagonal
    return paths.paths(*world, cells, *chained(neighbours), demand, first, last, node)


def random_neighbours(random, count):
    return [np.flatnonzero(random.random(count) < 0.4).tolist() for _ in range(count)]


def compare(is_open, rule, costs, reps, neighbours, demand):
    """Same costs and legs as by definition; climbs walk the legs, and lose nothing where they have to be exact."""
    grid = Grid(is_open, diagonals=rule, costs=costs)
    found, counts, legs = find_paths(grid, reps, neighbours, demand)
    assert (found.dtype, counts.dtype, legs.dtype) == (np.int32, np.int32, np.int8)
    legs = iter(legs.tolist())
    pairs = [(reps[i], reps[j]) for i, row in enumerate(neighbours) for j in row]
    for (start, target), cost, count in zip(pairs, found.tolist(), counts.tolist(), strict=True):
        path = oracle.path(is_open, rule, costs, start, target)
        if path is None:
            assert (cost, count) == (paths.NO_PATH, 0)
            continue
        assert cost == rules.walk_cost(rule, costs, path)
        own = [tuple(next(legs)) for _ in range(count)]
        if start != target:
            assert own == oracle.legs(is_open, rule, costs, path, demand == climb.EXACT)
        walked, place = 0, start
        for dx, dy in own:
            arrives, walk = climb_by_definition(is_open, rule, costs, place, (place[0] + dx, place[1] + dy))
            assert arrives
            walked, place = walked + rules.walk_cost(rule, costs, walk), walk[-1]
        assert place == target
        assert walked == cost if demand == climb.EXACT else walked >= cost
    assert next(legs, None) is None


@pytest.mark.parametrize("demand", DEMANDS)
@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_paths_equal_the_oracle(rule, costs, demand):
    random = seeded(1)
    for _ in range(cases(60)):
        is_open = random_open(random, largest=16)
        reps = [random_place(random, is_open) for _ in range(random.integers(1, 6))]
        compare(is_open, rule, costs, reps, random_neighbours(random, len(reps)), demand)


@pytest.mark.parametrize("demand", DEMANDS)
@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("name", DRAWINGS)
def test_paths_through_traps(name, rule, demand):
    rows = DRAWINGS[name].split()
    is_open = np.array([[symbol != "#" for symbol in row] for row in rows])
    reps = [(x, y) for y, row in enumerate(rows) for x, symbol in enumerate(row) if symbol not in ".#"]
    everyone = range(len(reps))
    compare(is_open, rule, "sqrt2", reps, [[j for j in everyone if j != i] for i in everyone], demand)


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_pruned_searches_are_exact_everywhere(rule, costs):
    random = seeded(2)
    node = np.zeros(20 * 20, np.int64)
    ring = np.full(RING, -1)
    pool = np.empty((1 << 12, 2), np.int64)
    for _ in range(cases(200)):
        is_open = random_open(random, largest=18)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        start = random_place(random, is_open)
        out_of_reach = np.array([0], np.int32)  # a wall
        straight, diagonal, _ = grid.costs
        assert canonical.spread(
            grid.mask, grid.stride, straight, diagonal, node, ring, pool, grid.cell(start), out_of_reach, 1
        )
        expected = all_costs(is_open, rule, costs, start)
        for y, x in np.ndindex(is_open.shape):
            if is_open[y, x]:
                assert cost_of(node, grid.cell((x, y))) == expected.get((x, y), -1)
        assert (ring == -1).all()


def test_a_search_that_needs_more_room_starts_again():
    """The open list of a wide field outgrows the pool."""
    is_open = np.ones((9, 9), bool)
    grid = Grid(is_open)
    node = np.zeros(grid.mask.size, np.int64)
    ring = np.full(RING, -1)
    target = np.array([0], np.int32)
    small = np.empty((12, 2), np.int64)
    arguments = grid.mask, grid.stride, grid.costs.straight, grid.costs.diagonal, node, ring
    assert not canonical.spread(*arguments, small, grid.cell((4, 4)), target, 1)
    assert (ring == -1).all()


def test_long_paths_outgrow_the_first_arrays():
    """A comb of corridors: a path of more cells and legs, and an open list longer, than there is room for at first."""
    is_open = np.ones((41, 60), bool)
    is_open[1:-1:2] = False
    is_open[1:-1:4, -1] = True
    is_open[3:-1:4, 0] = True
    reps = [(0, 0), (30, 40)]
    compare(is_open, "both-open", "sqrt2", reps, [[1], [0]], climb.EXACT)


def test_a_wide_search_outgrows_the_first_pool():
    """A pocket that no climb leads round, at the far side of a field."""
    is_open = np.ones((60, 60), bool)
    is_open[20:41, 50] = is_open[20, 50:56] = is_open[40, 50:56] = False
    compare(is_open, "both-open", "sqrt2", [(2, 30), (52, 30)], [[1], [0]], climb.EXACT)


def test_legs_keep_within_a_byte():
    is_open = np.ones((2, 300), bool)
    for demand in DEMANDS:
        compare(is_open, "both-open", "sqrt2", [(0, 0), (299, 1)], [[1], [0]], demand)
        compare(
            is_open.T.copy(),
            "both-open",
            "sqrt2",
            [(0, 0), (1, 299), (0, 127), (0, 128)],
            [[1, 2, 3], [0], [], []],
            demand,
        )


def test_ranges_join_to_the_whole():
    random = seeded(3)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=12)
        grid = Grid(is_open)
        reps = [random_place(random, is_open) for _ in range(7)]
        neighbours = random_neighbours(random, 7)
        whole = find_paths(grid, reps, neighbours, climb.EXACT)
        node = np.zeros(grid.mask.size, np.int64)
        parts = [find_paths(grid, reps, neighbours, climb.EXACT, a, b, node) for a, b in ((0, 3), (3, 3), (3, 7))]
        for together, pieces in zip(whole, zip(*parts, strict=True), strict=True):
            assert np.array_equal(together, np.concatenate(pieces))


def test_marks_start_anew_when_their_searches_are_used_up():
    is_open = np.array([[True, True, True], [True, False, True]])
    grid = Grid(is_open)
    node = np.zeros(grid.mask.size, np.int64)
    node[0] = canonical.SEARCHES - 1
    costs, _, _ = find_paths(grid, [(0, 1), (2, 1)], [[1], [0]], climb.EXACT, node=node)
    assert costs.tolist() == [4 * grid.costs.straight] * 2
    assert node[0] == 2


def test_leg_counts_of_any_size_are_found_again():
    counts = np.array([1, 0, 254, 255, 256, 1000, 510, 3], np.int32)
    codes = count_codes(counts)
    assert codes.dtype == np.uint8
    assert codes.size == counts.size + (counts // 255).sum()
    for rank, count in enumerate(counts):
        leg, found, read = find_legs(codes, 0, 7, rank)
        assert (leg, found) == (7 + counts[:rank].sum(), count)
        assert read == rank + 1 + (counts[: rank + 1] // 255).sum()
    assert count_codes(counts[:0]).size == 0
