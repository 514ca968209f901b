"""The points of a route: those that follow, and which of them to head for (algorithms 9.4, 11.3, 12.2).

A walker has a *point*, the last one of its route that it has come to or is on its way to, and knows some that follow.
The last point of a route is the goal. Making points known is up to the kernels of each kind of route.

*Better than published.* Before it goes on to the next point, a walker tries climbs to some of the points after it, the
farthest first, and takes the first that is no longer than the way by the points between.
"""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.planners.walking.kernels.ground import climb_cost, distance
from waypost.planners.walking.kernels.walker import Slot


class RouteSlot(IntEnum):
    """Slots behind those of the walker: the point, and what is known of those that follow."""

    POINT = Slot.ROUTE
    KNOWN = auto()
    """How many that follow are known."""
    LAST = auto()
    """The last of these."""
    NEXT_LEG = auto()
    END_LEG = auto()
    """The legs from there to the next ones, as far as they are at hand."""
    IS_COMPLETE = auto()
    """Whether the goal is the last known point."""
    PHASE = auto()
    """What the walker is at."""
    OF_KIND = auto()
    """Here begin the slots of a kind of route, six at most."""
    POINTS = OF_KIND + 6  # type: ignore[operator]  # a number by now
    """Here begin the known points."""


NEW, BY_POINTS, CLIMBING_TO_GOAL = range(3)  # what a walker is at, on any route
FIRST_PHASE = 3  # of a kind of route

NO_DIRECT, SHORTEST_DIRECT, ANY_DIRECT = range(3)  # a climb from the start to the goal that is taken
LEAST_AHEAD = 2  # points that are always known: as published, the one after next matters at the end


@inlined
def go_directly(ground, settings, now):
    """Head for the goal if that is asked for and a climb will do; returns whether it does, and climb steps."""
    if settings.direct == NO_DIRECT:
        return False, 0
    cell = np.int64(now[Slot.CELL])
    goal = np.int64(now[Slot.GOAL])
    good, cost, climbs = climb_cost(ground, cell, goal, settings.limit)
    if good and settings.direct == SHORTEST_DIRECT:
        good = cost == distance(ground, cell, goal)
    if good:
        now[Slot.TARGET] = goal
        now[RouteSlot.PHASE] = CLIMBING_TO_GOAL
    return good, climbs


@inlined
def begin_route(now, cell):
    """Make a cell the point that a route begins with; nothing is known yet of what follows."""
    now[RouteSlot.POINT] = now[RouteSlot.LAST] = cell
    now[RouteSlot.KNOWN] = now[RouteSlot.IS_COMPLETE] = 0
    now[RouteSlot.NEXT_LEG] = now[RouteSlot.END_LEG] = 0
    now[RouteSlot.PHASE] = BY_POINTS


@inlined
def goal_is_next(now):
    """Whether the goal is the only point that follows."""
    return now[RouteSlot.KNOWN] == 1 and now[RouteSlot.IS_COMPLETE] != 0


@inlined
def head_for_point(now, chosen):
    """Make a known point the target; those before it are passed over."""
    left = now[RouteSlot.KNOWN] - chosen - 1
    now[Slot.TARGET] = now[RouteSlot.POINTS + chosen]
    if left == 0 and now[RouteSlot.IS_COMPLETE]:
        now[RouteSlot.PHASE] = CLIMBING_TO_GOAL
    else:
        now[RouteSlot.PHASE] = BY_POINTS
        now[RouteSlot.POINT] = now[RouteSlot.POINTS + chosen]
        now[RouteSlot.KNOWN] = left
        for i in range(left):
            now[RouteSlot.POINTS + i] = now[RouteSlot.POINTS + chosen + 1 + i]


@inlined
def farthest(ground, settings, now):
    """The farthest point to which a climb is no longer than the way by the points before it; -1 if none, and steps.

    From one point to the next there always is a climb, so that one is not tried.
    """
    cell = np.int64(now[Slot.CELL])
    count = np.int64(now[RouteSlot.KNOWN])
    before = np.int64(now[RouteSlot.POINT])
    is_there = cell == before
    way = distance(ground, cell, before)
    for i in range(count):
        there = np.int64(now[RouteSlot.POINTS + i])
        way += distance(ground, before, there)
        before = there
    climbs = 0
    for i in range(count - 1, 0 if is_there else -1, -1):
        there = np.int64(now[RouteSlot.POINTS + i])
        arrived, cost, steps = climb_cost(ground, cell, there, settings.limit)
        climbs += steps
        if arrived and cost <= way:
            return i, climbs
        before = np.int64(now[RouteSlot.POINTS + i - 1] if i else now[RouteSlot.POINT])
        way -= distance(ground, before, there)
    return 0 if is_there and not goal_is_next(now) else -1, climbs


@inlined
def last_joint(ground, settings, now):
    """The known point that a binary search finds to be in reach of the walker's point, and steps (algorithms 11.3).

    The goal is none of them. From one point to the next there always is a climb, so that the first one is not tried.
    """
    place = 0
    low = 1
    high = np.int64(now[RouteSlot.KNOWN]) - np.int64(now[RouteSlot.IS_COMPLETE]) - 1
    climbs = 0
    while low <= high:
        middle = (low + high) >> 1
        there = np.int64(now[RouteSlot.POINTS + middle])
        arrived, _, steps = climb_cost(ground, np.int64(now[RouteSlot.POINT]), there, settings.limit)
        climbs += steps
        if arrived:
            place = middle
            low = middle + 1
        else:
            high = middle - 1
    return place, climbs


@inlined
def as_published(ground, settings, now, first, skips_first, skips_last):
    """The known point to go to next, which is `first`, or a climb past one of the ends; -1 if none, and steps.

    If asked to, that climb passes over the point that the route begins with, or over the one before the goal.
    """
    if goal_is_next(now):
        return -1, 0
    cell = np.int64(now[Slot.CELL])
    tried = first
    if cell == now[RouteSlot.POINT]:
        if not skips_last or now[RouteSlot.KNOWN] != first + LEAST_AHEAD or not now[RouteSlot.IS_COMPLETE]:
            return first, 0
        tried = first + 1  # the goal
    elif not skips_first:
        return -1, 0
    there = np.int64(now[RouteSlot.POINTS + tried])
    arrived, _, steps = climb_cost(ground, cell, there, settings.limit)
    otherwise = first if tried > first else -1
    return tried if arrived else otherwise, steps
