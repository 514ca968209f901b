"""What pictures show of regions: all ways to a goal, and the paths that one region knows."""

import numpy as np
import pytest

import waypost as wp
from waypost.maps import generate
from waypost.runs import picture

TWO_PARTS = "........#..\n.####.#.#..\n....#.#.#..\n.##.....#.."


def planners(grid):
    yield wp.build("dba", grid, sector=8, depth=2)
    yield wp.build("hcdps", grid, spacing=8, cutoff=8, depth=2)


@pytest.fixture(params=["dba", "hcdps"])
def planner(request):
    grid = wp.Grid(generate.generate("caves", 48, 32, 5))
    return next(p for p in planners(grid) if p.entry.name == request.param)


def test_ways_to_a_goal_lead_there_from_every_representative(planner):
    grid, reps = planner.grid, planner.index.tables["reps"]
    goal = wp.sample_problems(grid, 1, 3)[0].goal
    arcs = planner.index.arcs(goal).tolist()
    ends = {}
    for cell, target in arcs:
        ends.setdefault(cell, set()).add(target)
    reached, news = {goal}, [goal]
    while news:
        at = news.pop()
        fresh = [cell for cell, targets in ends.items() if at in targets and cell not in reached]
        reached.update(fresh)
        news += fresh
    assert set(reps.tolist()) <= reached


def test_paths_of_a_region_lead_from_its_representative_to_others(planner):
    index, reps = planner.index, planner.index.tables["reps"]
    region_of = index.regions().region_of
    for rep in reps[:: max(1, len(reps) // 8)].tolist():
        arcs = index.arcs_from(rep)
        paths = int(index.arrays["path_counts"][region_of[rep]])
        assert (arcs[:, 0] == rep).sum() == paths > 0
        assert len(set(arcs[:, 1].tolist()) & set(reps.tolist())) >= paths


def test_regions_are_those_that_were_stored(planner):
    region_of, reps, edges = planner.index.regions()
    assert reps.tolist() == planner.index.tables["reps"].tolist()
    assert region_of[reps].tolist() == list(range(len(reps)))
    assert ((region_of >= 0) == (planner.grid.component != 0)).all()
    assert (edges[:, 0] < edges[:, 1]).all()


def test_other_parts_of_the_map_are_left_out():
    grid = wp.grid_from_text(TWO_PARTS)
    for planner in planners(grid):
        goal = grid.cell((10, 3))
        arcs = planner.index.arcs(goal)
        assert (grid.component[arcs] == grid.component[goal]).all()
        assert arcs[0, 1] == goal


def test_ways_are_drawn_on_regions(planner):
    grid = planner.grid
    goal = wp.sample_problems(grid, 1, 3)[0].goal
    below = picture.draw_regions(grid, *planner.index.regions(), scale=6)
    before = below.copy()
    above = picture.draw_arcs(grid, goal, planner.index.arcs(goal), 6, on=below)
    assert np.array_equal(below, before)
    x, y = grid.xy(goal)
    assert tuple(above[6 * y + 3, 6 * x + 3]) == picture.GOAL
    same = (above == below).all(axis=2)
    assert 0.5 < same.mean() < 1
