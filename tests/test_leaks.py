"""Memory that compiled code takes is given back: a planner that is built, used and dropped leaves nothing behind."""

import gc

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

import waypost as wp
from tests.support.small_maps import SMALL
from tests.support.worlds import few
from waypost.catalog import CATALOG

FEW = {"records": 40, "problems": 3}


def live_and_die(name, folder):
    """All that makes a planner's kernels take memory, several times."""
    grid = wp.Grid(SMALL["caves"])
    small = {param: value for param, value in FEW.items() if param in CATALOG[name].params}
    presets = few([{}, *({"preset": preset} for preset in CATALOG[name].presets)], 1)
    problems = wp.sample_problems(grid, 5, 1)
    starts, goals = ([grid.xy(getattr(p, end)) for p in problems] for end in ("start", "goal"))
    for params in presets:
        planner = wp.build(name, grid, threads=1, **small, **params)
        if planner.index is not None:
            planner.save(folder / "a.waypost")
            planner = wp.load(folder / "a.waypost", grid)
        _ = planner.work_bound
        for record in (False, True):
            agent = planner.agent(record=record)
            for problem in problems:
                agent.reset(problem)
                agent.step()
                agent.walk(300)
                agent.take_events()
                agent.learned()
        planner.batch(starts, goals, paths=True, threads=1, max_moves=300)
        if planner.entry.walks:
            fleet = planner.fleet(starts, goals, threads=1)
            for _ in range(20):
                fleet.tick()


def blocks_held():
    gc.collect()
    stats = rtsys.get_allocation_stats()
    return stats.mi_alloc - stats.mi_free, stats.alloc - stats.free


@pytest.mark.parametrize("name", few(CATALOG, 10))
def test_nothing_is_left_behind(name, tmp_path):
    _nrt_python.memsys_enable_stats()
    live_and_die(name, tmp_path)
    before = blocks_held()
    live_and_die(name, tmp_path)
    assert blocks_held() == before


def test_a_leak_would_show():
    _nrt_python.memsys_enable_stats()
    before = blocks_held()
    kept = wp.Grid(np.ones((3, 3), bool))  # whose components a kernel has made
    assert blocks_held() > before
    del kept
    assert blocks_held() == before
