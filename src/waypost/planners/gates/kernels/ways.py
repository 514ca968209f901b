"""The way of a walker by gates: found by a search, then unfolded gate by gate (gates rules, "Route")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at
from waypost.kernels.ways import NO_WAY
from waypost.planners.gates.kernels.arcs import AWAY, TO_BLOCK, TO_GOAL, GateSlot, drop, push, top, unfold
from waypost.planners.gates.kernels.costs import cost_at
from waypost.planners.gates.kernels.floods import FAR, Flood, place_in
from waypost.planners.gates.kernels.search import (
    Ascent,
    begin_ascent,
    block_level,
    follow_back,
    lift,
    search,
    side_of,
)
from waypost.planners.gates.kernels.sectors import corner_of, sector_of
from waypost.planners.gates.kernels.tree import block_of, is_block
from waypost.planners.walking.kernels.points import RouteSlot
from waypost.planners.walking.kernels.walker import Slot

_START = -1  # where a way begins that has not come by a gate
NUMBERS = 3
"""Of a point: its cell, what the known way there costs, and the last cell of the way before the border."""


class Scratch(NamedTuple):
    """What kernels work with."""

    start: Ascent
    goal: Ascent
    arcs: npt.NDArray[np.int32]
    inside: npt.NDArray[np.int64]
    """Of a search inside a sector."""
    way: npt.NDArray[np.int32]
    """That it found."""


@inlined
def opened(scratch):
    """The scratch arrays of a kernel's caller, by name."""
    scratch = Scratch(*scratch)
    start, goal = Ascent(*scratch.start), Ascent(*scratch.goal)
    start = Ascent(start.parts, start.firsts, start.costs, Flood(*start.box))
    goal = Ascent(goal.parts, goal.firsts, goal.costs, Flood(*goal.box))
    return Scratch(start, goal, scratch.arcs, scratch.inside, scratch.way)


@helper
def look(sectors, tree, known, scratch, now):
    """Find the way from here to the goal; returns the probes. A walker is given up that comes no nearer."""
    cell, goal = np.int64(now[Slot.CELL]), np.int64(now[Slot.GOAL])
    probes = begin_ascent(sectors, tree, scratch.start, cell)
    probes += begin_ascent(sectors, tree, scratch.goal, goal)
    sector = sector_of(sectors, cell)
    inside = np.int64(FAR)
    there = place_in(sectors, corner_of(sectors, sector), goal)
    if there >= 0:
        inside = np.int64(scratch.start.box.costs[at(there)])
    rest = np.int64(now[GateSlot.REST])
    most = min(inside, rest) - 1
    meeting, looked = search(sectors, tree, known, scratch.start, scratch.goal, cell, goal, most)
    probes += looked
    now[GateSlot.WALKED] = now[GateSlot.REACHED] = now[GateSlot.FROM_GATE] = 0
    now[GateSlot.COUNT] = 0
    if meeting.level < 0:
        if inside >= rest:
            now[Slot.TOO_FAR] = NO_WAY
        now[GateSlot.LEADS] = TO_GOAL
        now[GateSlot.FROM_GATE] = now[GateSlot.REST] = inside
        return probes
    now[GateSlot.REST] = meeting.cost
    level = meeting.level
    if scratch.start.parts[at(level)] < tree.near_parts:
        place = _push_to_goal(tree, known, scratch, now, meeting.goal_level, meeting.place)
        place = meeting.place if place >= 0 else place
    else:
        level, goal_level = block_level(tree, scratch.start), block_level(tree, scratch.goal)
        count, last = follow_back(
            tree, known, scratch.goal, meeting.goal_level, meeting.place, goal_level, scratch.arcs
        )
        now[GateSlot.LEADS] = TO_BLOCK
        _push_reversed(now, scratch.arcs, count, 0)
        count, place = follow_back(tree, known, scratch.start, meeting.level, meeting.place, level, scratch.arcs)
        for i in range(count):
            part, before, after, cost = scratch.arcs[i]
            push(now, np.int64(part), 0, np.int64(before), np.int64(after), cost)
        if last >= 0 and place >= 0:
            part = np.int64(scratch.start.parts[at(level)])
            place, _, looked = _leave(sectors, tree, known, scratch, now, part, _START, place)
            probes += looked
        place = place if last >= 0 else last
    if place >= 0:
        count, place = follow_back(tree, known, scratch.start, level, place, 0, scratch.arcs)
        for i in range(count):
            part, before, after, cost = scratch.arcs[i]
            push(now, np.int64(part), 1, np.int64(before), np.int64(after), cost)
    if place >= 0:
        _add_gate(sectors, tree, now, np.int64(scratch.start.parts[0]), place, scratch.start.costs[at(place)])
    else:
        now[Slot.TOO_FAR] = NO_WAY
    return probes


