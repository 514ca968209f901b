"""Routes by records: kNN LRTA* finds a solved problem like its own, and walks by its subgoals (2010; algorithms 9.4).

A record is a start and the legs from there; a climb makes each of them. Those most like the problem are tried in order:
the walker must be able to climb to the record's start, and from its end to the goal. If none will do, the walker heads
for the goal by LRTA*, and after a quota of travel tries once more.

*Better than published.* Of the records that will do, the one of the shortest way is taken, not the first, or two that
are joined (`joins.py`) if that is shorter. If none will do, climbs may take more steps before the walker
goes without a record. Points are passed over where a climb is no longer (`walking/kernels/points.py`).
"""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.planners.records.kernels.choice import FAR, candidates, first_of, shortest_of, start_of
from waypost.planners.records.kernels.joins import join
from waypost.planners.records.kernels.kdtree import MAX
from waypost.planners.walking.kernels.ground import distance
from waypost.planners.walking.kernels.legs import after_leg
from waypost.planners.walking.kernels.points import (
    BY_POINTS,
    FIRST_PHASE,
    LEAST_AHEAD,
    NEW,
    RouteSlot,
    as_published,
    begin_route,
    farthest,
    go_directly,
    head_for_point,
)
from waypost.planners.walking.kernels.walker import Slot, head_for


class RecordSlot(IntEnum):
    """Slots of a route by records."""

    STRAIGHTS = RouteSlot.OF_KIND
    DIAGONALS = auto()
    """Straight and diagonal moves since no record was found."""
    FAILED_AT = auto()
    """How far the goal then seemed to be."""
    ENTERED = auto()
    """The point at which a second record is entered, 0 if there is none."""
    ENTERED_LEG = auto()
    ENTERED_END = auto()
    """Its legs from there."""


WITHOUT_RECORD, FOR_GOOD = FIRST_PHASE, FIRST_PHASE + 1  # heads for the goal, until its quota is used up or for good
QUOTA_UNITS = 100


@inlined
def must_choose(ground, settings, now):
    """Whether a walker needs a target: it has none, stands on it, or has used up its quota."""
    if now[RouteSlot.PHASE] == WITHOUT_RECORD:
        straights = np.int64(now[RecordSlot.STRAIGHTS])
        diagonals = np.int64(now[RecordSlot.DIAGONALS])
        walked = straights * ground.straight + diagonals * ground.diagonal
        return QUOTA_UNITS * walked >= settings.quota * np.int64(now[RecordSlot.FAILED_AT])
    return now[Slot.TARGET] < 0 or now[Slot.CELL] == now[Slot.TARGET]


@inlined
def choose(ground, database, settings, scratch, pool, now):
    """Give a walker its next target; returns climb steps and probes."""
    climbs = 0
    probes = 0
    if now[RouteSlot.PHASE] == NEW or now[RouteSlot.PHASE] == WITHOUT_RECORD:
        climbs, probes = _select(ground, database, settings, scratch, now)
    for is_again in range(2):
        # Again if it stands on the point that it chose, by chance: all that can be tried was, so now to the next one.
        if now[RouteSlot.PHASE] != BY_POINTS or (is_again and now[Slot.TARGET] != now[Slot.CELL]):
            break
        climbs += _next_point(ground, database, settings, now, 0 if is_again else settings.ahead)
    if now[RouteSlot.PHASE] != FOR_GOOD or now[Slot.LEG] == 0:  # what it has learned about the goal stays
        head_for(ground, pool, now, now[Slot.TARGET])
    return climbs, probes


@inlined
def _select(ground, database, settings, scratch, now):
    """Find a record to walk by, or two, or head for the goal; returns climb steps and probes (2010, figure 8).

    If none will do, climbs to and from all candidates are tried once more, with more steps.
    """
    is_direct, climbs = go_directly(ground, settings, now)
    if is_direct:
        return climbs, 0
    cell = np.int64(now[Slot.CELL])
    goal = np.int64(now[Slot.GOAL])
    chosen, way, steps, probes = _similar(ground, database, settings, scratch, cell, goal, settings.limit)
    climbs += steps
    if settings.joins > 0 and (chosen < 0 or settings.shortest):
        first, left_at, second, entered_at, steps, looked = join(
            ground, database, settings, scratch, cell, goal, settings.limit, way
        )
        climbs += steps
        probes += looked
        if first >= 0:
            _take(ground, database, now, first)
            _then(ground, database, now, left_at, second, entered_at)
            return climbs, probes
    if chosen < 0 and settings.second_limit > 0:
        chosen, way, steps, looked = _similar(ground, database, settings, scratch, cell, goal, settings.second_limit)
        climbs += steps
        probes += looked
    if chosen >= 0:
        _take(ground, database, now, chosen)
    else:
        is_first = now[RouteSlot.PHASE] == NEW
        now[RouteSlot.PHASE] = WITHOUT_RECORD if is_first and settings.quota > 0 else FOR_GOOD
        now[RecordSlot.STRAIGHTS] = now[RecordSlot.DIAGONALS] = 0
        now[RecordSlot.FAILED_AT] = distance(ground, cell, goal)
        now[Slot.TARGET] = goal
    return climbs, probes


