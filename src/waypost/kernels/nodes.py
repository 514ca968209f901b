"""Nodes: the cells that one lookahead has seen, numbered in the order of being seen, found through a window.

The window is a square of cells that wraps around at its edges, so wide that no two nodes of one lookahead fall on the
same place. Its size follows from the lookahead's parameters, however large the map. Nothing is cleared between
lookaheads: an entry is `lookahead number << 32 | node`, so older ones read as empty.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined

# Columns of a node, as many as fill a cache line. REACHED is `parent << 3 | move`; what MARK and SECOND_MARK mean is up
# to the lookahead.
CELL, X, Y, G, F, REACHED, MARK, SECOND_MARK = range(8)
COLUMNS = 8

_at = np.uintp  # an unsigned index spares the test for a negative one
NODE_BITS = (1 << 32) - 1


@inlined
def place_of(shift, x, y):
    """Where a cell falls in a window that is 2**shift cells wide."""
    around = (1 << shift) - 1
    return (y & around) << shift | x & around


@inlined
def node_at(window, number, place):
    """The node at a place of the window, or -1."""
    entry = window[_at(place)]
    return entry & NODE_BITS if entry >> 32 == number else -1


@inlined
def add(nodes, window, number, place, node, cell, x, y):
    """Make a node of this number."""
    window[_at(place)] = number << 32 | node
    nodes[_at(node), CELL] = cell
    nodes[_at(node), X] = x
    nodes[_at(node), Y] = y
    nodes[_at(node), MARK] = nodes[_at(node), SECOND_MARK] = 0


@helper
def trace_route(nodes, node, route, most):
    """Write the moves from node 0 to a node into the route, at most so many (all if 0); returns how many."""
    length = 0
    back = node
    while back != 0:
        length += 1
        back = nodes[back, REACHED] >> 3
    kept = length if most == 0 else min(length, most)
    at = length
    back = node
    while back != 0:
        at -= 1
        if at < kept:
            route[at] = nodes[back, REACHED] & 7
        back = nodes[back, REACHED] >> 3
    return kept
