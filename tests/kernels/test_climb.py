from itertools import pairwise

import numba
import numpy as np
import pytest
from hypothesis import given, settings

from tests.oracle import climb as oracle
from tests.oracle import rules
from tests.support import compiled
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, cases, random_open, random_place, small_worlds
from waypost.kernels import climb
from waypost.kernels.numbers import NO_LIMIT
from waypost.world.grid import Grid
from waypost.world.search import Search

ALL_COSTS = sorted({rules.move_costs(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS})
AWAY = 5 if JIT_IS_OFF else 40


@numba.njit
def all_steps(table, dx, dy):
    """Steps under each set of legal moves: helpers that are compiled into their callers need one."""
    steps = np.empty(256, np.int64)
    for mask in range(256):
        steps[mask] = climb.step_towards(table, mask, dx, dy)
    return steps


@numba.njit
def taken(step, stride, cell, dx, dy):
    return climb.take(step, stride, cell, dx, dy)


def code(step):
    """The kernel's word for a step of the oracle."""
    if step == oracle.STUCK:
        return climb.STUCK
    if step == oracle.ARRIVED:
        return climb.ARRIVED
    return step[0] + 1 | step[1] + 1 << 2


@pytest.mark.parametrize(("straight", "diagonal"), ALL_COSTS)
def test_the_table_is_the_definition(straight, diagonal):
    """Every vector up to 40 away, under every set of legal moves, so under every diagonal rule."""
    table = climb.climb_table(straight, diagonal)
    for dx in range(-AWAY, AWAY + 1):
        for dy in range(-AWAY, AWAY + 1):
            expected = [code(step) for step in oracle.steps_by_mask(straight, diagonal, dx, dy)]
            assert all_steps(table, dx, dy).tolist() == expected, (dx, dy)


def test_29_classes_occur():
    vectors = [(dx, dy) for dx in range(-9, 10) for dy in range(-9, 10)]
    assert len({climb.vector_class(*vector) for vector in vectors}) == 29
    assert len(Grid(np.ones((2, 2), bool)).climb_table) == 45 * 256


def test_no_move_is_a_step_of_nowhere():
    for end in (climb.ARRIVED, climb.STUCK):
        assert end >= climb.FIRST_END > max(code(step) for step in rules.ORDER.values())
        assert taken(end, 100, 555, 3, -4) == (555, 3, -4)
    for x, y in rules.ORDER.values():
        assert taken(code((x, y)), 100, 555, 3, -4) == (555 + 100 * y + x, 3 - x, -4 - y)


def test_grids_of_equal_costs_share_a_table():
    one, other = Grid(np.ones((2, 2), bool)), Grid(np.ones((3, 3), bool), diagonals="always")
    assert one.climb_table is other.climb_table
    assert not one.climb_table.flags.writeable
    assert one.climb_table is not Grid(np.ones((2, 2), bool), diagonals="never").climb_table


def world_of(grid):
    return grid.mask, grid.climb_table, grid.stride


def compare_climbs(is_open, rule, costs, start, target, limit):
    """Kernel and oracle: same answer, same steps, same cells; and no cell twice."""
    grid = Grid(is_open, diagonals=rule, costs=costs)
    a, b = grid.cell(start), grid.cell(target)
    arrives, places = oracle.climb(is_open, rule, costs, start, target, limit)
    assert compiled.reachable(*world_of(grid), a, b, limit) == (arrives, len(places) - 1)
    cells = compiled.climb_path(*world_of(grid), a, b, limit)
    assert cells.dtype == np.int32
    assert [grid.xy(cell) for cell in cells] == places
    assert len(set(places)) == len(places)
    rules.check_walk(is_open, rule, places, start, target if arrives else places[-1])


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_climbs_equal_the_oracle(rule, costs):
    random = seeded(1)
    for _ in range(cases(300)):
        is_open = random_open(random, largest=16)
        start, target = random_place(random, is_open), random_place(random, is_open)
        for limit in (0, int(random.integers(1, 12)), NO_LIMIT):
            compare_climbs(is_open, rule, costs, start, target, limit)


@settings(max_examples=cases(300), deadline=None)
@given(small_worlds())
def test_climbs_in_small_worlds(world):
    compare_climbs(*world, NO_LIMIT)


def test_a_limit_of_just_the_steps_needed_is_enough():
    grid = Grid(np.ones((9, 9), bool))
    a, b = grid.cell((0, 0)), grid.cell((7, 3))
    assert compiled.reachable(*world_of(grid), a, b, 7) == (True, 7)
    assert compiled.reachable(*world_of(grid), a, b, 6) == (False, 6)
    assert compiled.reachable(*world_of(grid), a, a, 0) == (True, 0)


def test_climbs_are_diagonal_first():
    grid = Grid(np.ones((4, 9), bool))
    cells = compiled.climb_path(*world_of(grid), grid.cell((0, 3)), grid.cell((6, 1)), NO_LIMIT)
    assert [grid.xy(cell) for cell in cells] == [(0, 3), (1, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]


def test_a_cell_without_moves_is_stuck_or_has_arrived():
    grid = Grid(np.array([[True, False, True]]))
    a, b = grid.cell((0, 0)), grid.cell((2, 0))
    assert compiled.reachable(*world_of(grid), a, b, NO_LIMIT) == (False, 0)
    assert compiled.reachable(*world_of(grid), a, a, NO_LIMIT) == (True, 0)


def test_reaching_there_is_not_reaching_back():
    random = seeded(2)
    one_way = 0
    for _ in range(100):
        is_open = random_open(random, largest=10)
        grid = Grid(is_open)
        a, b = (grid.cell(random_place(random, is_open)) for _ in range(2))
        there, _ = compiled.reachable(*world_of(grid), a, b, NO_LIMIT)
        back, _ = compiled.reachable(*world_of(grid), b, a, NO_LIMIT)
        one_way += there != back
    assert one_way


def optimal_path(grid, start, target):
    """Places of a cheapest path, or of the start alone where there is none."""
    if not grid.connected(start, target):
        return [grid.xy(start)]
    search = Search(grid)
    search.solve(start, target)
    return [grid.xy(cell) for cell in search.path(target)]


def random_walk(random, is_open, rule, costs, place):
    walk = [place]
    for _ in range(random.integers(30)):
        options = [there for there, _ in rules.neighbours(is_open, rule, costs, *walk[-1])]
        if options:
            walk.append(options[random.integers(len(options))])
    return walk


def compare_paths(grid, is_open, rule, costs, path, both_ways):
    """Compress and expand as the oracle does; subgoals are reachable, and lead from end to end by legal moves."""
    world = world_of(grid)
    cells = np.array([grid.cell(place) for place in path], np.int32)
    subgoals, spent = compiled.compress(*world, cells, both_ways)
    expected, expected_spent = oracle.compress(is_open, rule, costs, path, both_ways)
    assert [grid.xy(cell) for cell in subgoals] == expected
    assert spent == expected_spent
    for a, b in pairwise(expected):
        assert oracle.climb(is_open, rule, costs, a, b)[0]
        assert not both_ways or oracle.climb(is_open, rule, costs, b, a)[0]
    places = [grid.xy(cell) for cell in compiled.expand(*world, subgoals)]
    assert places == oracle.expand(is_open, rule, costs, expected)
    rules.check_walk(is_open, rule, places, path[0], path[-1])
    if both_ways:
        back = [grid.xy(cell) for cell in compiled.expand(*world, subgoals[::-1].copy())]
        rules.check_walk(is_open, rule, back, path[-1], path[0])


@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_compressed_paths_equal_the_oracle(rule, costs, both_ways):
    random = seeded(3)
    for _ in range(cases(100)):
        is_open = random_open(random, largest=16)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        start, target = random_place(random, is_open), random_place(random, is_open)
        path = optimal_path(grid, grid.cell(start), grid.cell(target))
        compare_paths(grid, is_open, rule, costs, path, both_ways)
        compare_paths(grid, is_open, rule, costs, random_walk(random, is_open, rule, costs, start), both_ways)


@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("name", DRAWINGS)
def test_compressed_paths_through_traps(name, rule, both_ways):
    rows = DRAWINGS[name].split()
    is_open = np.array([[symbol != "#" for symbol in row] for row in rows])
    places = {symbol: (x, y) for y, row in enumerate(rows) for x, symbol in enumerate(row) if symbol not in ".#"}
    grid = Grid(is_open, diagonals=rule)
    path = optimal_path(grid, grid.cell(places["a"]), grid.cell(places.get("b", places["a"])))
    compare_paths(grid, is_open, rule, "sqrt2", path, both_ways)


@pytest.mark.parametrize("both_ways", [False, True])
def test_a_path_of_one_cell_is_its_own_subgoal(both_ways):
    grid = Grid(np.ones((3, 3), bool))
    path = np.array([grid.cell((1, 1))], np.int32)
    subgoals, spent = compiled.compress(*world_of(grid), path, both_ways)
    assert subgoals.tolist() == path.tolist() == compiled.expand(*world_of(grid), subgoals).tolist()
    assert spent == 0


def test_an_expansion_ends_where_it_is_stuck():
    is_open = np.array([[True, True, True], [True, False, True], [True, False, True]])
    grid = Grid(is_open)
    subgoals = np.array([grid.cell(place) for place in [(1, 0), (0, 2), (2, 2), (2, 0)]], np.int32)
    places = [grid.xy(cell) for cell in compiled.expand(*world_of(grid), subgoals)]
    assert places == [(1, 0), (0, 0), (0, 1), (0, 2)]
