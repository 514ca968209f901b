"""PRA* on cliques: room, numbers that begin again, records, and ways that are not there. Its moves: test_walk."""

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, WORLDS, cases, random_open, random_place
from waypost.agents.trace import Event
from waypost.errors import WaypostError
from waypost.indexes.building import Works
from waypost.maps import generate
from waypost.planners.pra_clique.agent import CliquePlan
from waypost.planners.pra_clique.index import CliqueHierarchy
from waypost.world.problem import solve_optimally

CAVES = generate.caves(31, 23, seed=5)


def index_of(grid):
    return CliqueHierarchy.build(grid, {}, Works(threads=1))


def agent_of(grid, index=None, **settings):
    return CliquePlan(grid, index=index or index_of(grid), **settings)


def random_settings(random):
    return {
        "steps": int(random.choice([0, 0, 1, 2, 5])),
        "width": int(random.integers(3)),
        "euclid": int(random.integers(2)),
    }


def with_little_room(agent):
    """An agent whose arrays are full at once, and double again and again."""
    agent.heap, agent.pushed = agent.heap[:1].copy(), agent.pushed[:1].copy()
    agent.events = agent.events[:1].copy()
    return agent


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_room_and_records_change_nothing(rule, costs):
    random = seeded(3)
    for _ in range(cases(40)):
        grid = wp.Grid(random_open(random, 14), diagonals=rule, costs=costs)
        start = grid.cell(random_place(random, grid.is_open))
        goal = int(random.choice(np.flatnonzero(grid.component == grid.component[start])))
        index, settings = index_of(grid), random_settings(random)
        plain = agent_of(grid, index, **settings)
        recording = with_little_room(agent_of(grid, index, **settings, record=True))
        traces = [wp.simulate(agent, wp.Problem(start, goal)) for agent in (plain, recording)]
        assert np.array_equal(traces[0].cells, traces[1].cells)
        assert np.array_equal(traces[0].work, traces[1].work)
        assert traces[0].memory == traces[1].memory
        kinds = traces[1].events["kind"]
        assert np.count_nonzero(kinds == Event.EXPANDED) == traces[1].work[:, 0].sum()
        assert traces[0].memory.closed <= traces[0].work.sum()


def test_what_a_search_reaches_is_recorded():
    grid = wp.Grid(CAVES)
    agent = agent_of(grid, record=True)
    for problem in wp.sample_problems(grid, cases(30), 3, min_length=5):
        events = wp.simulate(agent, problem).events
        reached = {problem.start: 0.0}
        for event in events:
            cell, kind, g = int(event["cell"]), event["kind"], float(event["g"])
            assert kind != Event.GENERATED or cell not in reached
            assert kind != Event.IMPROVED or g < reached[cell]
            assert kind != Event.EXPANDED or g == reached[cell]
            reached[cell] = g


def test_numbers_of_searches_and_corridors_begin_again():
    grid = wp.Grid(CAVES)
    fresh, worn = (agent_of(grid) for _ in range(2))
    worn.control["stamp"] = (1 << 28) - 3
    worn.state["last_corridor"] = (1 << 31) - 3
    for problem in wp.sample_problems(grid, 6, 2, min_length=10):
        assert np.array_equal(wp.simulate(fresh, problem).cells, wp.simulate(worn, problem).cells)
    assert 0 < worn.control["stamp"] < 100
    assert 0 < worn.state["last_corridor"] < 100


@pytest.mark.parametrize(("drawing", "straight", "diagonal"), [
    (".#\n..", 1 << 34, 1 << 34),  # on the map: all are one group, and only the way round is too long
    (DRAWINGS["spiral"], 1 << 27, 1 << 27),  # above it
    ("......", 1 << 36, 1 << 36),  # even in a straight line
])  # fmt: skip
def test_a_way_whose_cost_does_not_fit_is_none(drawing, straight, diagonal):
    grid = wp.grid_from_text(drawing.replace("a", ".").replace("b", "."))
    agent = agent_of(grid)
    agent.control["straight_cost"], agent.control["diagonal_cost"] = straight, diagonal
    start, goal = (int(cell) for cell in np.flatnonzero(grid.component)[[0, -1]])
    agent.reset(wp.Problem(start, goal))
    with pytest.raises(WaypostError, match=r"leads no way from .* or only one that is longer than is supported"):
        agent.step()


def test_an_index_whose_groups_fall_apart_says_so():
    grid = wp.grid_from_text("......")
    arrays = {"counts": np.array([2, 1], np.uint32), "parents": np.array([0, 0, 1, 1, 0, 0, 0, 0], np.uint8)}
    agent = agent_of(grid, CliqueHierarchy.from_arrays(grid, {}, arrays), width=0)
    cells = np.flatnonzero(grid.component).tolist()
    agent.reset(wp.Problem(cells[2], cells[3]))
    assert agent.path().tolist() == cells[2:4]
    agent.reset(wp.Problem(cells[0], cells[5]))
    with pytest.raises(WaypostError, match=r"no way from \(0, 0\) to \(5, 0\).*build the index again"):
        agent.path()


def test_a_wider_corridor_takes_more_and_is_no_worse_on_the_whole():
    grid = wp.Grid(generate.caves(60, 45, seed=2))
    index = index_of(grid)
    problems = list(solve_optimally(grid, wp.sample_problems(grid, max(20, cases(100)), 1)))
    costs, spent = [], []
    for width in (0, 1, 2, 100):
        traces = [wp.simulate(agent_of(grid, index, width=width), problem) for problem in problems]
        costs.append(sum(trace.cost for trace in traces))
        spent.append(sum(int(trace.work.sum()) for trace in traces))
    assert costs == sorted(costs, reverse=True)
    assert spent == sorted(spent)
    assert costs[-1] == sum(
        wp.build("astar", grid).agent(grid.xy(p.start), grid.xy(p.goal)).path_cost() for p in problems
    )


def test_a_cut_plan_ends_early_and_the_next_begins_there():
    grid = wp.Grid(np.ones((40, 40), bool))
    agent = agent_of(grid, steps=2)
    trace = wp.simulate(agent, wp.Problem(grid.cell((0, 0)), grid.cell((39, 30))))
    planned = np.flatnonzero(trace.work.any(axis=1))
    assert planned[0] == 0
    assert planned.size > 5
    assert trace.status is wp.RunStatus.ARRIVED
