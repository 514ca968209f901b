import numpy as np
import pytest

import waypost as wp
from tests.oracle.dijkstra import all_costs
from waypost.maps import generate
from waypost.world.problem import solve_optimally, spread


def pairs(problems):
    return [(p.start, p.goal) for p in problems]


def test_the_sampler_is_seeded():
    grid = wp.Grid(generate.caves(40, 30, 1))
    assert pairs(wp.sample_problems(grid, 50, 7)) == pairs(wp.sample_problems(grid, 50, 7))
    assert pairs(wp.sample_problems(grid, 50, 7)) != pairs(wp.sample_problems(grid, 50, 8))
    assert pairs(wp.sample_problems(grid, 10, 7)) == pairs(wp.sample_problems(grid, 50, 7))[:10]


def test_start_and_goal_differ_and_share_a_component():
    is_open = np.random.default_rng(0).random((40, 40)) < 0.5
    grid = wp.Grid(is_open)
    assert grid.component_count > 50
    for problem in wp.sample_problems(grid, 500, 1):
        assert problem.start != problem.goal
        assert grid.connected(problem.start, problem.goal)
        assert problem.optimal is None


def test_every_other_cell_of_the_component_can_be_the_goal():
    grid = wp.grid_from_text("...#..\n####..")
    seen = {(grid.xy(p.start), grid.xy(p.goal)) for p in wp.sample_problems(grid, 2000, 0)}
    left = [(0, 0), (1, 0), (2, 0)]
    right = [(4, 0), (5, 0), (4, 1), (5, 1)]
    assert seen == {(a, b) for part in (left, right) for a in part for b in part if a != b}


@pytest.mark.parametrize(("rule", "costs"), [("both-open", "sqrt2"), ("one-open", "1.4"), ("never", "sqrt2")])
def test_a_range_of_optimal_lengths(rule, costs):
    is_open = generate.caves(40, 30, 2)
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    problems = wp.sample_problems(grid, 40, 3, min_length=12, max_length=15)
    assert pairs(problems) == pairs(wp.sample_problems(grid, 40, 3, min_length=12, max_length=15))
    for problem in problems:
        exact = all_costs(is_open, rule, costs, grid.xy(problem.start))[grid.xy(problem.goal)]
        assert problem.optimal == exact
        assert 12 <= grid.length(exact) <= 15
    assert all(grid.length(p.optimal) >= 30 for p in wp.sample_problems(grid, 5, 3, min_length=30))
    short = wp.sample_problems(grid, 50, 3, max_length=1)
    assert all(p.start != p.goal and grid.length(p.optimal) <= 1 for p in short)


def test_ranges_that_cannot_be():
    grid = wp.grid_from_text("...")
    with pytest.raises(wp.WaypostError, match="widen the range"):
        wp.sample_problems(grid, 3, min_length=100)
    with pytest.raises(wp.WaypostError, match="min_length <= max_length"):
        wp.sample_problems(grid, 3, min_length=5, max_length=2)
    for bad in (float("nan"), "3", True, np.arange(3), np.ma.array(1, mask=True), 2**20_000, -1, [], b"1"):
        for end in ("min_length", "max_length"):
            with pytest.raises(wp.WaypostError, match="min_length <= max_length, not"):
                wp.sample_problems(grid, 3, **{end: bad})
    for endless in (1e300, float("inf")):
        with pytest.raises(wp.WaypostError, match="widen the range"):
            wp.sample_problems(grid, 3, min_length=endless)
        assert len(wp.sample_problems(grid, 3, max_length=endless)) == 3
    for bad in (-1, 2.5, "2", None):
        with pytest.raises(wp.WaypostError, match="count must be a whole number of at least 0"):
            wp.sample_problems(grid, bad)
        with pytest.raises(wp.WaypostError, match="seed must be a whole number of at least 0"):
            wp.sample_problems(grid, 1, bad)
    with pytest.raises(
        wp.WaypostError, match="count must be a whole number of at most 10,000,000, not 100000000000000"
    ):
        wp.sample_problems(grid, 10**14)
    for other in ("caves", None, np.ones((2, 2), bool)):
        with pytest.raises(wp.WaypostError, match="problems are sampled on a Grid, not on"):
            wp.sample_problems(other, 1)
    with pytest.raises(wp.WaypostError, match="connected"):
        wp.sample_problems(wp.grid_from_text(".#."), 1)
    assert wp.sample_problems(wp.grid_from_text(".#."), 0) == []


def test_spread_is_even():
    assert spread(range(10), 5) == [1, 3, 5, 7, 9]
    assert spread(range(3), 5) == [0, 1, 2]
    assert spread(range(100), 1) == [50]
    assert len(set(spread(range(1000), 37))) == 37


def test_optimal_costs_are_filled_in():
    grid = wp.grid_from_text("..#.")
    a, b, c = (grid.cell((x, 0)) for x in (0, 1, 3))
    solved = solve_optimally(grid, [wp.Problem(a, b), wp.Problem(a, a), wp.Problem(a, c)])
    assert [p.optimal for p in solved] == [5741, 0, None]
