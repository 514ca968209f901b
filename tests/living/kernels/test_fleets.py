"""Fleets in Worlds: nobody walks through a new wall, and everybody is told how it stands."""

import copy

import numpy as np
import pytest

import waypost as wp
from tests.oracle import flood
from tests.oracle.rules import may_move
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases, random_open, random_place
from waypost.living.kernels import follow
from waypost.planners.walking.members import MemberStatus
from waypost.world.jump_search import JumpSearch
from waypost.world.search import SearchState

S = MemberStatus
HALL = """
    ......#......
    ......#......
    .............
    ......#......
    ......#......
"""


def hall():
    return wp.grid_from_text(HALL)


def check_tick(fleet, before, is_open, rule="both-open"):
    for (x, y), (u, v) in zip(before, fleet.xy.tolist(), strict=True):
        assert (x, y) == (u, v) or may_move(is_open, rule, x, y, u - x, v - y)


def test_who_is_blocked_goes_another_way():
    world = wp.World(hall())
    fleet = world.fleet([(0, 2), (0, 0)], [(12, 2), (12, 4)])
    for _ in range(3):
        fleet.tick()
    with world.batch():
        world.edit([(6, 2)], open=False)
        world.edit([(6, 0)], open=True)
    ticks = 0
    while (fleet.status != S.ARRIVED).any():
        before = fleet.xy.tolist()
        fleet.tick()
        check_tick(fleet, before, world.grid.is_open)
        ticks += 1
        assert ticks < 40
    assert fleet.xy.tolist() == [[12, 2], [12, 4]]


def test_who_is_walled_in_waits_for_a_way():
    world = wp.World(hall())
    fleet = world.fleet([(0, 2), (8, 2), (6, 2)], [(12, 2), (12, 0), (0, 0)])
    fleet.tick()
    fleet.teleport([2], [(6, 2)])
    world.edit([(6, 2)], open=False)
    fleet.tick()
    assert fleet.events.unreachable.tolist() == [0, 2]
    assert fleet.status.tolist() == [S.UNREACHABLE, S.MOVING, S.ON_WALL]
    for _ in range(5):
        fleet.tick()
    assert fleet.status.tolist() == [S.UNREACHABLE, S.ARRIVED, S.ON_WALL]
    world.edit([(6, 2), (6, 3)], open=True)
    for _ in range(20):
        fleet.tick()
    assert fleet.status.tolist() == [S.ARRIVED] * 3
    assert fleet.xy.tolist() == [[12, 2], [12, 0], [0, 0]]
    assert fleet.ids.tolist() == [0, 1, 2]


def test_goals_that_are_closed_and_opened():
    world = wp.World(wp.grid_from_text("......"))
    fleet = world.fleet([(0, 0), (1, 0)], [(5, 0)], nearest=True)
    fleet.add([(2, 0)], [(5, 0)], nearest=False)
    world.edit([(4, 0), (5, 0)], open=False)
    for _ in range(6):
        fleet.tick()
    assert fleet.xy.tolist() == [[3, 0], [3, 0], [2, 0]]
    assert fleet.status.tolist() == [S.ARRIVED, S.ARRIVED, S.UNREACHABLE]
    world.edit([(4, 0)], open=True)
    fleet.teleport([0], [(0, 0)])
    for _ in range(9):
        fleet.tick()
    assert fleet.xy.tolist() == [[4, 0], [4, 0], [2, 0]], "nearer than before, as there is a way now"
    world.edit([(5, 0)], open=True)
    for _ in range(9):
        fleet.tick()
    assert fleet.xy.tolist() == [[5, 0]] * 3
    assert fleet.status.tolist() == [S.ARRIVED] * 3


def test_orders_on_a_map_that_changes():
    world = wp.World(hall(), "astar")
    fleet = world.fleet([(0, 0), (1, 1)], (12, 0))
    world.edit([(1, 1)], open=False)
    fleet.retarget([1], (3, 3))
    assert fleet.status.tolist() == [S.MOVING, S.ON_WALL]
    with pytest.raises(wp.WaypostError, match="on a wall"):
        fleet.teleport([0], [(1, 1)])
    assert fleet.xy.tolist() == [[0, 0], [1, 1]]
    assert fleet.goals.tolist() == [world.grid.cell((12, 0)), world.grid.cell((3, 3))]
    with pytest.raises(wp.WaypostError, match="on a wall"):
        fleet.add([(1, 1)], [(0, 0)])
    fleet.remove([1])
    world.edit([(1, 1)], open=True)
    assert fleet.add([(1, 1)], [(1, 1)]).tolist() == [2]
    for _ in range(30):
        fleet.tick()
    assert fleet.status.tolist() == [S.ARRIVED, S.NONE, S.ARRIVED]
    assert len(fleet) == 2


