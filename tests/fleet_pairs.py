"""A fleet and its plain-Python twin side by side: the same agents, goals, waits and moves."""

import numpy as np

from tests import record_pairs, region_pairs, tree_pairs
from tests.oracle.fleet import Crowd
from tests.oracle.flood import components
from tests.oracle.record_walk import RecordWalker
from tests.oracle.region_walk import RegionWalker
from tests.oracle.tree_walk import TreeWalker
from tests.oracle.trees import tree
from tests.region_pairs import draw, large_world
from waypost.fleet import AgentStatus
from waypost.kernels import troop


class Fleets:
    """A fleet of one thread on a planner, and a crowd of walkers that `new_walker` makes."""

    def __init__(self, planner, new_walker, asks):
        self.grid, self.new_walker = planner.grid, new_walker
        self.fleet, self.crowd = planner.fleet(threads=1), Crowd(asks)
        self.label, _ = components(self.grid.is_open, self.grid.diagonals)
        self.goals, self.places = {}, {}
        self.arrived, self.unreachable = set(), set()

    def add(self, starts, goals):
        for number, start, goal in zip(self.fleet.add(starts, goals).tolist(), starts, goals, strict=True):
            self.places[number] = start
            self._send(number, goal)

    def retarget(self, numbers, goals):
        self.fleet.retarget(numbers, goals)
        for number, goal in zip(numbers, goals, strict=True):
            self._send(number, goal)

    def teleport(self, numbers, places):
        self.fleet.teleport(numbers, places)
        for number, place in zip(numbers, places, strict=True):
            self.places[number] = place
            self._send(number, self.goals[number])

    def remove(self, numbers):
        self.fleet.remove(numbers)
        for number in numbers:
            self.crowd.leave(number)
            del self.places[number], self.goals[number]

    def _send(self, number, goal):
        """A walker that does just what one would that has been on its way for long: it begins anew."""
        self.goals[number] = goal
        start = self.places[number]
        if self.label[start] != self.label.get(goal):
            self.crowd.leave(number)
            self.unreachable.add(number)
            return
        self.crowd.put(number, self.new_walker(start, goal))
        if start == goal:
            self.arrived.add(number)

    def tick(self, most_chosen):
        """One tick in which so many are chosen at most, by calls for one each."""
        (crew,), fleet = self.fleet._crews, self.fleet
        fleet._told, fleet._news, fleet._events = fleet._news, [], None
        for each in crew.troops:
            each.begin_tick()
            crew.route.move_all(each.shared, each.lists)
            for _ in range(most_chosen):
                crew.route.choose_all(each.shared, each.lists, 1)
        self.crowd.tick(most_chosen)
        self.check()

    def check(self):
        crowd, fleet = self.crowd, self.fleet
        self.places |= {number: walker.here for number, walker in crowd.walkers.items()}
        assert fleet.ids.tolist() == sorted(self.places)
        assert len(fleet) == len(self.places)
        xy = fleet.xy.tolist()
        assert {number: tuple(xy[number]) for number in self.places} == self.places
        assert fleet.waiting.tolist() == crowd.waiting
        counts = [each.counts() for each in fleet._troops]
        assert counts == [(len(crowd.moved), crowd.chosen, len(crowd.waiting), crowd.longest_wait, len(crowd.arrived))]
        status = fleet.status.tolist()
        for number, goal in self.goals.items():
            is_there, is_open = self.places[number] == goal, number in crowd.walkers
            on_way = AgentStatus.WAITING if number in crowd.waiting else AgentStatus.MOVING
            expected = (AgentStatus.ARRIVED if is_there else on_way) if is_open else AgentStatus.UNREACHABLE
            assert status[number] == expected
            assert self.grid.xy(fleet.goals[number]) == goal
        assert fleet.events.arrived.tolist() == sorted({*crowd.arrived, *self.arrived})
        assert fleet.events.unreachable.tolist() == sorted(self.unreachable)
        assert fleet.events.lost.size == 0
        self.arrived, self.unreachable = set(), set()


def live(fleets, random, ticks, places):
    """Agents come, go, jump and change their minds, and now and then there is no time for all of them."""
    fleets.add(*([draw(random, places) for _ in range(12)] for _ in range(2)))
    for _ in range(ticks):
        there = list(fleets.places)
        some = [number for number in there if random.random() < 0.2]
        what = random.integers(12)
        if what == 0:
            fleets.add([draw(random, places)], [draw(random, places)])
        elif what == 1 and len(there) > 3:
            fleets.remove(some[:3])
        elif what in (2, 3, 4):
            fleets.retarget(some, [draw(random, places) for _ in some])
        elif what == 5:
            fleets.teleport(some, [draw(random, places) for _ in some])
        fleets.tick(int(draw(random, (0, 1, 2, 1000))))


def by_regions(random, name, rule, costs, side, **params):
    world = parted_world(random, rule, costs, side)
    pair = region_pairs.Pair(
        name, world, *[some_place(world)] * 2, **region_pairs.random_params(random, name) | params
    )  # fmt: skip

    def walker(start, goal):
        new = RegionWalker(world, pair.regions, start, **pair.params)
        new.set_goal(goal)
        return new

    return Fleets(pair.planner, walker, lambda one: one.target in (None, one.here))


def by_records(random, rule, costs, side):
    world = parted_world(random, rule, costs, side)
    pair = record_pairs.Pair(world, *[some_place(world)] * 2, **record_pairs.random_params(random))

    def walker(start, goal):
        new = RecordWalker(world, pair.records, pair.looked_at, start, **pair.params)
        new.set_goal(goal)
        return new

    return Fleets(pair.planner, walker, lambda one: one.target in (None, one.here) or one.quota_left <= 0)


def by_trees(random, rule, costs, side):
    import waypost as wp

    world = parted_world(random, rule, costs, side)
    is_open, *_ = world
    grid = wp.Grid(is_open, diagonals=rule, costs=costs)
    params = tree_pairs.random_params(random)
    kept = int(random.integers(2)) * 3
    planner = wp.build("trees", grid, threads=1, goals_kept=kept, **params)
    parents = {}

    def walker(start, goal):
        if goal not in parents:
            parents[goal] = tree(*world, goal, params["climb_exits"]).parent
        new = TreeWalker(*world, start, params["tries"], params["limit"])
        new.set_goal(parents[goal])
        return new

    return Fleets(planner, walker, lambda one: one.target is None)


def parted_world(random, rule, costs, side):
    """A generated map, sometimes with a wall across it, so that some goals are out of reach."""
    (is_open, *others), _ = large_world(random, rule, costs, side)
    if random.integers(2):
        is_open[:, is_open.shape[1] // 2] = False
    return is_open, *others


def some_place(world):
    y, x = np.argwhere(world[0])[0]
    return int(x), int(y)


def some_places(random, grid, count=6):
    """Places of any part of the map, so that some goals are out of reach."""
    cells = np.flatnonzero(grid.component)
    return [grid.xy(cell) for cell in random.choice(cells, size=count).tolist()]


def lose(fleets, number):
    """Make a walker believe that what it learned went too far."""
    fleets.fleet._troops[0].shared.state[troop.TOO_FAR, number] = 1
