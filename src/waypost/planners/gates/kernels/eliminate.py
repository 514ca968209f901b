"""Costs and ways of parts from those of their children, by elimination (gates rules, "Elimination")."""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.numbers import at
from waypost.planners.gates.kernels.costs import BY_GATE, in_triangle
from waypost.planners.gates.kernels.floods import FAR, new_doors, new_flood, sector_costs
from waypost.planners.gates.kernels.sectors import Sectors
from waypost.planners.gates.kernels.tree import NOT_THERE, Tree, is_block, is_sector


@inlined
def triangle(size):
    """The entries of a triangle without its diagonal."""
    return size * (size - 1) // 2


@helper(allocates=True)
def _new_tables(tree, first, last):
    """Two square tables that hold the largest list of some parts: of costs, and of ways."""
    most = 1
    for part in range(first, last):
        most = max(most, np.int64(tree.sizes[part]))
    return np.empty((most, most), np.int32), np.empty((most, most), np.int32)


@kernel(allocates=True)
def study_blocks(sectors, tree, part_ends, first, last):
    """Costs and ways of the parts in some blocks, one part after the other."""
    sectors, tree = Sectors(*sectors), Tree(*tree)
    box, doors = new_flood(), new_doors()
    begin, end = part_ends[first], part_ends[last]
    costs_size = ways_size = np.int64(0)
    held_firsts = np.empty(end - begin, np.int64)
    for part in range(begin, end):
        costs_size += cost_count(tree, part)
        ways_size += way_count(tree, part)
    costs = np.empty(costs_size, np.int32)
    ways = np.empty(ways_size, np.uint8)
    table, table_ways = _new_tables(tree, begin, end)
    held = np.empty(0, np.int32)
    made = made_ways = np.int64(0)
    for block in range(first, last):
        size = np.int64(0)
        for part in range(part_ends[block], part_ends[block + 1]):
            held_firsts[part - begin] = size
            size += triangle(np.int64(tree.sizes[part] - tree.separators[part]))
        if size > held.size:
            held = np.empty(2 * size, np.int32)
        for part in range(part_ends[block], part_ends[block + 1]):
            own = held[held_firsts[part - begin] :]
            if is_sector(tree, part):
                sector = tree.boxes[part, 1] * sectors.across + tree.boxes[part, 0]
                sector_costs(sectors, np.int64(sector), doors, box, own)
                if is_block(tree, part):
                    for i in range(cost_count(tree, part)):
                        costs[made + i] = own[i]
            else:
                _clear(tree, part, table)
                for side in range(2):
                    child = tree.children[part, side]
                    _take_in(tree, child, held[held_firsts[child - begin] :], side, table, table_ways)
                _eliminate(tree, part, table, table_ways)
                _hold(tree, part, table, own)
                _write(tree, part, table, table_ways, costs[made:], ways[made_ways:])
            made += cost_count(tree, part)
            made_ways += way_count(tree, part)
    return costs, ways


@kernel(allocates=True)
def study_parts(tree, costs, cost_firsts, held, held_firsts, first, last):
    """Costs and ways of some parts larger than blocks, and what it costs between the gates on their boundaries."""
    tree = Tree(*tree)
    costs_size = ways_size = held_size = np.int64(0)
    for part in range(first, last):
        costs_size += cost_count(tree, part)
        ways_size += way_count(tree, part)
        held_size += triangle(np.int64(tree.sizes[part] - tree.separators[part]))
    own_costs = np.empty(costs_size, np.int32)
    own_ways = np.empty(ways_size, np.uint16)
    own_held = np.empty(held_size, np.int32)
    table, table_ways = _new_tables(tree, first, last)
    made = made_ways = made_held = np.int64(0)
    for part in range(first, last):
        _clear(tree, part, table)
        for side in range(2):
            child = np.int64(tree.children[part, side])
            if child < tree.near_parts:
                boundary = in_triangle(
                    np.int64(tree.sizes[child]), np.int64(tree.separators[child]), np.int64(tree.separators[child]) + 1
                )
                _take_in(tree, child, costs[cost_firsts[child] + boundary :], side, table, table_ways)
            else:
                _take_in(tree, child, held[held_firsts[child - tree.near_parts] :], side, table, table_ways)
        _eliminate(tree, part, table, table_ways)
        _hold(tree, part, table, own_held[made_held:])
        _write(tree, part, table, table_ways, own_costs[made:], own_ways[made_ways:])
        made += cost_count(tree, part)
        made_ways += way_count(tree, part)
        made_held += triangle(np.int64(tree.sizes[part] - tree.separators[part]))
    return own_costs, own_ways, own_held


@inlined
def cost_count(tree, part):
    """How many costs are stored of a part."""
    size, rows = np.int64(tree.sizes[at(part)]), np.int64(tree.separators[at(part)])
    return triangle(size) if is_block(tree, part) else triangle(size) - triangle(size - rows)


@inlined
def way_count(tree, part):
    """How many ways are stored of a part."""
    return np.int64(0) if is_sector(tree, part) else triangle(np.int64(tree.sizes[at(part)]))


@inlined
def _clear(tree, part, table):
    """Nothing leads anywhere yet."""
    for row in range(tree.sizes[part]):
        for column in range(tree.sizes[part]):
            table[row, column] = FAR


@helper
def _take_in(tree, child, boundary, side, table, ways):
    """Take in the ways between the gates on a child's boundary: a triangle."""
    begun = np.int64(tree.firsts[child]) + tree.separators[child]
    count = tree.sizes[child] - tree.separators[child]
    read = 0
    for i in range(count):
        row = np.int64(tree.up[at(begun + i)])
        if row == NOT_THERE:
            read += count - i - 1
            continue
        for j in range(i + 1, count):
            column = np.int64(tree.up[at(begun + j)])
            cost = boundary[at(read)]
            read += 1
            if column != NOT_THERE:
                upper, lower = at(min(row, column)), at(max(row, column))
                if cost < table[upper, lower]:
                    table[upper, lower] = cost
                    ways[upper, lower] = side


@helper
def _eliminate(tree, part, table, ways):
    """Find ways by each gate of the separator in turn; of equal ones the first found stays."""
    size = np.int64(tree.sizes[part])
    for gate in range(tree.separators[part]):
        way = np.int32(BY_GATE + gate)
        for row in range(gate + 1, size - 1):
            cost = table[gate, row]
            if cost >= FAR:
                continue
            from_gate = table[gate, row + 1 : size]
            known = table[row, row + 1 : size]
            known_ways = ways[row, row + 1 : size]
            for i in range(known.size):
                found = np.int32(cost + from_gate[i])
                before = known[i]
                known[i] = min(before, found)
                known_ways[i] = way if found < before else known_ways[i]


@helper
def _hold(tree, part, table, held):
    """Keep what it costs between the gates on the boundary, for the parent."""
    size = np.int64(tree.sizes[part])
    made = 0
    for row in range(tree.separators[part], size):
        for column in range(row + 1, size):
            held[made] = min(table[row, column], FAR)
            made += 1


@helper
def _write(tree, part, table, ways, out, out_ways):
    """Write the costs and ways that are stored of a part."""
    size = np.int64(tree.sizes[part])
    rows = size if is_block(tree, part) else np.int64(tree.separators[part])
    made = 0
    for row in range(size):
        for column in range(row + 1, size):
            cost = table[row, column]
            if row < rows:
                out[made] = min(cost, FAR)
            out_ways[made] = ways[row, column] if cost < FAR else 0
            made += 1
