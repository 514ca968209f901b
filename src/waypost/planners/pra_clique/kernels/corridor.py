"""A* on one level of a clique hierarchy, inside a corridor: the searches of PRA* on cliques (algorithms 7.1).

Level 0 is the map, whose nodes are cells and whose edges are legal moves; on the levels above it the edges of a node v
are neighbours[nodes[v, FIRST_EDGE] : nodes[v + 1, FIRST_EDGE]]. A search is limited to nodes whose parents are stamped
in the corridor. The exact rules are in docs/planners/clique-rules.md.

*Marks.* As in `best_first`, a mark is `stamp << 35 | _MOST_COST - g`: larger is newer or cheaper, and nothing is
cleared between searches, nor between levels, which share the array. Nodes outside the corridor are marked as if they
could not be cheaper, so that they are looked up once.

*Keys* are `f << 28 | push ^ flip`: of equal ones the last one put on the list comes first, or where nothing is flipped
the first one. Which node that was is kept by the number of the push. The cost at which an entry was put there is f - h:
if it is not the mark's, the node was reached more cheaply since. Of what an expansion puts on the list, the best takes
the place of the node expanded: as a rule it comes next, and then the heap has nothing to move.
"""

from typing import NamedTuple

import numpy as np

from waypost.kernels.compiling import helper, inlined, record
from waypost.kernels.events import EXPANDED, GENERATED_CHEAPER, GENERATED_NEW, MOST_EVENTS, record_event
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, FIRST_MOVE, octile, offset
from waypost.kernels.numbers import at
from waypost.kernels.outcomes import EVENTS_FULL, EXHAUSTED, FOUND, POOL_FULL
from waypost.kernels.queues import pop, push, replace
from waypost.kernels.ways import write_back

_MOST_COST = (1 << 35) - 1  # above the map costs are in parts of a cell
_STAMP_SHIFT = 35
_LAST_SEARCH_STAMP = (1 << 28) - 1
_PUSH_BITS = 28
MOST_PUSHES = 1 << _PUSH_BITS
_LAST_PUSH = MOST_PUSHES - 1
_NO_KEY = (1 << 63) - 1  # larger than any
POINT_SHIFT = 4  # points are in sixteenths of a cell

# Columns of `nodes`: the point, the node above and the first edge, in one row since a search needs them together.
X, Y, PARENT, FIRST_EDGE = range(4)
_NODE_COLUMNS = 4


class Settings(NamedTuple):
    """What searches were set to."""

    stride: int
    straight_cost: int
    diagonal_cost: int
    euclid: int
    """Whether distances of points are Euclidean."""
    oldest: int
    """Whether of equal keys the one put on the list first comes first."""


_CHANGING = (
    # the number of the last search, which goes on forever
    "stamp",
    # what the next search is to do, with `last` the node to find or, if the way was cut, the one above it to find a
    # child of
    "level", "first", "last", "target_x", "target_y", "cut", "corridor_stamp",
    # what it has done
    "found_node", "expansions", "peak_open", "events",
)  # fmt: skip
CONTROL = record([(name, np.int64) for name in (*Settings._fields, *_CHANGING)])
"""Searches by name: their settings, what the next one is to do, and what it has done."""


def new_nodes(points, parents, first_edges):
    """The rows of nodes with these points and nodes above; there is one more first edge, where the last edges end."""
    nodes = np.zeros((len(parents) + 1, _NODE_COLUMNS), np.int32)
    nodes[:-1, [X, Y]] = points
    nodes[:-1, PARENT] = parents
    nodes[:, FIRST_EDGE] = first_edges
    return nodes


