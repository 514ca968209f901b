"""Fleets that are told odd things: each call is refused in one sentence and changes nothing, or does what it says.

A model in plain Python knows what every call means and where each agent is on the way that it would walk alone.
"""

import copy
import pickle
import traceback
import warnings
from functools import lru_cache

import numpy as np

import waypost as wp
from tests.hostile.forged_indexes import built, one_sentence, world
from waypost import fleet as fleets
from waypost.catalog import CATALOG
from waypost.fleet import MemberStatus
from waypost.testing.fleets import standing_of

WALKING = [name for name, entry in CATALOG.items() if entry.walks]
WORLDS, SETTINGS = 24, 8
CALLS = 30
KNOWN = 80  # moves of a way that are compared; who learns may wander for long
TROOP_SHIFT = 4  # small troops, so that there are several


def run(count, seed, report):
    """Carry out so many scripts, of the numbers from seed on."""
    failures = []
    shift, troop = fleets.TROOP_SHIFT, fleets.TROOP
    fleets.TROOP_SHIFT, fleets.TROOP = TROOP_SHIFT, 1 << TROOP_SHIFT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for number in range(seed, seed + count):
                script = Script(number)
                try:
                    script.carry_out()
                    outcome = "sound, some calls refused" if script.refused else "sound"
                except Exception:  # whatever it is, it should not have come up
                    outcome = "failed"
                    said = " | ".join(line.strip() for line in traceback.format_exc().splitlines()[-4:])
                    failures.append(f"fleets {number}: {script}: {said}")
                report(outcome)
    finally:
        fleets.TROOP_SHIFT, fleets.TROOP = shift, troop
    return failures


