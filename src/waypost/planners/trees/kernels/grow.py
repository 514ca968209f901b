"""Subgoal trees: for one goal, subgoals such that each is an unhindered octile way from the next (2011; algorithms 10).

A search from the goal gives every cell a least cost g and a subgoal. Where the octile distance to that subgoal no
longer is the true one, the cell expanded becomes a subgoal itself: a node of the tree, whose parent is the one before.

*Order.* Buckets of g, last in first out within one. A bucket is narrower than any move, so whatever it holds is final.
The loop is that of `cost_field`, written again: see there.

*Storage.* A tree is its nodes by rising cell, each `cell << shift | index of its parent within the tree`; the root is
its own parent. Sorted like that, one binary search finds a node and what it leads to.
"""

import numpy as np

from waypost.kernels.climb import CLASSES, FIRST_END, class_of, step_towards
from waypost.kernels.climb import take as climb_step
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import longer
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, FIRST_MOVE, octile, offset
from waypost.kernels.numbers import at
from waypost.kernels.queues import CELL_BITS, put, take
from waypost.planners.trees.kernels.forest import Scratch
from waypost.planners.walking.kernels.ground import Ground

_FAR = np.iinfo(np.int32).max
_FIRST_NODES = 1024
_VECTORS = (DY << 32) + DX  # the moves, packed so that the sum of two packed vectors is their packed sum


@kernel(allocates=True)
def grow(ground, shift, by_climb, goals, scratch):
    """The trees of some goals, one behind another: nodes in each, cells of the nodes, and indices of their parents.

    With `by_climb` a cell's subgoal must be reached by a climb, instead of being as far as it seems.
    """
    ground, scratch = Ground(*ground), Scratch(*scratch)
    lengthening = _lengthening(ground.straight, ground.diagonal)
    sizes = np.empty(goals.size, np.int32)
    nodes = np.empty(_FIRST_NODES, np.int64)
    parents = np.empty(_FIRST_NODES, np.int32)
    end = 0
    for tree in range(goals.size):
        first = end
        if end == nodes.size:
            nodes = longer(nodes, nodes.size + 1)
        nodes[end] = np.int64(goals[tree]) << 32 | goals[tree]
        end += 1
        end, nodes = _grow_one(ground, shift, by_climb, lengthening, np.int64(goals[tree]), scratch, nodes, end)
        while parents.size < end:
            parents = longer(parents, parents.size + 1)
        nodes[first:end].sort()
        for node in range(first, end):
            parents[node] = _index_of(nodes, first, end, nodes[node] & CELL_BITS) - first
        sizes[tree] = end - first
    return sizes, (nodes[:end] >> 32).astype(np.int32), parents[:end].copy()


@helper(allocates=True)
def _lengthening(straight, diagonal):
    """For every class of vectors from a subgoal the moves, a bit each, that lead as far away from it as they cost.

    The classes are those of climbs, for the same reason: within one, a move changes the octile distance alike.
    """
    moves = np.zeros(CLASSES, np.uint8)
    for dy in range(-3, 4):  # vectors of every class
        for dx in range(-3, 4):
            here = octile(dx, dy, straight, diagonal)
            for move in range(8):
                cost = straight if move < FIRST_DIAGONAL else diagonal
                if octile(dx + DX[move], dy + DY[move], straight, diagonal) == here + cost:
                    moves[class_of(dx, dy)] |= 1 << move
    return moves


