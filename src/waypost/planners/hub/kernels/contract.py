"""The lower part of the order: nodes contracted one after the other, those first that need few shortcuts (hub rules,
"Order").
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import longer
from waypost.kernels.queues import pop, push
from waypost.planners.hub.kernels.corners import all_pairs_of, in_rows, leaving, other_sides
from waypost.planners.hub.kernels.graph import (
    MOST_NODES,
    Edges,
    both_sides,
    cost_of,
    head_of,
    node_of,
    packed,
    tail_of,
)
from waypost.planners.hub.kernels.search import (
    NODE_BITS,
    NODE_OF_KEY,
    Search,
    begin,
    expand,
    forget,
    settle,
)

MOST_PAIRS = 10_000  # a node that has more taut pairs stays in the core, as do all that have as many
_WITNESS_NODES = 20  # settled by a search for another way as short
_ROOM = 4  # for shortcuts of a node, before its edges move
_GONE = 2  # closed for good: no search comes to a contracted node
_LOWEST = MOST_NODES  # added to keys, so that none is negative


@kernel(allocates=True)
def contract(graph, corners, search, keep):
    """The nodes in the order of contraction, as many as are not in the core; then the nodes of the core, where the
    edges of each begin, and these, by places there. What stands behind them means nothing.

    It ends when so many nodes are left, or all that are left need many shortcuts.
    """
    edges, ends_of_room = _with_room(Edges(*graph))
    search = Search(*search)
    nodes = corners.size
    level = np.empty(nodes, np.int64)
    keys = np.empty(nodes, np.int64)
    queue = np.empty(2 * nodes + 16, np.int64)
    queued = 0
    for node in range(nodes):
        level[node] = 0
        keys[node], _ = _key_of(edges, search, node, 0)
        queued = push(queue, queued, keys[node] << NODE_BITS | node)
    order = np.empty(nodes, np.int32)
    done = 0
    live = np.empty(_ROOM, np.int64)
    while nodes - done > keep and queued:
        key = queue[0]
        queued = pop(queue, queued)
        node = key & NODE_OF_KEY
        if search.is_closed[node] == _GONE or key >> NODE_BITS != keys[node]:
            continue
        _, pairs = _key_of(edges, search, node, level[node])
        if pairs > MOST_PAIRS:
            break
        search.is_closed[node] = _GONE
        order[done] = node
        done += 1
        around = 0
        for edge in range(edges.firsts[node], edges.ends[node]):
            if search.is_closed[node_of(edges.steps[edge])] != _GONE:
                if around == live.size:
                    live = longer(live, around + 1)
                live[around] = edge
                around += 1
        for i in range(around):
            if _looks_for_others(edges, search, corners, live, i, around):
                for j in range(i + 1, around):
                    if _is_needed(edges, search, live[i], live[j]):
                        edges = _joined(edges, ends_of_room, search, live[i], live[j])
                forget(search)
                if search.heap.size < edges.steps.size:
                    heap = longer(search.heap, edges.steps.size)
                    search = Search(search.costs, search.pairs, search.is_closed, search.touched, heap, search.sizes)
        for i in range(around):
            there = node_of(edges.steps[live[i]])
            level[there] = max(level[there], level[node] + 1)
            key, _ = _key_of(edges, search, there, level[there])
            if key != keys[there]:
                keys[there] = key
                if queued == queue.size:
                    queue = longer(queue, queued + 1)
                queued = push(queue, queued, key << NODE_BITS | there)
    core, firsts, steps = _core(edges, search, nodes - done)
    return order, core, firsts, steps


@helper(allocates=True)
def _with_room(graph):
    """A copy of a graph with room for shortcuts, and where the room of each node ends; then where that of all does."""
    nodes = graph.firsts.size
    firsts = np.empty(nodes, np.int64)
    ends = np.empty(nodes, np.int64)
    ends_of_room = np.empty(nodes + 1, np.int64)
    size = 0
    for node in range(nodes):
        firsts[node] = size
        ends[node] = size + graph.ends[node] - graph.firsts[node]
        size = ends_of_room[node] = ends[node] + _ROOM
    ends_of_room[nodes] = size
    steps = np.empty(2 * size, np.int64)
    sides = np.empty(2 * size, np.uint16)
    for node in range(nodes):
        for i in range(graph.ends[node] - graph.firsts[node]):
            steps[firsts[node] + i] = graph.steps[graph.firsts[node] + i]
            sides[firsts[node] + i] = graph.sides[graph.firsts[node] + i]
    return Edges(firsts, ends, steps, sides), ends_of_room


@helper
def _key_of(edges, search, node, level):
    """How late a node is contracted, and its taut pairs of edges."""
    pairs = 0
    degree = 0
    for edge in range(edges.firsts[node], edges.ends[node]):
        if search.is_closed[node_of(edges.steps[edge])]:
            continue
        degree += 1
        onward = other_sides(tail_of(edges.sides[edge]))
        for other in range(edge + 1, edges.ends[node]):
            if onward & tail_of(edges.sides[other]) and not search.is_closed[node_of(edges.steps[other])]:
                pairs += 1
    return pairs - degree + level + _LOWEST, pairs


@inlined
def _is_pair(edges, one, other):
    """Whether a way may go from the head of one edge of a node to the head of another one by this node."""
    is_taut = other_sides(tail_of(edges.sides[one])) & tail_of(edges.sides[other]) != 0
    return is_taut and node_of(edges.steps[one]) != node_of(edges.steps[other])


@helper
def _looks_for_others(edges, search, corners, live, i, around):
    """Search for ways as short as those by edge i and a later one; whether there is a later one that makes a pair."""
    far = np.int64(0)
    for j in range(i + 1, around):
        if _is_pair(edges, live[i], live[j]):
            far = max(far, cost_of(edges.steps[live[j]]))
    if not far:
        return False
    cost = np.int64(0)
    most = far + cost_of(edges.steps[live[i]])
    node = node_of(edges.steps[live[i]])
    begin(search, node)
    pairs = all_pairs_of(np.int64(corners[node]))
    for _ in range(_WITNESS_NODES + 1):
        expand(edges, search, node, cost, pairs, most)
        node = settle(search)
        if node < 0:
            break
        cost = search.costs[node]
        pairs = leaving(search.pairs[node])
    return True


@helper
def _is_needed(edges, search, one, other):
    """Whether two edges need a shortcut: no other way is shorter, or as short with the same sides."""
    if not _is_pair(edges, one, other):
        return False
    cost = cost_of(edges.steps[one]) + cost_of(edges.steps[other])
    there = node_of(edges.steps[other])
    if search.costs[there] != cost:
        return search.costs[there] > cost
    wanted = in_rows(head_of(edges.sides[one])) * np.uint64(head_of(edges.sides[other]))
    return search.pairs[there] & wanted != wanted


@helper(allocates=True)
def _joined(edges, ends_of_room, search, one, other):
    """The graph with a shortcut for a pair of edges, both ways."""
    cost = cost_of(edges.steps[one]) + cost_of(edges.steps[other])
    a, b = node_of(edges.steps[one]), node_of(edges.steps[other])
    at_a, at_b = head_of(edges.sides[one]), head_of(edges.sides[other])
    for is_back in range(2):
        tail, head = (b, a) if is_back else (a, b)
        sides = both_sides(at_b, at_a) if is_back else both_sides(at_a, at_b)
        if edges.ends[tail] == ends_of_room[tail]:
            _drop_dead(edges, search, tail)
        if edges.ends[tail] == ends_of_room[tail]:
            first, size = edges.firsts[tail], edges.ends[tail] - edges.firsts[tail]
            place = ends_of_room[-1]
            room = 2 * size + _ROOM
            if place + room > edges.steps.size:
                steps, all_sides = longer(edges.steps, place + room), longer(edges.sides, place + room)
                edges = Edges(edges.firsts, edges.ends, steps, all_sides)
            for i in range(size):
                edges.steps[place + i] = edges.steps[first + i]
                edges.sides[place + i] = edges.sides[first + i]
            edges.firsts[tail] = place
            edges.ends[tail] = place + size
            ends_of_room[tail] = ends_of_room[-1] = place + room
        edge = edges.ends[tail]
        edges.steps[edge] = packed(cost, head)
        edges.sides[edge] = sides
        edges.ends[tail] += 1
    return edges


@helper
def _drop_dead(edges, search, node):
    """Forget the edges to nodes that are contracted."""
    end = edges.firsts[node]
    for edge in range(edges.firsts[node], edges.ends[node]):
        if search.is_closed[node_of(edges.steps[edge])] != _GONE:
            edges.steps[end] = edges.steps[edge]
            edges.sides[end] = edges.sides[edge]
            end += 1
    edges.ends[node] = end


@helper(allocates=True)
def _core(edges, search, size):
    """The nodes that are left, where the edges of each begin among those, and the edges."""
    core = np.empty(size, np.int32)
    places = np.empty(search.is_closed.size, np.int64)
    count = 0
    for node in range(search.is_closed.size):
        if not search.is_closed[node]:
            core[count] = node
            places[node] = count
            count += 1
    firsts = np.empty(size + 1, np.int64)
    firsts[0] = 0
    steps = np.empty(edges.steps.size, np.int64)
    made = 0
    for i in range(size):
        node = core[i]
        for edge in range(edges.firsts[node], edges.ends[node]):
            there = node_of(edges.steps[edge])
            if not search.is_closed[there]:
                steps[made] = packed(cost_of(edges.steps[edge]), places[there])
                made += 1
        firsts[i + 1] = made
    return core, firsts, steps
