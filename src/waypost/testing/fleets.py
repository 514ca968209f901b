"""Checks of fleets, for planners that walk: the moves of single agents, waits, refusals that are whole, copies."""

import copy
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.fleet import Fleet, MemberStatus
from waypost.maps.text import grid_from_text
from waypost.planner import Planner
from waypost.testing.subject import Subject, refused
from waypost.testing.worlds import drawn
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid, Point
from waypost.world.problem import Problem

__all__ = [
    "CHECKS",
    "check_copy",
    "ends_of",
    "moves_alike_on_any_number_of_threads",
    "news_of",
    "standing_of",
]

_MOST_TICKS = 400  # who learns may wander for long, and then does what it did before
_AGENTS = 200
_RULES: tuple[tuple[DiagonalRule, DiagonalCost], ...] = (
    ("both-open", "sqrt2"),
    ("always", "1.4"),
    ("never", "sqrt2"),
    ("one-open", "sqrt2"),
)

Points = npt.NDArray[np.int32]


def ends_of(grid: Grid, count: int, seed: int = 1) -> tuple[Points, Points]:
    """Starts and goals anywhere on the map, as x, y."""
    cells, random = np.flatnonzero(grid.component), np.random.default_rng(seed)
    starts, goals = (grid.xys(random.choice(cells, count)) for _ in range(2))
    return starts, goals


class _Singles:
    """Single agents that do what a fleet is told, each by itself."""

    def __init__(self, planner: Planner, starts: Points, goals: Points) -> None:
        self.grid = planner.grid
        self.agents = [planner.agent() for _ in starts]
        self.is_lost = np.zeros(len(starts), bool)
        for i, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
            self.send(i, start, goal)

    def send(self, i: int, start: Point, goal: Point) -> None:
        """Let one begin again; it stays where it is if no way leads there."""
        here, there = self.grid.cell(start), self.grid.cell(goal)
        self.is_lost[i] = not self.grid.connected(here, there)
        self.agents[i].reset(Problem(here, here if self.is_lost[i] else there))

    def step(self) -> None:
        """One move of each."""
        for agent in self.agents:
            agent.step()

    @property
    def cells(self) -> npt.NDArray[np.int32]:
        return np.array([agent.cell for agent in self.agents], np.int32)

    @property
    def has_arrived(self) -> npt.NDArray[np.bool_]:
        return np.array([agent.cell == agent.goal for agent in self.agents])


def moves_fleets_as_single_agents(subject: Subject) -> None:
    """On all maps, under all rules; those who cannot arrive are told."""
    for (title, is_open), (rule, costs) in product(subject.maps.items(), _RULES):
        grid = Grid(is_open, diagonals=rule, costs=costs)
        planner = subject.build(grid)
        ends = ends_of(grid, _AGENTS)
        fleet, singles = planner.fleet(*ends), _Singles(planner, *ends)
        where = f"on {title}, {rule}, {costs}"
        assert np.array_equal(fleet.cells, singles.cells)
        for _ in range(_MOST_TICKS):
            before = singles.cells
            singles.step()
            tick = fleet.tick()
            assert np.array_equal(fleet.cells, singles.cells), f"a fleet makes other moves than agents {where}"
            assert tick.moved == np.count_nonzero(before != singles.cells)
            assert tick.waiting == tick.longest_wait == 0
            if singles.has_arrived.all():
                break
        assert np.array_equal(fleet.status == MemberStatus.UNREACHABLE, singles.is_lost)
        has_arrived = fleet.status == MemberStatus.ARRIVED
        assert np.array_equal(has_arrived, singles.has_arrived & ~singles.is_lost)
        assert has_arrived.any(), f"nobody arrives {where}"


