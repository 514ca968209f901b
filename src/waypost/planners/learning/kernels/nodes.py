"""Nodes: the cells that one lookahead has seen, numbered in the order of being seen, found through a window.

The window is a rectangle of cells that wraps around at its edges, so large that no two nodes of one lookahead fall on
the same place. Its size follows from the lookahead's parameters, and is never beyond the map's. Nothing is cleared
between lookaheads: an entry is `lookahead number << 32 | node`, so older ones read as empty.
"""

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at

# Columns of a node, as many as fill a cache line. REACHED is `parent << 3 | move`; what MARK and SECOND_MARK mean is up
# to the lookahead.
CELL, X, Y, G, F, REACHED, MARK, SECOND_MARK = range(8)
COLUMNS = 8

NODE_BITS = (1 << 32) - 1
_SHIFT_BITS = 6  # of the shift that makes a window's width; above them is that of its height
_SHIFT = (1 << _SHIFT_BITS) - 1


def window_shifts(width, height):
    """What `place_of` needs to know of a window of this width and height, both powers of two."""
    return height.bit_length() - 1 << _SHIFT_BITS | width.bit_length() - 1


@inlined
def place_of(shifts, x, y):
    """Where a cell falls in a window, given by its `window_shifts`."""
    wide = shifts & _SHIFT
    return (y & (1 << (shifts >> _SHIFT_BITS)) - 1) << wide | x & (1 << wide) - 1


@inlined
def node_at(window, number, place):
    """The node at a place of the window, or -1."""
    entry = window[at(place)]
    return entry & NODE_BITS if entry >> 32 == number else -1


@inlined
def add(nodes, window, number, place, node, cell, x, y):
    """Make a node of this number."""
    window[at(place)] = number << 32 | node
    nodes[at(node), CELL] = cell
    nodes[at(node), X] = x
    nodes[at(node), Y] = y
    nodes[at(node), MARK] = nodes[at(node), SECOND_MARK] = 0


@helper
def trace_route(nodes, node, route, most):
    """Write the moves from node 0 to a node into the route, at most so many (all if 0); returns how many."""
    length = 0
    back = node
    while back != 0:
        length += 1
        back = nodes[back, REACHED] >> 3
    kept = length if most == 0 else min(length, most)
    place = length
    back = node
    while back != 0:
        place -= 1
        if place < kept:
            route[place] = nodes[back, REACHED] & 7
        back = nodes[back, REACHED] >> 3
    return kept
