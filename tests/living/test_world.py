"""Worlds: edits of all forms, what shows them, and what is refused."""

import copy
import pickle
import threading
from dataclasses import replace

import numpy as np
import pytest

import waypost as wp
from tests.oracle.rules import check_walk
from tests.support.chance import seeded
from tests.support.neighbour_index import ENTRY
from tests.support.worlds import cases, deep, random_open
from waypost.catalog import CATALOG, find
from waypost.errors import MapError, ParameterError
from waypost.indexes.building import Works
from waypost.living.world import World
from waypost.planners.exact.entries import ENTRIES as EXACT
from waypost.planners.regions.route import RegionRoute
from waypost.world.live_grid import LiveGrid

HALL = """
    ......#......
    ......#......
    .............
    ......#......
    ......#......
"""


def hall(**rules):
    return wp.grid_from_text(HALL, **rules)


def test_an_edit_shows_at_once():
    grid = hall()
    world = wp.World(grid)
    before = world.planner.path((0, 0), (12, 0))
    assert [6, 2] in before.tolist()
    edit = world.edit([(6, 2)], open=False)
    assert (edit.version, edit.cells) == (1, 1)
    assert edit.us > 0
    with pytest.raises(wp.Unreachable):
        world.planner.path((0, 0), (12, 0))
    assert world.planner.path((0, 0), (12, 0), nearest=True)[-1].tolist() == [5, 0]
    assert world.edit([(6, 0), (6, 1)], open=True).cells == 2
    path = world.planner.path((0, 0), (12, 0))
    check_walk(world.grid.is_open, "both-open", path.tolist(), (0, 0), (12, 0))
    assert len(path) == 13
    assert grid.open_count == 61, "the grid that it was made of is as it was"
    assert world.grid.open_count == 62
    assert repr(world) == "World(13x5, 'jps', version=2)"
    assert world.bytes > 0


def test_edits_of_all_forms():
    world = wp.World(hall(), "astar")
    assert world.edit(rectangle=(1, 1, 3, 2), open=False).cells == 6
    assert world.edit(rectangle=(1, 1, 3, 2), open=False)[:2] == (1, 0), "nothing changed, so it is the same version"
    marked = np.zeros((5, 13), bool)
    marked[1:3, 1:4] = marked[0, 0] = True
    assert world.edit(mask=marked, open=True).cells == 6
    assert world.edit(mask=hall().is_open).cells == 0
    assert world.edit(mask=~hall().is_open).cells == 65
    assert world.version == 3
    assert world.edit([], open=False).cells == 0
    assert world.edit((), open=True).cells == 0
    assert world.edit(np.array([(0, 0), (0, 0), (1, 0)]), open=True).cells == 2


def test_a_batch_is_one_change():
    world = wp.World(hall())
    with world.batch() as collected:
        assert world.edit([(0, 0), (1, 0)], open=False).cells == 0
        world.edit([(1, 0), (6, 0)], open=True)
        assert world.version == 0
        assert world.grid.is_open[0, 0]
    assert collected.edit[:2] == (1, 2), "of each cell the last edit counts"
    assert (world.grid.is_open != hall().is_open).nonzero()[1].tolist() == [0, 6]
    with pytest.raises(MapError, match="outside"), world.batch():  # noqa: PT012 - the first edit is dropped with it
        world.edit([(3, 3)], open=False)
        world.edit([(99, 3)], open=False)
    assert world.grid.is_open[3, 3]
    with world.batch(), pytest.raises(wp.WaypostError, match="collected already"), world.batch():
        pass
    assert world.version == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"cells": [(0, 0)]}, "say whether the cells are open"),
        ({"open": True}, "name the cells either by a list"),
        ({"cells": [(0, 0)], "rectangle": (0, 0, 1, 1), "open": True}, "name the cells either by a list"),
        ({"cells": [(13, 0)], "open": True}, r"cells\[0\] \(13, 0\) is outside the map of 13 x 5 cells"),
        ({"cells": [(0.5, 0)], "open": True}, "cells must be"),
        ({"cells": [(0, 0)], "open": 1}, "open must be True or False, not 1"),
        ({"rectangle": (0, 0, 1), "open": True}, "rectangle must be four whole numbers"),
        ({"rectangle": (0, 0, 0, 1), "open": True}, "rectangle must be four whole numbers"),
        ({"rectangle": (-1, 0, 1, 1), "open": True}, r"the rectangle's corner \(-1, 0\) is outside"),
        ({"rectangle": (10, 0, 4, 1), "open": True}, r"the rectangle's last cell \(13, 0\) is outside"),
        ({"mask": np.ones((5, 12), bool)}, "mask must be a boolean array of 5 rows and 13 columns"),
        ({"mask": np.ones((5, 13))}, "mask must be a boolean array"),
        ({"mask": np.ma.masked_array(np.ones((5, 13), bool))}, "masked"),
        ({"mask": np.ones((5, 13), bool), "cells": [(0, 0)]}, "either mask=array or cells"),
    ],
)
def test_odd_edits_are_refused(arguments, complaint):
    world = wp.World(hall())
    with pytest.raises(wp.WaypostError, match=complaint):
        world.edit(**arguments)
    assert world.version == 0


