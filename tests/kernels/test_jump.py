import numpy as np
import pytest
from hypothesis import given, settings

from tests.oracle import jump as oracle
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases, random_open, random_place, small_worlds
from waypost.errors import Unreachable, WaypostError
from waypost.kernels import bits, jump
from waypost.kernels.events import EXPANDED
from waypost.world.grid import Grid
from waypost.world.jump_search import JumpSearch
from waypost.world.search import SearchState

SHIFTS = {"sqrt2": 11, "1.4": 0}


def compare(is_open, costs, start, goal):
    """Search and oracle: same expansions in the same order, same costs, same path; and the cost is optimal."""
    grid = Grid(is_open, costs=costs)
    search = JumpSearch(grid, record=True)
    search.begin(grid.cell(start), grid.cell(goal))
    outcome = search.advance()
    expansions, cost, parent = oracle.search(is_open, costs, start, goal, SHIFTS[costs])
    rows = search.events
    done = rows[rows[:, 0] == EXPANDED]
    assert [(grid.xy(cell), g) for cell, g in done[:, [1, 3]].tolist()] == expansions
    assert search.expansions == len(expansions)
    for place, g in cost.items():
        assert search.cost(grid.cell(place)) == g
    exact = all_costs(is_open, "both-open", costs, start).get(goal, -1)
    assert search.cost(grid.cell(goal)) == exact
    assert outcome is (SearchState.FOUND if exact >= 0 else SearchState.EXHAUSTED)
    if exact >= 0:
        path = [grid.xy(c) for c in search.path(grid.cell(goal))]
        assert path == oracle.path(parent, goal)
        rules.check_walk(is_open, "both-open", path, start, goal)
        assert rules.walk_cost("both-open", costs, path) == exact


@pytest.mark.parametrize("costs", rules.COSTS)
def test_moves_equal_the_oracle(costs):
    random = seeded(1)
    for _ in range(cases(600)):
        is_open = random_open(random, largest=14)
        compare(is_open, costs, random_place(random, is_open), random_place(random, is_open))


@settings(max_examples=cases(300), deadline=None)
@given(small_worlds())
def test_jump_point_search_is_exact(world):
    is_open, _, costs, start, goal = world
    compare(is_open, costs, start, goal)


@pytest.mark.parametrize("shape", [(3, 200), (200, 3), (70, 130)])
def test_scans_over_many_words(shape):
    random = seeded(2)
    for share in (0.9, 0.97, 1.0):
        is_open = random.random(shape) < share
        for _ in range(cases(12)):
            compare(is_open, "sqrt2", random_place(random, is_open), random_place(random, is_open))


def test_stops_are_walls_and_forced_neighbours():
    random = seeded(3)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=80)
        grid = Grid(is_open)
        rows, columns, cells = grid.jump_tables
        for _ in range(40):
            x, y = random_place(random, is_open)
            for move, stops, line, place in (
                ("E", rows, y, x),
                ("W", rows, y, x),
                ("S", columns, x, y),
                ("N", columns, x, y),
            ):
                words = stops.shape[1] // (grid.height + 2 if move in "EW" else grid.stride)
                scan = bits.next_stop if move in "ES" else bits.previous_stop
                stop = scan(stops, words, line + 1, place + 1) - 1
                u, v = (stop, y) if move in "EW" else (x, stop)
                expected = oracle.scan(is_open, (x, y), move, None)
                hit = cells[grid.cell((x, y))] >> bits.HITS + list(rules.ORDER).index(move) & 1
                assert bool(hit) == (expected is not None)
                assert expected == (u, v) if hit else not rules.standing(is_open, u, v)


def test_counting_zeros():
    if not JIT_IS_OFF:  # then they are instructions, which only kernels can use
        return
    assert [bits.trailing_zeros(np.uint64(1 << i)) for i in range(64)] == list(range(64))
    assert [bits.leading_zeros(np.uint64(1 << i)) for i in range(64)] == list(range(63, -1, -1))


