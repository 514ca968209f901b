"""What every planner of the catalog promises (design 6). A new planner is covered by its catalog line alone."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.flood import components, nearest
from tests.worlds import DRAWINGS
from waypost.catalog import CATALOG
from waypost.kernels.compiling import ENTRY_POINTS, is_cold
from waypost.maps import generate
from waypost.maps.text import read_drawing
from waypost.problem import solve_optimally
from waypost.trace import Event, to_posthoc

PLANNERS = list(CATALOG)
RULES = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
SMALL = {name: read_drawing(drawing)[0] for name, drawing in DRAWINGS.items()} | {
    name: make(31, 23, seed=5) for name, make in generate.GENERATORS.items()
}

each_planner = pytest.mark.parametrize("name", PLANNERS)
each_map = pytest.mark.parametrize("is_open", SMALL.values(), ids=SMALL)
each_rule = pytest.mark.parametrize(("rule", "costs"), RULES)


def problems_of(grid, count=6, seed=1):
    """Some problems with a path, start == goal among them."""
    cell = int(np.flatnonzero(grid.component)[0])
    standing = [wp.Problem(cell, cell)]
    return standing + (wp.sample_problems(grid, count, seed) if grid.component_sizes.max() > 1 else [])


@each_planner
def test_names_the_kernel_that_its_moves_wait_for(name):
    for rule in rules.DIAGONALS:
        agent = wp.build(name, wp.grid_from_text("..\n..", diagonals=rule)).agent((0, 0), (1, 1))
        agent.step()
        (waited_for,) = (k for k in ENTRY_POINTS if f"{k.__module__}.{k.__name__}" == f"waypost.kernels.{agent.kernel}")
        assert waited_for.signatures
        assert not is_cold(agent.kernel)


@each_planner
@each_map
@each_rule
def test_arrives_by_legal_moves_within_its_bounds(name, is_open, rule, costs):
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    planner = wp.build(name, grid)
    entry = planner.entry
    agent = planner.agent()
    for problem in problems_of(grid):
        trace = wp.simulate(agent, problem, max_moves=100_000)
        start, goal = grid.xy(problem.start), grid.xy(problem.goal)
        points = grid.xys(trace.cells).tolist()
        rules.check_walk(is_open, rule, points, start, goal if entry.complete else points[-1])
        assert trace.cost == rules.walk_cost(rule, costs, points)
        if planner.work_bound is not None:
            assert trace.work.sum(axis=1).max(initial=0) <= planner.work_bound
        if not entry.complete:
            continue
        assert trace.status is wp.Status.ARRIVED
        optimum = all_costs(is_open, rule, costs, start)[goal]
        assert trace.cost >= optimum
        if entry.cost_bound:
            assert trace.cost <= optimum * entry.cost_bound(planner.params) + 1e-9
        if entry.optimal:
            assert trace.cost == optimum


@each_planner
@each_map
def test_the_same_problem_gives_the_same_run(name, is_open):
    grid = wp.Grid(is_open)
    planner = wp.build(name, grid)
    agent, other = planner.agent(), planner.agent(record=True)
    for problem in problems_of(grid) * 2:
        first, second, recorded = (wp.simulate(a, problem) for a in (agent, agent, other))
        assert np.array_equal(first.cells, second.cells)
        assert np.array_equal(first.work, second.work)
        assert np.array_equal(first.cells, recorded.cells), "recording changed the moves"
        assert np.array_equal(first.work, recorded.work)
        path = planner.path(grid.xy(problem.start), grid.xy(problem.goal))
        assert np.array_equal(path, grid.xys(first.cells)), "path() and stepping differ"
        walked = list(planner.agent(grid.xy(problem.start), grid.xy(problem.goal)))
        assert walked == [tuple(point) for point in path[1:].tolist()]


@each_planner
def test_start_is_goal(name):
    grid = wp.grid_from_text("..#\n...")
    planner = wp.build(name, grid)
    assert planner.path((1, 1), (1, 1)).tolist() == [[1, 1]]
    agent = planner.agent((1, 1), (1, 1))
    assert list(agent) == []
    assert agent.step() == wp.Step(grid.cell((1, 1)), wp.Status.ARRIVED)


@each_planner
def test_an_arrived_agent_stays(name):
    agent = wp.build(name, wp.grid_from_text("....")).agent((0, 0), (3, 0))
    steps = [agent.step() for _ in range(6)]
    assert [agent.grid.xy(step.cell) for step in steps] == [(1, 0), (2, 0), (3, 0), (3, 0), (3, 0), (3, 0)]
    assert [step.status for step in steps[:2]] == [wp.Status.MOVING] * 2
    assert all(step.status is wp.Status.ARRIVED for step in steps[2:])
    assert agent.position == (3, 0)
    assert all(step.work == 0 for step in steps[3:])


@each_planner
@each_rule
def test_unreachable_goals_are_refused_and_nearest_goes_as_near_as_it_can(name, rule, costs):
    is_open, _ = read_drawing(DRAWINGS["islands"])
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    planner = wp.build(name, grid)
    label, _ = components(is_open, rule)
    refused = 0
    for start in label:
        for goal in label:
            if label[start] == label[goal]:
                continue
            refused += 1
            agent = planner.agent()
            for ask in (
                lambda s=start, g=goal: planner.path(s, g),
                lambda s=start, g=goal: planner.agent(s, g),
                lambda s=start, g=goal, a=agent: a.reset(wp.Problem(grid.cell(s), grid.cell(g))),
            ):
                with pytest.raises(wp.Unreachable, match="different components"):
                    ask()
    assert refused
    for start in label:
        for goal in np.ndindex(grid.width, grid.height):
            path = planner.path(start, goal, nearest=True)
            expected = nearest(label, rule, costs, label[start], goal)
            rules.check_walk(is_open, rule, path.tolist(), start, expected)


@each_planner
def test_retarget_on_the_way(name):
    is_open = SMALL["rooms"]
    grid = wp.Grid(is_open)
    planner = wp.build(name, grid)
    agent = planner.agent()
    for problem in problems_of(grid)[1:]:
        agent.reset(problem)
        points = [agent.position]
        for place in (problem.start, problem.goal, problem.goal):
            for _ in range(5):
                agent.step()
                points.append(agent.position)
            agent.retarget(grid.xy(place))
        points.extend(agent)
        rules.check_walk(is_open, "both-open", points, grid.xy(problem.start), grid.xy(problem.goal))
    walled = wp.build(name, wp.grid_from_text(".#.")).agent((0, 0), (0, 0))
    with pytest.raises(wp.Unreachable):
        walled.retarget((2, 0))
    with pytest.raises(wp.WaypostError, match="wall"):
        walled.retarget((1, 0))
    walled.retarget((2, 0), nearest=True)
    assert walled.step().status is wp.Status.ARRIVED


@each_planner
def test_an_agent_without_a_problem_says_so(name):
    agent = wp.build(name, wp.grid_from_text("..")).agent()
    for ask in (agent.step, agent.path, lambda: agent.retarget((0, 0))):
        with pytest.raises(wp.WaypostError, match="reset"):
            ask()
    with pytest.raises(wp.WaypostError, match="both a start and a goal"):
        wp.build(name, agent.grid).agent((0, 0))
    for cell in (-1, 0, 10**6, 1.5, (0, 0)):
        with pytest.raises(wp.WaypostError, match="not an open cell"):
            agent.reset(wp.Problem(cell, cell))


@each_planner
def test_two_threads_share_one_planner(name):
    grid = wp.Grid(SMALL["caves"])
    planner = wp.build(name, grid)
    asked = [(grid.xy(p.start), grid.xy(p.goal)) for p in wp.sample_problems(grid, 200, 3)]
    alone = [planner.path(*pair).tolist() for pair in asked]
    with ThreadPoolExecutor(4) as threads:
        together = [path.tolist() for path in threads.map(lambda pair: planner.path(*pair), asked)]
    assert alone == together


@each_planner
def test_a_batch_is_what_single_queries_give(name):
    is_open, _ = read_drawing(DRAWINGS["islands"])
    for grid in (wp.Grid(SMALL["caves"]), wp.Grid(is_open)):
        planner = wp.build(name, grid)
        cells = np.flatnonzero(grid.component)
        random = np.random.default_rng(2)
        starts, goals = (grid.xys(random.choice(cells, 150)) for _ in range(2))
        one, four = (planner.batch(starts, goals, paths=True, threads=n) for n in (1, 4))
        assert np.array_equal(one.costs, four.costs)
        assert np.array_equal(one.offsets, four.offsets)
        assert np.array_equal(one.cells, four.cells)
        assert np.array_equal(planner.batch(starts, goals).costs, one.costs)
        for i, (start, goal) in enumerate(zip(starts, goals, strict=True)):
            if grid.connected(grid.cell(start), grid.cell(goal)):
                assert one.path(i).tolist() == planner.path(start, goal).tolist()
                assert one.lengths[i] == grid.length(one.costs[i])
            else:
                assert one.costs[i] == -1
                assert len(one.path(i)) == 0
                assert np.isnan(one.lengths[i])


@each_planner
def test_running_out_of_moves_is_reported(name):
    grid = wp.grid_from_text("........")
    problem = wp.Problem(grid.cell((0, 0)), grid.cell((7, 0)))
    trace = wp.simulate(wp.build(name, grid).agent(), problem, max_moves=3)
    assert trace.status is wp.Status.OUT_OF_MOVES
    assert trace.moves == 3
    with pytest.raises(wp.WaypostError, match="max_moves"):
        wp.simulate(wp.build(name, grid).agent(), problem, max_moves=-1)


@each_planner
def test_recorded_events_make_a_posthoc_trace(name):
    grid = wp.Grid(SMALL["dead end"])
    planner = wp.build(name, grid)
    trace = wp.simulate(planner.agent(record=True), wp.Problem(grid.cell((0, 3)), grid.cell((9, 3))))
    expanded = np.count_nonzero(trace.events["kind"] == Event.EXPANDED)
    assert expanded == trace.work[:, 0].sum(), "one event for every expansion counted"
    document = json.loads(to_posthoc(trace))
    events = document["events"]
    assert [e["type"] for e in events[:2]] == ["source", "destination"]
    planning = {"expanding", "generating", "updating", "closing", "learning", "targeting"}
    assert {e["type"] for e in events} <= planning | {"source", "destination", "moving"}
    assert all(e.keys() == {"type", "id", "pId", "x", "y", "g", "f"} for e in events)
    seen = {e["id"] for e in events[:2]}
    for e in events[2:]:
        assert grid.cell((e["x"], e["y"])) == e["id"]
        assert e["pId"] is None or e["pId"] in seen
        seen.add(e["id"])
    assert sum(e["type"] == "expanding" for e in events) == sum(e["type"] == "closing" for e in events) == expanded
    assert sum(e["type"] == "moving" for e in events) == trace.moves


@each_planner
def test_recorded_events_survive_a_new_goal(name):
    agent = wp.build(name, wp.Grid(SMALL["rooms"])).agent(record=True)
    (problem,) = wp.sample_problems(agent.grid, 1, 4, min_length=10)
    agent.reset(problem)
    expanded = agent.step().expansions
    agent.retarget(agent.grid.xy(problem.start))
    expanded += agent.step().expansions
    assert np.count_nonzero(agent.take_events()["kind"] == Event.EXPANDED) == expanded
    agent.reset(problem)
    agent.step()
    agent.reset(problem)
    assert len(agent.take_events()) == 0


@each_planner
def test_bounds_hold_at_the_ends_of_every_parameter(name):
    is_open = SMALL["caves"]
    grid = wp.Grid(is_open)
    entry = CATALOG[name]
    for parameter, spec in entry.params.items():
        for part in (0, 0.013, 0.5, 0.987, 0.995, 1):
            value = type(spec.default)(spec.lowest + part * (spec.highest - spec.lowest))
            planner = wp.build(name, grid, **{parameter: value})
            for problem in solve_optimally(grid, problems_of(grid, 20)):
                trace = wp.simulate(planner.agent(), problem)
                if entry.cost_bound:
                    assert trace.cost <= problem.optimal * entry.cost_bound(planner.params) + 1e-6
                if planner.work_bound is not None:  # an index made on demand has no bound
                    assert trace.work.sum(axis=1).max(initial=0) <= planner.work_bound


@each_planner
def test_the_grid_is_not_touched(name):
    grid = wp.Grid(SMALL["comb"])
    before = grid.mask.copy(), grid.component.copy(), grid.fingerprint
    planner = wp.build(name, grid)
    for problem in problems_of(grid):
        wp.simulate(planner.agent(), problem)
    assert np.array_equal(grid.mask, before[0])
    assert np.array_equal(grid.component, before[1])
    assert wp.Grid(SMALL["comb"]).fingerprint == before[2]


@each_planner
def test_parameters_are_checked(name):
    grid = wp.grid_from_text("..")
    entry = CATALOG[name]
    with pytest.raises(wp.WaypostError, match="no parameter called 'wings'"):
        wp.build(name, grid, wings=2)
    for parameter, spec in entry.params.items():
        assert wp.build(name, grid, **{parameter: str(spec.default)}).params[parameter] == spec.default
        for extreme in (spec.lowest, spec.highest):
            planner = wp.build(name, grid, **{parameter: type(spec.default)(extreme)})
            assert planner.path((0, 0), (1, 0)).tolist() == [[0, 0], [1, 0]]
        for bad in (spec.lowest - 1, spec.highest + 1):
            with pytest.raises(wp.WaypostError, match=f"{parameter} of {name} must be from"):
                wp.build(name, grid, **{parameter: type(spec.default)(bad)})
        for bad in ("many", None, True, float("nan"), [1], float("inf")):
            with pytest.raises(wp.WaypostError, match=f"{parameter} of {name} must be"):
                wp.build(name, grid, **{parameter: bad})


@each_planner
def test_the_catalog_line_is_complete(name):
    entry = CATALOG[name]
    assert entry.name == name
    assert entry.title
    assert entry.paper
    assert entry.revision >= 1
    assert entry.real_time == (entry.work_bound is not None)
    assert not entry.optimal or entry.cost_bound
    for spec in entry.params.values():
        assert spec.lowest <= spec.default <= spec.highest
        assert spec.about


@each_planner
def test_a_walk_is_what_stepping_gives(name):
    grid = wp.Grid(SMALL["rooms"])
    planner = wp.build(name, grid)
    agent = planner.agent()
    for problem in problems_of(grid):
        stepped, walked = (wp.simulate(agent, problem, each_move=each) for each in (True, False))
        assert walked.status is stepped.status is wp.Status.ARRIVED
        assert np.array_equal(walked.cells, stepped.cells)
        assert np.array_equal(walked.work, stepped.work)
        assert walked.memory == stepped.memory
        for few in (0, 1, stepped.moves // 2):
            agent.reset(problem)
            part = agent.walk(few)
            assert len(part.cells) == min(few, stepped.moves) + 1
            rest = agent.walk()
            assert np.array_equal(np.concatenate([part.cells[:-1], rest.cells]), stepped.cells)
            assert np.array_equal(np.concatenate([part.work, rest.work]), stepped.work)
        cells, values = agent.learned()
        assert cells.size == values.size
        assert (cells.size > 0) <= planner.entry.learns
        if planner.index is None:
            assert cells.size == stepped.memory.learned
        else:  # what was learned about a subgoal is forgotten when it is reached, and stays counted
            assert cells.size <= stepped.memory.learned
        assert (np.diff(cells) > 0).all()


@each_planner
def test_giving_up_is_said(name):
    grid = wp.grid_from_text("........")
    planner = wp.build(name, grid)
    with pytest.raises(wp.OutOfMoves, match="within 3 moves"):
        planner.path((0, 0), (7, 0), max_moves=3)
    ends = [[(0, 0), (0, 0)], [(7, 0), (1, 0)]]
    for paths in (True, False):
        assert planner.batch(*ends, max_moves=3, paths=paths).costs.tolist() == [-2, grid.costs.straight]
    with pytest.raises(wp.WaypostError, match="max_moves"):
        planner.path((0, 0), (7, 0), max_moves=-1)
    agent = planner.agent((0, 0), (7, 0))
    for bad in (-1, 2.5, None, True, "3"):
        with pytest.raises(wp.WaypostError, match="max_moves must be a whole number"):
            agent.walk(bad)