def gives_fleets_new_goals_and_places_as_agents(subject: Subject) -> None:
    """Whatever an agent of a fleet is told, it goes on as a single one that begins there."""
    grid = Grid(subject.is_open)
    planner = subject.build(grid)
    ends = ends_of(grid, 60)
    fleet, singles = planner.fleet(*ends, threads=2), _Singles(planner, *ends)
    random = np.random.default_rng(3)
    for tick in range(120):
        if tick % 7 == 3:
            chosen = random.choice(60, 20, replace=False)
            places, goals = ends_of(grid, 20, seed=tick)
            if tick % 2:
                fleet.retarget(chosen, goals)
                places = fleet.xy[chosen]
            else:
                fleet.teleport(chosen, places)
                goals = grid.xys(fleet.goals[chosen])
            for i, place, goal in zip(chosen.tolist(), places.tolist(), goals.tolist(), strict=True):
                singles.send(i, place, goal)
        singles.step()
        fleet.tick()
        assert np.array_equal(fleet.cells, singles.cells), "with new goals, a fleet makes other moves than agents"


def lets_agents_wait_and_changes_no_path(subject: Subject) -> None:
    """However little time there is: each agent's path is its own, nobody is passed over, and all arrive."""
    grid = Grid(subject.is_open)
    planner = subject.build(grid)
    first, *others = (_walked_within(budget, planner) for budget in (None, 0, 30, 10_000))
    assert all(other == first for other in others), "a budget changed a path"


def _walked_within(budget_us: float | None, planner: Planner) -> list[list[int]]:
    """The path of each agent, when ticks have so much time."""
    fleet = planner.fleet(*ends_of(planner.grid, _AGENTS), threads=1)
    walked = [[cell] for cell in fleet.cells.tolist()]
    served = 0
    for _ in range(_AGENTS * _MOST_TICKS):
        waiting = fleet.waiting.tolist()
        tick = fleet.tick(budget_us)
        still = fleet.waiting.tolist()
        both = len(set(waiting) & set(still))
        assert waiting[len(waiting) - both :] == still[:both], "somebody who waited was passed over"
        assert tick.waiting == len(still) == np.count_nonzero(fleet.status == MemberStatus.WAITING)
        assert tick.longest_wait < _AGENTS
        served += tick.chosen
        for path, cell in zip(walked, fleet.cells.tolist(), strict=True):
            if cell != path[-1]:
                path.append(cell)
        if not np.isin(fleet.status, (MemberStatus.MOVING, MemberStatus.WAITING)).any():
            break
    assert served, "no target was ever chosen"
    return walked


def moves_alike_on_any_number_of_threads(subject: Subject) -> None:
    """Also what happens, and in which order it is told."""
    planner = subject.build(Grid(subject.is_open))
    first, *others = (_lived(planner, threads) for threads in (1, 2, 3, 16))
    assert all(other == first for other in others), "moves depend on the number of threads"


def _lived(planner: Planner, threads: int) -> list[Any]:
    """All that some ticks show, of a fleet that grows and gets new goals."""
    fleet, seen = planner.fleet(*ends_of(planner.grid, _AGENTS), threads=threads), []
    for tick in range(60):
        if tick % 5 == 4:
            chosen = np.random.default_rng(tick).choice(len(fleet), 40, replace=False)
            fleet.retarget(chosen, ends_of(planner.grid, 40, seed=tick)[0])
        if tick % 10 == 9:
            fleet.add(*ends_of(planner.grid, 20, seed=tick))
        shown = fleet.tick()[:2]
        seen.append((*shown, fleet.cells.tolist(), fleet.status.tolist(), *map(list, fleet.events)))
    fleet.close()
    fleet.tick()
    return seen


