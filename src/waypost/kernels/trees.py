"""Subgoal trees: for one goal, subgoals such that each is an unhindered octile way from the next (2011; algorithms 10).

A search from the goal gives every cell a least cost g and a subgoal. Where the octile distance to that subgoal no
longer is the true one, the cell expanded becomes a subgoal itself: a node of the tree, whose parent is the one before.

*Order.* Buckets of g, last in first out within one. A bucket is narrower than any move, so whatever it holds is final.

*Storage.* A tree is its nodes by rising cell, each `cell << shift | index of its parent within the tree`; the root is
its own parent. Sorted like that, one binary search finds a node and what it leads to.
"""

import numpy as np

from waypost.kernels.buckets import put, take
from waypost.kernels.climb import FIRST_END, step_towards, vector_to
from waypost.kernels.climb import take as climb_step
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, FIRST_MOVE, octile, offset

_at = np.uintp  # an unsigned index spares the test for a negative one
_FAR = np.int64(1) << 62
_CELL = (1 << 32) - 1
_FIRST_NODES = 1024


@kernel
def grow(mask, climb_table, stride, straight, diagonal, shift, by_climb, goals, marks, subgoals, ring, pool):
    """The trees of some goals, one behind another: nodes in each, cells of the nodes, and indices of their parents.

    The last four arrays are scratch: a mark and a subgoal for each cell, a ring of 16 buckets and room for entries.
    With `by_climb` a cell's subgoal must be reached by a climb, instead of being as far as it seems.
    """
    sizes = np.empty(goals.size, np.int32)
    nodes = np.empty(_FIRST_NODES, np.int64)
    parents = np.empty(_FIRST_NODES, np.int32)
    end = 0
    for tree in range(goals.size):
        first = end
        if end == nodes.size:
            nodes = _with_room(nodes)
        nodes[end] = np.int64(goals[tree]) << 32 | goals[tree]
        end += 1
        end, nodes = _grow_one(
            mask, climb_table, stride, straight, diagonal, shift, by_climb, goals[tree],
            marks, subgoals, ring, pool, nodes, end,
        )  # fmt: skip
        while parents.size < end:
            parents = _with_room(parents)
        nodes[first:end].sort()
        for node in range(first, end):
            parents[node] = _index_of(nodes, first, end, nodes[node] & _CELL) - first
        sizes[tree] = end - first
    return sizes, (nodes[:end] >> 32).astype(np.int32), parents[:end].copy()


@helper
def _grow_one(
    mask, climb_table, stride, straight, diagonal, shift, by_climb, goal, marks, subgoals, ring, pool, nodes, end
):
    """Search from a goal and add `node << 32 | parent` for every node but the root (algorithm 2, as corrected)."""
    around = ring.size - 1
    marks[:] = _FAR
    subgoals[:] = -1
    marks[goal] = goal  # g << 32 | parent
    subgoals[goal] = goal
    free, fresh = put(ring, pool, 0, np.int64(goal), -1, 0)
    open_count = 1
    bucket = 0
    while open_count:
        slot = ring[_at(bucket & around)]
        if slot < 0:
            bucket += 1
            continue
        entry = pool[_at(slot), 0]
        free = take(ring, pool, bucket & around, slot, free)
        open_count -= 1
        cell = entry & _CELL
        g = entry >> 32
        mark = marks[_at(cell)]
        if mark >> 32 != g:  # reached more cheaply since
            continue
        better = 0
        for move in range(8):
            there = g + (straight if move < FIRST_DIAGONAL else diagonal)
            better |= int(there < marks[_at(cell + offset(move, stride))] >> 32) << move
        better &= mask[_at(cell)]
        subgoal = np.int64(subgoals[_at(mark & _CELL)])
        from_subgoal = g - (marks[_at(subgoal)] >> 32)
        y = np.int64(np.uint32(cell) // np.uint32(stride))
        subgoal_y = np.int64(np.uint32(subgoal) // np.uint32(stride))
        dy = y - subgoal_y
        dx = cell - subgoal - dy * stride
        exits = False
        while better:
            move = FIRST_MOVE[better]
            better &= better - 1
            cost = straight if move < FIRST_DIAGONAL else diagonal
            neighbour = cell + offset(move, stride)
            marks[_at(neighbour)] = (g + cost) << 32 | cell
            if not exits:
                if by_climb:
                    exits = not _leads_to(mask, climb_table, stride, subgoals, neighbour, subgoal)
                else:
                    exits = from_subgoal + cost != octile(dx + DX[move], dy + DY[move], straight, diagonal)
            free, fresh = put(ring, pool, (g + cost >> shift) & around, (g + cost) << 32 | neighbour, free, fresh)
            open_count += 1
        if exits:
            if end == nodes.size:
                nodes = _with_room(nodes)
            nodes[end] = cell << 32 | subgoal
            end += 1
            subgoal = cell
        subgoals[_at(cell)] = subgoal
    return end, nodes


@inlined
def _leads_to(mask, climb_table, stride, subgoals, cell, subgoal):
    """Whether a climb reaches a subgoal: it does once it comes to a cell that has this subgoal."""
    dx, dy = vector_to(stride, cell, subgoal)
    while subgoals[_at(cell)] != subgoal:
        step = step_towards(climb_table, mask[_at(cell)], dx, dy)
        if step >= FIRST_END:
            return False
        cell, dx, dy = climb_step(step, stride, cell, dx, dy)
    return True


@helper
def _with_room(array):
    """A copy with twice the room."""
    larger = np.empty(2 * array.size, array.dtype)
    larger[: array.size] = array
    return larger


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
def problem(component, goals, firsts, nodes, shift):
    """The first goal whose nodes are not a tree that kernels can walk, or -1 if all are.

    They must be cells of the goal's component in rising order, and every parent's chain must end at the goal.
    """
    largest = 0
    for tree in range(goals.size):
        largest = max(largest, firsts[tree + 1] - firsts[tree])
    if largest > 1 << shift:
        return 0
    seen = np.empty(largest, np.int64)
    for tree in range(goals.size):
        first = firsts[tree]
        size = firsts[tree + 1] - first
        if size < 1:
            return tree
        before = -1
        root = -1
        for node in range(size):
            word = np.int64(nodes[first + node])
            cell = word >> shift
            parent = word & (1 << shift) - 1
            if cell <= before or cell >= component.size or parent >= size:
                return tree
            if component[cell] != component[goals[tree]]:
                return tree
            if parent == node:
                if cell != goals[tree]:
                    return tree
                root = node
            before = cell
        if root < 0 or not _all_lead_to(nodes, first, size, shift, root, seen):
            return tree
    return -1


@helper
def _all_lead_to(nodes, first, size, shift, root, seen):
    """Whether the parents of every node lead to the root; `seen` is scratch."""
    seen[:size] = -1
    seen[root] = size  # no node
    for node in range(size):
        at = node
        while seen[at] < 0:
            seen[at] = node
            at = np.int64(nodes[first + at]) & (1 << shift) - 1
        if seen[at] == node:  # a circle
            return False
        # Another node's way was met, which leads to the root; so does this one, and nothing has to be set anew.
    return True
