"""A* around the agent, and the learning rules that raise the heuristic of every cell it closed.

LSS-LRTA* (Koenig and Sun 2009; K LRTA* in the 2008 paper) and RTAA* (Koenig and Likhachev 2006). The exact rules are
in docs/planners/learning-rules.md.
"""

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.events import EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, TARGETED
from waypost.kernels.moves import DX, DY, FIRST_MOVE, offset
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.queues import pop, push, replace
from waypost.planners.learning.kernels.nodes import (
    CELL,
    MARK,
    NODE_BITS,
    REACHED,
    F,
    G,
    X,
    Y,
    add,
    place_of,
    trace_route,
)
from waypost.planners.learning.kernels.state import (
    heuristic,
    move_cost,
    note,
    raise_to,
)

_OPEN, _CLOSED, _SETTLED = range(3)  # what the mark of a node says
_NONE = 1 << 62

# The key of an open node: by how much its f exceeds that of node 0, then larger g first, then its number. What a
# lookahead of at most 1,000 expansions can come to fits: f rises by two diagonal moves an expansion at most, and never
# falls.
_G_SHIFT = 13
_F_SHIFT = 36
_LARGEST_G = (1 << _F_SHIFT - _G_SHIFT) - 1
_KEY_NODE = (1 << _G_SHIFT) - 1


@helper
def plan_local(mask, table, state, events, goal, scratch, number, inward):
    """Search around node 0, learn, and plan the way to the best open node; returns expansions and updates.

    Beside the window lies another with `lookahead number << 32 | COST_LIMIT - g`, where larger is better and older
    than anything of this lookahead: so one comparison without a branch says whether a neighbour is new or cheaper.
    """
    nodes = scratch.nodes
    window = scratch.window
    marks = scratch.marks
    open_nodes = scratch.heap
    window_shifts = state.window_shifts
    most = state.extent
    newest = number << 32
    f_here = nodes[0, F]
    marks[place_of(window_shifts, nodes[0, X], nodes[0, Y])] = newest | COST_LIMIT
    length = 0
    count = 1
    expansions = 0
    best = 0  # the first open node; it stands outside the heap
    while expansions < most and nodes[at(best), CELL] != goal.cell:
        expansions += 1
        nodes[at(best), MARK] = _CLOSED
        cell = nodes[at(best), CELL]
        x = nodes[at(best), X]
        y = nodes[at(best), Y]
        g = nodes[at(best), G]
        note(events, state, EXPANDED, cell, cell, g, nodes[at(best), F])
        better = 0
        for move in range(8):
            mark = newest | COST_LIMIT - g - move_cost(goal, move)
            better |= int(mark > marks[at(place_of(window_shifts, x + DX[move], y + DY[move]))]) << move
        better &= mask[at(cell)]
        next_key = _NONE  # the first of the nodes reached now stays outside the heap too: often it comes next
        while better:
            move = FIRST_MOVE[at(better)]
            better &= better - 1
            g_there = g + move_cost(goal, move)
            place = place_of(window_shifts, x + DX[move], y + DY[move])
            node = window[at(place)] & NODE_BITS
            kind = GENERATED_CHEAPER
            if marks[at(place)] < newest:
                kind = GENERATED_NEW
                node = count
                count += 1
                add(nodes, window, number, place, node, cell + offset(move, goal.stride), x + DX[move], y + DY[move])
                nodes[at(node), F] = g_there + heuristic(table, goal, x + DX[move], y + DY[move])
            else:
                nodes[at(node), F] -= nodes[at(node), G] - g_there
            marks[at(place)] = newest | COST_LIMIT - g_there
            nodes[at(node), G] = g_there
            nodes[at(node), REACHED] = best << 3 | move
            note(events, state, kind, nodes[at(node), CELL], cell, g_there, nodes[at(node), F])
            key = nodes[at(node), F] - f_here << _F_SHIFT | _LARGEST_G - g_there << _G_SHIFT | node
            if next_key != _NONE:
                length = push(open_nodes, length, max(key, next_key))
            next_key = min(key, next_key)
        while length and _is_superseded(nodes, open_nodes[0]):
            length = pop(open_nodes, length)
        key = min(next_key, open_nodes[0]) if length else next_key
        if key != next_key:
            if next_key == _NONE:
                length = pop(open_nodes, length)
            else:
                replace(open_nodes, length, next_key)
        best = key & _KEY_NODE
    f = nodes[best, F]
    note(events, state, TARGETED, nodes[best, CELL], nodes[0, CELL], nodes[best, G], f)
    state.peak_closed = max(state.peak_closed, expansions)
    state.peak_open = max(state.peak_open, count - expansions)
    state.route_end = trace_route(nodes, best, scratch.route, state.moves_per_plan)
    if inward:
        updates = _learn_inward(mask, table, state, events, goal, scratch, number, count, expansions)
    else:
        updates = _learn_from(table, state, events, goal, nodes, count, f)
    return expansions, updates


