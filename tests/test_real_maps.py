"""The real benchmark maps, where the user has them (WAYPOST_MAPS): optimal lengths are stored with the scenarios."""

import numpy as np
import pytest

import waypost as wp
from tests.support import compiled
from waypost.maps import movingai
from waypost.planners.cuts.kernels import cell_map, climb_regions, sectors
from waypost.world.problem import spread
from waypost.world.search import Search

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


REGIONS = {
    "hrt000d": (712, 249, 93, 32),
    "orz100d": (707, 252, 91, 37),
    "orz103d": (445, 186, 83, 26),
    "orz300d": (620, 218, 85, 30),
    "orz700d": (765, 310, 126, 57),
    "orz702d": (548, 202, 87, 36),
    "orz900d": (866, 342, 144, 71),
    "ost000a": (1006, 363, 155, 67),
    "ost000t": (810, 289, 115, 45),
    "ost100d": (881, 297, 103, 42),
}
"""Regions in sectors of 16, 32, 64 and 128 cells' side, counted by another program that fills by straight moves."""


@pytest.mark.parametrize("name", REGIONS)
def test_sectors_have_the_regions_that_were_counted(real_maps, name):
    grid = wp.load_map(real_maps / "dao" / f"{name}.map")
    found = [sectors.partition(grid.mask, grid.component, grid.stride, n)[1].size for n in (16, 32, 64, 128)]
    assert tuple(found) == REGIONS[name]


def test_every_cell_climbs_to_the_seed_of_its_region_and_back(real_maps):
    grid = wp.load_map(real_maps / "dao" / "orz103d.map")
    world = grid.mask, grid.climb_table, grid.stride
    seeds, region_of = climb_regions.partition(
        grid.mask, grid.component, grid.climb_table, grid.stride, *grid.costs[:2], 32, 60
    )
    region_of.setflags(write=False)
    runs = cell_map.encode(region_of, grid.stride)
    for array in runs:
        array.setflags(write=False)
    for cell in np.flatnonzero(grid.component).tolist():
        region, _ = compiled.look_up_in_runs(*runs, grid.stride, cell)
        assert region == region_of[cell]
        seed = int(seeds[region])
        assert compiled.reachable(*world, cell, seed, 60)[0]
        assert compiled.reachable(*world, seed, cell, 60)[0]