def test_odd_worlds_are_refused():
    with pytest.raises(ParameterError, match="rebuild must be 'on demand' or 'background'"):
        wp.World(hall(), rebuild="never")
    with pytest.raises(ParameterError, match="no parameter called"):
        wp.World(hall(), nonsense=3)
    with pytest.raises(ParameterError, match="gamma is a parameter of a planner that is built already"):
        wp.World(hall(), wp.build("wastar", hall()), gamma=0.5)
    with pytest.raises(ParameterError, match="the planner is for another map"):
        wp.World(hall(), wp.build("jps", wp.grid_from_text("...")))
    with pytest.raises(ParameterError, match="record must be True or False"):
        wp.World(hall(), record=1)


def test_the_grid_of_a_world_is_no_grid_to_build_on(tmp_path):
    world = wp.World(hall())
    world.edit([(6, 2)], open=False)
    with pytest.raises(ParameterError, match="a planner is built for a grid that never changes"):
        wp.build("dba", world.grid)
    wp.build("dba", world.freeze().grid).save(tmp_path / "hall.waypost")
    with pytest.raises(wp.WaypostError, match="another map"):
        wp.load(tmp_path / "hall.waypost", world.grid)
    other = wp.World(world.grid)
    assert other.grid.component_count == 2
    world.edit([(6, 2)], open=True)
    assert other.grid.component_count == 2, "a World of its own"


def test_a_rebuild_in_the_background_says_nothing_where_there_is_no_map(capsys):
    world = wp.World(hall(), "dba", rebuild="background")
    world.edit(rectangle=(0, 0, 13, 5), open=False)
    with pytest.raises(MapError, match="no open cell"):
        world.rebuild()
    assert not capsys.readouterr().err


def test_all_cells_may_be_closed():
    world = wp.World(hall())
    world.edit(rectangle=(0, 0, 13, 5), open=False)
    assert world.grid.open_count == world.grid.component_count == 0
    with pytest.raises(MapError, match="on a wall"):
        world.planner.path((0, 0), (1, 0))
    with pytest.raises(MapError, match="the map as it is now has no open cell"):
        world.freeze()
    world.edit([(0, 0), (1, 0)], open=True)
    assert world.planner.path((0, 0), (1, 0)).tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize("name", ["jps", "dba", "lss"])
def test_frozen_is_never_changed(name, tmp_path):
    world = wp.World(hall(), name)
    world.edit([(6, 0)], open=True)
    frozen = world.freeze()
    copies = [frozen.planner, copy.copy(world.planner), copy.deepcopy(world.planner)]
    copies.append(pickle.loads(pickle.dumps(world.planner)))  # noqa: S301
    world.edit(rectangle=(6, 0, 1, 5), open=False)
    for planner in copies:
        assert type(planner) is wp.Planner
        assert type(planner.grid) is wp.Grid
        assert planner.path((0, 0), (12, 0)).tolist()[-1] == [12, 0]
    assert frozen.grid.open_count == 62
    if planner.index:
        frozen.planner.save(tmp_path / "frozen.waypost")
        assert wp.load(tmp_path / "frozen.waypost", frozen.grid).facts["map_version"] == 1
    with pytest.raises(wp.WaypostError, match=r"save world\.freeze\(\)\.planner"):
        world.planner.save(tmp_path / "living.waypost")


