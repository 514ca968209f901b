"""Which gates on the lines between blocks larger parts know (gates rules, "Thinning")."""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.numbers import at
from waypost.planners.gates.kernels.costs import in_triangle
from waypost.planners.gates.kernels.sectors import Sectors
from waypost.planners.gates.kernels.tree import BLOCK, Tree

_NORTH, _WEST, _EAST, _SOUTH = range(4)


@kernel(allocates=True)
def thin(sectors, tree, costs, cost_firsts, nearness):
    """Of the gates of each line between two blocks those first chosen that no earlier one is near on both sides.

    `nearness` has for each number of blocks how near that is, on a line that cuts a part of this longer side.
    """
    sectors, tree = Sectors(*sectors), Tree(*tree)
    kept = np.zeros(sectors.is_first_choice.size, np.uint8)
    lengths = _lengths(tree)
    for block in range(tree.roots.size):
        for side in range(2):
            other = block + (1 if side == 0 else tree.blocks_across)
            own_side, other_side = (_EAST, _WEST) if side == 0 else (_SOUTH, _NORTH)
            near = nearness[lengths[block, side]]
            if near >= 0:
                _thin_line(sectors, tree, costs, cost_firsts, kept, block, own_side, other, other_side, near)
    return kept


@helper(allocates=True)
def _lengths(tree):
    """Of the lines east and south of each block the longer side, in blocks, of the part that they cut; else 0."""
    lengths = np.zeros((tree.roots.size, 2), np.int64)
    for part in range(tree.near_parts, tree.sizes.size):
        box = tree.boxes[part]
        cut = tree.boxes[tree.children[part, 1]]
        left, top = box[0] // BLOCK, box[1] // BLOCK
        right, bottom = (box[2] + BLOCK - 1) // BLOCK, (box[3] + BLOCK - 1) // BLOCK
        longer = max(right - left, bottom - top)
        if cut[0] > box[0]:
            for y in range(top, bottom):
                lengths[y * tree.blocks_across + cut[0] // BLOCK - 1, 0] = longer
        else:
            for x in range(left, right):
                lengths[(cut[1] // BLOCK - 1) * tree.blocks_across + x, 1] = longer
    return lengths


@inlined
def _cost(tree, costs, cost_firsts, block, one, other):
    """What it costs between two places of a block's list."""
    root = tree.roots[at(block)]
    place = in_triangle(np.int64(tree.sizes[at(root)]), min(one, other), max(one, other))
    return costs[at(cost_firsts[at(root)] + place)]


@helper
def _thin_line(sectors, tree, costs, cost_firsts, kept, block, side, other, other_side, near):
    """Choose gates of the line between two blocks."""
    first, end = np.int64(tree.sides[block, side]), np.int64(tree.sides[block, side + 1])
    shift = np.int64(tree.sides[other, other_side]) - first
    begun = tree.firsts[tree.roots[block]]
    for i in range(first, end):
        gate = tree.gates[begun + i]
        if not sectors.is_first_choice[gate]:
            continue
        is_near = False
        for j in range(first, i):
            if kept[tree.gates[begun + j]]:
                apart = _cost(tree, costs, cost_firsts, block, j, i)
                apart = max(apart, _cost(tree, costs, cost_firsts, other, j + shift, i + shift))
                if apart <= near:
                    is_near = True
                    break
        kept[gate] = not is_near
