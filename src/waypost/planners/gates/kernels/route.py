"""Which point of its route a walker heads for, or where inside its sector (gates rules, "Walk")."""

from typing import NamedTuple

import numpy as np

from waypost.kernels.climb import EXACT, count_climb, leads, next_subgoal
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import NO_LIMIT
from waypost.kernels.ways import NO_WAY
from waypost.planners.cuts.kernels.in_sector import in_sector_path
from waypost.planners.gates.kernels.arcs import AWAY, GateSlot
from waypost.planners.gates.kernels.floods import FAR
from waypost.planners.gates.kernels.sectors import SIDE
from waypost.planners.gates.kernels.ways import NUMBERS, extend, look
from waypost.planners.walking.kernels.points import BY_POINTS, CLIMBING_TO_GOAL, NEW, RouteSlot, go_directly
from waypost.planners.walking.kernels.walker import Slot


class Settings(NamedTuple):
    """What a planner was set to."""

    ahead: int
    limit: int
    direct: int


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
        probes += extend(sectors, tree, known, settings.ahead, scratch, now)
        if now[RouteSlot.KNOWN] == 0 and not now[Slot.TOO_FAR]:
            probes += look(sectors, tree, known, scratch, now)
            probes += extend(sectors, tree, known, settings.ahead, scratch, now)
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
    """Head for a far cell of a best path inside the sector to the cell before the next point; expansions, climbs."""
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
