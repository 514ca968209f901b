import numpy as np
import pytest

import waypost as wp
from waypost.maps import generate
from waypost.runs.pace import measure_pace
from waypost.runs.simulation import simulate
from waypost.world.problem import solve_optimally


@pytest.fixture(scope="module")
def walks():
    grid = wp.Grid(generate.rooms(40, 30, 1))
    return grid, list(solve_optimally(grid, wp.sample_problems(grid, 4, 5)))


@pytest.mark.parametrize("name", ["jps", "lss", "dba"])
def test_a_pace_is_what_the_walks_amount_to(walks, name):
    grid, problems = walks
    planner, told = wp.build(name, grid), []
    pace = measure_pace(planner, problems, 10_000, lambda count=1: told.append(count))
    runs = [simulate(planner.agent(), problem) for problem in problems]
    assert pace.has_arrived
    assert pace.longer_percent == pytest.approx(np.mean([100 * (r.cost / r.problem.optimal - 1) for r in runs]))
    assert pace.states == np.mean([sum(run.memory) for run in runs])
    assert pace.move_ns > 0
    assert pace.longest_ns > 0
    assert sum(told) == len(problems)


def test_walks_that_are_given_up_count_as_far_as_they_came(walks):
    grid, problems = walks
    pace = measure_pace(wp.build("lrta", grid), problems, 1, lambda count=1: None)
    assert pace.arrived < len(problems)
    assert not pace.has_arrived
    assert pace.longer_percent == 0, "none is known to be longer than the shortest way"
