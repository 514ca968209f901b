"""Lookahead to a depth or to a cost, and the learning rules that raise the heuristic of the agent's cell only.

Bulitko et al. 2008 (plies), Bulitko, Björnsson, Lawrence 2010 (cost), Bulitko and Lee 2006 (LRTS). The exact rules
are in docs/planners/learning-rules.md.
"""

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.events import EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, TARGETED
from waypost.kernels.moves import DX, DY, FIRST_MOVE, offset
from waypost.kernels.queues import pop, push
from waypost.planners.learning.kernels.nodes import (
    CELL,
    MARK,
    NODE_BITS,
    REACHED,
    SECOND_MARK,
    F,
    G,
    X,
    Y,
    add,
    node_at,
    place_of,
    trace_route,
)
from waypost.planners.learning.kernels.state import (
    heuristic,
    move_cost,
    note,
    raise_to,
)

# What the mark of a node says: whether it was looked around, whether a move of it goes beyond the horizon.
_LOOKED, _OUTWARD = 1, 2
_FIRST_SHIFT = 2  # behind these flags, in plies, the first move of the way by which a node got its g and f
_FLAGS = (1 << _FIRST_SHIFT) - 1
_LOWERED = SECOND_MARK  # the last ply in which a node's g was set or lowered

# Columns of the extra array: a node's g and f when the ply began; the nodes to look around in this ply, each with its
# first move when the ply began; those to look around in the next.
_G_THEN, _F_THEN, _NOW, AHEAD = range(4)
EXTRA_COLUMNS = 4

_FIRST_OF_DECISION = 8


@helper
def plan_plies(mask, table, state, events, goal, scratch, number, max_of_mins):
    """Look so many moves ahead of node 0, learn, and plan the way on; returns the number of expansions."""
    nodes = scratch.nodes
    window = scratch.window
    extra = scratch.extra
    goal_node = -1
    count = 1
    highest = 0  # of the least values of all plies
    expansions = 0
    ahead = 1
    begin_plies(extra)
    for ply in range(1, state.extent + 1):
        looked, count, ahead, goal_node = look_ply(
            mask, table, state, events, goal, nodes, window, extra, number, count, ply, ahead, goal_node
        )
        expansions += looked
        if max_of_mins:
            highest = max(highest, _value(table, state, goal, nodes, _least(table, state, goal, nodes, extra, ahead)))
            if goal_node >= 0:
                break
    keep_peaks(state, nodes, count)
    if max_of_mins:
        _decide(
            table,
            state,
            events,
            goal,
            scratch,
            highest,
            goal_node if goal_node >= 0 else _least(table, state, goal, nodes, extra, ahead),
        )
    else:
        target = best_ahead(nodes, extra, with_goal(extra, ahead, goal_node))
        _learn_from(table, state, events, goal, nodes, target)
        scratch.route[0] = first_move_to(nodes, target)
        state.route_end = 1
    return expansions


@inlined
def begin_plies(extra):
    """Put node 0 ahead, alone."""
    extra[0, AHEAD] = 0


@helper
def look_ply(mask, table, state, events, goal, nodes, window, extra, number, count, ply, ahead, goal_node):
    """Look around the nodes ahead; returns expansions, how many nodes there are, those ahead now, the goal's or -1."""
    expansions = 0
    looking = ahead
    ahead = 0
    for i in range(looking):
        node = extra[i, AHEAD]
        extra[i, _NOW] = node << 3 | nodes[node, MARK] >> _FIRST_SHIFT
        extra[node, _G_THEN] = nodes[node, G]
        extra[node, _F_THEN] = nodes[node, F]
    for i in range(looking):
        node = extra[i, _NOW] >> 3
        first = extra[i, _NOW] & 7
        if node == goal_node:
            continue
        expansions += 1
        nodes[node, MARK] |= _LOOKED
        g = extra[node, _G_THEN]
        f = extra[node, _F_THEN]
        note(events, state, EXPANDED, nodes[node, CELL], nodes[node, CELL], g, f)
        legal = mask[nodes[node, CELL]]
        while legal:
            move = FIRST_MOVE[legal]
            legal &= legal - 1
            cost = move_cost(goal, move)
            reached, count = _reach(table, state, events, goal, nodes, window, number, count, node, move, g + cost, f)
            if reached < 0:
                continue
            nodes[reached, MARK] = nodes[reached, MARK] & _FLAGS | (first if node else move) << _FIRST_SHIFT
            if nodes[reached, CELL] == goal.cell:
                goal_node = reached
            if nodes[reached, _LOWERED] != ply:
                nodes[reached, _LOWERED] = ply
                extra[ahead, AHEAD] = reached
                ahead += 1
    return expansions, count, ahead, goal_node


