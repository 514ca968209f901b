"""Routes by records: kNN LRTA* finds a solved problem like its own, and walks by its subgoals (2010; algorithms 9.4).

A record is a start and the legs from there; a climb makes each of them. Those most like the problem are tried in order:
the walker must be able to climb to the record's start, and from its end to the goal. If none will do, the walker heads
for the goal by LRTA*, and after a quota of travel tries once more.

*Better than published.* Of the records that will do, the one of the shortest way is taken, not the first. If none
will do, climbs may take more steps before the walker goes without a record. Points are passed over where a climb is no
longer (`kernels/route_points.py`).
"""

import numpy as np

from waypost.kernels.climb import count_climb
from waypost.kernels.compiling import inlined
from waypost.kernels.kdtree import MAX, nearest, next_of, rank_all
from waypost.kernels.moves import octile
from waypost.kernels.route_points import (
    AHEAD,
    BY_POINTS,
    DIAGONAL,
    END_LEG,
    FIRST_PHASE,
    FIRST_SETTING,
    IS_COMPLETE,
    KNOWN,
    LAST,
    LEAST_AHEAD,
    LIMIT,
    NEW,
    NEXT_LEG,
    PHASE,
    POINT,
    POINTS,
    ROUTE,
    STRAIGHT,
    STRIDE,
    as_published,
    begin_route,
    distance,
    farthest,
    go_directly,
    head_for_point,
)
from waypost.kernels.walk import CELL, GOAL, LEG, TARGET, head_for

_at = np.uintp  # an unsigned index spares the test for a negative one
_FAR = 1 << 62

# What a planner was set to besides what all routes are. Of the six enhancements of 2010 the first is DIRECT.
ACROSS, SKIPS_FIRST, SKIPS_LAST, CANDIDATES, BY_TREE, QUOTA, SHORTEST, SECOND_LIMIT = range(
    FIRST_SETTING, FIRST_SETTING + 8
)

# Slots of the route: straight and diagonal moves since no record was found, and how far the goal then seemed to be.
STRAIGHTS, DIAGONALS, FAILED_AT = range(ROUTE, ROUTE + 3)
WITHOUT_RECORD, FOR_GOOD = FIRST_PHASE, FIRST_PHASE + 1  # heads for the goal, until its quota is used up or for good
QUOTA_UNITS = 100


@inlined
def must_choose(state, walker, settings):
    """Whether a walker needs a target: it has none, stands on it, or has used up its quota."""
    if state[PHASE, walker] == WITHOUT_RECORD:
        straights = np.int64(state[STRAIGHTS, walker])
        diagonals = np.int64(state[DIAGONALS, walker])
        walked = straights * settings[STRAIGHT] + diagonals * settings[DIAGONAL]
        return QUOTA_UNITS * walked >= settings[QUOTA] * np.int64(state[FAILED_AT, walker])
    return state[TARGET, walker] < 0 or state[CELL, walker] == state[TARGET, walker]


@inlined
def choose(mask, climb_table, points, first_legs, legs, pool, state, walker, settings, keys, found):
    """Give a walker its next target; returns climb steps and probes."""
    climbs = 0
    probes = 0
    if state[PHASE, walker] == NEW or state[PHASE, walker] == WITHOUT_RECORD:
        climbs, probes = _select(mask, climb_table, points, first_legs, legs, state, walker, settings, keys, found)
    for is_again in range(2):
        # Again if it stands on the point that it chose, by chance: all that can be tried was, so now to the next one.
        if state[PHASE, walker] != BY_POINTS or (is_again and state[TARGET, walker] != state[CELL, walker]):
            break
        climbs += _next_point(mask, climb_table, legs, state, walker, settings, 0 if is_again else settings[AHEAD])
    if state[PHASE, walker] != FOR_GOOD or state[LEG, walker] == 0:  # what it has learned about the goal stays
        head_for(pool, state, walker, settings[STRIDE], state[TARGET, walker])
    return climbs, probes