class Script:
    """A fleet, and a model of what its agents do; it follows from its number."""

    def __init__(self, number):
        self.random = np.random.default_rng([4, number])
        self.name = WALKING[number % len(WALKING)]
        self.case = int(self.random.integers(WORLDS)), int(self.random.integers(SETTINGS))
        self.last, self.refused = "not begun", 0
        self.agents = {}
        """By id: the cells of its way, how far it is there, and its goal."""

    def __str__(self):
        return f"{self.name}, world {self.case[0]}, settings {self.case[1]}, {self.last}"

    def carry_out(self):
        self.planner = built(self.name, *self.case)
        self.grid = self.planner.grid
        self.nearest = bool(self.random.integers(2))
        self.fleet = self.planner.fleet(threads=int(self.random.integers(1, 4)), nearest=self.nearest)
        for _ in range(CALLS):
            call = self.random.choice([self.add, self.remove, self.send, self.put, self.tick, self.tick, self.copied])
            call()
            self.check()
        self.fleet.close()
        for _ in range(2 * KNOWN):
            self.advance(None)
            self.check()
            if not np.isin(self.fleet.status, (MemberStatus.MOVING, MemberStatus.WAITING)).any():
                break

    def add(self):
        starts, goals = self.points(self.random.integers(0, 25)), None
        meant_starts = points_meant(starts)
        goals = self.points(len(meant_starts or ()))
        meant_goals = spread(points_meant(goals), len(meant_starts or ()))
        good = meant_starts is not None and meant_goals is not None and self.are_open(meant_starts)
        good = good and self.are_inside(points_meant(goals))
        others = self.others()
        call = self.fleet.add if self.random.integers(4) else self.anew
        ids = self.told("add", good, call, starts, goals, **others)
        if ids is not REFUSED:
            if call == self.anew:
                self.agents, self.nearest = {}, bool(others.get("nearest"))
                self.fleet, ids = ids, ids.ids
            assert len(ids) == len(meant_starts)
            assert not set(ids.tolist()) & set(self.agents), "an id that is in use"
            for number, start, goal in zip(ids.tolist(), meant_starts, meant_goals, strict=True):
                self.begin(number, self.grid.cell(start), self.grid.cell(goal), **others)

    def anew(self, starts, goals, **others):
        """Another fleet instead of this one."""
        return self.planner.fleet(starts, goals, threads=2, **others)

    def remove(self):
        ids = self.ids()
        meant = self.ids_meant(ids)
        if self.told("remove", meant is not None, self.fleet.remove, ids) is not REFUSED:
            for number in meant:
                del self.agents[number]

    def send(self):
        ids = self.ids()
        meant = self.ids_meant(ids)
        goals = self.points(len(meant or ()))
        meant_goals = spread(points_meant(goals), len(meant or ()))
        others = self.others()
        good = meant is not None and meant_goals is not None and self.are_inside(points_meant(goals))
        if self.told("retarget", good, self.fleet.retarget, ids, goals, **others) is not REFUSED:
            for number, goal in zip(meant, meant_goals, strict=True):
                self.begin(number, int(self.fleet.cells[number]), self.grid.cell(goal), **others)

    def put(self):
        ids = self.ids()
        meant = self.ids_meant(ids)
        places = self.points(len(meant or ()))
        meant_places = spread(points_meant(places), len(meant or ()))
        good = meant is not None and meant_places is not None and self.are_open(points_meant(places))
        if self.told("teleport", good, self.fleet.teleport, ids, places) is not REFUSED:
            for number, place in zip(meant, meant_places, strict=True):
                self.begin(number, self.grid.cell(place), self.agents[number][2])

    def tick(self):
        budget = BUDGETS[self.random.integers(len(BUDGETS))]
        good = budget is None or (isinstance(budget, (int, float)) and not isinstance(budget, bool) and budget >= 0)
        if good:
            self.last = f"tick({budget!r})"
            self.advance(budget)
        else:
            self.told("tick", False, self.fleet.tick, budget)

    def copied(self):
        """Go on with a copy; the original is left alone."""
        way = self.random.integers(3)
        self.last = ("copy", "deep copy", "pickle")[way]
        fleet = self.fleet
        self.fleet = (copy.copy(fleet), copy.deepcopy(fleet), pickle.loads(pickle.dumps(fleet)))[way]  # noqa: S301
        fleet.close()

    def told(self, what, is_good, call, *arguments, **others):
        """Make a call; what it returns, or REFUSED. It must be refused if, and only if, it means nothing good."""
        self.last = f"{what}{arguments!r} {others}"[:300]
        before, said = standing_of(self.fleet), ""
        try:
            result = call(*arguments, **others)
        except wp.WaypostError as error:
            result, said = REFUSED, one_sentence(error)
        assert is_good == (result is not REFUSED), f"refused: {said}" if said else "accepted in silence"
        assert is_good or standing_of(self.fleet) == before, f"refused, but it changed something: {said}"
        self.refused += not is_good
        return result

    def others(self):
        """Whether agents go as near as they can, or nothing: then as the fleet was told when it was made."""
        return {"nearest": bool(self.random.integers(2))} if self.random.integers(3) else {}

    def begin(self, number, start, goal, nearest=None):
        """The way that an agent has from now on: that of a single one."""
        if not self.grid.connected(start, goal) and (self.nearest if nearest is None else nearest):
            goal = self.grid.nearest_connected(start, goal)
        way = alone(self.name, *self.case, start, goal) if self.grid.connected(start, goal) else (start,)
        self.agents[number] = way, 0, goal

    def advance(self, budget):
        """A tick; without a budget everyone moves who can, with one some wait."""
        before = self.fleet.cells.copy()
        self.fleet.tick(budget)
        cells = self.fleet.cells
        for number, (way, at, goal) in self.agents.items():
            if way is None:
                continue
            if at + 1 < len(way):
                moved = cells[number] == way[at + 1]
                assert moved or (budget is not None and cells[number] == way[at]), "another move than alone"
                self.agents[number] = way, at + bool(moved), goal
            elif at == KNOWN:
                self.agents[number] = None, at, goal  # wandering on, nobody knows where
        gone = np.setdiff1d(np.arange(len(before)), list(self.agents))
        assert np.array_equal(before[gone], cells[gone]), "who is gone moves"

    def check(self):
        fleet = self.fleet
        assert len(fleet) == len(self.agents)
        assert fleet.ids.tolist() == sorted(self.agents)
        assert (self.grid.component[fleet.cells[fleet.ids]] > 0).all(), "stands on a wall"
        status = fleet.status
        for number, (way, at, goal) in self.agents.items():
            assert fleet.goals[number] == goal
            if way is None:
                continue
            assert fleet.cells[number] == way[at]
            if way[at] == goal:
                assert status[number] == MemberStatus.ARRIVED
            elif not self.grid.connected(way[at], goal):
                assert status[number] == MemberStatus.UNREACHABLE
            else:
                assert status[number] in (MemberStatus.MOVING, MemberStatus.WAITING)

    def are_inside(self, points):
        return all(0 <= x < self.grid.width and 0 <= y < self.grid.height for x, y in points)

    def are_open(self, points):
        return self.are_inside(points) and all(self.grid.is_open[y, x] for x, y in points)

    def ids_meant(self, given):
        """The ids of a call, if they are ids of agents, each once; otherwise None."""
        ids = numbers_meant(given)
        return ids if ids is not None and len(set(ids)) == len(ids) and set(ids) <= set(self.agents) else None

    def ids(self):
        """Some ids, mostly good ones, in any form, or something odd."""
        random = self.random
        there = sorted(self.agents)
        some = [number for number in there if random.random() < random.choice([0.1, 0.5, 1])]
        random.shuffle(some)
        if random.integers(3) == 0:
            return odd_ids(random, some)
        forms = [list, tuple, np.array, lambda ids: np.array(ids, np.uint16), lambda ids: np.array(ids, np.int64)[::1]]
        return forms[random.integers(5)](some) if some or random.integers(2) else []

    def points(self, count):
        """About so many points, mostly open ones, in any form, or something odd."""
        random = self.random
        cells = np.flatnonzero(self.grid.component)
        xy = self.grid.xys(random.choice(cells, int(count)))
        kind = random.integers(12)
        if kind == 0:
            return odd_points(random, xy)
        if kind == 1 and len(xy):
            xy[random.integers(len(xy))] = random.integers(-1, 20, 2)  # on a wall or outside, perhaps
        if kind == 2:
            return (int(xy[0, 0]), int(xy[0, 1])) if len(xy) else ()
        if kind == 3:
            return xy[: random.integers(len(xy) + 1)]
        if kind == 4:
            return [tuple(point) for point in xy.tolist()]
        if kind == 5 and len(xy):
            return np.asfortranarray(xy).astype(np.uint8) if (xy >= 0).all() else xy
        return xy