@helper
def plan_within_cost(mask, table, state, events, goal, scratch, number):
    """Look as far ahead of node 0 as a cost allows, learn, and plan one move; returns the number of expansions."""
    nodes = scratch.nodes
    window = scratch.window
    open_nodes = scratch.heap
    horizon = state.extent
    count = 1
    expansions = 0
    length = push(open_nodes, 0, 0)
    while length:
        g = open_nodes[0] >> 32
        node = open_nodes[0] & NODE_BITS
        length = pop(open_nodes, length)
        if g > nodes[node, G] or nodes[node, CELL] == goal.cell:
            continue  # taken before at a lower g, or never looked around
        is_inner = False
        legal = mask[nodes[node, CELL]]
        while legal:
            move = FIRST_MOVE[legal]
            legal &= legal - 1
            there = g + move_cost(goal, move)
            if there > horizon:
                nodes[node, MARK] |= _OUTWARD
                continue
            if not is_inner:
                is_inner = True
                expansions += 1
                nodes[node, MARK] |= _LOOKED
                note(events, state, EXPANDED, nodes[node, CELL], nodes[node, CELL], g, nodes[node, F])
            reached, count = _reach(
                table, state, events, goal, nodes, window, number, count, node, move, there, nodes[node, F]
            )
            if reached >= 0:
                length = push(open_nodes, length, there << 32 | reached)
    keep_peaks(state, nodes, count)
    frontier = 0
    for node in range(count):
        mark = nodes[node, MARK]
        if not mark & _LOOKED or (mark & _OUTWARD and _leads_out(mask, state, nodes, window, number, node)):
            scratch.extra[frontier, AHEAD] = node
            frontier += 1
    target = best_ahead(nodes, scratch.extra, frontier)
    _learn_from(table, state, events, goal, nodes, target)
    state.route_end = trace_route(nodes, target, scratch.route, 1)
    return expansions


@helper
def _leads_out(mask, state, nodes, window, number, node):
    """Whether a neighbour of a node is no node."""
    legal = mask[nodes[node, CELL]]
    while legal:
        move = FIRST_MOVE[legal]
        legal &= legal - 1
        place = place_of(state.window_shifts, nodes[node, X] + DX[move], nodes[node, Y] + DY[move])
        if node_at(window, number, place) < 0:
            return True
    return False


@inlined
def _reach(table, state, events, goal, nodes, window, number, count, parent, move, g, f):
    """Reach a neighbour at this g; returns its node, or -1 if it was not cheaper, and the number of nodes."""
    cell = nodes[parent, CELL] + offset(move, goal.stride)
    x = nodes[parent, X] + DX[move]
    y = nodes[parent, Y] + DY[move]
    place = place_of(state.window_shifts, x, y)
    node = node_at(window, number, place)
    kind = GENERATED_CHEAPER
    if node < 0:
        kind = GENERATED_NEW
        add(nodes, window, number, place, count, cell, x, y)
        node = count
        count += 1
    elif nodes[node, G] <= g:
        return -1, count
    nodes[node, G] = g
    nodes[node, F] = max(f, g + heuristic(table, goal, x, y))
    nodes[node, REACHED] = parent << 3 | move
    note(events, state, kind, cell, nodes[parent, CELL], g, nodes[node, F])
    return node, count


