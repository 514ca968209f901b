"""What indexes say they would take, beside what they take; and what their parameters cost."""

import re
from itertools import pairwise

import numpy as np
import pytest

import waypost as wp
from waypost.catalog import CATALOG, check_params
from waypost.indexes.forecast import OFF, shape_of
from waypost.tuning.resident import resident_bytes
from waypost.tuning.space import Candidate, candidates, cut, ladder

MAPS = ("maze", "rooms")
SMALL_BYTES, SMALL_SECONDS = 4096, 0.3
"""Below these nobody is out for what a formula says."""
SLOW = {"trees": {"goals_kept": 0}, "lrta-dt-g": {"problems": 10}}
STEPPED = [
    (name, param)
    for name, entry in CATALOG.items()
    for param in entry.params
    if len(ladder(entry, param)) > 1 and entry.params[param].steps
]


@pytest.fixture(scope="module")
def grids():
    return {name: wp.load_map(name) for name in MAPS}


def built(name, grid, **params):
    return wp.build(wp.PlannerName(name), grid, threads=1, progress=False, **params)


@pytest.mark.parametrize("map_name", MAPS)
@pytest.mark.parametrize("name", [name for name, entry in CATALOG.items() if entry.index])
def test_forecasts_are_near_the_truth(name, map_name, grids):
    """Of each index of ours, on maps that the formulas were not made for alone."""
    grid, given = grids[map_name], SLOW.get(name, {})
    entry = CATALOG[name]
    found = entry.index.forecast(shape_of(grid), entry.offline(check_params(entry, given)))
    assert found is not None
    planner = built(name, grid, **given)
    truth = max(resident_bytes(planner), SMALL_BYTES)
    assert truth / OFF <= max(found.bytes, SMALL_BYTES) <= truth * OFF
    assert found.least_seconds <= planner.facts["build_seconds"] + SMALL_SECONDS


def test_nothing_is_said_where_nothing_is_known(grids):
    shape = shape_of(grids["maze"])
    assert CATALOG["trees"].index.forecast(shape, {"climb_exits": 0, "goals_kept": 10}) is None
    assert CATALOG["hub"].index.forecast(shape._replace(diagonals="always"), {}) is None
    assert Candidate(CATALOG["astar"], ()).forecast(shape) == (0, 0)


def test_corners_are_counted():
    shape = shape_of(wp.grid_from_text(".....\n.#...\n.....\n...##\n....."))
    assert shape == (22, 7 * 7, 4 + 2, "both-open")


@pytest.mark.parametrize(("name", "param"), STEPPED)
def test_each_step_costs_no_less(name, param, grids):
    """In bytes of the index or in the declared work of a move, else in expansions over problems."""
    entry, grid = CATALOG[name], grids["rooms"]
    steps = entry.params[param].steps
    costs = [cost_of(name, grid, param, value) for value in steps]
    slack = 1.02 if entry.work_bound is None or entry.params[param].offline else 1.0
    assert all(after * slack >= before for before, after in pairwise(costs)), costs


def cost_of(name, grid, param, value):
    planner = built(name, grid, **{param: value})
    if planner.entry.params[param].offline:
        return planner.index_bytes
    if planner.work_bound is not None:
        return planner.work_bound
    runs = [wp.simulate(planner.agent(), problem) for problem in wp.sample_problems(grid, 20)]
    return sum(int(np.sum(run.work)) for run in runs)


def test_settings_worth_trying():
    entry = CATALOG["dba"]
    found = list(candidates(entry))
    assert not found[0].given
    assert len(found) == len(set(found)) == len(ladder(entry, "sector")) * 4 * 3 * 2
    assert found[0].but("sector", 8).table == {"name": "dba", "index": {"sector": 8}}
    assert found[0].but("ahead", 0).table == {"name": "dba", "ahead": 0}
    assert found[0].but("ahead", 0).offline == found[0].offline
    assert sum(1 for entry in CATALOG.values() for _ in candidates(entry)) <= 400


@pytest.mark.parametrize(
    ("name", "limits", "reason"),
    [
        ("astar", {"response_work": 100}, "is not real-time"),
        ("astar", {"agents": 2}, "has no fleets, and there are 2 agents"),
        ("dba", {"edits": True}, "does not repair after an edit of the map"),
        ("lss", {"response_work": 100}, "a move may cost 577 units of work"),
        ("trees", {"memory": "1MB"}, "needs some .*MB by its formula"),
        ("trees", {"build": "10ms"}, "to build by its formula"),
        ("dba", {"memory": "1MB", "agents": 5000, "response_work": 100_000}, None),
        ("lss", {"edits": True, "response_us": 1}, None),
    ],
)
def test_hopeless_ones_are_cut_with_a_reason(name, limits, reason, grids):
    found = cut(next(candidates(CATALOG[name])), wp.Limits(**limits).bounds, shape_of(grids["rooms"]), 2)
    if reason is None:
        assert found is None
    else:
        assert found is not None
        assert re.search(reason, found.reason)
