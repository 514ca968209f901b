"""What fleets of every planner that walks promise (docs/fleets.md). A new planner is covered by its catalog line."""

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules
from tests.support.fleet_news import news_of
from tests.support.small_maps import SMALL
from tests.support.worlds import DRAWINGS
from waypost import fleet as fleets
from waypost.catalog import CATALOG
from waypost.fleet import MemberStatus
from waypost.maps.text import read_drawing

WALKING = [name for name, entry in CATALOG.items() if entry.walks]
MOST_TICKS = 400
"""Who learns may wander for long, and then does what it did before."""

each_walking = pytest.mark.parametrize("name", WALKING)
each_map = pytest.mark.parametrize("is_open", SMALL.values(), ids=SMALL)


def ends_of(grid, count, seed=1):
    """Starts and goals anywhere on the map, as x, y."""
    cells, random = np.flatnonzero(grid.component), np.random.default_rng(seed)
    return [grid.xys(random.choice(cells, count)) for _ in range(2)]


class Singles:
    """Single agents that do what a fleet is told, each by itself."""

    def __init__(self, planner, starts, goals):
        self.grid = planner.grid
        self.agents = [planner.agent() for _ in starts]
        self.is_lost = np.zeros(len(starts), bool)
        for i, (start, goal) in enumerate(zip(starts, goals, strict=True)):
            self.send(i, start, goal)

    def send(self, i, start, goal):
        start, goal = self.grid.cell(start), self.grid.cell(goal)
        self.is_lost[i] = not self.grid.connected(start, goal)
        self.agents[i].reset(wp.Problem(start, start if self.is_lost[i] else goal))

    def step(self):
        for agent in self.agents:
            agent.step()

    @property
    def cells(self):
        return np.array([agent.cell for agent in self.agents], np.int32)

    @property
    def has_arrived(self):
        return np.array([agent.cell == agent.goal for agent in self.agents])


@each_walking
@each_map
def test_a_fleet_of_200_makes_the_moves_of_200_agents(name, is_open):
    for rule, costs in (("both-open", "sqrt2"), ("always", "1.4"), ("never", "sqrt2"), ("one-open", "sqrt2")):
        grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        planner = wp.build(name, grid)
        starts, goals = ends_of(grid, 200)
        fleet, singles = planner.fleet(starts, goals), Singles(planner, starts, goals)
        assert np.array_equal(fleet.cells, singles.cells)
        for _ in range(MOST_TICKS):
            before = singles.cells
            singles.step()
            tick = fleet.tick()
            assert np.array_equal(fleet.cells, singles.cells)
            assert tick.moved == np.count_nonzero(before != singles.cells)
            assert tick.waiting == tick.longest_wait == 0
            if singles.has_arrived.all():
                break
        assert ((fleet.status == MemberStatus.UNREACHABLE) == singles.is_lost).all()
        has_arrived = fleet.status == MemberStatus.ARRIVED
        assert np.array_equal(has_arrived, singles.has_arrived & ~singles.is_lost)
        assert has_arrived.any()


@each_walking
def test_new_goals_and_places_are_those_of_agents(name):
    grid = wp.Grid(SMALL["caves"])
    planner = wp.build(name, grid)
    starts, goals = ends_of(grid, 60)
    fleet, singles = planner.fleet(starts, goals, threads=2), Singles(planner, starts, goals)
    random = np.random.default_rng(3)
    for tick in range(120):
        if tick % 7 == 3:
            chosen = random.choice(60, 20, replace=False)
            places, goals = ends_of(grid, 20, seed=tick)
            if tick % 2:
                fleet.retarget(chosen, goals)
                for i, goal in zip(chosen, goals, strict=True):
                    singles.send(i, fleet.xy[i], goal)
            else:
                fleet.teleport(chosen, places)
                for i, place in zip(chosen, places, strict=True):
                    singles.send(i, place, grid.xy(fleet.goals[i]))
        singles.step()
        fleet.tick()
        assert np.array_equal(fleet.cells, singles.cells)


