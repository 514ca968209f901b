"""A* around the agent, and the learning rules that raise the heuristic of every cell it closed.

LSS-LRTA* (Koenig and Sun 2009; K LRTA* in the 2008 paper) and RTAA* (Koenig and Likhachev 2006). The exact rules are
in docs/planners/learning-rules.md.
"""

from waypost.kernels.best_first import COST_LIMIT, EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, TARGETED
from waypost.kernels.compiling import helper, inlined
from waypost.kernels.heap import pop, push
from waypost.kernels.learned import (
    EXTENT,
    INWARD_SHIFT,
    MOVES_PER_PLAN,
    PEAK_CLOSED,
    PEAK_OPEN,
    ROUTE_END,
    heuristic,
    move_cost,
    note,
    raise_to,
)
from waypost.kernels.moves import DX, DY, FIRST_MOVE, offset
from waypost.kernels.nodes import CELL, LINKS, MARK, REACHED, F, G, X, Y, add, find, trace_route

_OPEN, _CLOSED, _SETTLED = range(3)  # marks of a node
_NONE = 1 << 62
_G_BITS = (1 << 32) - 1


@helper
def plan_local(mask, table, state, events, goal, scratch, number, inward):
    """Search around node 0, learn, and plan the way to the best open node; returns expansions and updates."""
    nodes = scratch.nodes
    slots = scratch.slots
    links = scratch.extra
    open_nodes = scratch.heap  # rows of key and node: the key is f, then larger g first
    length = 0
    count = 1
    expansions = 0
    best = 0  # the first open node; it stands outside the heap
    while expansions < state[EXTENT] and nodes[best, CELL] != goal.cell:
        expansions += 1
        nodes[best, MARK] = _CLOSED
        cell = nodes[best, CELL]
        g_here = nodes[best, G]
        note(events, state, EXPANDED, cell, cell, g_here, nodes[best, F])
        next_key = _NONE  # the first of the nodes reached now stays outside the heap too: often it comes next
        next_node = 0
        legal = mask[cell]
        while legal:
            move = FIRST_MOVE[legal]
            legal &= legal - 1
            g = g_here + move_cost(goal, move)
            there = cell + offset(move, goal.stride)
            x = nodes[best, X] + DX[move]
            y = nodes[best, Y] + DY[move]
            node = find(nodes, slots, number, there)
            is_new = node < 0
            if is_new:
                add(nodes, slots, number, -1 - node, count, there, x, y)
                node = count
                count += 1
                nodes[node, F] = g + heuristic(table, goal, x, y)
            # For the inward search: this node is closed and a neighbour of that one.
            links[node, move ^ 2] = best
            nodes[node, LINKS] |= 1 << (move ^ 2)
            if not is_new:
                if nodes[node, MARK] != _OPEN or nodes[node, G] <= g:
                    continue
                nodes[node, F] -= nodes[node, G] - g
            nodes[node, G] = g
            nodes[node, REACHED] = best << 3 | move
            note(events, state, GENERATED_NEW if is_new else GENERATED_CHEAPER, there, cell, g, nodes[node, F])
            key = nodes[node, F] << 32 | COST_LIMIT - g
            if key < next_key or (key == next_key and node < next_node):
                key, next_key = next_key, key
                node, next_node = next_node, node
            if key != _NONE:
                length = push(open_nodes, length, key, node)
        while length and (
            nodes[open_nodes[0, 1], MARK] != _OPEN
            or COST_LIMIT - (open_nodes[0, 0] & _G_BITS) != nodes[open_nodes[0, 1], G]
        ):
            length = pop(open_nodes, length)  # closed or reached more cheaply since
        if length and (open_nodes[0, 0] < next_key or (open_nodes[0, 0] == next_key and open_nodes[0, 1] < next_node)):
            best = open_nodes[0, 1]
            length = pop(open_nodes, length)
            if next_key != _NONE:
                length = push(open_nodes, length, next_key, next_node)
        else:
            best = next_node
    note(events, state, TARGETED, nodes[best, CELL], nodes[0, CELL], nodes[best, G], nodes[best, F])
    state[PEAK_CLOSED] = max(state[PEAK_CLOSED], expansions)
    state[PEAK_OPEN] = max(state[PEAK_OPEN], count - expansions)
    state[ROUTE_END] = trace_route(nodes, best, scratch.route, state[MOVES_PER_PLAN])
    if inward:
        updates = _learn_inward(table, state, events, goal, scratch, count, expansions)
    else:
        updates = _learn_from(table, state, events, goal, nodes, count, nodes[best, F])
    return expansions, updates


@helper
def _learn_from(table, state, events, goal, nodes, count, f):
    """RTAA*: what the target's f leaves for each closed node."""
    updates = 0
    for node in range(count):
        if nodes[node, MARK] == _CLOSED:
            updates += 1
            raise_to(table, state, events, goal, nodes[node, CELL], nodes[node, X], nodes[node, Y], f - nodes[node, G])
    return updates


@helper
def _learn_inward(table, state, events, goal, scratch, count, unsettled):
    """LSS-LRTA*: Dijkstra from the open nodes inward, over buckets that are no wider than the cheapest move.

    Whatever a node of the lowest bucket passes on falls into a later bucket, so the first time a node is taken out
    its value is final, in whatever order a bucket is emptied.
    """
    nodes = scratch.nodes
    links = scratch.extra
    entries = scratch.heap  # rows of node and next entry of the bucket
    ring = scratch.ring
    around = ring.size - 1
    lowest = COST_LIMIT
    for node in range(count):
        if nodes[node, MARK] == _OPEN:
            nodes[node, F] -= nodes[node, G]
            lowest = min(lowest, nodes[node, F])
        else:
            nodes[node, F] = COST_LIMIT
    shift = state[INWARD_SHIFT]
    bucket = lowest >> shift
    highest = bucket
    used = 0
    for node in range(count):
        if nodes[node, MARK] == _OPEN:
            into = nodes[node, F] >> shift
            highest = max(highest, into)
            used = _put(entries, ring, into & around, node, used)
    updates = 0
    while unsettled:
        entry = ring[bucket & around] - 1
        if entry < 0:
            bucket += 1
            continue
        node = entries[entry, 0]
        ring[bucket & around] = entries[entry, 1]
        updates += 1
        if nodes[node, MARK] == _SETTLED:
            continue
        if nodes[node, MARK] == _CLOSED:
            unsettled -= 1
            raise_to(table, state, events, goal, nodes[node, CELL], nodes[node, X], nodes[node, Y], nodes[node, F])
        nodes[node, MARK] = _SETTLED
        linked = nodes[node, LINKS]
        while linked:
            move = FIRST_MOVE[linked]
            linked &= linked - 1
            inner = links[node, move]
            value = nodes[node, F] + move_cost(goal, move)
            if value < nodes[inner, F]:
                nodes[inner, F] = value
                into = value >> shift
                highest = max(highest, into)
                used = _put(entries, ring, into & around, inner, used)
    for rest in range(bucket, highest + 1):
        ring[rest & around] = 0
    return updates


@inlined
def _put(entries, ring, place, node, used):
    """Put a node at the head of a bucket, whose entries count from 1; returns how many entries are used."""
    entries[used, 0] = node
    entries[used, 1] = ring[place]
    ring[place] = used + 1
    return used + 1
