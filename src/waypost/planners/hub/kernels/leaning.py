"""Lists that lean on others: what a neighbour of better rank knows need not be stored again (hub rules, "What is
stored").

A list that leans has all hubs of the one that it leans on, and the node of that one, each by the edge between them.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import with_rows
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels import graph as graphs
from waypost.planners.hub.kernels.corners import ALL_SIDES, is_single, list_of, sides_of_list
from waypost.planners.hub.kernels.graph import Edges
from waypost.planners.hub.kernels.growing import cost_of, rank_of

ALONE = -1
MOST_DEEP = 15  # lists from one that leans to the one that all of them lean on
_NONE, _KNOWN = -1, -2


@kernel(allocates=True)
def edges_of_lists(corners, graph):
    """Where the edges of each list begin, the list to which each leads on, and what it costs there."""
    graph = Edges(*graph)
    firsts = np.empty(2 * corners.size + 1, np.int64)
    firsts[0] = 0
    steps = np.empty(2 * graph.steps.size, np.int64)
    made = 0
    for which in range(2 * corners.size):
        node = which >> 1
        if is_single(corners[node]):
            sides = sides_of_list(which & 1)
        else:
            sides = 0 if which & 1 else ALL_SIDES
        for edge in range(graph.firsts[node], graph.ends[node]):
            if graphs.tail_of(graph.sides[edge]) & sides:
                there = graphs.node_of(graph.steps[edge])
                onward = list_of(there, np.int64(corners[there]), graphs.head_of(graph.sides[edge]))
                steps[made] = graphs.packed(graphs.cost_of(graph.steps[edge]), onward)
                made += 1
        firsts[which + 1] = made
    return firsts, steps


@kernel(allocates=True)
def lean(order, firsts, entries, edge_firsts, steps):
    """For each list the edge, counted from its first one, to that on which it leans (ALONE: none), and which entries
    it keeps.

    It leans where that saves most entries, and at most half of those that it had come on top of them, and two more.
    """
    lists = firsts.size - 1
    ranks = np.empty(order.size, np.int64)
    for rank in range(order.size):
        ranks[order[rank]] = rank
    leans = np.empty(lists, np.int32)
    deep = np.empty(lists, np.int64)
    keep = np.empty(entries.size, np.uint8)
    begins = np.empty(lists, np.int64)
    sizes = np.empty(lists, np.int64)
    whole = np.empty((2 * entries.size + 16, 2), np.int32)  # what each list then has: ranks and costs
    made = 0
    costs = np.empty(order.size, np.int64)
    for rank in range(order.size):
        costs[rank] = _NONE
    for rank in range(order.size):
        for which in range(2 * order[rank], 2 * order[rank] + 2):
            first, end = firsts[which], firsts[which + 1]
            for place in range(first, end):
                costs[rank_of(entries[place])] = cost_of(entries[place])
                keep[place] = 1
            best = _best_edge(ranks, rank, deep, costs, begins, sizes, whole, edge_firsts, steps, which, end - first)
            leans[which] = ALONE
            deep[which] = 0
            begins[which] = made
            room = made + end - first
            if best >= 0:
                leans[which] = best - edge_firsts[which]
                onward = graphs.node_of(steps[best])
                deep[which] = deep[onward] + 1
                room += sizes[onward] + 1
            whole = with_rows(whole, room)
            if best >= 0:
                made = _take_over(ranks, costs, begins, sizes, whole, steps[best], made)
            for place in range(first, end):
                if costs[rank_of(entries[place])] == _KNOWN:
                    keep[place] = 0
                else:
                    whole[made, 0] = rank_of(entries[place])
                    whole[made, 1] = cost_of(entries[place])
                    made += 1
                costs[rank_of(entries[place])] = _NONE
            sizes[which] = made - begins[which]
    return leans, keep


@helper
def _best_edge(ranks, rank, deep, costs, begins, sizes, whole, edge_firsts, steps, which, size):
    """The edge by which a list has most of its entries from another one; -1 if none is worth it."""
    best = np.int64(-1)
    most = 1
    for edge in range(edge_firsts[which], edge_firsts[which + 1]):
        onward = graphs.node_of(steps[edge])
        if ranks[onward >> 1] >= rank or deep[onward] >= MOST_DEEP:
            continue
        cost = graphs.cost_of(steps[edge])
        shared = int(costs[ranks[onward >> 1]] == cost)
        for place in range(begins[onward], begins[onward] + sizes[onward]):
            shared += int(costs[at(whole[at(place), 0])] == whole[at(place), 1] + cost)
        if shared > most and 2 * (sizes[onward] + 1 - shared) <= size + 4:
            most = shared
            best = edge
    return best


@inlined
def _take_over(ranks, costs, begins, sizes, whole, step, made):
    """Write what a list has by leaning, and note which of its own entries are among these; returns the new end."""
    onward, cost = graphs.node_of(step), graphs.cost_of(step)
    first = begins[onward] - 1
    for place in range(first, begins[onward] + sizes[onward]):
        rank = ranks[onward >> 1] if place == first else np.int64(whole[place, 0])
        total = cost if place == first else whole[place, 1] + cost
        whole[made, 0] = rank
        whole[made, 1] = total
        made += 1
        if costs[rank] == total:
            costs[rank] = _KNOWN
    return made