def tells_who_of_a_fleet_arrived_and_who_cannot(subject: Subject) -> None:
    """Once each; `nearest` goes where a path of a single agent ends."""
    planner = subject.build(Grid(drawn("islands")))
    fleet = planner.fleet([(0, 0)] * 4, [(1, 1), (4, 1), (0, 0), (2, 0)])
    unreachable = MemberStatus.UNREACHABLE
    assert fleet.status.tolist() == [MemberStatus.MOVING, unreachable, MemberStatus.ARRIVED, unreachable]
    assert fleet.tick()[:2] == (1, 1)
    assert [ids.tolist() for ids in fleet.events] == [[0, 2], [1, 3], []]
    assert fleet.xy.tolist() == [[1, 1], [0, 0], [0, 0], [0, 0]]
    assert fleet.tick().moved == 0
    assert [ids.size for ids in fleet.events] == [0, 0, 0], "what was told is told again"
    goals = [(4, 1), (2, 0)]
    fleet.retarget([1, 3], goals, nearest=True)
    _run(fleet)
    near = [planner.path((0, 0), goal, nearest=True)[-1].tolist() for goal in goals]
    assert fleet.xy[[1, 3]].tolist() == near
    fleet = planner.fleet([(0, 0)] * 2, (1, 1), nearest=True)
    fleet.retarget([0, 1], goals)
    fleet = copy.deepcopy(fleet)
    _run(fleet)
    assert fleet.xy.tolist() == near, "what a fleet was told when it was made holds for goals that it is given later"
    fleet.retarget([0, 1], goals, nearest=False)
    assert fleet.status.tolist() == [unreachable] * 2


def news_of(fleet: Fleet) -> list[list[int]]:
    """What the next tick would tell, of itself and of what happened before it; a copy is asked."""
    ahead = copy.deepcopy(fleet)
    ahead.tick()
    return [ids.tolist() for ids in ahead.events]


def standing_of(fleet: Fleet) -> tuple[Any, ...]:
    """All that can be seen of a fleet."""
    arrays = fleet.cells, fleet.goals, fleet.status, fleet.generations, fleet.ids, fleet.waiting, *fleet.events
    return [array.tolist() for array in arrays], len(fleet), fleet.bytes, news_of(fleet)


def changes_nothing_when_a_call_to_a_fleet_is_refused(subject: Subject) -> None:
    """Goals forgotten, empty or of another number; ids and points of odd kinds. Nothing moves, and nobody is told."""
    planner = subject.build(grid_from_text(".....\n..#..\n....."))
    fleet = planner.fleet([(0, 0), (1, 0), (2, 0), (3, 0)], [(4, 2), (0, 2), (4, 0), (3, 0)], threads=1)
    fleet.remove(3)
    fleet.tick()
    before = standing_of(fleet)
    for number, call in enumerate(_odd_calls(planner, fleet)):
        with refused(""):
            call()
        assert standing_of(fleet) == before, f"call {number} was refused and changed something: {call}"
    assert fleet.add((0, 0), (1, 0)).tolist() == [4]
    _run(fleet)
    assert (fleet.cells[fleet.ids] == fleet.goals[fleet.ids]).all()


