"""Distances as a service: what all planners share, and what an entry offers of its own."""

import threading
import time

import numpy as np
import pytest

import waypost as wp
from waypost import distances as service
from waypost.agents.distances import Distances, Walked
from waypost.catalog import CATALOG
from waypost.planner import Planner
from waypost.system.stretches import share_out

ISLANDS = """
    ...#..
    ...#..
    ####..
    ......
"""


class Counted(Distances):
    """As many units as cells have numbers between them: no way costs that, so that its answers are known again."""

    def __init__(self, grid, index, **params):
        self.grid, self.index, self.params = grid, index, params

    def of_pairs(self, starts, goals, costs):
        for array, dtype in ((starts, np.int32), (goals, np.int32), (costs, np.int64)):
            assert array.dtype == dtype
            assert array.flags.c_contiguous
        assert starts.shape == goals.shape == costs.shape
        assert all(self.grid.connected(*pair) for pair in zip(starts, goals, strict=True)), "no way leads there"
        costs[:] = np.abs(goals - starts)


def counting(grid, **settings):
    """A planner that has distances of its own."""
    jps = CATALOG["jps"]
    entry = wp.Entry("counting", "Counting", jps.agent, settings=jps.settings, distances=Counted, **settings)
    return Planner(entry, grid, {})


def ends(grid, count):
    cells = np.flatnonzero(grid.component)
    random = np.random.default_rng(1)
    return tuple(grid.xys(random.choice(cells, count)) for _ in range(2))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_entry_offers_distances_of_its_own(threads, monkeypatch):
    monkeypatch.setattr(service, "MOST_COLUMNS", 7)
    monkeypatch.setattr(service, "MOST_TOGETHER", 20)
    grid = wp.grid_from_text(ISLANDS)
    planner = counting(grid)
    starts, goals = ends(grid, 80)
    from_cells, to_cells = (grid.open_cells(points) for points in (starts, goals))
    counted = np.abs(to_cells - from_cells[:, None])
    counted[grid.component[from_cells][:, None] != grid.component[to_cells]] = -1
    assert planner.costs(starts, goals, threads=threads).tolist() == counted.tolist()
    assert planner.cost(starts, goals, threads=threads).tolist() == np.diag(counted).tolist()
    closest = planner.closest(starts, goals, threads=threads)
    far = np.where(counted < 0, 2**40, counted)
    assert closest.goals.tolist() == far.argmin(axis=1).tolist()
    assert closest.costs.tolist() == far.min(axis=1).tolist()


def test_walks_that_are_given_up_have_no_cost_and_are_never_closest():
    grid = wp.grid_from_text("......")
    planner = wp.build("jps", grid)
    make = lambda: Walked(planner.agent(), max_moves=2)  # noqa: E731
    cells = np.arange(6, dtype=np.int32) + grid.cell((0, 0))
    straight = grid.costs.straight
    assert service.costs_of_pairs(make, grid, cells[:1].repeat(4), cells[:4], 1).tolist() == [
        0,
        straight,
        2 * straight,
        -2,
    ]
    assert service.closest_of(make, grid, cells[:1], cells[[5, 2, 4]], 1) == ([1], [2 * straight])
    assert service.closest_of(make, grid, cells[:1], cells[[5, 4]], 1) == ([-1], [-1])


def test_a_matrix_may_not_be_too_large():
    planner = wp.build("jps", wp.grid_from_text("...."))
    many = np.zeros((20_000, 2), int)
    with pytest.raises(wp.WaypostError, match="20,000 sources by 20,000 targets are more than 100,000,000 costs"):
        planner.costs(many, many)


def test_distances_of_units_of_a_size():
    grid = wp.grid_from_text("....\n....\n....")
    planner = wp.build("jps", grid, sizes=(1, 2))
    assert planner.cost([(0, 0)], [(2, 1)], size=2) == planner.for_size(2).cost([(0, 0)], [(2, 1)])
    assert planner.costs([(0, 0)], [(2, 1)], size=2).shape == planner.costs([(0, 0)], [(2, 1)]).shape
    with pytest.raises(wp.WaypostError, match=r"\(3, 2\)"):
        planner.closest([(0, 0)], [(3, 2)], size=2)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("total", [0, 1, 7, 5000])
def test_stretches_have_every_item_once(total, threads):
    done = np.zeros(total, int)

    def do(first, last):
        assert first < last
        done[first:last] += 1

    share_out("counting", total, [do] * threads)
    assert (done == 1).all()


def test_stretches_grow_while_they_are_short_and_all_threads_end_together():
    sizes, seen = [], set()

    def sleep(first, last):
        sizes.append(last - first)
        seen.add(threading.get_ident())
        time.sleep(0.0005 * (last - first))

    share_out("sleeping", 400, [sleep] * 2)
    assert sizes[0] == 1
    assert max(sizes) >= 8
    assert sizes[-1] == 1
    assert len(seen) == 2


def test_an_error_in_one_stretch_ends_the_others():
    calls = []

    def fail_later(first, _last):
        calls.append(first)
        time.sleep(0.006)
        if len(calls) == 20:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        share_out("failing", 10_000, [fail_later] * 3)
    assert len(calls) < 40
    assert threading.active_count() == before
