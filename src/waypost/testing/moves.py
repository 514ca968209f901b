"""Checks of what a planner does: legal moves, arriving, its bounds, recording, and the same again."""

import json
from functools import cache
from itertools import product

import numpy as np

from waypost.agents.step import RunStatus, Step
from waypost.agents.trace import Event, to_posthoc
from waypost.errors import Unreachable
from waypost.maps.text import grid_from_text
from waypost.runs.simulation import simulate
from waypost.testing.oracle import rules
from waypost.testing.oracle.dijkstra import all_costs
from waypost.testing.oracle.flood import components, nearest
from waypost.testing.oracle.rules import Place
from waypost.testing.subject import MOST_MOVES, Subject, problems_of, refused
from waypost.testing.worlds import RULES, drawn
from waypost.world.grid import Grid
from waypost.world.problem import Problem, sample_problems, solve_optimally

__all__ = ["CHECKS"]


def arrives_by_legal_moves_within_its_bounds(subject: Subject) -> None:
    """On all maps, under all rules and costs: judged by rules and by a Dijkstra in plain Python."""
    for (title, is_open), (rule, costs) in subject.some_of(list(product(subject.maps.items(), RULES))):
        grid = Grid(is_open, diagonals=rule, costs=costs)
        planner = subject.build(grid)
        entry, agent = planner.entry, planner.agent()
        where = f"on {title}, {rule}, {costs}"
        for problem in problems_of(grid):
            trace = simulate(agent, problem, max_moves=MOST_MOVES)
            start, goal = grid.xy(problem.start), grid.xy(problem.goal)
            points = grid.xys(trace.cells).tolist()
            rules.check_walk(is_open, rule, points, start, goal if entry.complete else points[-1])
            assert trace.cost == rules.walk_cost(rule, costs, points), where
            if planner.work_bound is not None:
                assert trace.work.sum(axis=1).max(initial=0) <= planner.work_bound, f"works beyond its bound {where}"
            if not entry.complete:
                continue
            assert trace.status is RunStatus.ARRIVED, f"does not arrive {where}"
            optimum = _optima(is_open.tobytes(), is_open.shape, rule, costs, start)[goal]
            assert trace.cost >= optimum, where
            if entry.cost_bound:
                assert trace.cost <= optimum * entry.cost_bound(planner.params) + 1e-9, (
                    f"costs beyond its bound {where}"
                )
            if entry.optimal:
                assert trace.cost == optimum, f"is not optimal {where}: {start} to {goal}"


@cache  # the same for all planners
def _optima(is_open: bytes, shape: tuple[int, int], rule: str, costs: str, start: Place) -> dict[Place, int]:
    return all_costs(np.frombuffer(is_open, bool).reshape(shape).tolist(), rule, costs, start)


def makes_the_same_run_again(subject: Subject) -> None:
    """Run again, run with recording, as a path and by iterating."""
    for grid in subject.grids():
        planner = subject.build(grid)
        agent, other = planner.agent(), planner.agent(record=True)
        for problem in problems_of(grid) * 2:
            first, second, recorded = (simulate(a, problem, max_moves=MOST_MOVES) for a in (agent, agent, other))
            assert np.array_equal(first.cells, second.cells), "another run made other moves"
            assert np.array_equal(first.work, second.work), "another run took other work"
            assert np.array_equal(first.cells, recorded.cells), "recording changed the moves"
            assert np.array_equal(first.work, recorded.work), "recording changed the work"
            if first.status is not RunStatus.ARRIVED:
                continue
            ends = grid.xy(problem.start), grid.xy(problem.goal)
            path = planner.path(*ends)
            assert np.array_equal(path, grid.xys(first.cells)), "path() and stepping differ"
            assert list(planner.agent(*ends)) == [tuple(point) for point in path[1:].tolist()], "iterating differs"


def stays_where_start_is_goal(subject: Subject) -> None:
    """A path of one cell, and no move."""
    grid = grid_from_text("..#\n...")
    planner = subject.build(grid)
    assert planner.path((1, 1), (1, 1)).tolist() == [[1, 1]]
    agent = planner.agent((1, 1), (1, 1))
    assert list(agent) == []
    assert agent.step() == Step(grid.cell((1, 1)), RunStatus.ARRIVED)


def stays_when_it_has_arrived(subject: Subject) -> None:
    """Further steps neither move nor work."""
    agent = subject.build(grid_from_text("....")).agent((0, 0), (3, 0))
    steps = [agent.step() for _ in range(6)]
    assert [agent.grid.xy(step.cell) for step in steps] == [(1, 0), (2, 0), (3, 0), (3, 0), (3, 0), (3, 0)]
    assert [step.status for step in steps[:2]] == [RunStatus.MOVING] * 2
    assert all(step.status is RunStatus.ARRIVED for step in steps[2:])
    assert agent.position == (3, 0)
    assert all(step.work == 0 for step in steps[3:])


def refuses_unreachable_goals_and_goes_as_near_as_it_can(subject: Subject) -> None:
    """All pairs of cells on islands."""
    is_open = drawn("islands")
    for rule, costs in RULES:
        grid = Grid(is_open, diagonals=rule, costs=costs)
        planner = subject.build(grid)
        label, _ = components(is_open, rule)
        agent = planner.agent()
        for start, goal in product(label, label):
            if label[start] != label[goal]:
                with refused("different components", Unreachable):
                    planner.path(start, goal)
                with refused("different components", Unreachable):
                    agent.reset(Problem(grid.cell(start), grid.cell(goal)))
        for start in label:
            for goal in np.ndindex(grid.width, grid.height):
                path = planner.path(start, goal, nearest=True)
                expected = nearest(label, rule, costs, label[start], goal)
                rules.check_walk(is_open, rule, path.tolist(), start, expected)