@inlined
def _is_superseded(nodes, key):
    """Whether a node was closed or reached more cheaply since it was put on the heap with this key."""
    node = key & _KEY_NODE
    g = _LARGEST_G - (key >> _G_SHIFT & _LARGEST_G)
    return nodes[at(node), MARK] != _OPEN or nodes[at(node), G] != g


@helper
def _learn_from(table, state, events, goal, nodes, count, f):
    """RTAA*: what the target's f leaves for each closed node."""
    updates = 0
    for node in range(count):
        if nodes[node, MARK] == _CLOSED:
            updates += 1
            cell, x, y = nodes[node, CELL], nodes[node, X], nodes[node, Y]
            raise_to(table, state, events, goal, cell, x, y, f - nodes[node, G])
    return updates


@helper
def _learn_inward(mask, table, state, events, goal, scratch, number, count, unsettled):
    """LSS-LRTA*: Dijkstra from the open nodes inward, over buckets that are no wider than the cheapest move.

    Whatever a node of the lowest bucket passes on falls into a later bucket, so the first time a node is taken out
    its value is final, in whatever order a bucket is emptied. The marks, no longer needed, become
    `lookahead number << 32 | value`: whether a neighbour's value can fall takes one comparison again.
    """
    nodes = scratch.nodes
    window = scratch.window
    marks = scratch.marks
    entries = scratch.heap  # pairs of a node and the next entry of its bucket
    ring = scratch.ring
    around = ring.size - 1
    shift = state.inward_shift
    window_shifts = state.window_shifts
    newest = number << 32
    bucket = _NONE
    highest = 0
    used = 0
    for node in range(count):
        place = place_of(window_shifts, nodes[node, X], nodes[node, Y])
        if nodes[node, MARK] == _OPEN:
            value = nodes[node, F] - nodes[node, G]
            nodes[node, F] = value
            marks[at(place)] = newest  # nothing is lower
            bucket = min(bucket, value >> shift)
            highest = max(highest, value >> shift)
            used = _put(entries, ring, value >> shift & around, node, used)
        else:
            marks[at(place)] = newest | COST_LIMIT
    updates = 0
    while unsettled:
        entry = ring[at(bucket & around)] - 1
        if entry < 0:
            bucket += 1
            continue
        node = entries[at(2 * entry)]
        ring[at(bucket & around)] = entries[at(2 * entry + 1)]
        updates += 1
        if nodes[at(node), MARK] == _SETTLED:
            continue
        cell, x, y = nodes[at(node), CELL], nodes[at(node), X], nodes[at(node), Y]
        value = nodes[at(node), F]
        if nodes[at(node), MARK] == _CLOSED:
            unsettled -= 1
            raise_to(table, state, events, goal, cell, x, y, value)
        nodes[at(node), MARK] = _SETTLED
        lower = 0
        for move in range(8):
            mark = newest | value + move_cost(goal, move)
            lower |= int(mark < marks[at(place_of(window_shifts, x + DX[move], y + DY[move]))]) << move
        lower &= mask[at(cell)]
        while lower:
            move = FIRST_MOVE[at(lower)]
            lower &= lower - 1
            place = place_of(window_shifts, x + DX[move], y + DY[move])
            inner = window[at(place)] & NODE_BITS
            value_there = value + move_cost(goal, move)
            marks[at(place)] = newest | value_there
            nodes[at(inner), F] = value_there
            highest = max(highest, value_there >> shift)
            used = _put(entries, ring, value_there >> shift & around, inner, used)
    for rest in range(bucket, highest + 1):
        ring[rest & around] = 0
    return updates


@inlined
def _put(entries, ring, place, node, used):
    """Put a node at the head of a bucket, whose entries count from 1; returns how many entries are used."""
    entries[at(2 * used)] = node
    entries[at(2 * used + 1)] = ring[at(place)]
    ring[at(place)] = used + 1
    return used + 1