@helper(allocates=True)
def _grow_one(ground, shift, by_climb, lengthening, goal, scratch, nodes, end):
    """Search from a goal and add `node << 32 | parent` for every node but the root (algorithm 2, as corrected).

    Whether a cell is an exit is known before its neighbours are reached, so that they get their subgoal at once.
    """
    mask, stride, straight, diagonal = ground.mask, ground.stride, ground.straight, ground.diagonal
    costs, vectors, ring, pool = scratch.costs, scratch.vectors, scratch.ring, scratch.pool
    around = ring.size - 1
    costs[:] = _FAR
    costs[goal] = 0
    vectors[goal] = 0
    free, fresh = put(ring, pool, 0, goal, -1, 0)
    open_count = 1
    bucket = 0
    while open_count:
        slot = ring[at(bucket & around)]
        if slot < 0:
            bucket += 1
            continue
        entry = pool[at(slot), 0]
        free = take(ring, pool, bucket & around, slot, free)
        open_count -= 1
        cell = entry & CELL_BITS
        g = entry >> 32
        if costs[at(cell)] != g:  # reached more cheaply since
            continue
        better = 0
        for move in range(8):
            there = g + (straight if move < FIRST_DIAGONAL else diagonal)
            better |= int(there < costs[at(cell + offset(move, stride))]) << move
        better &= mask[at(cell)]
        if better == 0:
            continue
        vector = vectors[at(cell)]
        dx = np.int64(np.int32(vector))
        dy = (vector - dx) >> 32
        if by_climb:
            exits = not _all_lead_to_subgoal(ground, vectors, cell, dx, dy, better)
        else:
            exits = (better & ~np.int64(lengthening[at(class_of(dx, dy))])) != 0
        if exits:
            if end == nodes.size:
                nodes = longer(nodes, nodes.size + 1)
            nodes[end] = cell << 32 | cell - dy * stride - dx
            end += 1
            vectors[at(cell)] = vector = 0
        while better:
            move = FIRST_MOVE[better]
            better &= better - 1
            reached = g + (straight if move < FIRST_DIAGONAL else diagonal)
            neighbour = cell + offset(move, stride)
            costs[at(neighbour)] = reached
            vectors[at(neighbour)] = vector + _VECTORS[move]
            free, fresh = put(ring, pool, (reached >> shift) & around, reached << 32 | neighbour, free, fresh)
            open_count += 1
    return end, nodes


@helper
def _all_lead_to_subgoal(ground, vectors, cell, dx, dy, moves):
    """Whether climbs from where these moves lead reach the cell's subgoal, from which it is dx, dy away.

    A climb does once it comes to a cell that has this subgoal, even if an earlier tree has given it: one that was
    given always is reached.
    """
    mask, climb_table, stride = ground.mask, ground.climb_table, ground.stride
    while moves:
        move = FIRST_MOVE[moves]
        moves &= moves - 1
        here = cell + offset(move, stride)
        to_x = -dx - DX[move]
        to_y = -dy - DY[move]
        while vectors[at(here)] + (to_y << 32) + to_x != 0:
            step = step_towards(climb_table, mask[at(here)], to_x, to_y)
            if step >= FIRST_END:
                return False
            here, to_x, to_y = climb_step(step, stride, here, to_x, to_y)
    return True


@inlined
def _index_of(nodes, first, end, cell):
    """Where the node of this cell stands, among `cell << 32 | parent` in order."""
    low = first
    high = end - 1
    while low < high:
        middle = (low + high) // 2
        if nodes[middle] >> 32 < cell:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def is_tree(component, goal, nodes, first, end, shift):
    """Whether nodes[first:end] are a tree that kernels can walk to the goal.

    They must be cells of the goal's component in rising order, and every parent's chain must end at the goal.
    """
    size = end - first
    if size < 1 or size > 1 << shift:
        return False
    before = -1
    root = -1
    for node in range(size):
        word = np.int64(nodes[first + node])
        cell = word >> shift
        parent = word & (1 << shift) - 1
        if cell <= before or cell >= component.size or parent >= size or component[cell] != component[goal]:
            return False
        if parent == node:
            if cell != goal:
                return False
            root = node
        before = cell
    return root >= 0 and _all_lead_to(nodes, first, size, shift, root)


@helper(allocates=True)
def _all_lead_to(nodes, first, size, shift, root):
    """Whether the parents of every node lead to the root."""
    seen = np.full(size, -1)
    seen[root] = size  # no node
    for node in range(size):
        here = node
        while seen[here] < 0:
            seen[here] = node
            here = np.int64(nodes[first + here]) & (1 << shift) - 1
        if seen[here] == node:  # a circle
            return False
        # Another node's way was met, which leads to the root; so does this one, and nothing has to be set again.
    return True
