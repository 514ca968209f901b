"""LRTA*'s lookahead in plies on a graph of regions: one half of PR LRTA* (Bulitko et al. 2008; algorithms 7.3).

The graph is as `corridor` has it: of region v the point, the upper region and the first edge stand in nodes[v],
and its edges from there on lead to `neighbours` at `costs`. The exact rules are in docs/planners/prlrta-rules.md.

*Nothing is cleared.* What a lookahead has seen has its number, what was learned that of the target that it is about.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, record
from waypost.kernels.events import EXPANDED, record_event
from waypost.kernels.numbers import at
from waypost.planners.pra_clique.kernels.corridor import FIRST_EDGE, POINT_SHIFT, X, Y, rounded_down

ONE = 100  # gammas are in hundredths


class Settings(NamedTuple):
    """What lookaheads were set to."""

    crow: int
    """Whether distances of regions are Euclidean."""
    gamma: int
    """What costs of edges are multiplied by, in hundredths."""


LOOKING = record([(name, np.int64) for name in (*Settings._fields, "last_lookahead")])
"""Lookaheads by name: their settings, and the number of the last one, which goes on forever."""

# Columns of `seen`, of each region: the lookahead that saw it, and when; g, f and the first step of the way that they
# are of; the last ply in which g was lowered; whether it was looked around; g, f and first step when the ply began. The
# last two are lists: the regions to look around in this ply and in the next one.
#
# The first step is kept with f, since a way found by going back could begin with another: where a region on it became
# cheaper in the last ply, f is still that of the way before. Then h(S) need not be as high as that of the next region,
# and two regions could send the agent to each other forever.
_SEEN_BY, _ORDER, _G, _F, _STEP, _LOWERED, _LOOKED, _G_THEN, _F_THEN, _STEP_THEN, _NOW, _NEXT = range(12)
SEEN_COLUMNS = _NEXT + 1

# Columns of `values`, of each region: the number of the goal that something was learned about, and by how much h was
# raised; the same for subgoals; and the last trip of which a plan began there.
ABOUT_GOAL, ABOUT_SUBGOAL, LAST_TRIP = 0, 2, 4
VALUE_COLUMNS = LAST_TRIP + 1


class Graph(NamedTuple):
    """Regions to walk on: where edges lead, at what they cost, and the representatives of regions."""

    nodes: npt.NDArray[np.int32]
    neighbours: npt.NDArray[np.int32]
    costs: npt.NDArray[np.int64]
    reps: npt.NDArray[np.int32]


class Aim(NamedTuple):
    """The target of a lookahead, and how it counts."""

    region: int
    x: int
    y: int
    table: int
    number: int
    straight: int
    diagonal: int
    crow: int
    gamma: int
    lookahead: int


class Ply(NamedTuple):
    """Expansions, regions looked around and seen so far, and those whose g was set or lowered in the last ply."""

    expansions: int
    looked: int
    seen: int
    ahead: int


@helper
def aim_at(nodes, control, looking, region, table, number):
    """Make a region the target of a new lookahead."""
    looking.last_lookahead += 1
    x = np.int64(nodes[at(region), X])
    y = np.int64(nodes[at(region), Y])
    scale = control.straight_cost, control.diagonal_cost, looking.crow, looking.gamma
    return Aim(region, x, y, table, number, *scale, looking.last_lookahead)


@inlined
def distance(nodes, aim, region):
    """The heuristic before anything is learned."""
    dx = np.int64(nodes[at(region), X]) - aim.x
    dy = np.int64(nodes[at(region), Y]) - aim.y
    return rounded_down(dx, dy, aim.straight, aim.diagonal, aim.crow)


@inlined
def heuristic(nodes, values, aim, region):
    """The heuristic as learned so far."""
    raised = values[at(region), aim.table + 1] if values[at(region), aim.table] == aim.number else 0
    return distance(nodes, aim, region) + raised


@helper
def begin_lookahead(nodes, values, seen, aim, here):
    """Put the region of the agent ahead, alone."""
    seen[at(here), _SEEN_BY] = aim.lookahead
    seen[at(here), _ORDER] = seen[at(here), _G] = seen[at(here), _LOWERED] = seen[at(here), _LOOKED] = 0
    seen[at(here), _F] = heuristic(nodes, values, aim, here)
    seen[0, _NEXT] = here
    return Ply(0, 0, 1, 1)


@helper
def has_room(events, control, ahead):
    """Whether the next ply, and what is planned after it, can be recorded; if nothing is recorded it always can."""
    return events.shape[0] == 0 or control.events + ahead + 2 <= events.shape[0]


@helper
def look_ply(graph, values, seen, events, control, aim, number, last):
    """Look around the regions ahead, in the ply of this number; returns how it stands after it."""
    nodes, neighbours, costs = graph.nodes, graph.neighbours, graph.costs
    expansions, looked, count, looking = last
    ahead = 0
    for i in range(looking):
        here = seen[at(i), _NEXT]
        seen[at(i), _NOW] = here
        seen[at(here), _G_THEN] = seen[at(here), _G]
        seen[at(here), _F_THEN] = seen[at(here), _F]
        seen[at(here), _STEP_THEN] = seen[at(here), _STEP]
    for i in range(looking):
        here = seen[at(i), _NOW]
        if here == aim.region:
            continue
        expansions += 1
        looked += 1 - seen[at(here), _LOOKED]
        seen[at(here), _LOOKED] = 1
        g = seen[at(here), _G_THEN]
        f = seen[at(here), _F_THEN]
        if events.shape[0] > 0:
            cell = np.int64(graph.reps[at(here)])
            record_event(events, control.events, EXPANDED, cell, cell, g >> POINT_SHIFT, f >> POINT_SHIFT)
            control.events += 1
        for edge in range(nodes[at(here), FIRST_EDGE], nodes[at(here + 1), FIRST_EDGE]):
            there = np.int64(neighbours[at(edge)])
            g_there = g - (-aim.gamma * costs[at(edge)] // ONE)
            if seen[at(there), _SEEN_BY] != aim.lookahead:
                seen[at(there), _SEEN_BY] = aim.lookahead
                seen[at(there), _ORDER] = count
                seen[at(there), _LOWERED] = seen[at(there), _LOOKED] = 0
                count += 1
            elif seen[at(there), _G] <= g_there:
                continue
            seen[at(there), _G] = g_there
            seen[at(there), _F] = max(f, g_there + heuristic(nodes, values, aim, there))
            seen[at(there), _STEP] = seen[at(here), _STEP_THEN] if number > 1 else there
            if seen[at(there), _LOWERED] != number:
                seen[at(there), _LOWERED] = number
                seen[at(ahead), _NEXT] = there
                ahead += 1
    return Ply(expansions, looked, count, ahead)


@helper
def choose(seen, aim, ahead):
    """The first region on the way to the best one ahead, or to the target; and the f of that one.

    There always is one: where nothing is ahead all was seen, and so was the target.
    """
    best = aim.region if seen[at(aim.region), _SEEN_BY] == aim.lookahead else seen[0, _NEXT]
    for i in range(ahead):
        region = seen[at(i), _NEXT]
        if _is_better(seen, region, best):
            best = region
    return seen[at(best), _STEP], seen[at(best), _F]


@inlined
def _is_better(seen, region, other):
    """Least f comes first, then largest g, then what was seen first."""
    if seen[at(region), _F] != seen[at(other), _F]:
        return seen[at(region), _F] < seen[at(other), _F]
    if seen[at(region), _G] != seen[at(other), _G]:
        return seen[at(region), _G] > seen[at(other), _G]
    return seen[at(region), _ORDER] < seen[at(other), _ORDER]
