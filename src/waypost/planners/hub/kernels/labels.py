"""Labels: for each side of a subgoal the hubs to which its ways go by the best of them (hub rules, "Labels")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import longer
from waypost.kernels.moves import octile
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels import graph as graphs
from waypost.planners.hub.kernels.connect import place_of
from waypost.planners.hub.kernels.corners import (
    NO_PAIRS,
    all_pairs_of,
    in_column,
    in_rows,
    is_single,
    leaving,
    sides_of_list,
    whole_rows,
)
from waypost.planners.hub.kernels.free_walk import walk_freely
from waypost.planners.hub.kernels.graph import Edges
from waypost.planners.hub.kernels.growing import Growing, append, arrived_of, cost_of, entry, in_order, rank_of
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.search import FAR, Search, begin, expand, expand_all, forget, settle


class Known(NamedTuple):
    """Scratch: what is known of a hub by the rank of each other one. All costs are FAR between two hubs."""

    costs: npt.NDArray[np.int64]
    """What its ways by earlier hubs cost."""
    rows: npt.NDArray[np.uint64]
    """The sides by which they leave it."""
    as_cell: npt.NDArray[np.int64]
    """What they cost if it is a mere cell."""


@kernel(allocates=True)
def plain_labels(graph, search, order, lists, pool, costs, most):
    """Pruned labels of nodes, whatever the sides: where each begins, and their entries. None beyond so many.

    All costs are FAR, before and after.
    """
    graph, search, lists = Edges(*graph), Search(*search), Growing(*lists)
    parents = np.empty(order.size, np.int64)
    for rank in range(order.size):
        if lists.used[1] > most:
            break
        hub = np.int64(order[rank])
        first, size = lists.firsts[hub], lists.sizes[hub]
        for place in range(first, first + size):
            costs[rank_of(pool[place])] = cost_of(pool[place])
        begin(search, hub)
        node = hub
        while node >= 0:
            cost = search.costs[node]
            if not _is_covered(lists, pool, costs, node, cost):
                pool = append(lists, pool, node, entry(cost, 0, rank))
                expand_all(graph, search, parents, node, cost)
            node = settle(search)
        for place in range(first, first + size):
            costs[rank_of(pool[place])] = FAR
        forget(search)
    return in_order(lists, pool)


@inlined
def _is_covered(lists, pool, costs, node, cost):
    """Whether earlier hubs lead to a node at such a cost."""
    first = lists.firsts[at(node)]
    for place in range(first, first + lists.sizes[at(node)]):
        if costs[at(rank_of(pool[at(place)]))] + cost_of(pool[at(place)]) <= cost:
            return True
    return False


@kernel(allocates=True)
def cell_labels(find_firsts, finds, firsts, entries, costs):
    """Labels of nodes as mere cells: the least cost to each hub by all that is found from the cell."""
    nodes = firsts.size - 1
    seen = np.empty(nodes, np.int64)
    cell_firsts = np.empty(nodes + 1, np.int64)
    cell_firsts[0] = 0
    cells = np.empty(4 * entries.size + 16, np.int64)
    made = 0
    for node in range(nodes):
        size = 0
        for i in range(find_firsts[node], find_firsts[node + 1]):
            there, cost = graphs.node_of(finds[i]), graphs.cost_of(finds[i])
            for place in range(firsts[there], firsts[there + 1]):
                rank = rank_of(entries[place])
                total = cost_of(entries[place]) + cost
                if total < costs[rank]:
                    if costs[rank] == FAR:
                        seen[size] = rank
                        size += 1
                    costs[rank] = total
        if made + size > cells.size:
            cells = longer(cells, made + size)
        for i in range(size):
            cells[made] = entry(costs[seen[i]], 0, seen[i])
            costs[seen[i]] = FAR
            made += 1
        cell_firsts[node + 1] = made
    return cell_firsts, cells


@kernel(allocates=True)
def labels(lines, graph, search, order, cell_firsts, cells, lists, pool, known, most):
    """The labels: where each list begins, two for each node, and its entries. None beyond so many.

    A node without a single corner has only the first. Ways are taut and truly shortest, and a node is no entry of its
    own lists.
    """
    lines, graph, search = Lines(*lines), Edges(*graph), Search(*search)
    lists, known = Growing(*lists), Known(*known)
    costs, rows, as_cell = known
    nodes = order.size
    ranks = np.empty(nodes, np.int64)
    for rank in range(nodes):
        ranks[order[rank]] = rank
    for rank in range(nodes):
        if lists.used[1] > most:
            break
        hub = np.int64(order[rank])
        _note_lists(lists, pool, hub, costs, rows)
        for place in range(cell_firsts[hub], cell_firsts[hub + 1]):
            as_cell[rank_of(cells[place])] = cost_of(cells[place])
        begin(search, hub)
        node = hub
        pairs = all_pairs_of(np.int64(lines.corners[hub]))
        while node >= 0:
            cost = search.costs[node]
            if node != hub:
                pairs = _uncovered(lists, pool, costs, rows, node, ranks[node], cost, search.pairs[node])
                if pairs and not _is_shortest(lines, hub, node, cost, cell_firsts, cells, as_cell):
                    pairs = NO_PAIRS
                if pairs:
                    pool = _add(lists, pool, np.int64(lines.corners[node]), node, pairs, cost, rank)
                    pairs = leaving(pairs)
            if pairs:
                expand(graph, search, node, cost, pairs, FAR)
            node = settle(search)
        _forget_lists(lists, pool, hub, costs)
        for place in range(cell_firsts[hub], cell_firsts[hub + 1]):
            as_cell[rank_of(cells[place])] = FAR
        forget(search)
    return in_order(lists, pool)


@inlined
def _note_lists(lists, pool, hub, costs, rows):
    """Note what a hub's lists say of earlier hubs: the least cost, and by which sides of the hub its ways begin."""
    for which in range(2 * hub, 2 * hub + 2):
        for place in range(lists.firsts[which], lists.firsts[which] + lists.sizes[which]):
            rank = rank_of(pool[place])
            if cost_of(pool[place]) < costs[rank]:
                costs[rank] = cost_of(pool[place])
                rows[rank] = NO_PAIRS
            if cost_of(pool[place]) == costs[rank]:
                rows[rank] |= in_rows(arrived_of(pool[place]))