def _odd_calls(planner: Planner, fleet: Fleet) -> Iterable[Callable[[], Any]]:
    """Calls to a fleet of the ids 0, 1 and 2 that must be refused."""
    no_points: tuple[Any, ...] = (
        [], (), np.empty((3, 0), int), np.empty((0, 3), int), [[]], [[], []], np.empty((0, 2, 2)),
    )  # fmt: skip
    bad_points: tuple[Any, ...] = (
        *no_points[2:], (True, False), {0: 0, 1: 0}, [(True, False)], [(0, True)] * 3, bytearray(b"ab"), b"ab", "ab",
        memoryview(b"ab"), [bytearray(b"ab")] * 3, np.ma.array([(0, 0)] * 3, mask=True), np.ma.array([0, 0], mask=True),
        np.array([True, False]), [[0.0, 0.0]] * 3, [(0, 0), (1,)], [(0, 0, 0)] * 3, None, 5, (None, 0), {(0, 0)},
        [(2**70, 0)] * 3, [(-1, 0)] * 3, (9, 9), np.zeros((3, 2, 1), int), [None] * 3, np.datetime64("now"),
    )  # fmt: skip
    bad_ids: tuple[Any, ...] = (
        np.ma.array([0, 1], mask=[True, False]), bytearray(b"\0\1"), memoryview(b"\0\1"), b"\0", [0, 0], [0, 1, 0],
        np.zeros(2, np.uint8), [True, 1], True, "0", {0: 1}, {0, 1}, None, [0.0], [[0]], [[0], [1, 2]], -1, [-1], 3,
        [0, 3], 4, 2**31, 2**63, [2**64 - 1], 2**70, np.array([0, 2**32]), [0, None], np.array([0], object),
        np.array([np.timedelta64(0, "s")]),
    )  # fmt: skip
    bad_budgets: tuple[Any, ...] = ("5", b"5", True, -1, float("nan"), float("inf"), [5], (), "x", 1j)
    for points in (*no_points, *bad_points):
        yield partial(fleet.teleport, [0, 1, 2], points)
        yield partial(fleet.retarget, [0, 1, 2], points)
        yield partial(fleet.add, [(0, 0), (1, 0), (2, 0)], points)
        yield partial(planner.fleet, [(0, 0)], points)
    for points in bad_points:
        yield partial(fleet.add, points, (0, 0))
    yield partial(planner.fleet, [(0, 0)])
    yield partial(fleet.add, [], [(0, 0), (1, 0)])
    for ids in bad_ids:
        yield partial(fleet.remove, ids)
        yield partial(fleet.retarget, ids, (0, 0))
        yield partial(fleet.teleport, ids, (0, 0))
    for budget in bad_budgets:
        yield partial(fleet.tick, budget)


def _run(fleet: Fleet) -> None:
    """Until nobody moves."""
    while fleet.tick().moved:
        pass


def copies_fleets_that_go_their_own_way(subject: Subject) -> None:
    """With any parameters."""
    random = np.random.default_rng(9)
    for settings in range(4):
        planner = subject.build(Grid(subject.is_open), **subject.some_params(random) if settings else {})
        check_copy(planner, (copy.copy, copy.deepcopy)[settings % 2])


def check_copy(planner: Planner, copied: Callable[[Fleet], Fleet]) -> None:
    """Copied between ticks, while some wait for a target, both go on as if alone; then one is told other things."""
    starts, goals = ends_of(planner.grid, 90)
    fleet, alone = (planner.fleet(starts, goals, threads=2) for _ in range(2))
    for each in (fleet, alone):
        for tick in range(5):
            each.tick()
            if tick == 2:
                each.remove([3, 40])
                each.retarget([5, 6], goals[:2])
        each.tick(0)
    twin = copied(fleet)
    assert np.array_equal(twin.waiting, fleet.waiting)
    assert np.array_equal(twin.generations, fleet.generations)
    assert [ids.tolist() for ids in twin.events] == [ids.tolist() for ids in fleet.events]
    for _ in range(100):
        expected = alone.tick()[:5]
        for each in (twin, fleet):
            assert each.tick()[:5] == expected, "copied, a fleet makes other moves"
            assert np.array_equal(each.cells, alone.cells)
            assert np.array_equal(each.status, alone.status)
        if not expected[0]:
            break
    twin.retarget(twin.ids, starts[0])
    twin.add(starts[:9], goals[:9])
    twin.tick()
    assert np.array_equal(fleet.cells, alone.cells), "a copy that is told something changes the original"
    assert len(twin) == len(fleet) + 9


CHECKS = (
    moves_fleets_as_single_agents,
    gives_fleets_new_goals_and_places_as_agents,
    lets_agents_wait_and_changes_no_path,
    moves_alike_on_any_number_of_threads,
    tells_who_of_a_fleet_arrived_and_who_cannot,
    changes_nothing_when_a_call_to_a_fleet_is_refused,
    copies_fleets_that_go_their_own_way,
)