def test_a_planner_that_is_there_is_taken():
    planner = wp.build("dba", hall())
    world = wp.World(hall(), planner)
    assert world.planner.index is planner.index
    assert world.planner.index_bytes == planner.index_bytes > 0
    assert world.planner.work_bound == planner.work_bound
    world.edit([(0, 0)], open=False)
    world.planner.path((1, 0), (2, 0))
    assert world.planner.index is not planner.index


def test_all_that_a_planner_does_it_does_on_the_map_as_it_is():
    for name in ("jps", "dba"):
        world = wp.World(hall(), name)
        world.edit([(6, 2)], open=False)
        world.edit([(6, 4)], open=True)
        fresh = world.freeze().planner
        starts, goals = [(0, 0), (3, 3)], [(12, 0), (12, 4)]
        planner = world.planner
        assert planner.batch(starts, goals, paths=True).costs.tolist() == fresh.batch(starts, goals).costs.tolist()
        assert planner.cost(starts, goals).tolist() == fresh.cost(starts, goals).tolist()
        assert planner.costs(starts, goals).tolist() == fresh.costs(starts, goals).tolist()
        assert planner.closest(starts, goals)[0].tolist() == fresh.closest(starts, goals)[0].tolist()
        assert planner.problem((0, 0), (12, 0)) == fresh.problem((0, 0), (12, 0))
        assert planner.for_size(1) is planner
        for ask in (planner.for_size, lambda size, ask=planner.path: ask((0, 0), (1, 1), size=size)):
            with pytest.raises(ParameterError, match=r"world\.for_size\(n\)"):
                ask(2)


def test_worlds_of_larger_units_follow():
    random = seeded(96)
    world = wp.World(wp.Grid(np.ones((20, 30), bool)), "astar")
    large = world.for_size(3)
    assert world.for_size(3) is large
    assert world.for_size(1) is world
    is_open = np.ones((20, 30), bool)
    for _ in range(cases(80)):
        x, y = int(random.integers(30)), int(random.integers(20))
        is_open[y, x] = not is_open[y, x]
        world.edit([(x, y)], open=bool(is_open[y, x]))
        np.testing.assert_array_equal(large.grid.is_open, wp.Grid(is_open).clearance >= 3)
    assert large.version <= world.version
    with pytest.raises(wp.WaypostError, match="edit the one that it was made of"):
        large.edit([(0, 0)], open=True)
    with pytest.raises(wp.WaypostError, match="ask the World of units of one cell"):
        large.for_size(2)
    with pytest.raises(wp.WaypostError, match="at most 16"):
        world.for_size(17)


def test_a_rebuild_in_the_background():
    world = wp.World(hall(), "dba", rebuild="background")
    for x in (6, 5, 4):
        world.edit([(x, 1)], open=x == 6)
    assert world.planner.path((0, 0), (12, 0)).tolist()[-1] == [12, 0]
    assert world.planner.version == 3


def test_a_planner_may_refuse():
    world = wp.World(hall(), replace(ENTRY, after_edit="refuses"))
    assert len(world.planner.path((0, 0), (3, 0))) == 4
    world.edit([(6, 2)], open=True)
    assert len(world.planner.path((0, 0), (3, 0))) == 4, "nothing has changed"
    world.edit([(6, 2)], open=False)
    with pytest.raises(wp.WaypostError, match="plans only for the map that it was made for"):
        world.planner.path((0, 0), (3, 0))


def test_a_planner_of_another_package_is_made_anew():
    world = wp.World(hall(), ENTRY)
    world.edit([(6, 2)], open=False)
    world.edit([(6, 0)], open=True)
    check_walk(world.grid.is_open, "both-open", world.planner.path((0, 4), (12, 4)).tolist(), (0, 4), (12, 4))


def test_an_index_that_is_repaired():
    told = []

    class Repair:
        def __init__(self, grid, params):
            self.grid, self.params = grid, params
            self.index = self.made()

        def made(self):
            return ENTRY.index.build(self.grid, self.params, Works(1, show_progress=False))

        def repair(self, cells):
            told.append(cells.tolist())
            self.index = self.made()

    entry = replace(ENTRY, after_edit="repairs", index_repair=Repair)
    world = wp.World(hall(), entry)
    first = world.planner.index
    world.edit([(6, 0), (6, 2)], open=True)
    assert told == [[world.grid.cell((6, 0))]]
    assert world.planner.index is not first
    assert world.planner.path((0, 0), (12, 0)).tolist()[-1] == [12, 0]


