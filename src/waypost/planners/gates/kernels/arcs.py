"""The arcs that a walker has still to walk: a stack in its slots, unfolded from its top (gates rules, "Route").

An arc leads between two places in the list of a part. *Fixed* are those within blocks that are on the way for sure.
Others lead from block border to block border, and by which gate to leave each block is still to choose.
"""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.planners.gates.kernels.costs import BY_GATE, cost_at, way_at
from waypost.planners.gates.kernels.floods import FAR
from waypost.planners.gates.kernels.tree import NOT_THERE, is_block, is_sector
from waypost.planners.walking.kernels.points import RouteSlot

MOST_ARCS = 15
_NUMBERS = 3  # of an arc: twice its part, and 1 more if it is fixed; both places; its cost
_PLACE_BITS = 16
_PLACE = (1 << _PLACE_BITS) - 1


class GateSlot(IntEnum):
    """Slots behind those of every route by points."""

    WALKED = RouteSlot.OF_KIND
    """What the known way costs as far as where the walker stands, or is on its way to."""
    REACHED = auto()
    """What it costs as far as the border at the last known gate."""
    FROM_GATE = auto()
    """What it costs from the border at the last gate to the goal."""
    LEADS = auto()
    """How far the arcs lead."""
    REST = auto()
    """What the way cost that was found last."""
    COUNT = auto()
    """How many arcs there are."""
    ARCS = auto()
    """Here they begin, the last one of the way first."""
    POINTS = ARCS + _NUMBERS * MOST_ARCS  # type: ignore[operator]  # a number by now
    """Here the known points begin."""


TO_BLOCK, TO_GOAL, AWAY = range(3)
"""Arcs lead to the block of the goal, to the goal, or part of the way, from the end of which it is to be looked for."""


@inlined
def push(now, part, is_fixed, place, there, cost):
    """Put an arc before all others; if there are too many, the later half of the way is forgotten."""
    count = np.int64(now[GateSlot.COUNT])
    if count == MOST_ARCS:
        gone = MOST_ARCS // 2
        for i in range(_NUMBERS * (MOST_ARCS - gone)):
            now[GateSlot.ARCS + i] = now[GateSlot.ARCS + _NUMBERS * gone + i]
        count -= gone
        now[GateSlot.LEADS] = AWAY
    first = GateSlot.ARCS + _NUMBERS * count
    now[first] = part << 1 | is_fixed
    now[first + 1] = place << _PLACE_BITS | there
    now[first + 2] = cost
    now[GateSlot.COUNT] = count + 1


@inlined
def top(now):
    """The first arc: its part, whether it is fixed, both places and the cost."""
    first = GateSlot.ARCS + _NUMBERS * (np.int64(now[GateSlot.COUNT]) - 1)
    code, places = np.int64(now[first]), np.int64(now[first + 1]) & (1 << 32) - 1
    return code >> 1, code & 1, places >> _PLACE_BITS, places & _PLACE, np.int64(now[first + 2])


@inlined
def drop(now):
    """Take the first arc away."""
    now[GateSlot.COUNT] -= 1


@helper
def unfold(tree, known, now, to_block):
    """Unfold the first arc until it lies in one sector, or is one of a block; returns probes, -1 if that cannot be."""
    probes = 0
    while True:
        part, is_fixed, place, there, cost = top(now)
        if is_sector(tree, part) or (to_block and is_block(tree, part)):
            return probes
        probes += 1
        drop(now)
        way = _child_at(tree, part, place)
        if place != there:
            way = way_at(tree, known, part, min(place, there), max(place, there))
        if way >= BY_GATE:
            gate = way - BY_GATE
            if gate >= min(place, there, np.int64(tree.separators[part])):
                return -1
            onward, before = cost_at(tree, known, part, gate, there), cost_at(tree, known, part, gate, place)
            if max(onward, before) >= FAR:
                return -1
            push(now, part, is_fixed, gate, there, onward)
            push(now, part, is_fixed, place, gate, before)
            continue
        first = np.int64(tree.firsts[part])
        below, there_below = np.int64(tree.down[first + place, way]), np.int64(tree.down[first + there, way])
        if below == NOT_THERE or there_below == NOT_THERE:
            return -1
        push(now, np.int64(tree.children[part, way]), is_fixed, below, there_below, cost)


@inlined
def _child_at(tree, part, place):
    """A child in whose list a gate is, too."""
    return np.int64(tree.down[np.int64(tree.firsts[part]) + place, 0] == NOT_THERE)
