"""The route of a walker by gates: a search, arcs unfolded to points, and which point to head for (gates rules, "Route")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.climb import EXACT, count_climb, leads, next_subgoal
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import NO_LIMIT, at
from waypost.kernels.ways import NO_WAY
from waypost.planners.cuts.kernels.in_sector import in_sector_path
from waypost.planners.gates.kernels.arcs import (
    AWAY,
    TO_BLOCK,
    TO_GOAL,
    GateSlot,
    drop,
    push,
    top,
    unfold,
)
from waypost.planners.gates.kernels.costs import in_triangle
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
from waypost.planners.gates.kernels.sectors import SIDE, corner_of, sector_of
from waypost.planners.gates.kernels.tree import block_of, is_block
from waypost.planners.walking.kernels.points import BY_POINTS, CLIMBING_TO_GOAL, NEW, RouteSlot, go_directly
from waypost.planners.walking.kernels.walker import Slot

NUMBERS = 3
"""Of a point: its cell, what the known way there costs, and the last cell of the way before the border."""


class Settings(NamedTuple):
    """What a planner was set to."""

    ahead: int
    limit: int
    direct: int


class Scratch(NamedTuple):
    """What kernels work with."""

    start: Ascent
    goal: Ascent
    arcs: npt.NDArray[np.int32]
    line: npt.NDArray[np.int32]
    """What it costs to come to each gate of a line between blocks."""
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
    return Scratch(start, goal, scratch.arcs, scratch.line, scratch.inside, scratch.way)


@inlined
def choose(ground, sectors, tree, known, settings, scratch, now):
    """Give a walker that has no target, or stands on it, its next one; returns expansions, climb steps and probes.

    One that is led no way gets none.
    """
    expansions = climbs = probes = np.int64(0)
    if now[RouteSlot.PHASE] == NEW:
        is_direct, climbs = go_directly(ground, settings, now)
        if is_direct:
            return expansions, climbs, probes
        now[RouteSlot.PHASE] = BY_POINTS
        now[RouteSlot.KNOWN] = now[RouteSlot.IS_COMPLETE] = now[GateSlot.COUNT] = 0
        now[GateSlot.LEADS] = AWAY
        now[GateSlot.REST] = FAR
    while True:
        probes += _extend(sectors, tree, known, settings, scratch, now)
        if now[RouteSlot.KNOWN] == 0 and not now[Slot.TOO_FAR]:
            expanded, looked = _look(sectors, tree, known, scratch, now)
            expansions += expanded
            probes += looked + _extend(sectors, tree, known, settings, scratch, now)
        if now[Slot.TOO_FAR]:
            return expansions, climbs, probes
        chosen, steps = _farthest(ground, sectors, settings, now)
        climbs += steps
        if chosen >= 0:
            _head_for(now, chosen)
        else:
            expanded, steps = _go_inside(ground, sectors, scratch, now)
            expansions += expanded
            climbs += steps
        if now[Slot.TARGET] != now[Slot.CELL] or now[Slot.TOO_FAR]:
            return expansions, climbs, probes


@helper
def _look(sectors, tree, known, scratch, now):
    """Find the way from here to the goal; returns expansions and probes. A walker is given up that comes no nearer."""
    cell, goal = np.int64(now[Slot.CELL]), np.int64(now[Slot.GOAL])
    expansions = begin_ascent(sectors, tree, scratch.start, cell)
    expansions += begin_ascent(sectors, tree, scratch.goal, goal)
    sector = sector_of(sectors, cell)
    inside = np.int64(FAR)
    there = place_in(sectors, corner_of(sectors, sector), goal)
    if there >= 0:
        inside = np.int64(scratch.start.box.costs[at(there)])
    rest = np.int64(now[GateSlot.REST])
    meeting, probes = search(sectors, tree, known, scratch.start, scratch.goal, cell, goal, min(inside, rest) - 1)
    now[GateSlot.WALKED] = now[GateSlot.REACHED] = now[GateSlot.FROM_GATE] = 0
    now[GateSlot.COUNT] = 0
    if meeting.level < 0:
        if inside >= rest:
            now[Slot.TOO_FAR] = NO_WAY
        now[GateSlot.LEADS] = TO_GOAL
        now[GateSlot.FROM_GATE] = now[GateSlot.REST] = inside
        return expansions, probes
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
            part, first = np.int64(scratch.start.parts[at(level)]), np.int64(scratch.start.firsts[at(level)])
            for i in range(tree.sizes[at(part)]):
                scratch.line[at(i)] = scratch.start.costs[at(first + i)]
            place, expanded, looked = _leave(sectors, tree, known, scratch, now, part, place, True)
            expansions += expanded
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
    return expansions, probes


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
    """What it costs from the goal to the gates of its block; returns expansions and probes."""
    expansions = begin_ascent(sectors, tree, scratch.goal, goal)
    probes = level = np.int64(0)
    while not is_block(tree, np.int64(scratch.goal.parts[at(level)])):
        probes += lift(sectors, tree, known, scratch.goal, level, goal, np.int64(FAR))
        level += 1
    return expansions, probes


@helper
def _leave(sectors, tree, known, scratch, now, part, place, knows_goal):
    """The gate by which to leave a block over the line that a place of its list is on; expansions and probes.

    It is the one from which the way costs least to the next place that is on the way, or to the goal in the next block,
    after what `line` says that it costs to come there; `knows_goal` if the goal was looked at. Returns -1 if the arcs do not fit together.
    """
    block = block_of(tree, part)
    side = 0
    while side < 3 and place >= tree.sides[at(block), side + 1]:
        side += 1
    first, end = np.int64(tree.sides[at(block), side]), np.int64(tree.sides[at(block), side + 1])
    other = block + (1 if side > 1 else -1) * (tree.blocks_across if side % 3 == 0 else 1)
    expansions = probes = np.int64(0)
    is_last = now[GateSlot.COUNT] == 0
    if not first <= place < end:
        return np.int64(-1), expansions, probes
    if is_last and now[GateSlot.LEADS] == AWAY:
        return place, expansions, probes
    there = np.int64(0)
    if is_last:
        goal = np.int64(now[Slot.GOAL])
        if not knows_goal:
            expansions, probes = _look_at_goal(sectors, tree, known, scratch, goal)
        level = block_level(tree, scratch.goal)
        next_part = np.int64(scratch.goal.parts[at(level)])
        base = np.int64(scratch.goal.firsts[at(level)])
    else:
        probes = unfold(tree, known, now, True)
        next_part, _, _, there, _ = top(now)
        base = np.int64(known.cost_firsts[at(next_part)])
        if probes < 0:
            return np.int64(-1), expansions, np.int64(0)
    if next_part != tree.roots[at(other)]:
        return np.int64(-1), expansions, probes
    size = np.int64(tree.sizes[at(next_part)])
    shift = np.int64(tree.sides[at(other), 3 - side]) - first
    least, best = np.int64(2 * FAR), np.int64(-1)
    for i in range(first, end):
        onward = i + shift
        if is_last:
            cost = np.int64(scratch.goal.costs[at(base + onward)])
        elif onward == there:
            cost = np.int64(sectors.straight)
        else:
            cost = np.int64(known.costs[at(base + in_triangle(size, min(onward, there), max(onward, there)))])
        if cost < FAR and scratch.line[at(i)] < FAR and cost + scratch.line[at(i)] < least:
            least, best = cost + scratch.line[at(i)], i
    probes += end - first
    if best < 0:
        return best, expansions, probes
    if is_last:
        best = best if _push_to_goal(tree, known, scratch, now, level, best + shift) >= 0 else np.int64(-1)
    else:
        drop(now)
        push(now, next_part, 0, best + shift, there, np.int64(0))
    return best, expansions, probes


@helper
def _extend(sectors, tree, known, settings, scratch, now):
    """Make as many points known as are to be tried, or all up to the goal; returns the probes.

    A walker whose arcs do not fit together is given up.
    """
    probes = np.int64(0)
    while now[RouteSlot.KNOWN] < settings.ahead and not now[RouteSlot.IS_COMPLETE] and not now[Slot.TOO_FAR]:
        if now[GateSlot.COUNT] == 0:
            if now[GateSlot.LEADS] == TO_GOAL:
                cost = now[GateSlot.REACHED] + now[GateSlot.FROM_GATE]
                _add_point(now, now[Slot.GOAL], cost, now[Slot.GOAL])
                now[RouteSlot.IS_COMPLETE] = 1
            break
        part, is_fixed, place, there, _ = top(now)
        if is_fixed:
            looked = unfold(tree, known, now, False)
            if looked >= 0:
                part, is_fixed, place, there, cost = top(now)
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
    """Fix the arc over the next block, and by which gate to leave it; returns probes and expansions, -1 if there is none."""
    probes = unfold(tree, known, now, True)
    if probes < 0:
        return np.int64(-1)
    part, _, place, there, _ = top(now)
    drop(now)
    size, base = np.int64(tree.sizes[at(part)]), np.int64(known.cost_firsts[at(part)])
    for i in range(tree.separators[at(part)], size):
        scratch.line[at(i)] = sectors.straight
        if i != place:
            scratch.line[at(i)] = known.costs[at(base + in_triangle(size, min(i, place), max(i, place)))]
    gate, expansions, looked = _leave(sectors, tree, known, scratch, now, part, there, False)
    if gate < 0 or scratch.line[at(gate)] >= FAR:
        return np.int64(-1)
    push(now, part, 1, place, gate, scratch.line[at(gate)])
    return probes + looked + expansions


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


@inlined
def _farthest(ground, sectors, settings, now):
    """The farthest point to which a climb costs no more than the known way; -1 if there is none, and climb steps."""
    cell = np.int64(now[Slot.CELL])
    walked = np.int64(now[GateSlot.WALKED])
    first = np.int64(GateSlot.POINTS)
    arrives, to_first, climbs = _climb(ground, sectors, settings, cell, np.int64(now[first]))
    spared = np.int64(now[first + 1]) - walked - to_first if arrives else np.int64(0)
    for i in range(np.int64(now[RouteSlot.KNOWN]) - 1, 0, -1):
        point = first + NUMBERS * i
        is_there, cost, steps = _climb(ground, sectors, settings, cell, np.int64(now[point]))
        climbs += steps
        if is_there and cost <= np.int64(now[point + 1]) - walked - max(spared, 0):
            return np.int64(i), climbs
    return np.int64(0 if arrives and spared >= 0 else -1), climbs


@inlined
def _climb(ground, sectors, settings, cell, target):
    """Whether a climb arrives, what it costs here, and its steps."""
    mask, table, stride = ground.mask, ground.climb_table, ground.stride
    arrives, steps, diagonals = count_climb(mask, table, stride, cell, target, settings.limit)
    return arrives, (steps - diagonals) * sectors.straight + diagonals * sectors.diagonal, steps


@inlined
def _head_for(now, chosen):
    """Make a known point the target; those before it are passed over."""
    first = GateSlot.POINTS
    left = np.int64(now[RouteSlot.KNOWN]) - chosen - 1
    now[Slot.TARGET] = now[first + NUMBERS * chosen]
    now[GateSlot.WALKED] = now[first + NUMBERS * chosen + 1]
    if left == 0 and now[RouteSlot.IS_COMPLETE]:
        now[RouteSlot.PHASE] = CLIMBING_TO_GOAL
    now[RouteSlot.KNOWN] = left
    for i in range(NUMBERS * left):
        now[first + i] = now[first + NUMBERS * (chosen + 1) + i]


@helper
def _go_inside(ground, sectors, scratch, now):
    """Head for a far cell of a best path inside the sector, to the cell before the next point; expansions and climbs."""
    cell, end = np.int64(now[Slot.CELL]), np.int64(now[GateSlot.POINTS + 2])
    straight, diagonal = sectors.straight, sectors.diagonal
    way = scratch.way
    size, expansions = in_sector_path(
        ground.mask, ground.stride, SIDE, straight, diagonal, cell, end, scratch.inside, way
    )  # fmt: skip
    if size < 2:
        now[Slot.TOO_FAR] = NO_WAY
        return expansions, np.int64(0)
    there = size - 1
    ways = ground.mask, ground.climb_table, ground.stride, straight, diagonal, way
    good, climbs = leads(*ways, 0, there, EXACT)
    if not good:
        there, steps = next_subgoal(*ways, 0, there - 1, EXACT, NO_LIMIT)
        climbs += steps
    now[Slot.TARGET] = way[there]
    for i in range(there):
        away = abs(way[i + 1] - way[i])
        now[GateSlot.WALKED] += straight if away == 1 or away == ground.stride else diagonal
    return expansions, climbs
