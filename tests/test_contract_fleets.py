"""What fleets of every planner that walks promise (docs/fleets.md), beyond the contract in `waypost.testing`."""

import pytest

import waypost as wp
from tests.support.small_maps import SMALL
from waypost import fleet as fleets
from waypost.catalog import CATALOG
from waypost.testing import checks_of
from waypost.testing.fleets import ends_of, moves_alike_on_any_number_of_threads
from waypost.testing.subject import Subject

WALKING = [name for name, entry in CATALOG.items() if entry.walks]

each_walking = pytest.mark.parametrize("name", WALKING)


@pytest.fixture
def small_troops(monkeypatch):
    """So that few agents make several."""
    monkeypatch.setattr(fleets, "TROOP_SHIFT", 5)
    monkeypatch.setattr(fleets, "TROOP", 32)


@each_walking
@pytest.mark.usefixtures("small_troops")
def test_any_number_of_threads_gives_the_same_with_several_troops(name):
    moves_alike_on_any_number_of_threads(Subject(name, SMALL))


def ticks_twice(fleet, *budget, tick=fleets.Fleet.tick):
    tick(fleet, *budget)
    return tick(fleet, *budget)


def removes_after_a_tick(fleet, ids, remove=fleets.Fleet.remove):
    fleet.tick()
    remove(fleet, ids)


@pytest.mark.parametrize(
    ("method", "broken", "noticed"),
    [
        ("tick", ticks_twice, "moves fleets as single agents"),
        ("retarget", lambda *_: None, "gives fleets new goals and places as agents"),
        ("remove", removes_after_a_tick, "changes nothing when a call to a fleet is refused"),
        ("__copy__", lambda fleet: fleet, "copies fleets that go their own way"),
    ],
)
def test_a_fleet_that_breaks_its_contract_is_noticed(method, broken, noticed, monkeypatch):
    (check,) = (check for check in checks_of("dba") if str(check) == f"dba {noticed}")
    monkeypatch.setattr(fleets.Fleet, method, broken, raising=False)
    with pytest.raises(AssertionError):
        check()


@each_walking
def test_ids_are_stable_and_given_again_late(name):
    grid = wp.grid_from_text("." * 20)
    fleet = wp.build(name, grid).fleet([(0, 0)] * 10, (19, 0))
    assert fleet.ids.tolist() == list(range(10))
    fleet.remove([5, 2])
    assert len(fleet) == 8
    assert fleet.ids.tolist() == [0, 1, 3, 4, 6, 7, 8, 9]
    assert fleet.add((3, 0), (19, 0)).tolist() == [10]
    fleet.remove([0, 1, 3, 4, 6, 7])
    assert fleet.add([(0, 0)] * 3, [(4, 0)] * 3).tolist() == [2, 5, 0]
    assert fleet.generations.tolist() == [2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1]
    fleet.tick()
    assert fleet.xy[[8, 9, 10, 2, 5, 0], 0].tolist() == [1, 1, 4, 1, 1, 1]
    for gone in ([1], 3, [0, 4], -1, 11, 10**12):
        for ask in (fleet.remove, lambda ids: fleet.retarget(ids, (0, 0)), lambda ids: fleet.teleport(ids, (0, 0))):
            with pytest.raises(wp.WaypostError, match="no agent of the id"):
                ask(gone)


def test_a_goal_that_its_route_refuses_changes_nothing(monkeypatch):
    """Trees are checked when they are asked for, in the middle of a call for many."""
    grid = wp.grid_from_text(".....")
    planner = wp.build("trees", grid)
    fleet = planner.fleet([(0, 0)] * 3, (4, 0), threads=1)
    fleet.tick()
    before = fleet.cells.tolist(), fleet.goals.tolist(), len(fleet)
    planner.index.checked[:] = False
    monkeypatch.setattr("waypost.planners.trees.kernels.grow.is_tree", lambda *_: False)
    for call in (lambda: fleet.add((0, 0), (2, 0)), lambda: fleet.retarget([0, 1], [(1, 0), (2, 0)])):
        with pytest.raises(wp.WaypostError, match="is not a tree; build the index again"):
            call()
        assert (fleet.cells.tolist(), fleet.goals.tolist(), len(fleet)) == before
        assert [ids.size for ids in fleet.events] == [0, 0, 0]


@each_walking
def test_memory_is_small_and_goes_with_the_agents(name):
    grid = wp.Grid(SMALL["caves"])
    planner = wp.build(name, grid)
    few, many = planner.fleet(threads=1), planner.fleet(*ends_of(grid, 20_000), threads=1)
    assert few.bytes == 0
    assert many.bytes / len(many) < 400
    many.tick()


def test_planners_that_do_not_walk_say_so():
    grid = wp.grid_from_text("..")
    for name in CATALOG:
        if name not in WALKING:
            with pytest.raises(wp.WaypostError, match="has no fleets; planners that walk by a database have: trees"):
                wp.build(name, grid).fleet()
