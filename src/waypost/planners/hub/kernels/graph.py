"""The graph of subgoals: those that see each other, each from a side of the other (hub rules, "Graph")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.copies import longer
from waypost.planners.hub.kernels.connect import connect, place_of
from waypost.planners.hub.kernels.corners import ALL_SIDES, sides_towards
from waypost.planners.hub.kernels.lines import Lines

MOST_NODES = 1 << 20
"""As many subgoals as the keys of searches and entries have bits for, and one more."""
_COST_SHIFT = 32
NODE = (1 << 32) - 1
_SIDES_SHIFT = 8


class Edges(NamedTuple):
    """Edges by node: those of node i are from firsts[i] to before ends[i]."""

    firsts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    steps: npt.NDArray[np.int64]
    """What an edge costs, and the node at its head."""
    sides: npt.NDArray[np.uint16]
    """Those by which it may be left at its tail, and those by which it arrives at its head."""


@inlined
def packed(cost, node):
    """An edge or a find as one number."""
    return np.int64(cost) << _COST_SHIFT | node


@inlined
def node_of(step):
    """The node that an edge or a find leads to."""
    return np.int64(step) & NODE


@inlined
def cost_of(step):
    """What an edge or a find costs."""
    return np.int64(step) >> _COST_SHIFT


@inlined
def both_sides(tail, head):
    """The sides at both ends of an edge as one number."""
    return head << _SIDES_SHIFT | tail


@inlined
def tail_of(sides):
    """Those by which an edge may be left."""
    return np.int64(sides) & ALL_SIDES


@inlined
def head_of(sides):
    """Those by which it arrives."""
    return np.int64(sides) >> _SIDES_SHIFT


@kernel(allocates=True)
def graph(lines, with_finds):
    """Where each node's edges begin, the edges and their sides; where its finds begin, and the finds if asked for.

    What stands behind the last ones means nothing.
    """
    lines = Lines(*lines)
    count = lines.cells.size
    firsts = np.empty(count + 1, np.int64)
    find_firsts = np.empty(count + 1, np.int64)
    firsts[0] = find_firsts[0] = 0
    edges = np.empty(8 * count + 64, np.int64)
    sides = np.empty(8 * count + 64, np.uint16)
    finds = np.empty(16 * count + 64 if with_finds else 0, np.int64)
    limits = np.empty(8, np.int64)
    found = np.empty((count + 8, 2), np.int32)
    made = 0
    kept = 0
    for node in range(count):
        cell = np.int64(lines.cells[node])
        size, _ = connect(lines, cell, limits, found)
        if made + size > edges.size:
            edges = longer(edges, made + size)
            sides = longer(sides, made + size)
        if with_finds and kept + size > finds.size:
            finds = longer(finds, kept + size)
        x, y = place_of(cell, lines.stride)
        for i in range(size):
            other = np.int64(found[i, 0]) >> 1
            step = packed(found[i, 1], other)
            if with_finds:
                finds[kept] = step
                kept += 1
            other_x, other_y = place_of(np.int64(lines.cells[other]), lines.stride)
            dx, dy = other_x - x, other_y - y
            tail = ALL_SIDES if lines.is_dense else sides_towards(np.int64(lines.corners[node]), dx, dy)
            head = ALL_SIDES if lines.is_dense else sides_towards(np.int64(lines.corners[other]), -dx, -dy)
            if tail and head:
                edges[made] = step
                sides[made] = both_sides(tail, head)
                made += 1
        firsts[node + 1] = made
        find_firsts[node + 1] = kept
    return firsts, edges, sides, find_firsts, finds
