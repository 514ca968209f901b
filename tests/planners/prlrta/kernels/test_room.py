"""PR LRTA*: room, numbers that begin again, records, and ways that are not there. Its moves: test_walk."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules
from tests.planners.prlrta.twins import PLANNERS
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, random_open, random_place
from waypost import catalog
from waypost.agents.trace import Event
from waypost.errors import IndexFileError, ParameterError, WaypostError
from waypost.indexes.building import Works
from waypost.maps import generate
from waypost.planners.cuts import cell_map
from waypost.planners.prlrta.graph import AbstractGraph
from waypost.planners.prlrta.index import UpperPairs

CAVES = generate.caves(31, 23, seed=5)
each_planner = pytest.mark.parametrize("name", PLANNERS)


def with_little_room(agent):
    """An agent whose arrays are full at once, and double again and again."""
    agent.heap, agent.pushed = agent.heap[:1].copy(), agent.pushed[:1].copy()
    agent.events = agent.events[:1].copy()
    return agent


@each_planner
@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_room_and_records_change_nothing(name, rule, costs):
    random = seeded(3)
    for _ in range(cases(12)):
        grid = wp.Grid(random_open(random, 14), diagonals=rule, costs=costs)
        start = grid.cell(random_place(random, grid.is_open))
        goal = int(random.choice(np.flatnonzero(grid.component == grid.component[start])))
        planner = wp.build(name, grid, level=int(random.integers(1, 4)), first=int(random.integers(2)))
        recording = with_little_room(planner.agent(record=True))
        traces = [wp.simulate(agent, wp.Problem(start, goal)) for agent in (planner.agent(), recording)]
        assert np.array_equal(traces[0].cells, traces[1].cells)
        assert np.array_equal(traces[0].work, traces[1].work)
        assert traces[0].memory == traces[1].memory
        kinds = traces[1].events["kind"]
        assert np.count_nonzero(kinds == Event.EXPANDED) == traces[1].work[:, 0].sum()
        assert np.count_nonzero(kinds == Event.LEARNED) >= traces[1].memory.learned


@each_planner
def test_a_walk_that_is_longer_than_its_room(name, monkeypatch):
    grid = wp.Grid(CAVES)
    planner = wp.build(name, grid, level=2)
    fresh = planner.agent()
    monkeypatch.setattr("waypost.planners.prlrta.agent.CELLS_AT_ONCE", 1)
    narrow = planner.agent()
    assert narrow.way.size == planner.index.graph.most_in_corridor < fresh.way.size
    for problem in wp.sample_problems(grid, 6, 2, min_length=20):
        walks = []
        for agent in (fresh, narrow):
            agent.reset(problem)
            walks.append(agent.walk())
        assert np.array_equal(walks[0].cells, walks[1].cells)
        assert np.array_equal(walks[0].work, walks[1].work)


def test_numbers_of_corridors_begin_anew():
    grid = wp.Grid(CAVES)
    planner = wp.build("prlrta", grid, level=2)
    fresh, worn = planner.agent(), planner.agent()
    worn.state["last_corridor"] = (1 << 31) - 3
    for problem in wp.sample_problems(grid, 3, 2, min_length=10):
        assert np.array_equal(wp.simulate(fresh, problem).cells, wp.simulate(worn, problem).cells)
    assert 0 < worn.state["last_corridor"] < 100


def test_the_target_is_named_with_the_first_plan():
    grid = wp.Grid(np.ones((20, 20), bool))
    agent = wp.build("prlrta", grid, level=2).agent((0, 0), (19, 19))
    assert agent.target is None
    agent.step()
    graph = agent.graph
    assert agent.target == grid.xy(int(graph.reps[agent.region_of[grid.cell((19, 19))]]))


def test_an_index_whose_regions_fall_apart_says_so():
    grid = wp.grid_from_text("......")
    index = UpperPairs.build(grid, {"level": 1, "euclid": 1}, Works(threads=1))
    regions = np.array([0, 0, 1, 1, 0, 0])
    arrays = cell_map.packed(grid, regions_as_map(grid, regions))
    forged = UpperPairs.from_arrays(grid, {"level": 1, "euclid": 1}, arrays)
    assert forged.region_count < index.region_count
    params = wp.build("prlrta", grid).params
    planner = wp.Planner(catalog.find("prlrta"), grid, params, forged)
    with pytest.raises(WaypostError, match=r"no way from \(0, 0\) to \(5, 0\).*build the index again"):
        planner.path((0, 0), (5, 0))


def regions_as_map(grid, regions):
    region_of = np.full(grid.component.size, -1, np.int32)
    region_of[grid.component != 0] = regions
    region_of.setflags(write=False)
    return region_of


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_the_most_that_a_lookahead_looks_around(rule):
    """In each ply at most all regions within its reach, counted by walking the graph from each of them."""
    random = seeded(4)
    for _ in range(cases(20)):
        grid = wp.Grid(random_open(random, 12), diagonals=rule)
        graph = wp.build("prlrta", grid, level=1).index.graph
        around = [
            set(graph.neighbours[first:last].tolist())
            for first, last in zip(graph.nodes[:-1, 3], graph.nodes[1:, 3], strict=True)
        ]
        reached = [{region} for region in range(len(around))]
        total = 0
        for depth in range(1, 9):
            total += max(map(len, reached))
            assert graph.most_expansions(depth) == total
            reached = [within.union(*(around[region] for region in within)) for within in reached]


@each_planner
def test_octile_and_euclidean_costs_differ(name):
    grid = wp.Grid(CAVES)
    costs = [wp.build(name, grid, level=2, euclid=euclid).index.graph.costs for euclid in (0, 1)]
    assert (costs[0] >= costs[1] - 1).all()
    assert not np.array_equal(*costs)


def test_levels_above_the_top_and_uppers_below_the_level_will_do():
    grid = wp.Grid(CAVES)
    one = wp.build("prlrta-f-pdb", grid, level=3, upper=1).index
    assert one.graph.upper_count == one.region_count
    top = wp.build("prlrta-f-pdb", grid, level=30, upper=30).index
    assert top.region_count == top.graph.upper_count == grid.component_count
    problem = wp.sample_problems(grid, 1, 3, min_length=20)[0]
    assert wp.build("prlrta", grid, level=30).agent(grid.xy(problem.start), grid.xy(problem.goal)).path_cost() == (
        wp.build("astar", grid).agent(grid.xy(problem.start), grid.xy(problem.goal)).path_cost()
    )


def test_arcs_of_subgoals():
    grid = wp.Grid(CAVES)
    index = wp.build("prlrta-f-pdb", grid, level=2, upper=4).index
    goal = int(np.flatnonzero(grid.component)[-1])
    arcs = index.arcs(goal)
    assert len(arcs) == np.count_nonzero(index.upper_parts == grid.component[goal])
    assert arcs[-1, 1] == goal
    with pytest.raises(WaypostError, match="without subgoals"):
        wp.build("prlrta", grid).index.arcs(goal)


@pytest.mark.parametrize(("params", "changes", "complaint"), [
    ({}, {"run_regions": 200}, "must be below"),
    ({"upper": 3, "cap": 4}, {"upper_counts": 0}, "upper_counts"),
    ({"upper": 3, "cap": 4}, {"pair_depths": 0}, "pair_depths"),
    ({"upper": 3, "cap": 4}, {"pair_depths": 5}, "pair_depths"),
    ({"upper": 2, "by_progress": 1}, {"exits": 0}, "exits"),
    ({"upper": 2, "by_progress": 1, "cap": 4}, {"exit_depths": 9}, "exit_depths"),
])  # fmt: skip
def test_wrong_tables_are_refused(params, changes, complaint):
    grid = wp.grid_from_text("............\n............")
    offline = {"level": 1, "euclid": 1, **params}
    arrays = UpperPairs.build(grid, offline, Works(threads=1)).arrays
    for name, value in changes.items():
        changed = arrays[name].copy()
        changed.flat[0] = value
        with pytest.raises(IndexFileError, match=complaint):
            UpperPairs.from_arrays(grid, offline, arrays | {name: changed})


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_a_map_of_too_many_upper_regions_is_refused():
    grid = wp.Grid(np.ones((500, 500), bool))
    with pytest.raises(ParameterError, match=r"regions, and subgoals of all pairs are supported for 16,384"):
        wp.build("prlrta-f-pdb", grid, level=1, upper=1)
    assert isinstance(wp.build("prlrta", grid, level=1).index.graph, AbstractGraph)
