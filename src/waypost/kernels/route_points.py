"""The points of a route: those that follow, and which of them to head for (algorithms 9.4, 11.3, 12.2).

A walker has a *point*, the last one of its route that it has come to or is on its way to, and knows some that follow.
The last point of a route is the goal. Making points known is up to the kernels of each kind of route.

*Better than published.* Before it goes on to the next point, a walker tries climbs to some of the points after it, the
farthest first, and takes the first that is no longer than the way by the points between.
"""

import numpy as np

from waypost.kernels.climb import count_climb, vector_to
from waypost.kernels.compiling import inlined
from waypost.kernels.moves import octile
from waypost.kernels.walk import CELL, GOAL, SLOTS, TARGET

# Slots behind those of the walker: the point, how many that follow are known, the last of these; the legs from there
# to the next ones, as far as they are at hand; whether the goal is the last known point; and what the walker is at.
POINT, KNOWN, LAST, NEXT_LEG, END_LEG, IS_COMPLETE, PHASE = range(SLOTS, SLOTS + 7)
ROUTE = SLOTS + 7  # slots of a kind of route
POINTS = SLOTS + 13  # the known points

NEW, BY_POINTS, CLIMBING_TO_GOAL = range(3)  # what a walker is at, on any route
FIRST_PHASE = 3  # of a kind of route

# What a planner was set to, whatever the kind of route.
STRIDE, STRAIGHT, DIAGONAL, AHEAD, LIMIT, DIRECT = range(6)
FIRST_SETTING = 6  # of a kind of route

NO_DIRECT, SHORTEST_DIRECT, ANY_DIRECT = range(3)  # a climb from the start to the goal that is taken
LEAST_AHEAD = 2  # points that are always known: as published, the one after next matters at the end


@inlined
def distance(settings, a, b):
    """The octile distance between two cells."""
    dx, dy = vector_to(settings[STRIDE], np.int64(a), np.int64(b))
    return octile(dx, dy, settings[STRAIGHT], settings[DIAGONAL])


@inlined
def try_climb(mask, climb_table, settings, cell, target):
    """Whether a climb arrives, what it costs as far as it comes, and its steps."""
    arrived, steps, diagonals = count_climb(mask, climb_table, settings[STRIDE], cell, target, settings[LIMIT])
    return arrived, (steps - diagonals) * settings[STRAIGHT] + diagonals * settings[DIAGONAL], steps


@inlined
def go_directly(mask, climb_table, state, walker, settings):
    """Head for the goal if that is asked for and a climb will do; returns whether it does, and climb steps."""
    if settings[DIRECT] == NO_DIRECT:
        return False, 0
    cell = np.int64(state[CELL, walker])
    goal = np.int64(state[GOAL, walker])
    good, cost, climbs = try_climb(mask, climb_table, settings, cell, goal)
    if good and settings[DIRECT] == SHORTEST_DIRECT:
        good = cost == distance(settings, cell, goal)
    if good:
        state[TARGET, walker] = goal
        state[PHASE, walker] = CLIMBING_TO_GOAL
    return good, climbs


@inlined
def begin_route(state, walker, cell):
    """Make a cell the point that a route begins with; nothing is known yet of what follows."""
    state[POINT, walker] = state[LAST, walker] = cell
    state[KNOWN, walker] = state[NEXT_LEG, walker] = state[END_LEG, walker] = state[IS_COMPLETE, walker] = 0
    state[PHASE, walker] = BY_POINTS


@inlined
def goal_is_next(state, walker):
    """Whether the goal is the only point that follows."""
    return state[KNOWN, walker] == 1 and state[IS_COMPLETE, walker] != 0


@inlined
def head_for_point(state, walker, chosen):
    """Make a known point the target; those before it are passed over."""
    left = state[KNOWN, walker] - chosen - 1
    state[TARGET, walker] = state[POINTS + chosen, walker]
    if left == 0 and state[IS_COMPLETE, walker]:
        state[PHASE, walker] = CLIMBING_TO_GOAL
    else:
        state[PHASE, walker] = BY_POINTS
        state[POINT, walker] = state[POINTS + chosen, walker]
        state[KNOWN, walker] = left
        for i in range(left):
            state[POINTS + i, walker] = state[POINTS + chosen + 1 + i, walker]


@inlined
def farthest(mask, climb_table, state, walker, settings):
    """The farthest point to which a climb is no longer than the way by the points before it; -1 if none, and steps.

    From one point to the next there always is a climb, so that one is not tried.
    """
    cell = np.int64(state[CELL, walker])
    count = np.int64(state[KNOWN, walker])
    before = np.int64(state[POINT, walker])
    is_there = cell == before
    way = distance(settings, cell, before)
    for i in range(count):
        there = np.int64(state[POINTS + i, walker])
        way += distance(settings, before, there)
        before = there
    climbs = 0
    for i in range(count - 1, 0 if is_there else -1, -1):
        there = np.int64(state[POINTS + i, walker])
        arrived, cost, steps = try_climb(mask, climb_table, settings, cell, there)
        climbs += steps
        if arrived and cost <= way:
            return i, climbs
        before = np.int64(state[POINTS + i - 1 if i else POINT, walker])
        way -= distance(settings, before, there)
    return 0 if is_there and not goal_is_next(state, walker) else -1, climbs


@inlined
def as_published(mask, climb_table, state, walker, settings, skips_first, skips_last):
    """The point to go to without skipping any, but for the first and the last one if asked to; -1 if none, and steps.

    The first is the one that the route begins with, the last the one before the goal.
    """
    if goal_is_next(state, walker):
        return -1, 0
    cell = np.int64(state[CELL, walker])
    tried = 0
    if cell == state[POINT, walker]:
        if not skips_last or state[KNOWN, walker] != LEAST_AHEAD or not state[IS_COMPLETE, walker]:
            return 0, 0
        tried = 1  # the goal
    elif not skips_first:
        return -1, 0
    arrived, _, steps = try_climb(mask, climb_table, settings, cell, np.int64(state[POINTS + tried, walker]))
    return tried if arrived else tried - 1, steps
