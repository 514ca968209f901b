"""Walking by subgoal trees: from node to parent, and so to the root, the goal (2011, algorithm 3; algorithms 10.2)."""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.climb import climb
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push
from waypost.planners.trees.kernels.forest import Forest, Settings
from waypost.planners.walking.kernels.ground import Ground, distance
from waypost.planners.walking.kernels.walker import Slot, head_for, move

# Rules for the first target: the node that seems nearest, or one that a climb reaches on a short way to the goal.
NEAREST, CLIMBED = range(2)
_NODE_BITS = 24  # of an entry of the queue, for the node's index; the rest is its key


class TreeSlot(IntEnum):
    """Slots behind those of the walker."""

    FIRST_NODE = Slot.ROUTE
    END_NODE = auto()
    """The tree's first node, and their end."""
    VISITS = auto()
    """Here begin the bits of nodes that were stood on."""


@kernel
def walk(ground, forest, settings, pool, now, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many."""
    ground, forest, settings = Ground(*ground), Forest(*forest), Settings(*settings)
    room = room_in(log)
    made = 0
    while made < room and now[Slot.CELL] != now[Slot.GOAL] and not now[Slot.TOO_FAR]:
        expansions, climbs, probes, growth = advance(ground, forest, settings, pool, now)
        made = log_move(log, made, now[Slot.CELL], expansions, 0, climbs, probes, growth)
    return made


@helper
def advance(ground, forest, settings, pool, now):
    """One move: take the parent of a node as the target, then move; returns expansions, climbs, probes and growth."""
    cell = np.int64(now[Slot.CELL])
    first = np.int64(now[TreeSlot.FIRST_NODE])
    end = np.int64(now[TreeSlot.END_NODE])
    climbs = 0
    probes = 1
    node = find(forest, first, end, cell)
    if node >= 0:
        word = TreeSlot.VISITS + (node - first >> 5)
        bit = np.int32(1) << np.int32(node - first & 31)
        if cell == now[Slot.TARGET] or now[word] & bit == 0:
            head_for(ground, pool, now, parent_of(forest, first, node))
        now[word] |= bit
    elif now[Slot.TARGET] < 0:
        if settings.rule == NEAREST:
            target = _nearest(ground, forest, first, end, cell)
        else:
            target, climbs = _climbed(ground, forest, settings, first, end, cell)
        probes += end - first
        head_for(ground, pool, now, target)
    expansions, steps, growth = move(ground, pool, now)
    return expansions, climbs + steps, probes, growth


@inlined
def cell_of(forest, node):
    """The cell that a node stands on."""
    return np.int64(forest.nodes[at(node)]) >> forest.shift


@inlined
def find(forest, first, end, cell):
    """The node that stands on a cell, or -1."""
    low = first
    span = end - first
    while span > 1:  # no branch that depends on what is read
        half = span >> 1
        low += half if cell_of(forest, low + half) <= cell else 0
        span -= half
    return low if cell_of(forest, low) == cell else -1


@inlined
def _up(forest, node):
    """The index of a node's parent in its tree."""
    return np.int64(forest.nodes[at(node)]) & (1 << forest.shift) - 1


@inlined
def parent_of(forest, first, node):
    """The cell of a node's parent."""
    return cell_of(forest, first + _up(forest, node))


@helper
def _nearest(ground, forest, first, end, cell):
    """The node of least octile distance, ties to the lower cell: the rule as printed."""
    best = -1
    least = np.int64(1) << 62
    for node in range(first, end):
        there = cell_of(forest, node)
        away = distance(ground, cell, there)
        if away < least:
            least = away
            best = there
    return best


@helper(allocates=True)
def _climbed(ground, forest, settings, first, end, cell):
    """The first that a climb reaches of the nodes of least h + g, ties to the lower cell; the very first if none.

    g is the sum of the octile distances from node to parent. Returns the target and the steps of all climbs.
    """
    size = end - first
    queue = np.empty(size, np.int64)
    costs = _costs_to_root(ground, forest, first, end)
    for node in range(size):
        total = costs[node] + distance(ground, cell, cell_of(forest, first + node))
        push(queue, node, total << _NODE_BITS | node)
    best = cell_of(forest, first + (queue[0] & (1 << _NODE_BITS) - 1))
    climbs = 0
    for waiting in range(size, max(size - settings.tries, 0), -1):
        there = cell_of(forest, first + (queue[0] & (1 << _NODE_BITS) - 1))
        pop(queue, waiting)
        arrives, steps = climb(ground.mask, ground.climb_table, ground.stride, cell, there, settings.limit)
        climbs += steps
        if arrives:
            return there, climbs
    return best, climbs


@helper(allocates=True)
def _costs_to_root(ground, forest, first, end):
    """The cost from every node to the root, each leg as long as its octile distance."""
    costs = np.full(end - first, np.int64(-1))
    way = np.empty(end - first, np.int64)
    for node in range(end - first):
        here = node
        length = 0
        while costs[here] < 0:
            up = _up(forest, first + here)
            if up == here:
                costs[here] = 0
                break
            way[length] = here
            length += 1
            here = up
        while length:
            length -= 1
            up = here
            here = way[length]
            costs[here] = costs[up] + distance(ground, cell_of(forest, first + here), cell_of(forest, first + up))
    return costs