@helper
def search(mask, ground_parents, corridor, nodes, neighbours, marks, came_from, heap, pushed, events, control):
    """Find the way from `first` to the end; returns how that ended. Full arrays are made larger, and it begins again.

    A `corridor_stamp` of 0 means that there is no corridor. On the map, expansions and what they reach are recorded.
    """
    stride = control.stride
    straight = control.straight_cost
    diagonal = control.diagonal_cost
    is_map = control.level == 0
    cut = control.cut
    last = control.last
    target_x = control.target_x
    target_y = control.target_y
    limit = control.corridor_stamp
    # Distances on the map are of cells, unless the target is a point.
    shift = POINT_SHIFT if is_map and cut else 0
    euclid = control.euclid if cut or not is_map else 0
    flip = 0 if control.oldest else _LAST_PUSH
    base = _next_stamp(marks, control) << _STAMP_SHIFT
    recorded = control.events
    tracing = is_map and events.shape[0] > 0
    here = control.first
    x, y = _place(is_map, stride, shift, nodes, here)
    h = rounded_down(x - target_x, y - target_y, straight, diagonal, euclid) >> shift
    if h > _MOST_COST:
        return EXHAUSTED
    marks[at(here)] = base | _MOST_COST
    pushed[0] = here
    heap[0] = h << _PUSH_BITS | flip
    size = 1
    pushes = 1
    peak = 1
    expanded = 0
    while size > 0:
        key = heap[0]
        here = np.int64(pushed[at(key & _LAST_PUSH ^ flip)])
        left = marks[at(here)] & _MOST_COST
        x, y = _place(is_map, stride, shift, nodes, here)
        dx = x - target_x
        dy = y - target_y
        h = rounded_down(dx, dy, straight, diagonal, euclid) >> shift
        if (key >> _PUSH_BITS) - h != _MOST_COST - left:
            size = pop(heap, size)
            continue  # reached more cheaply since
        if (_parent(is_map, ground_parents, nodes, here) if cut else here) == last:
            control.found_node = here
            control.expansions = expanded
            control.peak_open = peak
            control.events = recorded
            return FOUND
        expanded += 1
        heap[0] = -1  # nothing rises above it, until the best of what it leads to takes its place
        best = _NO_KEY
        if is_map:
            if pushes + 8 > pushed.size:
                return POOL_FULL
            if tracing:
                if recorded + MOST_EVENTS > events.shape[0]:
                    return EVENTS_FULL
                record_event(events, recorded, EXPANDED, here, here, _MOST_COST - left, _MOST_COST - left + h)
                recorded += 1
            # First which neighbours become better, without a branch, then only those.
            better = 0
            for move in range(8):
                left_there = left - (straight if move < FIRST_DIAGONAL else diagonal)
                better |= int((base | left_there) > marks[at(here + offset(move, stride))]) << move
            better &= mask[at(here)]
            while better:
                move = FIRST_MOVE[better]
                better &= better - 1
                there = here + offset(move, stride)
                if corridor[at(ground_parents[at(there)])] != limit:
                    marks[at(there)] = base | _MOST_COST
                    continue
                left_there = left - (straight if move < FIRST_DIAGONAL else diagonal)
                there_x = dx + (DX[move] << shift)
                there_y = dy + (DY[move] << shift)
                h = rounded_down(there_x, there_y, straight, diagonal, euclid) >> shift
                f = _MOST_COST - left_there + h
                if f > _MOST_COST:
                    continue
                if tracing:
                    kind = GENERATED_CHEAPER if marks[at(there)] >= base else GENERATED_NEW
                    record_event(events, recorded, kind, there, here, _MOST_COST - left_there, f)
                    recorded += 1
                marks[at(there)] = base | left_there
                came_from[at(there)] = here
                pushed[at(pushes)] = there
                key = f << _PUSH_BITS | pushes ^ flip
                if best != _NO_KEY:
                    size = push(heap, size, max(key, best))
                best = min(key, best)
                pushes += 1
        else:
            begin = np.int64(nodes[at(here), FIRST_EDGE])
            end = np.int64(nodes[at(here + 1), FIRST_EDGE])
            if pushes + end - begin > pushed.size:
                return POOL_FULL
            fresh = pushes  # as on the map; what turns out to be outside the corridor has used up a number
            for i in range(begin, end):
                there = np.int64(neighbours[at(i)])
                there_x = np.int64(nodes[at(there), X])
                there_y = np.int64(nodes[at(there), Y])
                left_there = left - edge_cost(there_x - x, there_y - y, straight, diagonal, euclid)
                pushed[at(pushes)] = there
                pushes += int((base | left_there) > marks[at(there)])
            for i in range(fresh, pushes):
                there = np.int64(pushed[at(i)])
                if limit > 0 and corridor[at(nodes[at(there), PARENT])] != limit:
                    marks[at(there)] = base | _MOST_COST
                    continue
                there_x = np.int64(nodes[at(there), X])
                there_y = np.int64(nodes[at(there), Y])
                left_there = left - edge_cost(there_x - x, there_y - y, straight, diagonal, euclid)
                h = rounded_down(there_x - target_x, there_y - target_y, straight, diagonal, euclid)
                f = _MOST_COST - left_there + h
                if f > _MOST_COST:
                    continue
                marks[at(there)] = base | left_there
                came_from[at(there)] = here
                key = f << _PUSH_BITS | i ^ flip
                if best != _NO_KEY:
                    size = push(heap, size, max(key, best))
                best = min(key, best)
        if best == _NO_KEY:
            size = pop(heap, size)
        else:
            replace(heap, size, best)
        peak = max(peak, size)
    return EXHAUSTED


@helper
def write_way(came_from, control, way):
    """Write the nodes of the way found, both ends included; returns how many."""
    return write_back(came_from, control.first, control.found_node, way)


@helper
def add_neighbours(nodes, neighbours, stamps, stamp, queue, first, count):
    """Append those next to the nodes queue[first:count] that have no such stamp yet, and stamp them; the new count."""
    end = count
    for i in range(first, end):
        node = np.int64(queue[at(i)])
        for edge in range(nodes[at(node), FIRST_EDGE], nodes[at(node + 1), FIRST_EDGE]):
            there = np.int64(neighbours[at(edge)])
            if stamps[at(there)] != stamp:
                stamps[at(there)] = stamp
                queue[at(count)] = there
                count += 1
    return count


@helper
def _next_stamp(marks, control):
    """The number of a new search, larger than that of any mark."""
    control.stamp += 1
    if control.stamp > _LAST_SEARCH_STAMP:  # once in many million searches
        marks[:] = 0
        control.stamp = 1
    return control.stamp


@inlined
def _place(is_map, stride, shift, nodes, node):
    """Where a node is: its point, or on the map its column and row, in parts of a cell if they are shifted."""
    if is_map:
        row = np.int64(np.uint32(node) // np.uint32(stride))
        return (node - row * stride) << shift, row << shift
    return np.int64(nodes[at(node), X]), np.int64(nodes[at(node), Y])


@inlined
def _parent(is_map, ground_parents, nodes, node):
    """The node above."""
    return np.int64(ground_parents[at(node)]) if is_map else np.int64(nodes[at(node), PARENT])


@inlined
def rounded_down(dx, dy, straight, diagonal, euclid):
    """The distance of two points."""
    if euclid:
        return np.int64(straight * np.sqrt(np.float64(dx * dx + dy * dy)))
    return octile(dx, dy, straight, diagonal)


@inlined
def edge_cost(dx, dy, straight, diagonal, euclid):
    """The distance of two points rounded up, and at least 1."""
    if euclid:
        return max(np.int64(1), np.int64(np.ceil(straight * np.sqrt(np.float64(dx * dx + dy * dy)))))
    return max(np.int64(1), octile(dx, dy, straight, diagonal))
