import math

import numpy as np
import pytest

import waypost as wp
from waypost.agents.step import Memory
from waypost.runs.metrics import METRICS, IndexFacts, Tally, gppc_csv, gppc_rows


@pytest.fixture
def trace():
    """Two cells east, one back, one diagonal: 4 moves of 3 + sqrt 2, where 1 + sqrt 2 would do."""
    grid = wp.Grid(np.ones((3, 4), bool))
    cells = [grid.cell(p) for p in [(0, 0), (1, 0), (2, 0), (1, 0), (2, 1)]]
    return wp.Trace(
        grid=grid,
        problem=wp.Problem(cells[0], cells[-1], optimal=5741 + 8119),
        status=wp.RunStatus.ARRIVED,
        cells=np.array(cells, np.int32),
        total_ns=8000,
        move_ns=np.array([4000, 1000, 2000, 1000]),
        work=np.array([[5, 0, 1, 1, 1], [2, 0, 0, 0, 0], [0, 2, 0, 1, 0], [0, 0, 0, 0, 0]], np.int32),
        memory=Memory(open=8, closed=1, learned=3),
    )


def test_every_metric(trace):
    root = math.sqrt(2)
    assert {name: metric.of(trace) for name, metric in METRICS.items()} == pytest.approx(
        {
            "length_cells": 3 + root,
            "suboptimality_percent": 100 * ((3 + root) / (1 + root) - 1),
            "moves": 4,
            "move_us_mean": 2.0,
            "move_us_p99": 4.0,
            "move_us_max": 4.0,
            "first_move_us": 4.0,
            "first_20_moves_us": 8.0,
            "total_us": 8.0,
            "expansions": 7,
            "expansions_per_move_mean": 7 / 4,
            "expansions_per_move_max": 5,
            "updates_per_move_mean": 2 / 4,
            "updates_per_move_max": 2,
            "climbs_per_move_mean": 1 / 4,
            "climbs_per_move_max": 1,
            "probes_per_move_mean": 2 / 4,
            "probes_per_move_max": 1,
            "growth_per_move_mean": 1 / 4,
            "growth_per_move_max": 1,
            "work_per_move_mean": 13 / 4,
            "work_per_move_max": 8,
            "revisits": 1,
            "learned_states": 3,
            "online_states": 12,
            "online_kb": 12 * 4 / 1024,
            "index_bytes": 0,
            "index_relative_size": 0,
            "cumulative_kb": 12 * 4 / 1024,
            "build_seconds": 0,
        },
        rel=1e-6,
    )
    assert all(metric.better in ("lower", "higher") for metric in METRICS.values())


def test_metrics_of_standing_still():
    grid = wp.grid_from_text(".")
    problem = wp.Problem(grid.cell((0, 0)), grid.cell((0, 0)), optimal=0)
    trace = wp.simulate(wp.build("astar", grid).agent(), problem)
    assert {metric.of(trace) for metric in METRICS.values()} == {0.0}


def test_suboptimality_needs_an_optimum(trace):
    unknown = wp.Problem(trace.problem.start, trace.problem.goal)
    assert math.isnan(METRICS["suboptimality_percent"].of(wp.Trace(**{**vars(trace), "problem": unknown})))


def test_an_index_is_counted_with_every_run(trace):
    runs = Tally.of([trace, trace], IndexFacts(bytes=2048, states=6, build_seconds=1.5))
    assert METRICS["index_bytes"].over(runs).tolist() == [2048, 2048]
    assert METRICS["index_relative_size"].over(runs).tolist() == [0.5, 0.5]  # of all 12 cells
    assert METRICS["cumulative_kb"].over(runs).tolist() == [2 + 12 * 4 / 1024] * 2
    assert METRICS["build_seconds"].over(runs).tolist() == [1.5, 1.5]


def test_runs_together_are_the_runs_one_by_one():
    grid = wp.load_map("rooms")
    agent = wp.build("wastar", grid).agent()
    problems = wp.sample_problems(grid, 30, seed=4)
    stand = wp.Problem(problems[0].start, problems[0].start, 0)
    traces = [wp.simulate(agent, problem) for problem in [stand, *problems[:15], stand, stand, *problems[15:], stand]]
    together = Tally.of(traces)
    for metric in METRICS.values():
        one_by_one = [metric.of(trace) for trace in traces]
        assert metric.over(together).tolist() == pytest.approx(one_by_one, nan_ok=True), metric.name


def test_the_99th_percentile_of_a_long_run_is_not_its_longest_move(trace):
    grid = wp.Grid(np.ones((1, 301), bool))
    move_ns = np.arange(1, 301) * 1000
    trace = wp.Trace(
        grid=grid,
        problem=wp.Problem(grid.cell((0, 0)), grid.cell((300, 0))),
        status=wp.RunStatus.ARRIVED,
        cells=np.array([grid.cell((x, 0)) for x in range(301)], np.int32),
        total_ns=int(move_ns.sum()),
        move_ns=move_ns,
        work=np.zeros((300, 5), np.int32),
    )
    values = {name: METRICS[name].of(trace) for name in ("move_us_p99", "move_us_max", "first_20_moves_us")}
    assert values == {"move_us_p99": 297, "move_us_max": 300, "first_20_moves_us": 210}


def test_times_of_moves_are_unknown_where_only_walks_were_timed():
    grid = wp.grid_from_text("....")
    problem = wp.Problem(grid.cell((0, 0)), grid.cell((3, 0)))
    trace = wp.simulate(wp.build("astar", grid).agent(), problem, each_move=False)
    for name, metric in METRICS.items():
        unknown = name in ("move_us_p99", "move_us_max", "first_move_us", "first_20_moves_us", "suboptimality_percent")
        assert math.isnan(metric.of(trace)) == unknown, name


def gppc_row(trace, *names_and_number):
    *names, number = names_and_number
    (row,) = gppc_rows(*names, [number], Tally.of([trace]).columns())
    return row


def test_gppc_row_of_a_run_that_did_not_arrive(trace):
    row = gppc_row(wp.Trace(**{**vars(trace), "status": wp.RunStatus.OUT_OF_MOVES}), "a.map", "a.scen", 0)
    assert row[3] == float(row[4]) == 0


def test_gppc_row(trace):
    row = gppc_row(trace, "a.map", "a.scen", 7)
    assert row[:4] == ("a.map", "a.scen", 7, 5)
    assert [float(value) for value in row[4:]] == pytest.approx(
        [3 + math.sqrt(2), 1 + math.sqrt(2), 8e-6, 8e-6, 4e-6], rel=1e-6
    )


def test_gppc_file(trace):
    content = gppc_csv([gppc_row(trace, "a.map", "a.scen", 7)]).decode()
    head, row, end = content.split("\n")
    assert head.startswith("map,scen,experiment_id,path_size,")
    assert row.startswith("a.map,a.scen,7,5,")
    assert end == ""
