"""Many problems by one call of a kernel: the same as one by one, with little room for whatever grows."""

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from tests.support.worlds import FEW, JIT_IS_OFF, WORLDS, cases, random_open
from waypost.agents import many
from waypost.catalog import CATALOG
from waypost.maps import generate
from waypost.planners.pra_clique import agent as pra_clique
from waypost.planners.pra_sector import agent as pra_sector
from waypost.planners.prlrta import agent as prlrta
from waypost.planners.time_sliced import agent as time_sliced
from waypost.world import jump_search, search

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # of records, drawn on purpose
PROBLEMS = 6
ENDS = (0, 0), (1199, 0)
IN_PYTHON = {"knn-2009"}
"""Planners that solve many problems one by one: it asks its guide for targets. So do trees that are not kept."""


@pytest.fixture
def little_room(monkeypatch):
    """Everything that grows begins small."""
    for module, name in (
        (many, "FIRST_CELLS"), (pra_clique, "FIRST_ROOM"), (prlrta, "FIRST_ROOM"), (pra_sector, "FIRST_CELLS"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, 4)
    monkeypatch.setattr(search, "FIRST_POOL", 8)
    monkeypatch.setattr(search, "FIRST_RING", 16)
    monkeypatch.setattr(jump_search, "FIRST_FOUND", 6)
    monkeypatch.setattr(time_sliced, "ENTRIES_PER_CELL", 0)


def problems_on(grid, random):
    """Start and goal cells, connected; equal ones among them."""
    starts = random.choice(np.flatnonzero(grid.component), PROBLEMS)
    parts = [np.flatnonzero(grid.component == label) for label in grid.component[starts]]
    goals = [starts[0], *(random.choice(part) for part in parts[1:])]
    return starts.astype(np.int32), np.array(goals, np.int32)


def solve_both_ways(planner, starts, goals, max_moves, paths):
    solver = planner.agent().solver(goals)
    assert (solver is None) == (planner.entry.name in IN_PYTHON)
    together = planner.agent().solve_many(starts, goals, max_moves, paths=paths)
    alone = planner.agent().solve_each(starts, goals, max_moves, paths)
    return together, alone


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize("name", CATALOG)
def test_many_problems_are_solved_as_single_ones(name):
    random = seeded(8)
    entry = CATALOG[name]
    params = {key: value for key, value in FEW.items() if key in entry.params and key != "goals_kept"}
    for rule, costs in WORLDS[:: 4 if JIT_IS_OFF else 2]:
        for _ in range(cases(4)):
            grid = wp.Grid(random_open(random, 10), diagonals=rule, costs=costs)
            planner = wp.build(name, grid, threads=1, **params)
            starts, goals = problems_on(grid, random)
            for max_moves, paths in ((2000, True), (2000, False), (3, True), (3, False)):
                together, alone = solve_both_ways(planner, starts, goals, max_moves, paths)
                for one, other in zip(together, alone, strict=True):
                    assert np.array_equal(one, other)


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize("name", ["astar", "jps", "tba", "pra-sector", "pra-clique", "prlrta", "dba", "lrta"])
def test_room_is_made_for_long_ways(name):
    """Longer than the room that there always is for a log."""
    grid = wp.Grid(np.ones((1, 1200), np.bool_))
    planner = wp.build(name, grid, threads=1)
    starts, goals = (np.array([grid.cell(place) for place in places], np.int32) for places in (ENDS, ENDS[::-1]))
    together, alone = solve_both_ways(planner, starts, goals, 10_000, True)
    assert together.cells.tolist() == alone.cells.tolist()
    assert together.costs.tolist() == alone.costs.tolist() == [1199 * grid.costs.straight, 1199 * grid.costs.straight]


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize("name", ["astar", "jps", "tba"])
def test_searches_get_the_room_that_they_ask_for(name):
    grid = wp.Grid(generate.caves(50, 40, seed=5))
    agent = wp.build(name, grid).agent()
    asked = []
    see_to = agent.see_to
    agent.see_to = lambda status: (asked.append(status), see_to(status))
    starts, goals = problems_on(grid, seeded(9))
    together = agent.solve_many(starts, goals, paths=True)
    assert asked
    assert together.cells.tolist() == agent.solve_each(starts, goals, 10_000, True).cells.tolist()
