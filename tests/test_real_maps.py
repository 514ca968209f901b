"""The real benchmark maps, where the user has them (WAYPOST_MAPS): optimal lengths are stored with the scenarios."""

import pytest

import waypost as wp
from waypost.maps import movingai
from waypost.problem import spread
from waypost.search import Search

SETS = ("dao", "rooms", "mazes", "random")
PER_MAP = 20


@pytest.mark.parametrize("folder", SETS)
def test_a_star_finds_the_stored_lengths(real_maps, folder):
    files = sorted((real_maps / folder).glob("*.map"))
    assert files
    for path in files:
        grid = wp.load_map(path)
        search = Search(grid)
        scenarios = movingai.read_scenarios(f"{path}.scen")
        for scenario in spread([s for s in scenarios if s.length > 0], PER_MAP):
            problem = movingai.scenario_problem(scenario, grid)
            found = grid.length(search.solve(problem.start, problem.goal))
            assert found == pytest.approx(scenario.length, rel=1e-5), (path.name, scenario)


def test_the_173_unreachable_scenarios_are_refused(real_maps):
    refused = standing = 0
    for path in sorted((real_maps / "dao").glob("*.map")):
        zero = [s for s in movingai.read_scenarios(f"{path}.scen") if s.length == 0]
        if not zero:
            continue
        planner = wp.build("astar", wp.load_map(path))
        for scenario in zero:
            if scenario.start == scenario.goal:
                standing += 1
                assert len(planner.path(scenario.start, scenario.goal)) == 1
            else:
                refused += 1
                with pytest.raises(wp.Unreachable):
                    planner.path(scenario.start, scenario.goal)
    assert (refused, standing) == (173, 40)


def test_the_ten_maps_of_the_2013_paper(real_maps):
    open_cells = {
        "hrt000d": 106608, "orz100d": 99626, "orz103d": 40392, "orz300d": 83672, "orz700d": 95600,
        "orz702d": 71328, "orz900d": 96603, "ost000a": 130478, "ost000t": 105707, "ost100d": 137375,
    }  # fmt: skip
    for name, count in open_cells.items():
        grid = wp.load_map(real_maps / "dao" / f"{name}.map")
        assert grid.open_count == count
        assert grid.component_count == (2 if name == "hrt000d" else 1)
