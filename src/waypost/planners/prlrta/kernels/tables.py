"""Tables on a graph of regions: edge costs, subgoals and lookahead depths of PR LRTA* (2008; algorithms 4.2, 7.3).

Tables are about pairs of upper regions, each of which stands for its middle, the region of its representative. One
search from each gives the costs of all ways to it. The exact rules are in docs/planners/prlrta-rules.md.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push
from waypost.planners.pra_clique.kernels.corridor import FIRST_EDGE, PARENT, X, Y, add_neighbours, edge_cost
from waypost.planners.prlrta.kernels.lookahead import ABOUT_GOAL, Graph, aim_at, begin_lookahead, choose, look_ply

NONE = -1
_FAR = (1 << 62) - 1
_REGION_BITS = 24  # of a key: costs stand before them
MOST_REGIONS = 1 << _REGION_BITS
_ABOUT_NOTHING = 1  # a number that no value has


class Search(NamedTuple):
    """Scratch of a search: a number for each region, and a key more than there are edges."""

    away: npt.NDArray[np.int64]
    heap: npt.NDArray[np.int64]


class Lookahead(NamedTuple):
    """Scratch of a lookahead: values of which none was learned, rows of what was seen, no events, and records."""

    values: npt.NDArray[np.int64]
    seen: npt.NDArray[np.int64]
    events: npt.NDArray[np.int64]
    control: npt.NDArray[np.void]
    looking: npt.NDArray[np.void]


@kernel(allocates=True)
def edge_costs(nodes, neighbours, straight, diagonal, crow):
    """What each edge costs: the distance of its regions' points."""
    costs = np.empty(neighbours.size, np.int64)
    for here in range(nodes.shape[0] - 1):
        for edge in range(nodes[at(here), FIRST_EDGE], nodes[at(here + 1), FIRST_EDGE]):
            there = np.int64(neighbours[at(edge)])
            dx = np.int64(nodes[at(there), X]) - np.int64(nodes[at(here), X])
            dy = np.int64(nodes[at(there), Y]) - np.int64(nodes[at(here), Y])
            costs[at(edge)] = edge_cost(dx, dy, straight, diagonal, crow)
    return costs


@kernel(allocates=True)
def subgoals(graph, middles, progress, first, last, search, lookahead):  # noqa: ARG001
    """For each upper region from `first` to `last` a row: the subgoal of every one towards it, or NONE."""
    graph, search = Graph(*graph), Search(*search)
    away = search.away
    made = np.full((last - first, middles.size), NONE, np.int32)
    for goal in range(first, last):
        _fill(graph, np.int64(middles[goal]), np.int64(NONE), search)
        for upper in range(middles.size):
            here = np.int64(middles[upper])
            left = away[at(here)]
            if upper == goal or left == _FAR:
                continue
            there = np.int64(upper)
            while there == upper or (progress and away[at(middles[at(there)])] >= left):
                here = _downhill(graph, away, here)
                there = np.int64(graph.nodes[at(here), PARENT])
            made[goal - first, upper] = here
    return made


@kernel(allocates=True)
def depths_to_goals(graph, middles, cap, first, last, search, lookahead):
    """For each upper region from `first` to `last` a row: the depth in every middle towards its own, at most `cap`.

    1 in its own middle and where there is no way.
    """
    graph, search, lookahead = Graph(*graph), Search(*search), Lookahead(*lookahead)
    depths = np.ones((last - first, middles.size), np.uint16)
    for goal in range(first, last):
        target = np.int64(middles[goal])
        _fill(graph, target, np.int64(NONE), search)
        for upper in range(middles.size):
            here = np.int64(middles[upper])
            if upper != goal and search.away[at(here)] != _FAR:
                depths[goal - first, upper] = _least_depth(graph, lookahead, search.away, here, target, cap)
    return depths


