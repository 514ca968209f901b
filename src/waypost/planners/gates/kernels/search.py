"""The cheapest way by gates between two cells: up the tree from both, and where that meets (gates rules, "Search")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.climb import vector_to
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import octile
from waypost.kernels.numbers import at
from waypost.planners.gates.kernels.costs import in_triangle
from waypost.planners.gates.kernels.floods import FAR, Flood, enter, flood, place_in
from waypost.planners.gates.kernels.sectors import corner_of, sector_of
from waypost.planners.gates.kernels.tree import NOT_THERE, is_block

MOST_LEVELS = 64
_SPARE_CELLS = 50  # a way may be so much longer than the first guess, beside a part of it
_SPARE_PART = 4


class Ascent(NamedTuple):
    """What it costs from a cell to the gates of each part around it, from its sector up."""

    parts: npt.NDArray[np.int32]
    firsts: npt.NDArray[np.int64]
    """Where the values of each part's list begin, and the end of the last."""
    costs: npt.NDArray[np.int32]
    box: Flood
    """Of the cell's sector."""


class Meeting(NamedTuple):
    """Where two ascents meet: the levels of a part on both, the place in its list, and the cost; level -1: nowhere."""

    level: int
    goal_level: int
    place: int
    cost: int


@helper
def begin_ascent(sectors, tree, ascent, cell):
    """Costs from a cell to the gates of its sector; returns the probes."""
    sector = sector_of(sectors, cell)
    corner = corner_of(sectors, sector)
    enter(sectors, sector, ascent.box.legal)
    probes = flood(sectors, place_in(sectors, corner, cell), ascent.box)
    part = np.int64(tree.leaves[at(sector)])
    ascent.parts[0] = part
    ascent.firsts[0] = 0
    first = np.int64(tree.firsts[at(part)])
    count = np.int64(tree.sizes[at(part)])
    ascent.firsts[1] = count
    for i in range(count):
        gate = at(tree.gates[at(first + i)])
        own = side_of(sectors, sector, gate)
        half = np.int64(sectors.halves[gate, own])
        cost = np.int64(FAR)
        if half:
            cost = np.int64(ascent.box.costs[at(place_in(sectors, corner, np.int64(sectors.ends[gate, own])))])
        ascent.costs[at(i)] = min(cost + half, FAR)
    return probes


@inlined
def side_of(sectors, sector, gate):
    """On which side of a gate a sector lies that it belongs to: 0 is the upper or left one."""
    cell = np.int64(sectors.ends[at(gate), 0])
    other = np.int64(sectors.ends[at(gate), 1])
    if sectors.halves[at(gate), 0] == 0:
        return at(sector_of(sectors, other) == sector)
    return at(sector_of(sectors, cell) != sector)


@inlined
def _rises(tree, ascent, level):
    """Take the costs of a level to the list of the parent; returns the parent, and where its costs begin."""
    part = np.int64(ascent.parts[at(level)])
    parent = np.int64(tree.parents[at(part)])
    first, end = np.int64(ascent.firsts[at(level)]), np.int64(ascent.firsts[at(level + 1)])
    count = np.int64(tree.sizes[at(parent)])
    ascent.parts[at(level + 1)] = parent
    ascent.firsts[at(level + 2)] = end + count
    for i in range(count):
        ascent.costs[at(end + i)] = FAR
    begun = np.int64(tree.firsts[at(part)])
    for i in range(tree.separators[at(part)], end - first):
        place = np.int64(tree.up[at(begun + i)])
        if place != NOT_THERE:
            ascent.costs[at(end + place)] = ascent.costs[at(first + i)]
    return parent, end


@helper
def lift(sectors, tree, known, ascent, level, goal, most):
    """Costs to the gates of the part above a level; returns the probes.

    Ways of more than `most` are left out: what a gate costs, and to the goal at least as much as the air line.
    """
    parent, begun = _rises(tree, ascent, level)
    rows, size = np.int64(tree.separators[at(parent)]), np.int64(tree.sizes[at(parent)])
    is_near = parent < tree.near_parts
    first = np.int64(tree.firsts[at(parent)])
    stored = np.int64(known.cost_firsts[at(parent)])
    probes = size
    for row in range(rows):
        cost = ascent.costs[at(begun + row)]
        if cost >= FAR:
            continue
        if not is_near and cost + air_line(sectors, tree.gates[at(first + row)], goal) > most:
            continue
        place = stored + in_triangle(size, row, row + 1)
        from_gate = known.costs[place : place + size - row - 1]
        to = ascent.costs[begun + row + 1 : begun + size]
        for i in range(to.size):
            to[i] = min(to[i], np.int32(cost + from_gate[i]))
        probes += from_gate.size
    for i in range(size):
        ascent.costs[at(begun + i)] = min(ascent.costs[at(begun + i)], np.int32(FAR))
    return probes


@inlined
def air_line(sectors, gate, goal):
    """What it costs at least from a gate to a cell."""
    cell = np.int64(sectors.ends[at(gate), 0])
    return _between(sectors, cell, goal) - sectors.diagonal