@inlined
def _push_reversed(now, arcs, count, is_fixed):
    """Push arcs that lead back from the goal, the last one first."""
    for i in range(count - 1, -1, -1):
        part, before, after, cost = arcs[i]
        push(now, np.int64(part), is_fixed, np.int64(after), np.int64(before), cost)


@helper
def _push_to_goal(tree, known, scratch, now, level, place):
    """Push the arcs from a place in the goal's block, at this level, to the goal; returns -1 if there are none."""
    count, last = follow_back(tree, known, scratch.goal, level, place, 0, scratch.arcs)
    if last >= 0:
        now[GateSlot.LEADS] = TO_GOAL
        now[GateSlot.FROM_GATE] = scratch.goal.costs[at(last)]
        _push_reversed(now, scratch.arcs, count, 1)
    return last


@helper
def _look_at_goal(sectors, tree, known, scratch, goal):
    """What it costs from the goal to the gates of its block; returns the probes."""
    probes = begin_ascent(sectors, tree, scratch.goal, goal)
    level = np.int64(0)
    while not is_block(tree, np.int64(scratch.goal.parts[at(level)])):
        probes += lift(sectors, tree, known, scratch.goal, level, goal, np.int64(FAR))
        level += 1
    return probes


@inlined
def _between(sectors, tree, known, part, place, other):
    """What it costs between two gates on the boundary of a block; over the line and back by the same one, a move."""
    if place == other:
        return np.int64(sectors.straight)
    return cost_at(tree, known, part, min(place, other), max(place, other))


@inlined
def _cost_to(sectors, tree, known, scratch, part, before, place):
    """What it costs to come to a gate on the boundary of a block, from another one or from the start."""
    if before == _START:
        level = block_level(tree, scratch.start)
        return np.int64(scratch.start.costs[at(scratch.start.firsts[at(level)] + place)])
    return _between(sectors, tree, known, part, before, place)


@helper
def _leave(sectors, tree, known, scratch, now, part, before, place):
    """The gate by which to leave a block over the line that a place of its list is on; the cost to it, and the probes.

    It is the one by which the way costs least from the gate `before`, or from the start, to the next place that is on
    the way, or to the goal in the next block. It is -1 if the arcs do not fit together.
    """
    block = block_of(tree, part)
    side = 0
    while side < 3 and place >= tree.sides[at(block), side + 1]:
        side += 1
    first, end = np.int64(tree.sides[at(block), side]), np.int64(tree.sides[at(block), side + 1])
    other = block + (1 if side > 1 else -1) * (tree.blocks_across if side % 3 == 0 else 1)
    probes = np.int64(0)
    is_last = now[GateSlot.COUNT] == 0
    if is_last and now[GateSlot.LEADS] == AWAY:
        return place, _cost_to(sectors, tree, known, scratch, part, before, place), probes
    there = level = np.int64(0)
    if is_last:
        goal = np.int64(now[Slot.GOAL])
        if before != _START:  # at the start the goal was looked at, too
            probes = _look_at_goal(sectors, tree, known, scratch, goal)
        level = block_level(tree, scratch.goal)
        next_part = np.int64(scratch.goal.parts[at(level)])
    else:
        probes = unfold(tree, known, now, True)
        next_part, _, _, there, _ = top(now)
        if probes < 0:
            return np.int64(-1), np.int64(FAR), np.int64(0)
    if next_part != tree.roots[at(other)]:
        return np.int64(-1), np.int64(FAR), probes
    shift = np.int64(tree.sides[at(other), 3 - side]) - first
    base = np.int64(scratch.goal.firsts[at(level)])
    least, reached, best = np.int64(2 * FAR), np.int64(FAR), np.int64(-1)
    for i in range(first, end):
        onward = i + shift
        if is_last:
            cost = np.int64(scratch.goal.costs[at(base + onward)])
        else:
            cost = _between(sectors, tree, known, next_part, onward, there)
        reach = _cost_to(sectors, tree, known, scratch, part, before, i)
        if cost < FAR and reach < FAR and cost + reach < least:
            least, reached, best = cost + reach, reach, i
    probes += 2 * (end - first)
    if best < 0:
        return best, reached, probes
    if is_last:
        best = best if _push_to_goal(tree, known, scratch, now, level, best + shift) >= 0 else np.int64(-1)
    else:
        drop(now)
        push(now, next_part, 0, best + shift, there, np.int64(0))
    return best, reached, probes