@inlined
def _select(mask, climb_table, points, first_legs, legs, state, walker, settings, keys, found):
    """Find a record to walk by, or head for the goal; returns climb steps and probes (2010, figure 8).

    If none will do, climbs to and from all candidates are tried once more, with more steps.
    """
    is_direct, climbs = go_directly(mask, climb_table, state, walker, settings)
    if is_direct:
        return climbs, 0
    cell = np.int64(state[CELL, walker])
    goal = np.int64(state[GOAL, walker])
    count, probes = _candidates(points, settings, cell, goal, keys, found)
    chosen, steps, looked = _best(
        mask, climb_table, points, first_legs, legs, settings, cell, goal, found, count, settings[LIMIT]
    )
    climbs += steps
    probes += looked
    if chosen < 0 and settings[SECOND_LIMIT] > 0:
        chosen, steps, looked = _best(
            mask, climb_table, points, first_legs, legs, settings, cell, goal, found, count, settings[SECOND_LIMIT]
        )
        climbs += steps
        probes += looked
    if chosen >= 0:
        begin_route(state, walker, np.int64(points[chosen, 1]) * settings[STRIDE] + points[chosen, 0])
        state[NEXT_LEG, walker] = first_legs[chosen]
        state[END_LEG, walker] = first_legs[chosen + 1]
    else:
        is_first = state[PHASE, walker] == NEW
        state[PHASE, walker] = WITHOUT_RECORD if is_first and settings[QUOTA] > 0 else FOR_GOOD
        state[STRAIGHTS, walker] = state[DIAGONALS, walker] = 0
        state[FAILED_AT, walker] = distance(settings, cell, goal)
        state[TARGET, walker] = goal
    return climbs, probes


@inlined
def _candidates(points, settings, cell, goal, keys, found):
    """Write the records to try, the most similar first; returns how many, and the records looked at."""
    stride = settings[STRIDE]
    straight = settings[STRAIGHT]
    diagonal = settings[DIAGONAL]
    y = cell // stride
    x = cell - y * stride
    goal_y = goal // stride
    goal_x = goal - goal_y * stride
    if settings[BY_TREE]:
        return nearest(points, straight, diagonal, MAX, x, y, goal_x, goal_y, settings[CANDIDATES], keys, found)
    left = rank_all(points, straight, diagonal, MAX, x, y, goal_x, goal_y, keys)
    most = min(settings[CANDIDATES], left)
    for i in range(most):
        found[i], left = next_of(keys, left)
    return most, points.shape[0]


@inlined
def _best(mask, climb_table, points, first_legs, legs, settings, cell, goal, found, count, limit):
    """The first candidate that will do, or the one of the shortest way; -1 if none, climb steps and probes."""
    stride = settings[STRIDE]
    straight = settings[STRAIGHT]
    diagonal = settings[DIAGONAL]
    least = _FAR
    chosen = np.int64(-1)
    climbs = 0
    probes = 0
    for i in range(count):
        record = np.int64(found[i])
        start = np.int64(points[record, 1]) * stride + points[record, 0]
        good, steps, diagonals = count_climb(mask, climb_table, stride, cell, start, limit)
        climbs += steps
        if not good:
            continue
        end = np.int64(points[record, 3]) * stride + points[record, 2]
        good, last_steps, last_diagonals = count_climb(mask, climb_table, stride, end, goal, limit)
        climbs += last_steps
        if not good:
            continue
        if not settings[SHORTEST]:
            chosen = record
            break
        diagonals += last_diagonals
        way = (steps + last_steps - diagonals) * straight + diagonals * diagonal
        for leg in range(first_legs[record], first_legs[record + 1]):
            way += octile(np.int64(legs[leg, 0]), np.int64(legs[leg, 1]), straight, diagonal)
        probes += first_legs[record + 1] - first_legs[record]
        if way < least:
            least = way
            chosen = record
    return chosen, climbs, probes


@inlined
def _next_point(mask, climb_table, legs, state, walker, settings, ahead):
    """Head for a point of the record, or for the goal behind its end; returns climb steps."""
    count = np.int64(state[KNOWN, walker])
    cell = np.int64(state[LAST, walker])
    leg = np.int64(state[NEXT_LEG, walker])
    while count < max(settings[AHEAD], LEAST_AHEAD) and not state[IS_COMPLETE, walker]:
        if leg == state[END_LEG, walker]:
            state[POINTS + count, walker] = state[GOAL, walker]
            state[IS_COMPLETE, walker] = 1
        else:
            cell += np.int64(legs[_at(leg), 1]) * settings[STRIDE] + legs[_at(leg), 0]
            state[POINTS + count, walker] = cell
            leg += 1
        count += 1
    state[KNOWN, walker] = count
    state[LAST, walker] = cell
    state[NEXT_LEG, walker] = leg
    if ahead:
        chosen, climbs = farthest(mask, climb_table, state, walker, settings)
    else:
        chosen, climbs = as_published(
            mask, climb_table, state, walker, settings, settings[SKIPS_FIRST], settings[SKIPS_LAST]
        )
    if chosen < 0 and state[CELL, walker] == state[POINT, walker]:
        chosen = 0  # the goal, to which a climb from the record's end was tried
    if chosen >= 0:
        head_for_point(state, walker, chosen)
    else:
        state[TARGET, walker] = state[POINT, walker]
    return climbs