@pytest.mark.parametrize("name", ["jps", "dba"])
def test_a_door_is_shut_for_some_ticks(name):
    world = wp.World(hall(), name)
    fleet = world.fleet([(2, 2), (12, 0)], [(10, 2), (12, 4)], patience=100)
    world.block([(6, 2)], until=9)
    seen = set()
    for tick in range(1, 30):
        before = fleet.xy.tolist()
        fleet.tick()
        if tick <= 9:
            assert fleet.xy[0, 0] <= 5
            assert len(world.planner.path((0, 0), (12, 0))) == 13, "to paths it is open"
        check_tick(fleet, before, world.grid.is_open)
        seen.add(int(fleet.status[0]))
    assert fleet.status.tolist() == [S.ARRIVED, S.ARRIVED]
    assert name != "jps" or S.HELD in seen
    assert S.LOST not in seen


def test_a_block_may_be_ended_and_edited_under():
    world = wp.World(hall())
    fleet = world.fleet([(5, 2)], [(7, 2)], patience=1000)
    world.block(rectangle=(6, 2, 1, 1), until=1000)
    for _ in range(4):
        fleet.tick()
    assert fleet.status.tolist() == [S.HELD]
    world.edit([(6, 2)], open=False)
    fleet.tick()
    assert fleet.status.tolist() == [S.UNREACHABLE]
    world.edit([(6, 2)], open=True)
    for _ in range(4):
        fleet.tick()
    assert fleet.status.tolist() == [S.HELD], "it is open, but still blocked"
    world.block([(6, 2)], until=0)
    for _ in range(4):
        fleet.tick()
    assert fleet.status.tolist() == [S.ARRIVED]


def test_who_is_held_for_long_goes_round():
    is_open = np.ones((5, 9), bool)
    is_open[1:4, 4] = False
    is_open[2, 4] = True
    world = wp.World(wp.Grid(is_open))
    fleet = world.fleet([(2, 2)], [(6, 2)], patience=3)
    world.block([(4, 2)], until=1000)
    ys = set()
    for _ in range(20):
        fleet.tick()
        ys.add(int(fleet.xy[0, 1]))
    assert fleet.status.tolist() == [S.ARRIVED]
    assert ys & {0, 4}, "round the wall"


def test_who_cannot_go_round_waits_on():
    world = wp.World(wp.grid_from_text("..........."))
    fleet = world.fleet([(2, 0)], [(6, 0)], patience=2)
    world.block([(4, 0)], until=25)
    for tick in range(1, 40):
        fleet.tick()
        assert tick > 25 or fleet.xy.tolist()[0][0] <= 3
    assert fleet.status.tolist() == [S.ARRIVED]


@pytest.mark.parametrize("name", ["jps", "astar", "dijkstra", "wastar"])
def test_random_maps_and_edits(name):
    random = seeded((110, len(name)))
    for _ in range(cases(12)):
        is_open = random_open(random, largest=10)
        world = wp.World(wp.Grid(is_open), name)
        ends = [[random_place(random, is_open) for _ in range(9)] for _ in range(2)]
        fleet = world.fleet(*ends, patience=int(random.integers(4)))
        is_open = is_open.copy()
        for tick in range(90):
            if tick < 40 and random.random() < 0.3:
                x, y = int(random.integers(is_open.shape[1])), int(random.integers(is_open.shape[0]))
                is_open[y, x] = not is_open[y, x]
                world.edit([(x, y)], open=bool(is_open[y, x]))
            if tick < 40 and random.random() < 0.1:
                world.block([random_place(random, is_open)] if is_open.any() else [], until=int(random.integers(12)))
            before = fleet.xy.tolist()
            fleet.tick(*((None,) if random.random() < 0.5 else ()), budget_work=int(random.integers(40)) or None)
            check_tick(fleet, before, is_open)
        for _ in range(40):
            fleet.tick()
        label, _ = flood.components(is_open, "both-open")
        for place, goal, status in zip(fleet.xy.tolist(), ends[1], fleet.status.tolist(), strict=True):
            here, there = label.get(tuple(place), 0), label.get(goal, 0)
            assert status == (S.ON_WALL if not here else S.ARRIVED if here == there else S.UNREACHABLE)


