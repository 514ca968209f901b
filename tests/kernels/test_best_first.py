import numpy as np
import pytest
from hypothesis import given, settings

from tests.oracle import best_first as oracle
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.support.chance import seeded
from tests.support.worlds import WORLDS, cases, random_open, random_place, small_worlds
from waypost.errors import Unreachable, WaypostError
from waypost.kernels import best_first
from waypost.kernels.events import EXPANDED
from waypost.world.grid import Grid
from waypost.world.search import Search, SearchState

WEIGHTS = {"A*": (1, 1), "Dijkstra": (1, 0), "weighted 1/2": (1, 2), "weighted 9/10": (9, 10), "weighted 1/20": (1, 20)}


def bucket_shift(grid, g_weight, h_weight):
    """The widest power of two allowed (decision 0004)."""
    if h_weight <= g_weight:
        return {5741: 11, 5: 0, 1: 0}[grid.costs.straight]
    width = (h_weight - g_weight) * grid.costs.straight
    return max(s for s in range(64) if 2**s <= width)


def compare(is_open, rule, costs, start, goal, weights):
    """Search and oracle: same expansions in the same order, same costs, same path."""
    grid = Grid(is_open, diagonals=rule, costs=costs)
    g_weight, h_weight = weights
    search = Search(grid, g_weight=g_weight, h_weight=h_weight, record=True)
    search.begin(grid.cell(start), grid.cell(goal))
    outcome = search.advance()
    expansions, cost, parent = oracle.search(
        is_open, rule, costs, start, goal, g_weight=g_weight, h_weight=h_weight, shift=bucket_shift(grid, *weights)
    )
    rows = search.events
    done = rows[rows[:, 0] == EXPANDED]
    assert [(grid.xy(cell), g) for cell, g in done[:, [1, 3]].tolist()] == expansions
    assert search.expansions == len(expansions)
    assert search.generated == 1 + np.count_nonzero(rows[:, 0] != EXPANDED)
    for place, g in cost.items():
        assert search.cost(grid.cell(place)) == g
    assert outcome is (SearchState.FOUND if goal in cost else SearchState.EXHAUSTED)
    if goal in cost:
        assert [grid.xy(c) for c in search.path(grid.cell(goal))] == oracle.path(parent, goal)
    return grid, search, outcome


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_moves_equal_the_oracle(rule, costs, weights):
    random = seeded(4)
    for _ in range(cases(50)):
        is_open = random_open(random)
        compare(is_open, rule, costs, random_place(random, is_open), random_place(random, is_open), weights)


@settings(max_examples=cases(300), deadline=None)
@given(small_worlds())
def test_a_star_is_exact(world):
    is_open, rule, costs, start, goal = world
    grid, search, _ = compare(*world, weights=(1, 1))
    exact = all_costs(is_open, rule, costs, start)
    assert search.cost(grid.cell(goal)) == exact.get(goal, -1)


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_costs_are_exact_on_many_random_grids(rule, costs):
    """Stopping at the first pop of the goal fails here; finishing its bucket does not (decision 0004)."""
    random = seeded(5)
    for _ in range(cases(150)):
        is_open = random_open(random, largest=14)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        search, start = Search(grid), random_place(random, is_open)
        exact = all_costs(is_open, rule, costs, start)
        for goal in (random_place(random, is_open) for _ in range(4)):
            if goal in exact:
                assert search.solve(grid.cell(start), grid.cell(goal)) == exact[goal]
                path = [grid.xy(c) for c in search.path(grid.cell(goal))]
                rules.check_walk(is_open, rule, path, start, goal)
                assert rules.walk_cost(rule, costs, path) == exact[goal]
            else:
                with pytest.raises(Unreachable):
                    search.solve(grid.cell(start), grid.cell(goal))


@pytest.mark.parametrize("gamma", [(99, 100), (9, 10), (1, 2), (1, 10), (1, 100)])
@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_weighted_a_star_keeps_its_bound(rule, costs, gamma):
    random = seeded(6)
    g_weight, h_weight = gamma
    for _ in range(cases(40)):
        is_open = random_open(random, largest=16)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        start = random_place(random, is_open)
        exact = all_costs(is_open, rule, costs, start)
        search = Search(grid, g_weight=g_weight, h_weight=h_weight)
        for goal, optimum in exact.items():
            found = search.solve(grid.cell(start), grid.cell(goal))
            assert optimum <= found <= optimum * h_weight // g_weight
            path = [grid.xy(c) for c in search.path(grid.cell(goal))]
            assert rules.walk_cost(rule, costs, path) == found


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_one_to_all_costs_and_parents(rule, costs):
    random = seeded(7)
    for _ in range(cases(50)):
        is_open = random_open(random, largest=12)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        start = random_place(random, is_open)
        search = Search(grid, h_weight=0)
        search.begin_all(grid.cell(start))
        assert search.advance() is SearchState.EXHAUSTED
        cost, move = search.costs()
        exact = all_costs(is_open, rule, costs, start)
        reached = {grid.xy(cell): int(cost[cell]) for cell in np.flatnonzero(cost >= 0)}
        assert reached == exact
        for place, g in exact.items():
            step = move[grid.cell(place)]
            if place == start:
                assert step == 255
                continue
            dx, dy = list(rules.ORDER.values())[step]
            before = place[0] - dx, place[1] - dy
            assert rules.may_move(is_open, rule, *before, dx, dy)
            assert g - exact[before] == rules.walk_cost(rule, costs, [before, place])
        assert np.count_nonzero(move != 255) == len(exact) - 1