@inlined
def _forget_lists(lists, pool, hub, costs):
    """Forget what was noted."""
    for which in range(2 * hub, 2 * hub + 2):
        for place in range(lists.firsts[which], lists.firsts[which] + lists.sizes[which]):
            costs[rank_of(pool[place])] = FAR


@helper
def _uncovered(lists, pool, costs, rows, node, rank, cost, pairs):
    """Those of the pairs of a node for which no earlier hub has ways as short by the same sides; none if shorter."""
    if costs[at(rank)] < cost:
        return NO_PAIRS
    if costs[at(rank)] == cost:  # the node is a hub of this one
        pairs &= ~whole_rows(rows[at(rank)])
    for which in range(2 * node, 2 * node + 2):
        first = lists.firsts[at(which)]
        for place in range(first, first + lists.sizes[at(which)]):
            found = pool[at(place)]
            total = costs[at(rank_of(found))] + cost_of(found)
            if total < cost:
                return NO_PAIRS
            if total == cost:
                there = rows[at(rank_of(found))]
                for side in range(8):
                    if arrived_of(found) >> side & 1:
                        pairs &= ~(there << np.uint64(side))
    return pairs


@helper
def _is_shortest(lines, hub, node, cost, cell_firsts, cells, as_cell):
    """Whether no way at all from the hub to a node is shorter."""
    hub_cell, cell = np.int64(lines.cells[at(hub)]), np.int64(lines.cells[at(node)])
    hub_x, hub_y = place_of(hub_cell, lines.stride)
    x, y = place_of(cell, lines.stride)
    if cost == octile(x - hub_x, y - hub_y, lines.straight, lines.diagonal):
        return True
    for place in range(cell_firsts[at(node)], cell_firsts[at(node + 1)]):
        if as_cell[at(rank_of(cells[at(place)]))] + cost_of(cells[at(place)]) < cost:
            return False
    is_free, _ = walk_freely(lines.mask, lines.stride, hub_cell, cell)
    return not is_free


@helper(allocates=True)
def _add(lists, pool, corners, node, pairs, cost, rank):
    """Put a hub into the lists that are about the sides by which ways arrive."""
    sides = 0
    for side in range(8):
        if pairs & in_column(side):
            sides |= 1 << side
    for which in range(1 + int(is_single(corners))):
        # A list is about ways that leave by a side: those from the hub arrive by it.
        arrived = sides & sides_of_list(which) if is_single(corners) else sides
        if arrived:
            pool = append(lists, pool, 2 * node + which, entry(cost, arrived, rank))
    return pool
