import math

import numpy as np
import pytest

import waypost as wp
from waypost.metrics import METRICS, gppc_row
from waypost.step import Memory


@pytest.fixture
def trace():
    """Two cells east, one back, one diagonal: 4 moves of 3 + sqrt 2, where 1 + sqrt 2 would do."""
    grid = wp.Grid(np.ones((3, 4), bool))
    cells = [grid.cell(p) for p in [(0, 0), (1, 0), (2, 0), (1, 0), (2, 1)]]
    return wp.Trace(
        grid=grid,
        problem=wp.Problem(cells[0], cells[-1], optimal=5741 + 8119),
        status=wp.Status.ARRIVED,
        cells=np.array(cells, np.int32),
        total_ns=8000,
        move_ns=np.array([4000, 1000, 2000, 1000]),
        work=np.array([[5, 0, 1, 1, 1], [2, 0, 0, 0, 0], [0, 2, 0, 1, 0], [0, 0, 0, 0, 0]]),
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
            "move_us_max": 4.0,
            "first_move_us": 4.0,
            "total_us": 8.0,
            "expansions": 7,
            "expansions_per_move_mean": 7 / 4,
            "work_per_move_mean": 13 / 4,
            "work_per_move_max": 8,
            "revisits": 1,
            "learned_states": 3,
            "online_states": 12,
            "online_kb": 12 * 4 / 1024,
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


def test_gppc_row_of_a_run_that_did_not_arrive(trace):
    row = gppc_row(wp.Trace(**{**vars(trace), "status": wp.Status.OUT_OF_MOVES}), "a.map", "a.scen", 0)
    assert row[3] == float(row[4]) == 0


def test_gppc_row(trace):
    row = gppc_row(trace, "a.map", "a.scen", 7)
    assert row[:4] == ("a.map", "a.scen", 7, 5)
    assert [float(value) for value in row[4:]] == pytest.approx(
        [3 + math.sqrt(2), 1 + math.sqrt(2), 8e-6, 8e-6, 4e-6], rel=1e-6
    )
