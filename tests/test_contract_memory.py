"""No planner of the catalog takes memory by its parameters alone: on a small map, it takes little."""

import tracemalloc

import numpy as np
import pytest

import waypost as wp
from waypost.catalog import CATALOG

MAPS = {"two cells": wp.grid_from_text(".."), "a hall": wp.Grid(np.ones((17, 19), bool))}
LARGEST = [
    (name, param, type(settings.default)(settings.highest))
    for name, entry in CATALOG.items()
    for param, settings in entry.params.items()
]
MOST_BYTES = 32_000_000
# Each of these is stored or made, whatever the map: what is asked for, and not a room that may be needed.
BYTES_EACH = {"records": 100}
QUICKLY = {
    "trees": {"goals_kept": 1}, "knn": {"records": 10}, "knn-2009": {"records": 10}, "lrta-dt-g": {"problems": 1},
}  # fmt: skip


def use(planner, grid):
    """Every kind of thing that a planner makes, once."""
    start, goal = (0, 0), (grid.width - 1, grid.height - 1)
    for record in (False, True):
        agent = planner.agent(start, goal, record=record)
        agent.walk(3)
        agent.take_events()
    planner.path(start, goal)
    if planner.entry.walks:
        planner.fleet([start], [goal], threads=1).tick()


@pytest.mark.parametrize("grid", MAPS.values(), ids=MAPS)
@pytest.mark.parametrize(("name", "param", "value"), LARGEST, ids=str)
def test_the_largest_value_of_a_parameter(grid, name, param, value):
    use(wp.build(name, grid), grid)  # so that nothing is compiled or imported below
    most = MOST_BYTES + int(BYTES_EACH.get(param, 0) * value)
    tracemalloc.start()
    try:
        use(wp.build(name, grid, threads=1, **{param: value}), grid)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken < most


@pytest.mark.parametrize("shape", [(1, 3000), (3000, 1)])
@pytest.mark.parametrize(("name", "param", "value"), LARGEST, ids=str)
def test_an_agent_in_a_corridor(shape, name, param, value):
    """Room goes by the cells of the map, not by the square of its longer side."""
    if CATALOG[name].params[param].offline and param not in ("cap", "deepest"):
        return
    planner = wp.build(name, wp.Grid(np.ones(shape, bool)), threads=1, **{param: value, **QUICKLY.get(name, {})})
    tracemalloc.start()
    try:
        planner.agent()
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken < MOST_BYTES


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("lrta", {"depth": 100}),
        ("lrts", {"depth": 100}),
        ("lrta-cost", {"horizon": 100.0}),
        ("dlrta", {"level": 1, "deepest": 100}),
        ("lrta-pdb-g", {"level": 1, "cap": 10_000}),
        ("lrta-oracle-g", {"deepest": 50}),
    ],
)
def test_the_room_for_events_suffices_on_every_map(name, params):
    """Nothing is lost where the map, and not the depth of the lookahead, decides how much is recorded."""
    for seed in range(6):
        is_open = np.random.default_rng(seed).random((12, 14)) < (0.55, 0.7, 0.9)[seed % 3]
        for rule in ("both-open", "always", "never"):
            grid = wp.Grid(is_open, diagonals=rule, costs=("sqrt2", "1.4")[seed % 2])
            planner = wp.build(name, grid, threads=1, **params)
            agent = planner.agent(record=True)
            for problem in wp.sample_problems(grid, 3, seed):
                agent.reset(problem)
                for _ in range(5):
                    agent.step()
                    assert agent.take_events().size < len(agent.events)


def test_more_events_than_are_recorded(monkeypatch):
    monkeypatch.setattr("waypost.planners.learning.agent.MOST_EVENTS", 50)
    planner = wp.build("lrta", MAPS["a hall"], depth=9)
    agent = planner.agent((0, 0), (18, 16), record=True)
    with pytest.raises(wp.WaypostError, match="a move has 50 search events or more, too many to record"):
        agent.step()
    with pytest.raises(wp.WaypostError, match="no problem yet"):
        agent.step()
    assert planner.path((0, 0), (18, 16)).size