def takes_a_new_goal_on_the_way(subject: Subject) -> None:
    """Back to the start and on again."""
    grid = Grid(subject.is_open)
    agent = subject.build(grid).agent()
    for problem in problems_of(grid)[1:]:
        agent.reset(problem)
        points = [agent.position]
        for place in (problem.start, problem.goal, problem.goal):
            for _ in range(5):
                agent.step()
                points.append(agent.position)
            agent.retarget(grid.xy(place))
        points.extend(agent)
        rules.check_walk(grid.is_open, "both-open", points, grid.xy(problem.start), grid.xy(problem.goal))
    walled = subject.build(grid_from_text(".#.")).agent((0, 0), (0, 0))
    with refused("different components", Unreachable):
        walled.retarget((2, 0))
    with refused("wall"):
        walled.retarget((1, 0))
    walled.retarget((2, 0), nearest=True)
    assert walled.step().status is RunStatus.ARRIVED


def says_that_it_is_out_of_moves(subject: Subject) -> None:
    """By its status, and by an error where a path was wanted."""
    grid = grid_from_text("........")
    planner = subject.build(grid)
    trace = simulate(planner.agent(), Problem(grid.cell((0, 0)), grid.cell((7, 0))), max_moves=3)
    assert trace.status is RunStatus.OUT_OF_MOVES
    assert trace.moves == 3
    with refused("within 3 moves"):
        planner.path((0, 0), (7, 0), max_moves=3)
    for paths in (True, False):
        batch = planner.batch([(0, 0), (0, 0)], [(7, 0), (1, 0)], max_moves=3, paths=paths)
        assert batch.costs.tolist() == [-2, grid.costs.straight]


def records_what_it_counts(subject: Subject) -> None:
    """One event for every expansion, in a trace that Posthoc can show; or nothing at all."""
    grid = Grid(drawn("dead end"))
    trace = simulate(subject.build(grid).agent(record=True), Problem(grid.cell((0, 3)), grid.cell((9, 3))))
    expanded = np.count_nonzero(trace.events["kind"] == Event.EXPANDED)
    if not trace.events.size:
        return
    assert expanded == trace.work[:, 0].sum(), "one event for every expansion counted"
    events = json.loads(to_posthoc(trace))["events"]
    assert [e["type"] for e in events[:2]] == ["source", "destination"]
    planning = {"expanding", "generating", "updating", "closing", "learning", "targeting"}
    assert {e["type"] for e in events} <= planning | {"source", "destination", "moving"}
    assert all(e.keys() == {"type", "id", "pId", "x", "y", "g", "f"} for e in events)
    seen = {e["id"] for e in events[:2]}
    for e in events[2:]:
        assert grid.cell((e["x"], e["y"])) == e["id"]
        assert e["pId"] is None or e["pId"] in seen, "an event's parent was not seen before"
        seen.add(e["id"])
    assert sum(e["type"] == "expanding" for e in events) == sum(e["type"] == "closing" for e in events) == expanded
    assert sum(e["type"] == "moving" for e in events) == trace.moves


def keeps_events_when_its_goal_changes(subject: Subject) -> None:
    """But not when it is reset."""
    agent = subject.build(Grid(drawn("rooms"))).agent(record=True)
    (problem,) = sample_problems(agent.grid, 1, 4, min_length=10)
    agent.reset(problem)
    expanded = agent.step().expansions
    agent.retarget(agent.grid.xy(problem.start))
    expanded += agent.step().expansions
    events = agent.take_events()
    assert not events.size or np.count_nonzero(events["kind"] == Event.EXPANDED) == expanded
    agent.reset(problem)
    agent.step()
    agent.reset(problem)
    assert len(agent.take_events()) == 0


def keeps_its_bounds_at_the_ends_of_every_parameter(subject: Subject) -> None:
    """And between them."""
    grid = Grid(subject.is_open)
    problems = list(solve_optimally(grid, problems_of(grid, 20)))
    for number, (parameter, spec) in enumerate(subject.entry.params.items()):
        for part in (0, 1, *subject.some_of((0.013, 0.5, 0.987, 0.995), number)):
            value = type(spec.default)(spec.lowest + part * (spec.highest - spec.lowest))
            planner = subject.build(grid, **{parameter: value})
            for problem in subject.some_of(problems):
                trace = simulate(planner.agent(), problem, max_moves=MOST_MOVES)
                if planner.entry.cost_bound and problem.optimal is not None:
                    most = problem.optimal * planner.entry.cost_bound(planner.params)
                    assert trace.cost <= most + 1e-6, f"costs beyond its bound with {parameter}={value}"
                if planner.work_bound is not None:
                    worked = trace.work.sum(axis=1).max(initial=0)
                    assert worked <= planner.work_bound, f"works beyond its bound with {parameter}={value}"


def does_not_touch_the_grid(subject: Subject) -> None:
    """Which is shared by all."""
    grid = Grid(subject.is_open)
    before = grid.mask.copy(), grid.component.copy()
    planner = subject.build(grid)
    for problem in problems_of(grid):
        simulate(planner.agent(), problem, max_moves=MOST_MOVES)
    assert np.array_equal(grid.mask, before[0])
    assert np.array_equal(grid.component, before[1])


CHECKS = (
    arrives_by_legal_moves_within_its_bounds,
    makes_the_same_run_again,
    stays_where_start_is_goal,
    stays_when_it_has_arrived,
    refuses_unreachable_goals_and_goes_as_near_as_it_can,
    takes_a_new_goal_on_the_way,
    says_that_it_is_out_of_moves,
    records_what_it_counts,
    keeps_events_when_its_goal_changes,
    keeps_its_bounds_at_the_ends_of_every_parameter,
    does_not_touch_the_grid,
)