@helper
def extend(sectors, tree, known, ahead, scratch, now):
    """Make so many points known, or all up to the goal; returns the probes.

    A walker whose arcs do not fit together is given up.
    """
    probes = np.int64(0)
    while now[RouteSlot.KNOWN] < ahead and not now[RouteSlot.IS_COMPLETE] and not now[Slot.TOO_FAR]:
        if now[GateSlot.COUNT] == 0:
            if now[GateSlot.LEADS] == TO_GOAL:
                cost = now[GateSlot.REACHED] + now[GateSlot.FROM_GATE]
                _add_point(now, now[Slot.GOAL], cost, now[Slot.GOAL])
                now[RouteSlot.IS_COMPLETE] = 1
            break
        _, is_fixed, _, _, _ = top(now)
        if is_fixed:
            looked = unfold(tree, known, now, False)
            if looked >= 0:
                part, _, _, there, cost = top(now)
                drop(now)
                _add_gate(sectors, tree, now, part, there, cost)
        else:
            looked = _cross(sectors, tree, known, scratch, now)
        if looked < 0:
            now[Slot.TOO_FAR] = NO_WAY
        probes += looked
    return probes


@helper
def _cross(sectors, tree, known, scratch, now):
    """Fix the arc over the next block, and by which gate to leave it; returns the probes, -1 if there is none."""
    probes = unfold(tree, known, now, True)
    if probes < 0:
        return np.int64(-1)
    part, _, place, there, _ = top(now)
    drop(now)
    gate, cost, looked = _leave(sectors, tree, known, scratch, now, part, place, there)
    if gate < 0 or cost >= FAR:
        return np.int64(-1)
    push(now, part, 1, place, gate, cost)
    return probes + looked


@inlined
def _add_gate(sectors, tree, now, part, place, cost):
    """Make the gate known by which the way leaves a sector; if it passes by the next one, its point follows there."""
    gate = np.int64(tree.gates[at(tree.firsts[at(part)] + place)])
    sector = np.int64(tree.boxes[at(part), 1]) * sectors.across + tree.boxes[at(part), 0]
    own = np.int64(side_of(sectors, sector, gate))
    reached = now[GateSlot.REACHED] + cost
    now[GateSlot.REACHED] = reached
    half = sectors.halves[at(gate), at(1 - own)]
    if half:
        _add_point(now, sectors.ends[at(gate), at(1 - own)], reached + half, sectors.ends[at(gate), at(own)])


@inlined
def _add_point(now, cell, cost, before):
    """Make a point known."""
    first = GateSlot.POINTS + NUMBERS * np.int64(now[RouteSlot.KNOWN])
    now[first] = cell
    now[first + 1] = cost
    now[first + 2] = before
    now[RouteSlot.KNOWN] += 1