@inlined
def _meets(tree, start, goal, level, goal_level, best):
    """The cheapest way by the separator of a part on both ascents, if it costs less than the best known one."""
    part = np.int64(start.parts[at(level)])
    first, other = np.int64(start.firsts[at(level)]), np.int64(goal.firsts[at(goal_level)])
    for i in range(tree.separators[at(part)]):
        cost = np.int64(start.costs[at(first + i)]) + goal.costs[at(other + i)]
        if cost < best.cost:
            best = Meeting(np.int64(level), np.int64(goal_level), np.int64(i), cost)
    return best


@inlined
def _may_leave(sectors, tree, ascent, level, goal, most):
    """Whether a way over the boundary of a part could be shorter than that."""
    part = np.int64(ascent.parts[at(level)])
    first, begun = np.int64(ascent.firsts[at(level)]), np.int64(tree.firsts[at(part)])
    for i in range(tree.separators[at(part)], tree.sizes[at(part)]):
        cost = np.int64(ascent.costs[at(first + i)])
        if cost < most and cost + air_line(sectors, tree.gates[at(begun + i)], goal) < most:
            return True
    return False


@helper
def search(sectors, tree, known, start, goal, cell, goal_cell, most):
    """The cheapest way by gates of at most this cost, after both ascents were begun; the meeting and the probes.

    First only ways that are not much longer than the air line are looked at, and all if there are none.
    """
    least = _between(sectors, cell, goal_cell)
    few = min(least + least // _SPARE_PART + _SPARE_CELLS * sectors.straight, most)
    meeting, probes = _search_within(sectors, tree, known, start, goal, cell, goal_cell, few)
    if meeting.level < 0 and few < most:
        meeting, more = _search_within(sectors, tree, known, start, goal, cell, goal_cell, most)
        probes += more
    return meeting, probes


@inlined
def _between(sectors, cell, other):
    """The air line between two cells."""
    dx, dy = vector_to(sectors.stride, cell, other)
    return octile(dx, dy, sectors.straight, sectors.diagonal)


@helper
def _search_within(sectors, tree, known, start, goal, cell, goal_cell, most):
    """The cheapest way by gates of those that cost no more than this; the meeting, its level -1 if none does."""
    best = Meeting(np.int64(-1), np.int64(-1), np.int64(0), np.int64(most) + 1)
    level = goal_level = np.int64(0)
    probes = np.int64(0)
    while True:
        part, goal_part = np.int64(start.parts[at(level)]), np.int64(goal.parts[at(goal_level)])
        if part == goal_part:
            best = _meets(tree, start, goal, level, goal_level, best)
            probes += tree.sizes[at(part)]
            if tree.parents[at(part)] < 0 or not _may_leave(sectors, tree, start, level, goal_cell, best.cost):
                return best, probes
        limit = best.cost - 1
        if part <= goal_part:
            probes += lift(sectors, tree, known, start, level, goal_cell, limit)
            level += 1
        if goal_part <= part:
            probes += lift(sectors, tree, known, goal, goal_level, cell, limit)
            goal_level += 1


@helper
def block_level(tree, ascent):
    """The level of the block in an ascent."""
    level = np.int64(0)
    while not is_block(tree, np.int64(ascent.parts[at(level)])):
        level += 1
    return level


@helper
def follow_back(tree, known, ascent, level, place, last, arcs):
    """The arcs of the way from a place of a level's list back to the ascent's cell, as far as the level `last`.

    Written is for each the part, the place that is nearer to the cell, the other one and the cost. Returns how many,
    and the place in the list of the last level.
    """
    count = 0
    while True:
        part = np.int64(ascent.parts[at(level)])
        first = np.int64(ascent.firsts[at(level)])
        cost = np.int64(ascent.costs[at(first + place)])
        if level == last:
            return count, place
        child = np.int64(ascent.parts[at(level - 1)])
        below = np.int64(tree.down[at(tree.firsts[at(part)] + place), int(tree.children[at(part), 0] != child)])
        if below != NOT_THERE and ascent.costs[at(ascent.firsts[at(level - 1)] + below)] == cost:
            level -= 1
            place = below
            continue
        before = _gate_before(tree, known, ascent, part, first, place, cost)
        arcs[at(count), 0] = part
        arcs[at(count), 1] = before
        arcs[at(count), 2] = place
        arcs[at(count), 3] = cost - ascent.costs[at(first + before)]
        count += 1
        place = before


@inlined
def _gate_before(tree, known, ascent, part, first, place, cost):
    """The first gate of a separator by which a place is reached at its cost; there is one, which gave it that cost."""
    size, stored = np.int64(tree.sizes[at(part)]), np.int64(known.cost_firsts[at(part)])
    row = np.int64(0)
    while ascent.costs[at(first + row)] + np.int64(known.costs[at(stored + in_triangle(size, row, place))]) != cost:
        row += 1
    return row
