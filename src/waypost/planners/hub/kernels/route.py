"""The subgoals of a walker, one after the other: up to the hub, then down to the goal (hub rules, "Walk")."""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.numbers import at
from waypost.kernels.ways import NO_WAY
from waypost.planners.hub.kernels.free_walk import walk_freely
from waypost.planners.hub.kernels.search import FAR
from waypost.planners.hub.kernels.solve import solve
from waypost.planners.hub.kernels.tours import CELL, END, UP
from waypost.planners.walking.kernels.walker import Slot


class HubSlot(IntEnum):
    """Slots behind those of the walker."""

    PHASE = Slot.ROUTE
    PLACE = auto()
    """Of the target in the tour of the hub."""
    LAST = auto()
    """Of the last subgoal before the goal."""


SLOTS = HubSlot.LAST + 1
NEW, BY_HUB, TO_GOAL = range(3)


@inlined
def choose(lines, labels, scratch, now):
    """Give a walker that has no target, or stands on it, its next one; returns climb steps and probes.

    One that is led no way gets none.
    """
    if now[HubSlot.PHASE] == NEW:
        return _begin(lines, labels, scratch, now)
    tour = labels.tour
    place, last = np.int64(now[HubSlot.PLACE]), np.int64(now[HubSlot.LAST])
    probes = 0
    target = now[Slot.CELL]
    while target == now[Slot.CELL]:  # a hub of two lists has two places
        if place == last:
            target = now[Slot.GOAL]
            now[HubSlot.PHASE] = TO_GOAL
            break
        probes += 1
        if place < last < tour[at(place), END]:
            place += 1
            while tour[at(place), END] <= last:
                place = np.int64(tour[at(place), END])
                probes += 1
        else:
            place = np.int64(tour[at(place), UP])
        target = tour[at(place), CELL]
    now[HubSlot.PLACE] = place
    now[Slot.TARGET] = target
    return 0, probes


@inlined
def _begin(lines, labels, scratch, now):
    """Head for the goal if the way is free, or for the first subgoal on the way to a hub; returns steps and probes."""
    cell, goal = np.int64(now[Slot.CELL]), np.int64(now[Slot.GOAL])
    is_free, climbs = walk_freely(lines.mask, lines.stride, cell, goal)
    if is_free:
        now[Slot.TARGET] = goal
        now[HubSlot.PHASE] = TO_GOAL
        return climbs, 0
    value, start_entry, goal_entry, probes = solve(lines, labels, scratch, cell, goal)
    if value >= FAR:
        now[Slot.TOO_FAR] = NO_WAY
        return climbs, probes
    place = labels.places[at(start_entry)]
    now[HubSlot.PLACE] = place
    now[HubSlot.LAST] = labels.places[at(goal_entry)]
    now[Slot.TARGET] = labels.tour[at(place), CELL]
    now[HubSlot.PHASE] = BY_HUB
    return climbs, probes