def test_nobody_waits_forever_for_little_work():
    random = seeded(111)
    is_open = random.random((20, 30)) < 0.8
    world = wp.World(wp.Grid(is_open))
    cells = np.flatnonzero(world.grid.component == np.argmax(world.grid.component_sizes))
    starts, goals = (world.grid.xys(random.choice(cells, 40)) for _ in range(2))
    fleet = world.fleet(starts, goals)
    longest = 0
    for _ in range(40 if JIT_IS_OFF else 400):
        longest = max(longest, fleet.tick(budget_work=200).longest_wait)
    assert JIT_IS_OFF or (fleet.status == S.ARRIVED).all()
    assert longest > 2


def test_the_pool_of_turns_is_packed():
    side = 9 if JIT_IS_OFF else 24
    random = seeded(112)
    is_open = random.random((side, side)) < 0.85
    is_open[0] = is_open[-1] = is_open[:, 0] = True
    world = wp.World(wp.Grid(is_open))
    count = 30 if JIT_IS_OFF else 300
    fleet = world.fleet([(0, 0)] * count, (side - 1, side - 1))
    for tick in range(60 if JIT_IS_OFF else 200):
        fleet.tick()
        if tick % 10 == 9:
            fleet.retarget(fleet.ids, (0, 0) if tick % 20 == 9 else (side - 1, side - 1))
    route = fleet.movers[0].route
    assert route.bytes < (1 << 17)
    for _ in range(4 * side):
        fleet.tick()
    assert (fleet.status == S.ARRIVED).all()


def test_turns_are_packed_in_place():
    turns = np.arange(10, 20, dtype=np.int32)
    state = np.zeros((3, max(follow.FollowSlot) + 1), np.int32)
    at, end = follow.FollowSlot.AT, follow.FollowSlot.END
    state[:, at], state[:, end] = [2, 0, 7], [4, 2, 9]
    status = np.array([S.MOVING, S.ARRIVED, S.MOVING], np.uint8)
    packed = np.zeros(10, np.int32)
    assert follow.pack_turns(turns, status, state, packed) == 4
    assert packed[:4].tolist() == [12, 13, 17, 18]
    assert state[:, [at, end]].tolist() == [[0, 2], [0, 0], [2, 4]]


def test_who_is_led_no_way_is_lost(monkeypatch):
    world = wp.World(hall())
    fleet = world.fleet([(0, 0)], [(3, 3)])
    monkeypatch.setattr(JumpSearch, "advance", lambda *_: SearchState.EXHAUSTED)
    fleet.tick()
    assert fleet.events.lost.tolist() == [0]
    assert fleet.status.tolist() == [S.LOST]
    monkeypatch.undo()
    world.edit([(6, 0)], open=True)
    for _ in range(4):
        fleet.tick()
    assert fleet.status.tolist() == [S.ARRIVED], "an edit lets it try again"


def test_odd_ticks_and_copies_are_refused():
    world = wp.World(hall())
    fleet = world.fleet([(0, 0)], [(3, 3)])
    with pytest.raises(wp.WaypostError, match="either in microseconds or in counted work"):
        fleet.tick(100.0, budget_work=5)
    with pytest.raises(wp.WaypostError, match="budget_work must be a whole number"):
        fleet.tick(budget_work=0.5)
    with pytest.raises(wp.WaypostError, match="patience must be a whole number"):
        world.fleet(patience=-1)
    with pytest.raises(wp.WaypostError, match="until must be a whole number"):
        world.block([(0, 0)], until=-1)
    with pytest.raises(wp.WaypostError, match="cannot be copied"):
        copy.copy(fleet)
    with pytest.raises(wp.WaypostError, match="lss has no fleets"):
        wp.World(hall(), "lss").fleet()
    assert fleet.xy.tolist() == [[0, 0]]