def test_only_walkers_with_stale_ways_ask_again(monkeypatch):
    grid = wp.load_map("rooms")
    seen = []

    class Repair:
        def __init__(self, grid, params):
            frozen = wp.build("dba", grid.frozen(), progress=False, **params)
            self.index = type(frozen.index).from_arrays(grid, params, frozen.index.arrays)

        def repair(self, cells):
            """The edit of this test changes no way."""

    def stale_after(route, walkers, cells):
        seen.append(cells.tolist())
        return np.array([1, 2], np.int32)

    monkeypatch.setattr(RegionRoute, "stale_after", stale_after, raising=False)
    world = wp.World(grid, replace(find("dba"), after_edit="repairs", index_repair=Repair))
    fleet = world.fleet([(10, 10), (12, 10), (90, 60)], [(90, 60), (90, 60), (90, 60)])
    for _ in range(3):
        fleet.tick()
    places = fleet.xy.tolist()
    corner = grid.xy(int(np.flatnonzero(grid.component)[-1]))
    world.edit([corner], open=False)
    tick = fleet.tick()
    assert seen == [[grid.cell(corner)]]
    assert tick.chosen >= 1
    for _ in range(300):
        fleet.tick()
    assert places != fleet.xy.tolist() == [[90, 60]] * 3


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"after_edit": "hopes"}, "after_edit of astar must be one of repairs, rebuilds, refuses, not 'hopes'"),
        ({"index_repair": dict}, "an index_repair goes with an index"),
    ],
)
def test_entries_say_what_they_can(fields, complaint):
    with pytest.raises(ParameterError, match=complaint):
        replace(EXACT[0], **fields)


def test_what_planners_say_that_they_do():
    says = {name: entry.after_edit for name, entry in CATALOG.items()}
    exact, learning = {"astar", "jps", "wastar", "dijkstra", "tba"}, {"lrta", "lrta-cost", "rta", "lrta-k", "plrta"}
    repair = exact | learning | {"lss", "rtaa", "lrts"}
    assert repair <= {name for name, what in says.items() if what == "repairs"}
    assert find("dba").after_edit == "rebuilds"


def test_edits_wait_for_walks_and_walks_for_edits():
    """Many threads: nobody sees half of an edit."""
    is_open = np.ones((30, 30), bool)
    world = wp.World(wp.Grid(is_open), "jps")
    stop, wrong = threading.Event(), []

    def plan():
        while not stop.is_set():
            path = world.planner.path((0, 15), (29, 15))
            passed = [[15, 3] in path.tolist(), [15, 26] in path.tolist()]
            if sum(passed) != 1:
                wrong.append(path)

    def wall(gap):
        column = np.zeros((30, 30), bool)
        column[:, 15] = True
        column[gap, 15] = False
        with world.batch():
            world.edit(mask=column, open=False)
            world.edit([(15, gap)], open=True)

    wall(3)
    threads = [threading.Thread(target=plan) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(60):
        wall((26, 3)[i % 2])
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


@deep
def test_many_small_worlds():
    """Random scripts of edits; after each, all that was repaired is as it is in a new grid, and ways cost the same."""
    random = seeded(97)
    for _ in range(20_000):
        is_open = random_open(random, largest=8)
        world = World(wp.Grid(is_open), "jps")
        for _ in range(5):
            y, x = random.integers(is_open.shape[0]), random.integers(is_open.shape[1])
            is_open[y, x] = not is_open[y, x] or is_open.sum() == 1
            world.edit([(int(x), int(y))], open=bool(is_open[y, x]))
        fresh = LiveGrid(wp.Grid(is_open))
        assert world.fingerprint == fresh.fingerprint
        for repaired, made in zip(world.grid.jump_tables, fresh.jump_tables, strict=True):
            np.testing.assert_array_equal(repaired, made)
        np.testing.assert_array_equal(world.grid.mask, fresh.mask)
        pairs = set(zip(world.grid.component.tolist(), fresh.component.tolist(), strict=True))
        assert len(pairs) == fresh.component_count + 1 == world.grid.component_count + 1