def test_stopping_and_going_on_changes_nothing():
    random = seeded(4)
    is_open = random.random((30, 30)) < 0.75
    grid = Grid(is_open)
    cells = np.flatnonzero(grid.component == grid.component_sizes.argmax())
    start, goal = int(cells[0]), int(cells[-1])
    whole, pieces = JumpSearch(grid, record=True), JumpSearch(grid, record=True)
    whole.solve(start, goal)
    pieces.begin(start, goal)
    assert pieces.advance(0) is SearchState.RUNNING
    while pieces.advance(1) is SearchState.RUNNING:
        pass
    assert np.array_equal(pieces.events, whole.events)
    assert np.array_equal(pieces.path(goal), whole.path(goal))


def test_small_buffers_grow_and_change_nothing(monkeypatch):
    random = seeded(5)
    grid = Grid(random.random((120, 120)) < 0.93)
    cells = np.flatnonzero(grid.component == grid.component_sizes.argmax())
    start, goal = int(cells[0]), int(cells[-1])
    roomy = JumpSearch(grid, record=True)
    cost = roomy.solve(start, goal)
    for name in ("FIRST_POOL", "FIRST_RING", "FIRST_EVENTS"):
        monkeypatch.setattr(f"waypost.world.search.{name}", 8)
    monkeypatch.setattr("waypost.world.jump_search.FIRST_FOUND", 8)
    tight = JumpSearch(grid, record=True)
    assert tight.solve(start, goal) == cost
    assert np.array_equal(tight.events, roomy.events)


def test_a_search_leaves_nothing_behind():
    random = seeded(6)
    is_open = random.random((14, 14)) < 0.75
    grid = Grid(is_open)
    used = JumpSearch(grid)
    assert used.cost(grid.cell((0, 0))) == -1
    used.control["epoch"] = jump.EPOCHS - 20
    for _ in range(cases(200)):
        start, goal = (grid.cell(random_place(random, is_open)) for _ in range(2))
        fresh = JumpSearch(grid)
        for each in (used, fresh):
            each.begin(start, goal)
            each.advance()
        assert (used.expansions, used.cost(goal)) == (fresh.expansions, fresh.cost(goal))


def test_refusals():
    with pytest.raises(WaypostError, match="both-open"):
        JumpSearch(Grid(np.ones((2, 2), bool), diagonals="always"))
    grid = Grid(np.array([[True, False, True]]))
    search = JumpSearch(grid)
    with pytest.raises(Unreachable):
        search.solve(grid.cell((0, 0)), grid.cell((2, 0)))
    with pytest.raises(Unreachable):
        search.path(grid.cell((2, 0)))
    long = JumpSearch(Grid(np.ones((1, 30), bool)))
    long.control["straight_cost"] = 2**29
    with pytest.raises(WaypostError, match="longest path"):
        long.solve(long.grid.cell((0, 0)), long.grid.cell((29, 0)))


def test_a_jump_too_far_the_other_way_is_no_matter():
    is_open = np.zeros((3, 60), bool)
    is_open[1] = is_open[0, 55] = True
    grid = Grid(is_open)
    search = JumpSearch(grid)
    search.control["straight_cost"] = 2**26
    assert search.solve(grid.cell((20, 1)), grid.cell((10, 1))) == 10 * 2**26
    assert search.solve(grid.cell((55, 1)), grid.cell((55, 0))) == 2**26


def test_far_jumps_leave_nothing_behind():
    """One jump that stretches the ring does not make every later search clear the whole of it, or miss a bucket."""
    is_open = np.zeros((3, 4000), bool)
    is_open[1] = is_open[0, 3990] = True
    grid = Grid(is_open)
    search = JumpSearch(grid)
    for start, goal in (((20, 1), (10, 1)), ((3000, 1), (3990, 0)), ((5, 1), (3999, 1)), ((20, 1), (21, 1))):
        search.solve(grid.cell(start), grid.cell(goal))
        search.begin(grid.cell((0, 1)), grid.cell((1, 1)))
        assert np.count_nonzero(search.ring >= 0) == 1
