"""Costs by labels: the finds of both ends, and the hub by which their lists meet at least cost (hub rules, "Solve")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels.connect import connect
from waypost.planners.hub.kernels.search import FAR
from waypost.planners.hub.kernels.unfold import cost_of, hub_of

FIND_BITS = 20
_FIND = (1 << FIND_BITS) - 1


class Labels(NamedTuple):
    """Whole lists, two for each node: by which hubs ways go on that leave it by the one side or the other."""

    spans: npt.NDArray[np.int32]
    """Where the entries of each list begin and end."""
    entries: npt.NDArray[np.int64]
    places: npt.NDArray[np.int32]
    """Where each entry is in the tour of its hub."""
    tour: npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """What solving works with."""

    best: npt.NDArray[np.int64]
    """By hub what it costs to come there from the start, and by which find; FAR between two problems."""
    limits: npt.NDArray[np.int64]
    of_start: npt.NDArray[np.int32]
    of_goal: npt.NDArray[np.int32]
    """Finds: their lists, and what it costs to come there."""


@helper
def mark_start(lines, labels, scratch, start):
    """Note for each hub what it costs to come there from the start; returns how many finds there are, and probes."""
    finds = scratch.of_start
    count, probes = connect(lines, start, scratch.limits, finds)
    for i in range(count):
        which = at(finds[at(i), 0])
        cost = np.int64(finds[at(i), 1])
        first, end = np.int64(labels.spans[which, 0]), np.int64(labels.spans[which, 1])
        probes += end - first
        for place in range(first, end):
            entry = labels.entries[at(place)]
            value = cost + cost_of(entry) << FIND_BITS | i
            hub = at(hub_of(entry))
            if value < scratch.best[hub]:
                scratch.best[hub] = value
    return count, probes


@helper
def clear_start(labels, scratch, count):
    """Forget what was noted of a start with so many finds."""
    for i in range(count):
        which = at(scratch.of_start[at(i), 0])
        for place in range(np.int64(labels.spans[which, 0]), np.int64(labels.spans[which, 1])):
            scratch.best[at(hub_of(labels.entries[at(place)]))] = FAR


@helper
def meet(labels, best, finds, first_find, end_find):
    """The least cost by a hub, with the start's find; the entry of the goal's list, and probes. FAR if none."""
    least = np.int64(FAR)
    by_entry = np.int64(0)
    probes = 0
    for i in range(first_find, end_find):
        which = at(finds[at(i), 0])
        cost = np.int64(finds[at(i), 1])
        first, end = np.int64(labels.spans[which, 0]), np.int64(labels.spans[which, 1])
        probes += end - first
        for place in range(first, end):
            entry = labels.entries[at(place)]
            value = best[at(hub_of(entry))] + (cost + cost_of(entry) << FIND_BITS)
            if value < least:
                least = value
                by_entry = place
    return least, by_entry, probes


@helper
def solve(lines, labels, scratch, start, goal):
    """The least cost by a hub, or FAR; the entries of the start's and of the goal's list, and probes."""
    of_start, probes = mark_start(lines, labels, scratch, start)
    of_goal, looked = connect(lines, goal, scratch.limits, scratch.of_goal)
    value, goal_entry, met = meet(labels, scratch.best, scratch.of_goal, 0, of_goal)
    clear_start(labels, scratch, of_start)
    probes += looked + met
    if value >= FAR:
        return value, goal_entry, goal_entry, probes
    start_list = np.int64(scratch.of_start[at(value & _FIND), 0])
    hub = hub_of(labels.entries[at(goal_entry)])
    first = np.int64(labels.spans[at(start_list), 0])
    start_entry = first
    while hub_of(labels.entries[at(start_entry)]) != hub:
        start_entry += 1
    return value, start_entry, goal_entry, probes + start_entry - first + 1


@inlined
def cost_found(value):
    """The cost of what was found."""
    return value >> FIND_BITS