@each_walking
def test_a_budget_lets_agents_wait_and_changes_no_path(name):
    """However little time there is: each agent's path is its own, nobody is passed over, and all arrive."""
    grid = wp.Grid(SMALL["caves"])
    planner = wp.build(name, grid)
    starts, goals = ends_of(grid, 200)
    paths = {}
    for budget in (None, 0, 30, 10_000):
        fleet = planner.fleet(starts, goals, threads=1)
        walked = [[cell] for cell in fleet.cells.tolist()]
        served = 0
        for _ in range(200 * MOST_TICKS):
            waiting = fleet.waiting.tolist()
            tick = fleet.tick(budget)
            still = fleet.waiting.tolist()
            assert waiting[len(waiting) - len(set(waiting) & set(still)) :] == still[: len(set(waiting) & set(still))]
            assert tick.waiting == len(still) == np.count_nonzero(fleet.status == MemberStatus.WAITING)
            assert tick.longest_wait < 200
            served += tick.chosen
            for path, cell in zip(walked, fleet.cells.tolist(), strict=True):
                if cell != path[-1]:
                    path.append(cell)
            if not np.isin(fleet.status, (MemberStatus.MOVING, MemberStatus.WAITING)).any():
                break
        paths[budget] = walked
        assert served
    first, *others = paths.values()
    assert all(other == first for other in others)


@each_walking
def test_any_number_of_threads_gives_the_same(name, monkeypatch):
    """With small troops, so that there are several; also what happens, and in which order it is told."""
    monkeypatch.setattr(fleets, "TROOP_SHIFT", 5)
    monkeypatch.setattr(fleets, "TROOP", 32)
    grid = wp.Grid(SMALL["rooms"])
    planner = wp.build(name, grid)
    runs = []
    for threads in (1, 2, 3, 16):
        starts, goals = ends_of(grid, 200)
        fleet, run = planner.fleet(starts, goals, threads=threads), []
        for tick in range(60):
            if tick % 5 == 4:
                chosen = np.random.default_rng(tick).choice(len(fleet), 40, replace=False)
                fleet.retarget(chosen, ends_of(grid, 40, seed=tick)[0])
            if tick % 10 == 9:
                fleet.add(*ends_of(grid, 20, seed=tick))
            moved, chosen, *_ = fleet.tick()
            run.append((moved, chosen, fleet.cells.tolist(), fleet.status.tolist(), *map(list, fleet.events)))
        fleet.close()
        fleet.tick()
        runs.append(run)
    assert all(run == runs[0] for run in runs)


@each_walking
def test_arrived_and_unreachable_agents_are_seen(name):
    is_open, _ = read_drawing(DRAWINGS["islands"])
    grid = wp.Grid(is_open)
    fleet = wp.build(name, grid).fleet([(0, 0)] * 4, [(1, 1), (4, 1), (0, 0), (2, 0)])
    assert MemberStatus(fleet.status[0]) is MemberStatus.MOVING
    assert fleet.status.tolist()[1:] == [MemberStatus.UNREACHABLE, MemberStatus.ARRIVED, MemberStatus.UNREACHABLE]
    assert fleet.tick()[:2] == (1, 1)
    assert [ids.tolist() for ids in fleet.events] == [[0, 2], [1, 3], []]
    assert fleet.xy.tolist() == [[1, 1], [0, 0], [0, 0], [0, 0]]
    assert fleet.tick().moved == 0
    assert [ids.size for ids in fleet.events] == [0, 0, 0]
    fleet.retarget([1, 3], [(4, 1), (2, 0)], nearest=True)
    while fleet.tick().moved:
        pass
    near = [planner_path[-1].tolist() for planner_path in (
        wp.build(name, grid).path((0, 0), goal, nearest=True) for goal in ((4, 1), (2, 0))
    )]  # fmt: skip
    assert fleet.xy[[1, 3]].tolist() == near
    for path in fleet.xy.tolist():
        rules.check_walk(is_open, "both-open", [path], tuple(path), tuple(path))


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


