"""Copies and pickles: independent of the original, and as far on their way."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import waypost as wp
from tests.support.small_maps import SMALL
from tests.support.worlds import some_params
from waypost import fleet as fleets
from waypost.catalog import CATALOG
from waypost.errors import IndexFileError
from waypost.kernels.compiling import ENTRY_POINTS
from waypost.testing.fleets import check_copy

each_planner = pytest.mark.parametrize("name", CATALOG)
each_walking = pytest.mark.parametrize("name", [name for name, entry in CATALOG.items() if entry.walks])


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own


each_way = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])


def signatures():
    return {f"{kernel.__module__}.{kernel.__name__}": len(kernel.signatures) for kernel in ENTRY_POINTS}


def walked(agent, most=3000):
    return [step.cell for step, _ in zip(iter(agent.step, None), range(most), strict=False)]


@each_planner
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copied_agent_goes_its_own_way(name, copied):
    """Copied anywhere on its way, both go on as if alone; then one gets another goal, and the other none."""
    random = np.random.default_rng(7)
    for settings in range(6):
        grid = wp.Grid(SMALL["caves" if settings % 2 else "rooms"])
        planner = wp.build(name, grid, **some_params(random, CATALOG[name]) if settings else {})
        first, second = wp.sample_problems(grid, 2, settings, min_length=8)
        alone, agent = planner.agent(record=settings == 5), planner.agent(record=settings == 5)
        for made in (0, 1, 3, 6):
            for each in (alone, agent):
                each.reset(first)
                for _ in range(made):
                    each.step()
            twin = copied(agent)
            assert twin.position == alone.position
            expected = walked(alone, 300)
            twin.step()
            assert walked(agent, 300) == expected
            assert walked(twin, 299) == expected[1:]
            twin.reset(second)
            alone.reset(second)
            assert walked(twin, 300) == walked(alone, 300)
            assert agent.goal == first.goal


@each_planner
def test_a_copied_agent_shares_what_never_changes(name):
    planner = wp.build(name, wp.Grid(SMALL["caves"]))
    (problem,) = wp.sample_problems(planner.grid, 1, 3, min_length=8)
    agent = planner.agent()
    agent.reset(problem)
    agent.walk(3)
    before = signatures()
    twin = copy.copy(agent)
    assert twin.grid is agent.grid
    twin.step()
    twin.path(10_000)
    twin.reset(problem)
    twin.path(10_000)
    assert all(before[kernel] == count or before[kernel] == 0 for kernel, count in signatures().items()), (
        "compiled again"
    )


@each_planner
def test_an_agent_says_that_it_cannot_be_pickled(name):
    agent = wp.build(name, wp.grid_from_text("..")).agent((0, 0), (1, 0))
    with pytest.raises(wp.WaypostError, match="an agent cannot be pickled; pickle its planner"):
        pickle.dumps(agent)


@each_planner
@each_way
def test_a_copied_planner_makes_the_same_moves(name, copied):
    random = np.random.default_rng(8)
    for settings in range(3):
        grid = wp.Grid(SMALL["caves"], diagonals="one-open" if settings == 2 else "both-open")
        planner = wp.build(name, grid, **some_params(random, CATALOG[name]) if settings else {})
        before = signatures()
        twin = copied(planner)
        assert (twin.entry, twin.params, twin.facts) == (planner.entry, planner.params, planner.facts)
        assert twin.grid.fingerprint == grid.fingerprint
        if planner.index is not None:
            for array, other in ((planner.index.arrays[n], twin.index.arrays[n]) for n in planner.index.arrays):
                assert array.dtype == other.dtype
                assert np.array_equal(array, other)
                assert not other.flags.writeable
        problems = wp.sample_problems(grid, 5, settings)
        for problem in problems:
            one, other = planner.agent(), twin.agent()
            one.reset(problem)
            other.reset(problem)
            assert np.array_equal(one.walk(2000).cells, other.walk(2000).cells)
        assert all(before[k] == n or before[k] == 0 for k, n in signatures().items()), "compiled again"


@each_planner
def test_a_pickled_planner_is_checked_as_a_file_is(name):
    planner = wp.build(name, wp.Grid(SMALL["rooms"]))
    if planner.index is None:
        return
    restore, (name, grid, params, index, *others) = planner.__reduce__()
    damaged = bytearray(index)
    damaged[-3] ^= 1
    with pytest.raises(IndexFileError, match=f"the pickled index of {name} is damaged"):
        restore(name, grid, params, bytes(damaged), *others)
    if not planner.entry.index.any_map:
        with pytest.raises(IndexFileError, match="built for another map"):
            restore(name, wp.Grid(SMALL["caves"]), params, index, *others)


def test_a_pickled_planner_works_in_another_process():
    """As workers that are started again do it."""
    planner = wp.build("dba", wp.load_map("caves"))
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer).path((122, 17), (44, 81)).tolist())"
    told = subprocess.run([sys.executable, "-c", script], input=pickle.dumps(planner), capture_output=True, check=True)
    assert told.stdout.decode().strip() == str(planner.path((122, 17), (44, 81)).tolist())


@each_way
def test_a_copied_grid_is_the_same_map(copied):
    for rule, costs in (("both-open", "sqrt2"), ("always", "1.4"), ("never", "sqrt2")):
        grid = wp.Grid(SMALL["islands"], diagonals=rule, costs=costs)
        twin = copied(grid)
        assert twin.fingerprint == grid.fingerprint
        assert repr(twin) == repr(grid)
        assert np.array_equal(twin.mask, grid.mask)
        assert not twin.mask.flags.writeable


@each_walking
@each_way
def test_a_copied_fleet_of_several_troops_goes_on_by_itself(name, copied, monkeypatch):
    monkeypatch.setattr(fleets, "TROOP_SHIFT", 5)
    monkeypatch.setattr(fleets, "TROOP", 32)
    random = np.random.default_rng(9)
    for settings in range(4):
        grid = wp.Grid(SMALL["caves" if settings % 2 else "rooms"])
        check_copy(wp.build(name, grid, **some_params(random, CATALOG[name]) if settings else {}), copied)


@each_way
def test_an_empty_fleet_can_be_copied(copied):
    twin = copied(wp.build("dba", wp.grid_from_text("...")).fleet())
    assert twin.bytes == 0
    twin.add([(0, 0)], (2, 0))
    assert twin.tick().moved == 1
