"""Clique abstraction: groups of at most four nodes that touch become one node (Sturtevant, Buro 2005; algorithms 5).

One level is made from the one below: `group`, then `edges`. The level below is the map, whose nodes are cells and whose
edges are legal moves, or a graph: the neighbours of node v are neighbours[starts[v] : starts[v + 1]], in the order in
which they were added. For the map these two arrays are empty, for a graph those of the map. The exact rules are in
docs/planners/clique-rules.md.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.moves import NE, NW, SE, SW, E, N, S, W, offset
from waypost.kernels.numbers import at

_CELL_ORDER = np.array((N, W, NW, NE, E, SW, S, SE))  # first the neighbours before a cell, then those after it
_MOST_TOGETHER = 3  # neighbours that a node makes a group with
_NONE = -1


@kernel(allocates=True)
def group(mask, component, stride, starts, neighbours):
    """The group of every node, and how many there are; -1 on walls."""
    is_map = starts.size == 0
    nodes = mask.size if is_map else starts.size - 1
    groups = np.full(nodes, _NONE, np.int32)
    around = np.empty(_most_neighbours(starts), np.int32)
    waiting = np.empty(nodes, np.int32)  # as much as is used is paged in
    together = np.empty(_MOST_TOGETHER, np.int32)
    waiters = 0
    count = 0
    for v in range(nodes):
        if groups[at(v)] >= 0 or (is_map and component[at(v)] == 0):
            continue
        degree = _look_around(mask, stride, starts, neighbours, v, around)
        found = 0
        if degree > 1:
            found = _clique(mask, stride, starts, neighbours, groups, around, degree, together)
        if found == 0:
            waiting[waiters] = v
            waiters += 1
            continue
        groups[at(v)] = count
        for i in range(found):
            groups[at(together[i])] = count
        count += 1
    for i in range(waiters - 1, -1, -1):
        v = np.int64(waiting[i])
        if groups[at(v)] >= 0:
            continue
        degree = _look_around(mask, stride, starts, neighbours, v, around)
        partner = _first_alone(groups, around, degree)
        if partner < 0 and degree == 1:
            groups[at(v)] = groups[at(around[0])]
            continue
        groups[at(v)] = count
        if partner >= 0:
            groups[at(partner)] = count
        count += 1
    return groups, count


@kernel(allocates=True)
def edges(mask, stride, starts, neighbours, groups, count):
    """The graph of the groups: starts, neighbours in the order in which edges are added, and the edges' capacities."""
    nodes = groups.size
    around = np.empty(_most_neighbours(starts), np.int32)
    ends = np.zeros(count + 1, np.int64)
    for v in range(nodes):
        if groups[at(v)] >= 0:
            for i in range(_across(mask, stride, starts, neighbours, groups, v, around)):
                ends[at(groups[at(v)] + 1)] += 1
                ends[at(around[i] + 1)] += 1
    for g in range(count):
        ends[g + 1] += ends[g]
    # All edges across, at both their groups; what is there more than once becomes one.
    others = np.empty(ends[count], np.int32)
    filled = ends[:-1].copy()
    for v in range(nodes):
        if groups[at(v)] >= 0:
            here = np.int64(groups[at(v)])
            for i in range(_across(mask, stride, starts, neighbours, groups, v, around)):
                there = np.int64(around[i])
                others[at(filled[at(here)])] = there
                others[at(filled[at(there)])] = here
                filled[at(here)] += 1
                filled[at(there)] += 1
    capacities = np.empty(others.size, np.int32)
    place = np.full(count, _NONE, np.int64)
    made = 0
    for g in range(count):
        first = made
        raw = ends[g]
        ends[g] = first
        for i in range(raw, filled[g]):  # what is written is never ahead of what is read
            there = np.int64(others[at(i)])
            if place[at(there)] < first:
                place[at(there)] = made
                others[at(made)] = there
                capacities[at(made)] = 1
                made += 1
            else:
                capacities[at(place[at(there)])] += 1
    ends[count] = made
    return ends, others[:made].copy(), capacities[:made].copy()


@kernel(allocates=True)
def representatives(region_of, stride, sums):
    """The cell of each region nearest to the mean of its cells, the first of several; `sums`: cells, columns, rows."""
    least = np.full(sums.shape[0], np.iinfo(np.int64).max, np.int64)
    reps = np.full(sums.shape[0], _NONE, np.int32)
    for cell in range(region_of.size):
        region = np.int64(region_of[at(cell)])
        if region >= 0:
            y = cell // stride
            x = cell - y * stride
            # The distance squared, times the number of cells, less what is the same for all of them.
            away = sums[region, 0] * (x * x + y * y) - 2 * (x * sums[region, 1] + y * sums[region, 2])
            if away < least[region]:
                least[region] = away
                reps[region] = cell
    return reps


@helper
def _most_neighbours(starts):
    """Room for the neighbours of any node."""
    most = np.int64(8)
    for v in range(starts.size - 1):
        most = max(most, starts[v + 1] - starts[v])
    return most


@helper
def _look_around(mask, stride, starts, neighbours, v, around):
    """Write the neighbours of a node in order; returns how many."""
    count = 0
    if starts.size == 0:
        legal = np.int64(mask[at(v)])
        for i in range(8):
            move = _CELL_ORDER[i]
            if legal >> move & 1:
                around[count] = v + offset(move, stride)
                count += 1
    else:
        for i in range(starts[at(v)], starts[at(v + 1)]):
            around[count] = neighbours[at(i)]
            count += 1
    return count


@helper
def _across(mask, stride, starts, neighbours, groups, v, around):
    """Write the other groups that edges from a node to nodes before it lead to, in order; returns how many."""
    here = groups[at(v)]
    count = 0
    for i in range(_look_around(mask, stride, starts, neighbours, v, around)):
        there = groups[at(around[i])]
        if around[i] < v and there != here:
            around[count] = there
            count += 1
    return count


@helper
def _clique(mask, stride, starts, neighbours, groups, around, degree, together):
    """Write the first three neighbours in no group that touch each other, otherwise the first two; returns how many."""
    found = 0
    for i in range(degree):
        x = np.int64(around[i])
        if groups[at(x)] >= 0:
            continue
        for j in range(i + 1, degree):
            y = np.int64(around[j])
            if groups[at(y)] >= 0 or not _touch(mask, stride, starts, neighbours, x, y):
                continue
            if found == 0:
                found = 2
                together[0] = x
                together[1] = y
            for k in range(j + 1, degree):
                z = np.int64(around[k])
                if (
                    groups[at(z)] < 0
                    and _touch(mask, stride, starts, neighbours, x, z)
                    and _touch(mask, stride, starts, neighbours, y, z)
                ):
                    together[0] = x
                    together[1] = y
                    together[2] = z
                    return 3
    return found


@helper
def _touch(mask, stride, starts, neighbours, a, b):
    """Whether an edge joins two nodes."""
    if starts.size == 0:
        legal = np.int64(mask[at(a)])
        for move in range(8):
            if a + offset(move, stride) == b:
                return legal >> move & 1 == 1
        return False
    for i in range(starts[at(a)], starts[at(a + 1)]):
        if neighbours[at(i)] == b:
            return True
    return False


@helper
def _first_alone(groups, around, degree):
    """The first neighbour in no group, or -1."""
    for i in range(degree):
        if groups[at(around[i])] < 0:
            return np.int64(around[i])
    return np.int64(_NONE)