@helper
def keep_peaks(state, nodes, count):
    """Note how many nodes a lookahead has looked around, and how many not, if those are the most so far."""
    closed = 0
    for node in range(count):
        closed += nodes[node, MARK] & _LOOKED
    state.peak_closed = max(state.peak_closed, closed)
    state.peak_open = max(state.peak_open, count - closed)


@helper
def with_goal(extra, ahead, goal_node):
    """Put the goal's node, if there is one, behind those ahead; returns how many there are then."""
    if goal_node < 0:
        return ahead
    extra[ahead, AHEAD] = goal_node
    return ahead + 1


@helper
def best_ahead(nodes, extra, frontier):
    """The node of the frontier of least f, then larger g, then lower number."""
    target = extra[0, AHEAD]
    for i in range(1, frontier):
        node = extra[i, AHEAD]
        if nodes[node, F] < nodes[target, F] or (
            nodes[node, F] == nodes[target, F] and _is_preferred(nodes, node, target)
        ):
            target = node
    return target


@helper
def _learn_from(table, state, events, goal, nodes, target):
    """LRTA*: raise node 0 to the f of its target."""
    note(events, state, TARGETED, nodes[target, CELL], nodes[0, CELL], nodes[target, G], nodes[target, F])
    raise_to(table, state, events, goal, nodes[0, CELL], nodes[0, X], nodes[0, Y], nodes[target, F])


@helper
def first_move_to(nodes, target):
    """Where a lookahead in plies goes first to come to a node: by the way that its f is about.

    Its parents may since have got another way, on which the first cell promises less than f.
    """
    return nodes[target, MARK] >> _FIRST_SHIFT


@helper
def _is_preferred(nodes, node, other):
    """Which of two equally good nodes is taken: larger g, then lower number."""
    return nodes[node, G] > nodes[other, G] or (nodes[node, G] == nodes[other, G] and node < other)


@helper
def _value(table, state, goal, nodes, node):
    """What LRTS thinks of a node: gamma * g + h, rounded up so that no move seems to cost nothing."""
    return -(-state.gamma * nodes[node, G] // 100) + heuristic(table, goal, nodes[node, X], nodes[node, Y])


@helper
def _least(table, state, goal, nodes, extra, front):
    """The node of least value in the front, then largest g, then lowest number."""
    best = extra[0, AHEAD]
    best_value = _value(table, state, goal, nodes, best)
    for i in range(1, front):
        node = extra[i, AHEAD]
        value = _value(table, state, goal, nodes, node)
        if value < best_value or (value == best_value and _is_preferred(nodes, node, best)):
            best = node
            best_value = value
    return best


@helper
def _decide(table, state, events, goal, scratch, value, target):
    """LRTS: raise node 0 to a value; then on to the target, or back to the last decision if too much was learned."""
    nodes = scratch.nodes
    route = scratch.route
    stack = scratch.stack  # a ring of moves, its size a power of two
    around = stack.size - 1
    cell, x, y = nodes[0, CELL], nodes[0, X], nodes[0, Y]
    state.raised += max(0, value - heuristic(table, goal, x, y))
    note(events, state, TARGETED, nodes[target, CELL], cell, nodes[target, G], value)
    raise_to(table, state, events, goal, cell, x, y, value)
    if state.raised <= state.quota or state.stack_top == state.stack_bottom:
        length = trace_route(nodes, target, route, 0)
        for i in range(length):
            stack[state.stack_top & around] = route[i] | (_FIRST_OF_DECISION if i == 0 else 0)
            state.stack_top += 1
        if state.stack_top - state.stack_bottom > stack.size:  # forget the oldest decisions, each whole
            state.stack_bottom = state.stack_top - stack.size
            while not stack[state.stack_bottom & around] & _FIRST_OF_DECISION:
                state.stack_bottom += 1
        state.route_end = length
        return
    state.raised = state.quota
    length = 0
    while True:
        state.stack_top -= 1
        step = stack[state.stack_top & around]
        route[length] = step & 7 ^ 2  # the opposite move
        length += 1
        if step & _FIRST_OF_DECISION:
            break
    state.route_end = length
