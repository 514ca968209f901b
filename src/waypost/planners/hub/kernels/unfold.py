"""Labels made whole again from what is stored, with the entry by which each way goes on (hub rules, "What is stored").

An entry of a whole list is its hub and what the way costs. Every list has an entry of its own node, of no cost. Every
other one costs what an edge of the list costs and an entry of the list that the edge leads to: this is checked, so
that nothing that is stored can lead a walk astray.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import longer
from waypost.kernels.moves import octile
from waypost.kernels.numbers import COST_LIMIT
from waypost.planners.hub.kernels import graph as graphs
from waypost.planners.hub.kernels.connect import place_of
from waypost.planners.hub.kernels.corners import is_single
from waypost.planners.hub.kernels.leaning import MOST_DEEP
from waypost.planners.hub.kernels.lines import Lines

HUB_BITS = 20
HUB = (1 << HUB_BITS) - 1
_UNKNOWN = _NOT_THERE = -1
SOUND, LEAN_IN_A_CIRCLE, LEAD_NOWHERE, TOO_MANY = range(4)


@inlined
def hub_of(entry):
    """The node of the hub of an entry."""
    return entry & HUB


@inlined
def cost_of(entry):
    """What the way to the hub costs."""
    return entry >> HUB_BITS


@inlined
def _entry(cost, hub):
    """An entry as one number."""
    return np.int64(cost) << HUB_BITS | np.int64(hub)


@kernel(allocates=True)
def unfold(lines, edge_firsts, steps, leans, firsts, hubs, excesses, most):
    """Where the entries of each list begin and end; the entries, for each that of the same hub in the list to which its
    way goes on, for those of the hub itself their own place; and 0, or what is wrong with what is stored.

    Stored of a list are the hubs from firsts[i] to before firsts[i + 1], and how much more their ways cost than they
    seem to. There may be so many entries at most.
    """
    lines = Lines(*lines)
    lists = leans.size
    spans = np.empty((lists, 2), np.int64)
    entries = np.empty(2 * hubs.size + lists, np.int64)
    onward = np.empty(entries.size, np.int32)
    places = np.empty(lines.cells.size, np.int64)
    for node in range(places.size):
        places[node] = _NOT_THERE
    deep = np.empty(lists, np.int64)
    deepest = np.int64(0)
    for which in range(lists):
        spans[which, 0] = spans[which, 1] = 0
        deep[which] = _depth(edge_firsts, steps, leans, which)
        deepest = max(deepest, deep[which])
    if deepest > MOST_DEEP:
        return spans, entries, onward, LEAN_IN_A_CIRCLE
    made = 0
    for level in range(deepest + 1):
        for which in range(lists):
            if deep[which] != level or (which & 1 and not is_single(lines.corners[which >> 1])):
                continue
            room = made + 1 + firsts[which + 1] - firsts[which]
            step = np.int64(-1)
            if leans[which] >= 0:
                step = steps[edge_firsts[which] + leans[which]]
                room += spans[graphs.node_of(step), 1] - spans[graphs.node_of(step), 0]
            if room > most:
                return spans, entries, onward, TOO_MANY
            if room > entries.size:
                entries, onward = longer(entries, room), longer(onward, room)
            spans[which, 0] = made
            made = _add_stored(lines, firsts, hubs, excesses, which, entries, onward, places, made)
            if step >= 0:
                made = _add_others(spans, step, entries, onward, places, made)
            spans[which, 1] = made
            for place in range(spans[which, 0], made):
                places[hub_of(entries[place])] = _NOT_THERE
    for which in range(lists):
        if not _find_edges(edge_firsts, steps, which, spans, entries, onward, places):
            return spans, entries, onward, LEAD_NOWHERE
    return spans, entries, onward, SOUND


@inlined
def _depth(edge_firsts, steps, leans, which):
    """How many lists a list leans on, one behind the other; too many if they lean on each other."""
    depth = 0
    while leans[which] >= 0 and depth <= MOST_DEEP:
        which = graphs.node_of(steps[edge_firsts[which] + leans[which]])
        depth += 1
    return depth


@helper
def _add_stored(lines, firsts, hubs, excesses, which, entries, onward, places, made):
    """Add the entry of a list's own node, and those that are stored; returns the new end."""
    node = which >> 1
    x, y = place_of(np.int64(lines.cells[node]), lines.stride)
    places[node] = made
    entries[made] = _entry(0, node)
    onward[made] = made
    made += 1
    for i in range(firsts[which], firsts[which + 1]):
        hub = np.int64(hubs[i])
        hub_x, hub_y = place_of(np.int64(lines.cells[hub]), lines.stride)
        cost = octile(hub_x - x, hub_y - y, lines.straight, lines.diagonal) + excesses[i]
        if places[hub] < 0:
            places[hub] = made
            entries[made] = _entry(min(cost, COST_LIMIT), hub)
            onward[made] = _UNKNOWN
            made += 1
    return made


@helper
def _add_others(spans, step, entries, onward, places, made):
    """Add what a list has from the one on which it leans, by their edge; returns the new end."""
    there = graphs.node_of(step)
    for place in range(spans[there, 0], spans[there, 1]):
        hub = hub_of(entries[place])
        cost = min(cost_of(entries[place]) + graphs.cost_of(step), COST_LIMIT)
        own = places[hub]
        if own < 0:
            own = places[hub] = made
            made += 1
        elif cost >= cost_of(entries[own]):
            continue
        entries[own] = _entry(cost, hub)
        onward[own] = place
    return made


@helper
def _find_edges(edge_firsts, steps, which, spans, entries, onward, places):
    """Find the first edge of each way of a list that is stored; whether all of them have one."""
    unknown = 0
    for place in range(spans[which, 0], spans[which, 1]):
        if onward[place] == _UNKNOWN:
            places[hub_of(entries[place])] = place
            unknown += 1
    for edge in range(edge_firsts[which], edge_firsts[which + 1]):
        if not unknown:
            break
        there, cost = graphs.node_of(steps[edge]), graphs.cost_of(steps[edge])
        for place in range(spans[there, 0], spans[there, 1]):
            hub = hub_of(entries[place])
            own = places[hub]
            if own >= 0 and cost_of(entries[own]) == cost_of(entries[place]) + cost:
                onward[own] = place
                places[hub] = _NOT_THERE
                unknown -= 1
    return unknown == 0
