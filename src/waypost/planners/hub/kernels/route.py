"""The subgoals of a walker, one after the other: towards the hub, then from there to the goal (hub rules, "Walk")."""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.numbers import at
from waypost.kernels.ways import NO_WAY
from waypost.planners.hub.kernels.free_walk import walk_freely
from waypost.planners.hub.kernels.search import FAR
from waypost.planners.hub.kernels.solve import solve
from waypost.planners.hub.kernels.unfold import ON_THE_HUB
from waypost.planners.walking.kernels.walker import Slot

MOST_KNOWN = 24  # subgoals from a hub to the goal that a walker keeps


class HubSlot(IntEnum):
    """Slots behind those of the walker."""

    PHASE = Slot.ROUTE
    ENTRY = auto()
    """That of the hub in the list of the subgoal that is the target."""
    GOAL_LIST = auto()
    GOAL_ENTRY = auto()
    """Of the last subgoal before the goal."""
    KNOWN = auto()
    """How many subgoals are known from the hub to the goal."""
    SUBGOALS = auto()
    """Here begin these, the last one first."""


SLOTS = HubSlot.SUBGOALS + MOST_KNOWN
NEW, TO_HUB, FROM_HUB, TO_GOAL = range(4)


@inlined
def choose(lines, labels, scratch, now):
    """Give a walker that has no target, or stands on it, its next one; returns climb steps and probes.

    One that is led no way gets none.
    """
    cell = np.int64(now[Slot.CELL])
    climbs = 0
    probes = 0
    while True:
        if now[HubSlot.PHASE] == TO_HUB:
            probes += _towards_hub(lines, labels, now)
        if now[HubSlot.PHASE] == NEW:
            steps, looked = _begin(lines, labels, scratch, now)
            climbs += steps
            probes += looked
        if now[HubSlot.PHASE] == FROM_HUB:
            now[HubSlot.KNOWN] -= 1
            if now[HubSlot.KNOWN] >= 0:
                now[Slot.TARGET] = now[HubSlot.SUBGOALS + now[HubSlot.KNOWN]]
            else:
                now[Slot.TARGET] = now[Slot.GOAL]
                now[HubSlot.PHASE] = TO_GOAL
        if now[Slot.TARGET] != cell or now[Slot.TOO_FAR]:
            return climbs, probes


@inlined
def _begin(lines, labels, scratch, now):
    """Head for the goal if the way is free, or for the first subgoal on the way to a hub; returns steps and probes."""
    cell, goal = np.int64(now[Slot.CELL]), np.int64(now[Slot.GOAL])
    is_free, climbs = walk_freely(lines.mask, lines.stride, cell, goal)
    if is_free:
        now[Slot.TARGET] = goal
        now[HubSlot.PHASE] = TO_GOAL
        return climbs, 0
    value, start_list, start_entry, goal_list, goal_entry, probes = solve(lines, labels, scratch, cell, goal)
    if value >= FAR:
        now[Slot.TOO_FAR] = NO_WAY
        return climbs, probes
    now[Slot.TARGET] = lines.cells[start_list >> 1]
    now[HubSlot.ENTRY] = start_entry
    now[HubSlot.GOAL_LIST] = goal_list
    now[HubSlot.GOAL_ENTRY] = goal_entry
    now[HubSlot.PHASE] = TO_HUB
    return climbs, probes


@inlined
def _towards_hub(lines, labels, now):
    """Head for the next subgoal on the way to the hub; on the hub, find the way on; returns probes.

    Where too many subgoals follow to keep them, the walker begins again: the hub of the rest of its way is another one.
    """
    entry = at(now[HubSlot.ENTRY])
    which = np.int64(labels.onward[entry, 0])
    if which != ON_THE_HUB:
        now[HubSlot.ENTRY] = labels.onward[entry, 1]
        now[Slot.TARGET] = lines.cells[at(which >> 1)]
        return 1
    which = np.int64(now[HubSlot.GOAL_LIST])
    entry = at(now[HubSlot.GOAL_ENTRY])
    known = 0
    while known < MOST_KNOWN and labels.onward[entry, 0] != ON_THE_HUB:
        now[HubSlot.SUBGOALS + known] = lines.cells[at(which >> 1)]
        known += 1
        which = np.int64(labels.onward[entry, 0])
        entry = at(labels.onward[entry, 1])
    now[HubSlot.KNOWN] = known
    now[HubSlot.PHASE] = FROM_HUB if labels.onward[entry, 0] == ON_THE_HUB else NEW
    return known