@inlined
def _take(ground, database, now, record):
    """Begin a route by one record."""
    begin_route(now, start_of(ground, database, record))
    now[RouteSlot.NEXT_LEG] = database.first_legs[record]
    now[RouteSlot.END_LEG] = database.first_legs[record + 1]
    now[RecordSlot.ENTERED] = 0


@inlined
def _then(ground, database, now, left_at, second, entered_at):
    """Leave the record of a route at one of its points, and go on by a second one from a point of that."""
    now[RouteSlot.END_LEG] = now[RouteSlot.NEXT_LEG] + left_at
    entered = start_of(ground, database, second)
    for leg in range(database.first_legs[second], database.first_legs[second] + entered_at):
        entered = after_leg(ground, database.legs, leg, entered)
    now[RecordSlot.ENTERED] = entered
    now[RecordSlot.ENTERED_LEG] = database.first_legs[second] + entered_at
    now[RecordSlot.ENTERED_END] = database.first_legs[second + 1]


@inlined
def _similar(ground, database, settings, scratch, cell, goal, limit):
    """The record to take of the most similar ones, -1 if none will do; its way, climb steps and probes."""
    count, probes = candidates(ground, database, settings, scratch, MAX, settings.candidates, cell, goal)
    if not settings.shortest:
        chosen, climbs = first_of(ground, database, scratch, count, cell, goal, limit)
        return chosen, FAR, climbs, probes
    chosen, way, climbs, looked = shortest_of(ground, database, scratch, count, cell, goal, limit)
    return chosen, way, climbs, probes + looked


@inlined
def _next_point(ground, database, settings, now, ahead):
    """Head for a point of the record, or for the goal behind its end; returns climb steps."""
    count = np.int64(now[RouteSlot.KNOWN])
    cell = np.int64(now[RouteSlot.LAST])
    leg = np.int64(now[RouteSlot.NEXT_LEG])
    while count < max(settings.ahead, LEAST_AHEAD) and not now[RouteSlot.IS_COMPLETE]:
        if leg == now[RouteSlot.END_LEG] and now[RecordSlot.ENTERED]:
            leg = np.int64(now[RecordSlot.ENTERED_LEG])
            now[RouteSlot.END_LEG] = now[RecordSlot.ENTERED_END]
            is_new = now[RecordSlot.ENTERED] != cell
            cell = np.int64(now[RecordSlot.ENTERED])
            now[RecordSlot.ENTERED] = 0
            if not is_new:
                continue  # the records cross there: it is a point already
            now[RouteSlot.POINTS + count] = cell
        elif leg == now[RouteSlot.END_LEG]:
            now[RouteSlot.POINTS + count] = now[Slot.GOAL]
            now[RouteSlot.IS_COMPLETE] = 1
        else:
            cell = after_leg(ground, database.legs, leg, cell)
            now[RouteSlot.POINTS + count] = cell
            leg += 1
        count += 1
    now[RouteSlot.KNOWN] = count
    now[RouteSlot.LAST] = cell
    now[RouteSlot.NEXT_LEG] = leg
    if ahead:
        chosen, climbs = farthest(ground, settings, now)
    else:
        chosen, climbs = as_published(ground, settings, now, 0, settings.skips_first, settings.skips_last)
    if chosen < 0 and now[Slot.CELL] == now[RouteSlot.POINT]:
        chosen = 0  # the goal, to which a climb from the record's end was tried
    if chosen >= 0:
        head_for_point(now, chosen)
    else:
        now[Slot.TARGET] = now[RouteSlot.POINT]
    return climbs
