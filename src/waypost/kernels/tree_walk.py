"""Walking by subgoal trees: from node to parent, and so to the root, the goal (2011, algorithm 3; algorithms 10.2)."""

import numpy as np

from waypost.kernels.climb import climb
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.heap import pop, push
from waypost.kernels.moves import octile
from waypost.kernels.walk import CELL, GOAL, SLOTS, TARGET, TOO_FAR, head_for, move

_at = np.uintp  # an unsigned index spares the test for a negative one

# Rules for the first target: the node that seems nearest, or one that a climb reaches on a short way to the goal.
NEAREST, CLIMBED = range(2)
_NODE_BITS = 24  # of an entry of the queue, for the node's index; the rest is its key

# Slots behind those of the walker: the tree's first node and their end, then a bit for each node that was stood on.
FIRST_NODE, END_NODE = SLOTS, SLOTS + 1
VISITS = SLOTS + 2

# What a planner was set to.
STRIDE, ACROSS, STRAIGHT, DIAGONAL, SHIFT, RULE, TRIES, LIMIT = range(8)
COUNTERS = 5  # of the work of a move: expansions, updates, climbs, probes, growth


@kernel
def walk(mask, climb_table, nodes, pool, state, settings, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many.

    The log is flat: the cells of all moves, then the work counters of each.
    """
    room = log.size // (1 + COUNTERS)
    made = 0
    while made < room and state[CELL, 0] != state[GOAL, 0] and not state[TOO_FAR, 0]:
        expansions, climbs, probes, growth = advance(mask, climb_table, nodes, pool, state, 0, settings)
        log[made] = state[CELL, 0]
        row = room + COUNTERS * made
        log[row] = expansions
        log[row + 1] = 0
        log[row + 2] = climbs
        log[row + 3] = probes
        log[row + 4] = growth
        made += 1
    return made


@helper
def advance(mask, climb_table, nodes, pool, state, walker, settings):
    """One move: take the parent of a node as the target, then move; returns the work counters."""
    stride = settings[STRIDE]
    straight = settings[STRAIGHT]
    diagonal = settings[DIAGONAL]
    shift = settings[SHIFT]
    cell = np.int64(state[CELL, walker])
    first = np.int64(state[FIRST_NODE, walker])
    end = np.int64(state[END_NODE, walker])
    climbs = 0
    probes = 1
    node = find(nodes, first, end, shift, cell)
    if node >= 0:
        word = VISITS + (node - first >> 5)
        bit = np.int32(1) << np.int32(node - first & 31)
        if cell == state[TARGET, walker] or state[word, walker] & bit == 0:
            head_for(pool, state, walker, stride, parent_of(nodes, first, shift, node))
        state[word, walker] |= bit
    elif state[TARGET, walker] < 0:
        if settings[RULE] == NEAREST:
            target = _nearest(nodes, first, end, shift, stride, straight, diagonal, cell)
        else:
            target, climbs = _climbed(
                mask, climb_table, nodes, first, end, shift, stride, straight, diagonal, cell,
                settings[TRIES], settings[LIMIT],
            )  # fmt: skip
        probes += end - first
        head_for(pool, state, walker, stride, target)
    expansions, steps, growth = move(
        mask, climb_table, pool, state, walker, stride, settings[ACROSS], straight, diagonal
    )
    return expansions, climbs + steps, probes, growth


@inlined
def find(nodes, first, end, shift, cell):
    """The node that stands on a cell, or -1."""
    low = first
    span = end - first
    while span > 1:  # no branch that depends on what is read
        half = span >> 1
        low += half if np.int64(nodes[_at(low + half)]) >> shift <= cell else 0
        span -= half
    return low if np.int64(nodes[_at(low)]) >> shift == cell else -1


@inlined
def parent_of(nodes, first, shift, node):
    """The cell of a node's parent."""
    return np.int64(nodes[_at(first + (np.int64(nodes[_at(node)]) & (1 << shift) - 1))]) >> shift


@helper
def _nearest(nodes, first, end, shift, stride, straight, diagonal, cell):
    """The node of least octile distance, ties to the lower cell: the rule as printed."""
    best = -1
    least = np.int64(1) << 62
    for node in range(first, end):
        there = np.int64(nodes[node]) >> shift
        distance = _distance(stride, straight, diagonal, cell, there)
        if distance < least:
            least = distance
            best = there
    return best


@helper
def _climbed(mask, climb_table, nodes, first, end, shift, stride, straight, diagonal, cell, tries, limit):
    """The first that a climb reaches of the nodes of least h + g, ties to the lower cell; the very first if none.

    g is the sum of the octile distances from node to parent. Returns the target and the steps of all climbs.
    """
    queue = np.empty(end - first, np.int64)
    costs = _costs_to_root(nodes, first, end, shift, stride, straight, diagonal)
    for node in range(end - first):
        there = np.int64(nodes[first + node]) >> shift
        total = costs[node] + _distance(stride, straight, diagonal, cell, there)
        push(queue, node, total << _NODE_BITS | node)
    best = np.int64(nodes[first + (queue[0] & (1 << _NODE_BITS) - 1)]) >> shift
    climbs = 0
    for waiting in range(end - first, max(end - first - tries, 0), -1):
        there = np.int64(nodes[first + (queue[0] & (1 << _NODE_BITS) - 1)]) >> shift
        pop(queue, waiting)
        arrives, steps = climb(mask, climb_table, stride, cell, there, limit)
        climbs += steps
        if arrives:
            return there, climbs
    return best, climbs


@helper
def _costs_to_root(nodes, first, end, shift, stride, straight, diagonal):
    """The cost from every node to the root, each leg as long as its octile distance."""
    costs = np.full(end - first, np.int64(-1))
    way = np.empty(end - first, np.int64)
    for node in range(end - first):
        at = node
        length = 0
        while costs[at] < 0:
            up = np.int64(nodes[first + at]) & (1 << shift) - 1
            if up == at:
                costs[at] = 0
                break
            way[length] = at
            length += 1
            at = up
        while length:
            length -= 1
            up = at
            at = way[length]
            costs[at] = costs[up] + _between(nodes, first, shift, stride, straight, diagonal, at, up)
    return costs


@inlined
def _between(nodes, first, shift, stride, straight, diagonal, a, b):
    """The octile distance between two nodes of a tree, by their indices in it."""
    return _distance(
        stride,
        straight,
        diagonal,
        np.int64(nodes[_at(first + a)]) >> shift,
        np.int64(nodes[_at(first + b)]) >> shift,
    )


@inlined
def _distance(stride, straight, diagonal, a, b):
    """The octile distance between two cells."""
    a_y = a // stride
    b_y = b // stride
    return octile(a - b - (a_y - b_y) * stride, a_y - b_y, straight, diagonal)