def test_cost_limit_finishes_everything_within_it():
    random = seeded(8)
    for _ in range(cases(100)):
        is_open = random_open(random, largest=14)
        grid = Grid(is_open)
        start = random_place(random, is_open)
        limit = int(random.integers(0, 60_000))
        search = Search(grid, h_weight=0)
        search.begin_all(grid.cell(start), limit)
        assert search.advance() is search.advance() is SearchState.EXHAUSTED
        within = {p: g for p, g in all_costs(is_open, "both-open", "sqrt2", start).items() if g <= limit}
        assert all(search.cost(grid.cell(place)) == g for place, g in within.items())
        assert search.count_within(0, limit) == len(within)
        picked = {grid.xy(search.pick_within(0, limit, rank)) for rank in range(len(within))}
        assert picked == set(within)
        assert search.pick_within(0, limit, len(within)) == -1


@pytest.mark.parametrize("weights", [(1, 1), (1, 2)])
def test_stopping_and_going_on_changes_nothing(weights):
    random = seeded(9)
    is_open = random.random((20, 20)) < 0.7
    is_open[0, 0] = is_open[19, 19] = True
    grid = Grid(is_open)
    goal = grid.nearest_connected(grid.cell((0, 0)), grid.cell((19, 19)))
    whole, pieces = (Search(grid, g_weight=weights[0], h_weight=weights[1], record=True) for _ in range(2))
    whole.begin(grid.cell((0, 0)), goal)
    whole.advance()
    pieces.begin(grid.cell((0, 0)), goal)
    outcomes = [pieces.advance(budget) for budget in (0, 1, 2, 3)]
    assert set(outcomes) == {SearchState.RUNNING}
    assert pieces.expansions == 6
    while pieces.advance(5) is SearchState.RUNNING:
        pass
    assert np.array_equal(pieces.events, whole.events)
    assert np.array_equal(pieces.path(goal), whole.path(goal))


@pytest.mark.parametrize("weights", [(1, 1), (1, 100)])
def test_small_buffers_grow_and_change_nothing(weights, monkeypatch):
    grid = Grid(np.ones((40, 40), bool))
    start, goal = grid.cell((3, 20)), grid.cell((36, 22))
    roomy = Search(grid, g_weight=weights[0], h_weight=weights[1], record=True)
    cost = roomy.solve(start, goal)
    for name in ("FIRST_POOL", "FIRST_RING", "FIRST_EVENTS"):
        monkeypatch.setattr(f"waypost.world.search.{name}", 8)
    tight = Search(grid, g_weight=weights[0], h_weight=weights[1], record=True)
    assert tight.solve(start, goal) == cost
    assert np.array_equal(tight.events, roomy.events)


def test_a_search_leaves_nothing_behind():
    """Thousands of searches with one scratch give what a fresh scratch gives, also when the epochs run out."""
    random = seeded(10)
    is_open = random.random((12, 12)) < 0.7
    grid = Grid(is_open)
    used = {weights: Search(grid, g_weight=weights[0], h_weight=weights[1]) for weights in ((1, 1), (1, 3))}
    for search in used.values():
        search.control["epoch"] = best_first.MOST_EPOCHS - 20
    for _ in range(max(25, cases(200))):
        start, goal = (grid.cell(random_place(random, is_open)) for _ in range(2))
        for (g_weight, h_weight), search in used.items():
            fresh = Search(grid, g_weight=g_weight, h_weight=h_weight)
            for each in (search, fresh):
                each.begin(start, goal)
                each.advance()
            assert (search.expansions, search.cost(goal)) == (fresh.expansions, fresh.cost(goal))
    with pytest.raises(Unreachable):
        fresh.path(grid.cell((0, 0)) - 1)


def test_a_path_too_long_for_the_cost_type_is_refused():
    grid = Grid(np.ones((1, 30), bool))
    search = Search(grid)
    search.control["diagonal_cost"] = 2**30
    search.control["straight_cost"] = 2**29
    with pytest.raises(WaypostError, match="longest path"):
        search.solve(grid.cell((0, 0)), grid.cell((29, 0)))
    with pytest.raises(WaypostError, match="longest path"):
        search.advance()


def test_a_heuristic_needs_a_goal():
    grid = Grid(np.ones((2, 2), bool))
    with pytest.raises(ValueError, match="needs a goal"):
        Search(grid).begin_all(grid.cell((0, 0)))


def test_nothing_is_reached_before_the_first_search():
    grid = Grid(np.ones((2, 2), bool))
    search = Search(grid)
    assert search.cost(grid.cell((0, 0))) == -1
    assert search.count_within(0, 10**9) == 0
    with pytest.raises(Unreachable):
        search.path(grid.cell((0, 0)))


@pytest.mark.parametrize("gamma", [(1, 1), (99, 100), (1, 100)])
def test_the_open_list_is_no_larger_than_its_keys_are_apart(gamma):
    """A long winding corridor: keys go up and up, but at any time they are close together."""
    is_open = np.ones((41, 40), bool)
    is_open[1::4, 1:] = is_open[3::4, :-1] = False
    grid = Grid(is_open, diagonals="never")
    search = Search(grid, g_weight=gamma[0], h_weight=gamma[1])
    assert search.solve(grid.cell((0, 0)), grid.cell((39, 40))) == 19 * 39 + 40
    assert search.ring.size <= 4096
