"""The upper part of the order: nodes of the core by how much of sampled shortest-path trees lies below them (hub rules,
"Order").
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push
from waypost.planners.hub.kernels.graph import Edges
from waypost.planners.hub.kernels.search import NODE_BITS, NODE_OF_KEY, Search, begin, expand_all, forget, settle

NOBODY = -1
_GOLDEN = 2_654_435_769  # 2^32 divided by the golden ratio: multiples of it lie evenly
_MOST_SCORE = 1 << 40


@kernel(allocates=True)
def grow_trees(core, search, first, last, count):
    """Shortest-path trees of these numbers, of so many: a row each of the nodes as they are settled, and one of the
    places in it of the nodes before them. Nodes that are not reached are missing at the end.
    """
    core, search = Edges(*core), Search(*search)
    nodes = core.firsts.size
    parents = np.empty(nodes, np.int64)
    places = np.empty(nodes, np.int64)
    settled = np.empty((last - first, nodes), np.int32)
    above = np.empty((last - first, nodes), np.int32)
    for tree in range(last - first):
        number = first + tree
        node = number if count == nodes else (number * _GOLDEN % (1 << 32)) * nodes >> 32
        begin(search, node)
        parents[node] = node
        size = 0
        while node >= 0:
            places[node] = size
            settled[tree, size] = node
            above[tree, size] = places[parents[node]]
            size += 1
            expand_all(core, search, parents, node, search.costs[node])
            node = settle(search)
        forget(search)
        for i in range(size, nodes):
            settled[tree, i] = NOBODY
            above[tree, i] = 0
    return settled, above


@kernel(allocates=True)
def rank(settled, above):
    """The nodes of the core, the most important first: who has most below in the trees, which is then taken away."""
    trees, nodes = settled.shape
    node_at = np.empty((trees, nodes), np.int32)  # these five by place in preorder, but for the first
    place_of = np.empty((trees, nodes), np.int32)
    up = np.empty((trees, nodes), np.int32)
    sizes = np.empty((trees, nodes), np.int32)
    left = np.empty((trees, nodes), np.int32)
    scores = np.empty(nodes, np.int64)
    below = np.empty(nodes, np.int64)
    places = np.empty(nodes, np.int64)
    free = np.empty(nodes, np.int64)
    for node in range(nodes):
        scores[node] = 0
    for tree in range(trees):
        for node in range(nodes):
            place_of[tree, node] = NOBODY
        size = 0
        while size < nodes and settled[tree, size] >= 0:
            below[size] = 1
            size += 1
        for i in range(size - 1, 0, -1):
            below[above[tree, i]] += below[i]
        for i in range(size):
            over = np.int64(above[tree, i])
            place = free[over] if i else 0
            if i:
                free[over] += below[i]
            places[i] = place
            free[i] = place + 1
            node = settled[tree, i]
            node_at[tree, place] = node
            place_of[tree, node] = place
            up[tree, place] = places[over] if i else NOBODY
            sizes[tree, place] = left[tree, place] = below[i]
            scores[node] += below[i]
    queue = np.empty(nodes + 1, np.int64)
    queued = 0
    for node in range(nodes):
        queued = push(queue, queued, _MOST_SCORE - scores[node] << NODE_BITS | node)
    order = np.empty(nodes, np.int32)
    done = 0
    while queued:
        node = queue[0] & NODE_OF_KEY
        score = _MOST_SCORE - (queue[0] >> NODE_BITS)
        queued = pop(queue, queued)
        if score != scores[node]:
            queued = push(queue, queued, _MOST_SCORE - scores[node] << NODE_BITS | node)
            continue
        order[done] = node
        done += 1
        if score:
            for tree in range(trees):
                place = np.int64(place_of[tree, node])
                if place >= 0 and left[tree, place]:
                    _take_away(node_at[tree], up[tree], sizes[tree], left[tree], scores, place)
    return order


@helper
def _take_away(nodes, up, sizes, left, scores, place):
    """Take what is left below a place of a tree away from it, from all above and from all below."""
    gone = left[at(place)]
    over = np.int64(up[at(place)])
    while over >= 0:
        left[at(over)] -= gone
        scores[at(nodes[at(over)])] -= gone
        over = np.int64(up[at(over)])
    end = place + sizes[at(place)]
    while place < end:
        if left[at(place)]:
            scores[at(nodes[at(place)])] -= left[at(place)]
            left[at(place)] = 0
            place += 1
        else:
            place += sizes[at(place)]