REFUSED = object()
BUDGETS = [None, None, 0, 5, 2.5, 1000, np.float64(3), "5", -1, float("nan"), True, [5], "x"]


def odd_ids(random, ids):
    """What should not be taken for ids, and some that is."""
    choices = [
        None, "0", b"\0", bytearray(b"\0"), memoryview(b"\0\1"), True, [True], 0, np.int64(0), np.array(0), -1, 10**6,
        2**70, [2**64 - 1], [0.0], np.nan, [[0]], [[0], [0, 1]], {0}, {0: 0}, np.ma.array([0], mask=[1]),
        np.array([0], object), np.array([0], bool), np.array(["0"]), np.empty((0, 0)), np.array([0], "m8[s]"), ids +
        ids, [*ids, -1], [*ids, 10**6], np.array(ids, float), np.ma.array(ids, mask=False), iter(ids), slice(0),
        np.array([(0, 0)], "i4,i4"), "",
    ]  # fmt: skip
    return choices[random.integers(len(choices))]


def odd_points(random, xy):
    """What should not be taken for points, and some that is."""
    rows = xy.tolist()
    choices = [
        None, "ab", b"ab", bytearray(b"ab"), memoryview(b"ab"), True, (True, False), [(True, 0)], {0: 0, 1: 0}, 5,
        {(0, 0)}, [], (), [[]], [[], []], np.empty((3, 0), int), np.empty((0, 3), int), np.empty((0, 2)), (0,),
        np.empty((0, 2), int), (0, 0, 0), [(0, 0, 0)], [(0, 0), (1,)], (0.0, 0.0), (np.nan, 0), (2**70, 0), (-1, 0),
        (2**63, 0), (None, 0), np.ma.array(xy, mask=True), np.ma.array(xy, mask=False), xy.astype(float),
        xy.astype(object), xy.astype(bool), xy.astype("M8[s]"), xy.T, xy[:, :1], xy[None], rows + rows, rows[:-1],
        [*rows, None], np.array([(0, 0)], "i4,i4"), (np.int8(0), np.int64(0)), np.array([0, 0], np.uint8),
        np.zeros((0, 2, 2)), slice(None), iter(rows), "",
    ]  # fmt: skip
    return choices[random.integers(len(choices))]


def is_whole(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def numbers_meant(given):
    """The whole numbers that are meant, or None."""
    if isinstance(given, np.ndarray):
        if isinstance(given, np.ma.MaskedArray) or given.ndim > 1 or (given.size and given.dtype.kind not in "iu"):
            return None
        return [int(value) for value in given.ravel()]
    if is_whole(given):
        return [int(given)]
    if isinstance(given, (list, tuple)) and all(is_whole(value) for value in given):
        return [int(value) for value in given]
    return None


def points_meant(given):
    """The points that are meant, or None."""
    if isinstance(given, np.ndarray):
        if isinstance(given, np.ma.MaskedArray) or given.dtype.kind not in "iuf":
            return None
        if given.shape in ((0,), (0, 2)):
            return []
        if given.dtype.kind == "f":
            return None
        if given.shape == (2,):
            return [tuple(given.tolist())]
        return [tuple(row) for row in given.tolist()] if given.ndim == 2 and given.shape[1] == 2 else None
    if not isinstance(given, (list, tuple)):
        return None
    if len(given) == 2 and all(is_whole(value) for value in given):
        return [(int(given[0]), int(given[1]))]
    good = all(isinstance(row, (list, tuple)) and len(row) == 2 and all(map(is_whole, row)) for row in given)
    return [(int(x), int(y)) for x, y in given] if good else None


def spread(points, count):
    """A point for each, if there are so many or one."""
    if points is None or len(points) not in (1, count):
        return None
    return points if len(points) == count else points * count


@lru_cache(maxsize=100_000)
def alone(name, of_world, of_settings, start, goal):
    """The first cells of the way of a single agent."""
    agent = built(name, of_world, of_settings).agent()
    assert agent.grid is world(of_world)
    agent.reset(wp.Problem(start, goal))
    return tuple(agent.walk(KNOWN).cells.tolist())
