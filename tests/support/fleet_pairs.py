"""A fleet and its plain-Python twin side by side: the same agents, goals, waits and moves."""

import numpy as np

from tests.oracle.fleet import FleetTwin
from tests.oracle.flood import components
from tests.support.worlds import draw, large_world
from waypost.fleet import MemberStatus
from waypost.planners.walking.kernels.walker import Slot


class Fleets:
    """A fleet of one thread on a planner, and its twin, of walkers that `new_walker` makes."""

    def __init__(self, planner, new_walker, asks):
        self.grid, self.new_walker = planner.grid, new_walker
        self.fleet, self.twin = planner.fleet(threads=1), FleetTwin(asks)
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
            self.twin.leave(number)
            del self.places[number], self.goals[number]

    def _send(self, number, goal):
        """A walker that does just what one would that has been on its way for long: it begins again."""
        self.goals[number] = goal
        start = self.places[number]
        if self.label[start] != self.label.get(goal):
            self.twin.leave(number)
            self.unreachable.add(number)
            return
        self.twin.put(number, self.new_walker(start, goal))
        if start == goal:
            self.arrived.add(number)

    def tick(self, most_chosen):
        """One tick in which so many are chosen at most, by calls for one each."""
        (mover,) = self.fleet.movers

        def tick(_):
            for each in mover.troops:
                each.begin_tick()
                mover.route.move_all(each.walkers, each.lists)
                for _ in range(most_chosen):
                    mover.route.choose_all(each.walkers, each.lists, 1)

        mover.tick = tick
        self.fleet.tick()
        self.twin.tick(most_chosen)
        self.check()

    def check(self):
        twin, fleet = self.twin, self.fleet
        self.places |= {number: walker.here for number, walker in twin.walkers.items()}
        assert fleet.ids.tolist() == sorted(self.places)
        assert len(fleet) == len(self.places)
        xy = fleet.xy.tolist()
        assert {number: tuple(xy[number]) for number in self.places} == self.places
        assert fleet.waiting.tolist() == twin.waiting
        counts = [each.counts() for each in fleet.troops]
        assert counts == [(len(twin.moved), twin.chosen, len(twin.waiting), twin.longest_wait, len(twin.arrived))]
        status = fleet.status.tolist()
        for number, goal in self.goals.items():
            is_there, is_open = self.places[number] == goal, number in twin.walkers
            on_way = MemberStatus.WAITING if number in twin.waiting else MemberStatus.MOVING
            expected = (MemberStatus.ARRIVED if is_there else on_way) if is_open else MemberStatus.UNREACHABLE
            assert status[number] == expected
            assert self.grid.xy(fleet.goals[number]) == goal
        assert fleet.events.arrived.tolist() == sorted({*twin.arrived, *self.arrived})
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


def fleets_of(twin, random, rule, costs, side, **params):
    """A fleet of a twin's planner beside one of the twin's walkers, on a generated map."""
    world = parted_world(random, rule, costs, side)
    place = some_place(world)
    pair = twin.pair(twin.planner, world, place, place, **twin.random_params(random) | twin.in_fleets | params)
    return Fleets(pair.planner, pair.walker_to, twin.is_asking)


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
    fleets.fleet.troops[0].walkers.state[number, Slot.TOO_FAR] = 1