@kernel(allocates=True)
def depths_to_exits(graph, middles, exits, cap, search, lookahead):
    """The depth in each of these middles towards the exit in the same place, at most `cap`."""
    graph, search, lookahead = Graph(*graph), Search(*search), Lookahead(*lookahead)
    depths = np.empty(exits.size, np.uint16)
    for i in range(exits.size):
        here = np.int64(middles[i])
        target = np.int64(exits[i])
        _fill(graph, target, here, search)
        depths[i] = _least_depth(graph, lookahead, search.away, here, target, cap)
    return depths


@kernel(allocates=True)
def most_within(nodes, neighbours, most):
    """How many regions lie within 0, 1, 2, ... edges of a region, at most; up to `most` edges, fewer if that is all."""
    regions = nodes.shape[0] - 1
    counts = np.zeros(min(most, regions) + 1, np.int64)
    seen_from = np.full(regions, NONE, np.int32)
    queue = np.empty(regions, np.int32)
    furthest = 0
    for start in range(regions):
        queue[0] = start
        seen_from[at(start)] = start
        count = 1
        ring = 0
        edges_away = 0
        while True:
            counts[edges_away] = max(counts[edges_away], count)
            if edges_away == counts.size - 1 or ring == count:
                break
            ring, count = count, add_neighbours(nodes, neighbours, seen_from, start, queue, ring, count)
            edges_away += 1
        furthest = max(furthest, edges_away)
    for i in range(1, furthest + 1):  # those of a small component stay what they are
        counts[i] = max(counts[i], counts[i - 1])
    return counts[: furthest + 1].copy()


@helper
def _fill(graph, target, until, search):
    """The least costs from all regions to the target, or only of those that are nearer than `until`, and its own."""
    nodes, neighbours, costs = graph.nodes, graph.neighbours, graph.costs
    away, heap = search.away, search.heap
    away[:] = _FAR
    away[at(target)] = 0
    size = push(heap, 0, target)
    while size:
        cost = heap[0] >> _REGION_BITS
        here = heap[0] & (MOST_REGIONS - 1)
        size = pop(heap, size)
        if here == until:
            break
        if cost > away[at(here)]:
            continue
        for edge in range(nodes[at(here), FIRST_EDGE], nodes[at(here + 1), FIRST_EDGE]):
            there = np.int64(neighbours[at(edge)])
            if cost + costs[at(edge)] < away[at(there)]:
                away[at(there)] = cost + costs[at(edge)]
                size = push(heap, size, away[at(there)] << _REGION_BITS | there)


@helper
def _downhill(graph, away, here):
    """The first neighbour on a best way from a region that is not the target."""
    nodes, neighbours, costs = graph.nodes, graph.neighbours, graph.costs
    edge = np.int64(nodes[at(here), FIRST_EDGE])
    while away[at(neighbours[at(edge)])] + costs[at(edge)] != away[at(here)]:
        edge += 1
    return np.int64(neighbours[at(edge)])


@helper
def _least_depth(graph, lookahead, away, here, target, cap):
    """The least depth at which LRTA* steps to a region on a best way to the target, `cap` if none below it does.

    Once nothing is ahead any more the target was seen at its least cost, and so the step is such a one.
    """
    nodes, neighbours, costs = graph.nodes, graph.neighbours, graph.costs
    values, seen, events, control = lookahead.values, lookahead.seen, lookahead.events, lookahead.control[0]
    aim = aim_at(nodes, control, lookahead.looking[0], target, ABOUT_GOAL, _ABOUT_NOTHING)
    ply = begin_lookahead(nodes, values, seen, aim, here)
    for number in range(1, cap):
        ply = look_ply(graph, values, seen, events, control, aim, number, ply)
        step, _ = choose(seen, aim, ply.ahead)
        edge = np.int64(nodes[at(here), FIRST_EDGE])
        while neighbours[at(edge)] != step:
            edge += 1
        if away[at(step)] + costs[at(edge)] == away[at(here)]:
            return number
    return cap
