"""Nodes: the cells that one lookahead has seen, numbered in the order of being seen, found by hashing.

As many as the lookahead's parameters allow, however large the map. Nothing is cleared between lookaheads: a hash slot
is `lookahead number << 32 | node`, so older ones read as empty.
"""

from waypost.kernels.compiling import helper, inlined

# Columns of a node. REACHED is `parent << 3 | move`; what MARK and LINKS mean is up to the lookahead.
CELL, X, Y, G, F, REACHED, MARK, LINKS = range(8)
COLUMNS = 8

_GOLDEN = 0x9E3779B97F4A7C15 >> 32
_NODE_BITS = (1 << 32) - 1


@inlined
def find(nodes, slots, number, cell):
    """The node of a cell, or -1 - the hash slot where it belongs."""
    around = slots.size - 1
    slot = (cell * _GOLDEN >> 16) & around
    while slots[slot] >> 32 == number:
        node = slots[slot] & _NODE_BITS
        if nodes[node, CELL] == cell:
            return node
        slot = (slot + 1) & around
    return -1 - slot


@inlined
def add(nodes, slots, number, slot, node, cell, x, y):
    """Make a node of this number at the place that `find` named."""
    slots[slot] = number << 32 | node
    nodes[node, CELL] = cell
    nodes[node, X] = x
    nodes[node, Y] = y
    nodes[node, MARK] = 0
    nodes[node, LINKS] = 0


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
