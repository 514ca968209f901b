"""Searches over taut ways: Dijkstra on nodes, with a mask for each of the pairs of sides of its shortest ways."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push
from waypost.planners.hub.kernels.corners import passed
from waypost.planners.hub.kernels.graph import cost_of, head_of, node_of, tail_of

FAR = 1 << 62
NODE_BITS = 20
NODE_OF_KEY = (1 << NODE_BITS) - 1


class Search(NamedTuple):
    """Scratch of searches: of all nodes, the least cost, the sides, and whether it is settled; and a heap."""

    costs: npt.NDArray[np.int64]
    pairs: npt.NDArray[np.uint64]
    is_closed: npt.NDArray[np.uint8]
    touched: npt.NDArray[np.int32]
    """The nodes of this search, to be forgotten after it."""
    heap: npt.NDArray[np.int64]
    """With room for every edge."""
    sizes: npt.NDArray[np.int64]
    """Of what is touched, and of the heap."""


@inlined
def begin(search, node):
    """Begin a search at a node, which is settled."""
    search.costs[node] = 0
    search.is_closed[node] = 1
    search.touched[0] = node
    search.sizes[0] = 1
    search.sizes[1] = 0


@helper
def expand(edges, search, node, cost, pairs, most):
    """Go on from a settled node by these pairs, nowhere beyond a cost."""
    size = search.sizes[1]
    for edge in range(edges.firsts[at(node)], edges.ends[at(node)]):
        step = edges.steps[at(edge)]
        there = at(node_of(step))
        length = cost + cost_of(step)
        if search.is_closed[there] or length > search.costs[there] or length > most:
            continue
        sides = edges.sides[at(edge)]
        arrived = passed(pairs, tail_of(sides), head_of(sides))
        if not arrived:
            continue
        if length < search.costs[there]:
            if search.costs[there] == FAR:
                search.touched[search.sizes[0]] = there
                search.sizes[0] += 1
            search.costs[there] = length
            search.pairs[there] = arrived
            size = push(search.heap, size, length << NODE_BITS | np.int64(there))
        else:
            search.pairs[there] |= arrived
    search.sizes[1] = size


@helper
def expand_all(edges, search, parents, node, cost):
    """Go on from a settled node by all edges, whatever their sides; notes the node before the one that is reached."""
    size = search.sizes[1]
    for edge in range(edges.firsts[at(node)], edges.ends[at(node)]):
        step = edges.steps[at(edge)]
        there = at(node_of(step))
        length = cost + cost_of(step)
        if length < search.costs[there]:
            if search.costs[there] == FAR:
                search.touched[search.sizes[0]] = there
                search.sizes[0] += 1
            search.costs[there] = length
            parents[there] = node
            size = push(search.heap, size, length << NODE_BITS | np.int64(there))
    search.sizes[1] = size


@helper
def settle(search):
    """Settle the next node; -1 if there is none."""
    size = search.sizes[1]
    node = np.int64(-1)
    while size and node < 0:
        key = search.heap[0]
        size = pop(search.heap, size)
        there = key & NODE_OF_KEY
        if search.costs[at(there)] == key >> NODE_BITS and not search.is_closed[at(there)]:
            search.is_closed[at(there)] = 1
            node = there
    search.sizes[1] = size
    return node


@inlined
def forget(search):
    """End a search."""
    for i in range(search.sizes[0]):
        node = search.touched[i]
        search.costs[node] = FAR
        search.is_closed[node] = 0


def new_search(nodes, room):
    """Scratch for so many nodes, and as many entries of the heap as there are edges; made in Python."""
    return Search(
        costs=np.full(nodes, FAR),
        pairs=np.zeros(nodes, np.uint64),
        is_closed=np.zeros(nodes, np.uint8),
        touched=np.empty(nodes, np.int32),
        heap=np.empty(room + 1, np.int64),
        sizes=np.zeros(2, np.int64),
    )