@each_walking
def test_refused_calls_change_nothing(name):
    """Goals forgotten, empty or of another number; ids and points of odd kinds. Nothing moves, and nobody is told."""
    grid = wp.grid_from_text(".....\n..#..\n.....")
    planner = wp.build(name, grid)
    fleet = planner.fleet([(0, 0), (1, 0), (2, 0), (3, 0)], [(4, 2), (0, 2), (4, 0), (3, 0)], threads=1)
    fleet.remove(3)
    fleet.tick()
    masked = np.ma.array([0, 1], mask=[True, False])
    no_points = ([], (), np.empty((3, 0), int), np.empty((0, 3), int), [[]], [[], []], np.empty((0, 2, 2)))
    bad_points = (
        *no_points[2:], (True, False), {0: 0, 1: 0}, [(True, False)], [(0, True)] * 3, bytearray(b"ab"), b"ab", "ab",
        memoryview(b"ab"), [bytearray(b"ab")] * 3, np.ma.array([(0, 0)] * 3, mask=True), np.ma.array([0, 0], mask=True),
        np.array([True, False]), [[0.0, 0.0]] * 3, [(0, 0), (1,)], [(0, 0, 0)] * 3, None, 5, (None, 0), {(0, 0)},
        [(2**70, 0)] * 3, [(-1, 0)] * 3, (9, 9), np.zeros((3, 2, 1), int), [None] * 3, np.datetime64("now"),
    )  # fmt: skip
    bad_ids = (
        masked, bytearray(b"\0\1"), memoryview(b"\0\1"), b"\0", [0, 0], [0, 1, 0], np.zeros(2, np.uint8), [True, 1],
        True, "0", {0: 1}, {0, 1}, None, [0.0], [[0]], [[0], [1, 2]], -1, [-1], 3, [0, 3], 4, 2**31, 2**63, [2**64 - 1],
        2**70, np.array([0, 2**32]), [0, None], np.array([0], object), np.array([np.timedelta64(0)]),
    )  # fmt: skip
    bad_budgets = ("5", b"5", True, -1, float("nan"), float("inf"), [5], (), "x", 1j)
    calls = [
        *(lambda p=points: fleet.teleport([0, 1, 2], p) for points in (*no_points, *bad_points)),
        *(lambda p=points: fleet.retarget([0, 1, 2], p) for points in (*no_points, *bad_points)),
        *(lambda p=points: fleet.add([(0, 0), (1, 0), (2, 0)], p) for points in (*no_points, *bad_points)),
        *(lambda p=points: fleet.add(p, (0, 0)) for points in bad_points),
        *(lambda p=points: planner.fleet([(0, 0)], p) for points in (*no_points, *bad_points)),
        lambda: planner.fleet([(0, 0)]),
        lambda: fleet.add([], [(0, 0), (1, 0)]),
        *(lambda i=ids: fleet.remove(i) for ids in bad_ids),
        *(lambda i=ids: fleet.retarget(i, (0, 0)) for ids in bad_ids),
        *(lambda i=ids: fleet.teleport(i, (0, 0)) for ids in bad_ids),
        *(lambda b=budget: fleet.tick(b) for budget in bad_budgets),
    ]  # fmt: skip

    def standing():
        arrays = fleet.cells, fleet.goals, fleet.status, fleet.generations, fleet.ids, fleet.waiting, *fleet.events
        return [array.tolist() for array in arrays], len(fleet), fleet.bytes, news_of(fleet)

    before = standing()
    for number, call in enumerate(calls):
        with pytest.raises(wp.WaypostError) as refused:
            call()
        assert "\n" not in str(refused.value)
        assert standing() == before, f"call {number} was refused and changed something: {refused.value}"
    assert fleet.add((0, 0), (1, 0)).tolist() == [4]
    while fleet.tick().moved:
        pass
    assert (fleet.cells[fleet.ids] == fleet.goals[fleet.ids]).all()


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
