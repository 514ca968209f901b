"""Routes by records: kNN LRTA* finds a solved problem like its own, and walks by its subgoals (2010; algorithms 9.4).

A record is a start and the legs from there; a climb makes each of them. Those most like the problem are tried in order:
the walker must be able to climb to the record's start, and from its end to the goal. If none will do, the walker heads
for the goal by LRTA*, and after a quota of travel tries once more.

*Better than published.* Of the records that will do, the one of the shortest way is taken, not the first, or two that
are joined (`kernels/record_joins.py`) if that is shorter. If none will do, climbs may take more steps before the walker
goes without a record. Points are passed over where a climb is no longer (`kernels/route_points.py`).
"""

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.kdtree import MAX
from waypost.kernels.record_choice import (
    CANDIDATES,
    FAR,
    JOINS,
    QUOTA,
    SECOND_LIMIT,
    SHORTEST,
    SKIPS_FIRST,
    SKIPS_LAST,
    candidates,
    first_of,
    shortest_of,
    start_of,
)
from waypost.kernels.record_joins import join
from waypost.kernels.route_points import (
    AHEAD,
    BY_POINTS,
    DIAGONAL,
    END_LEG,
    FIRST_PHASE,
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

# Slots of the route: straight and diagonal moves since no record was found, and how far the goal then seemed to be; the
# point at which a second record is entered, 0 if there is none, and its legs from there.
STRAIGHTS, DIAGONALS, FAILED_AT, ENTERED, ENTERED_LEG, ENTERED_END = range(ROUTE, ROUTE + 6)
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
    """Find a record to walk by, or two, or head for the goal; returns climb steps and probes (2010, figure 8).

    If none will do, climbs to and from all candidates are tried once more, with more steps.
    """
    is_direct, climbs = go_directly(mask, climb_table, state, walker, settings)
    if is_direct:
        return climbs, 0
    cell = np.int64(state[CELL, walker])
    goal = np.int64(state[GOAL, walker])
    chosen, way, steps, probes = _similar(
        mask, climb_table, points, first_legs, legs, settings, cell, goal, settings[LIMIT], keys, found
    )
    climbs += steps
    if settings[JOINS] > 0 and (chosen < 0 or settings[SHORTEST]):
        first, left_at, second, entered_at, steps, looked = join(
            mask, climb_table, points, first_legs, legs, settings, cell, goal, settings[LIMIT], way, keys, found
        )
        climbs += steps
        probes += looked
        if first >= 0:
            _take(points, first_legs, state, walker, settings, first)
            _then(points, first_legs, legs, state, walker, settings, left_at, second, entered_at)
            return climbs, probes
    if chosen < 0 and settings[SECOND_LIMIT] > 0:
        chosen, way, steps, looked = _similar(
            mask, climb_table, points, first_legs, legs, settings, cell, goal, settings[SECOND_LIMIT], keys, found
        )
        climbs += steps
        probes += looked
    if chosen >= 0:
        _take(points, first_legs, state, walker, settings, chosen)
    else:
        is_first = state[PHASE, walker] == NEW
        state[PHASE, walker] = WITHOUT_RECORD if is_first and settings[QUOTA] > 0 else FOR_GOOD
        state[STRAIGHTS, walker] = state[DIAGONALS, walker] = 0
        state[FAILED_AT, walker] = distance(settings, cell, goal)
        state[TARGET, walker] = goal
    return climbs, probes


@inlined
def _take(points, first_legs, state, walker, settings, record):
    """Begin a route by one record."""
    begin_route(state, walker, start_of(points, settings[STRIDE], record))
    state[NEXT_LEG, walker] = first_legs[record]
    state[END_LEG, walker] = first_legs[record + 1]
    state[ENTERED, walker] = 0


@inlined
def _then(points, first_legs, legs, state, walker, settings, left_at, second, entered_at):
    """Leave the record of a route at one of its points, and go on by a second one from a point of that."""
    state[END_LEG, walker] = state[NEXT_LEG, walker] + left_at
    entered = start_of(points, settings[STRIDE], second)
    for leg in range(first_legs[second], first_legs[second] + entered_at):
        entered += np.int64(legs[leg, 1]) * settings[STRIDE] + legs[leg, 0]
    state[ENTERED, walker] = entered
    state[ENTERED_LEG, walker] = first_legs[second] + entered_at
    state[ENTERED_END, walker] = first_legs[second + 1]


@inlined
def _similar(mask, climb_table, points, first_legs, legs, settings, cell, goal, limit, keys, found):
    """The record to take of the most similar ones, -1 if none will do; its way, climb steps and probes."""
    count, probes = candidates(points, settings, MAX, settings[CANDIDATES], cell, goal, keys, found)
    if not settings[SHORTEST]:
        chosen, climbs = first_of(mask, climb_table, points, settings, cell, goal, found, count, limit)
        return chosen, FAR, climbs, probes
    chosen, way, climbs, looked = shortest_of(
        mask, climb_table, points, first_legs, legs, settings, cell, goal, found, count, limit, keys
    )
    return chosen, way, climbs, probes + looked


@inlined
def _next_point(mask, climb_table, legs, state, walker, settings, ahead):
    """Head for a point of the record, or for the goal behind its end; returns climb steps."""
    count = np.int64(state[KNOWN, walker])
    cell = np.int64(state[LAST, walker])
    leg = np.int64(state[NEXT_LEG, walker])
    while count < max(settings[AHEAD], LEAST_AHEAD) and not state[IS_COMPLETE, walker]:
        if leg == state[END_LEG, walker] and state[ENTERED, walker]:
            leg = np.int64(state[ENTERED_LEG, walker])
            state[END_LEG, walker] = state[ENTERED_END, walker]
            is_new = state[ENTERED, walker] != cell
            cell = np.int64(state[ENTERED, walker])
            state[ENTERED, walker] = 0
            if not is_new:
                continue  # the records cross there: it is a point already
            state[POINTS + count, walker] = cell
        elif leg == state[END_LEG, walker]:
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
