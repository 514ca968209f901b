"""The tree over the sectors of a map, and the gates that each of its cells knows (gates rules, "Tree").

A *part* is a rectangle of sectors: one sector, two parts cut by a straight line, or the whole map. Parts are numbered
so that each comes before the one that it is cut from. The *list* of a part has the gates on the line that cuts it, its
*separator*, and then those on its boundary: north, west, east and south. Parts larger than a block know only gates that
were kept.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.numbers import at

BLOCK = 4
"""Sectors along the side of a block."""
NOT_THERE = 65535  # no place in a list


class Tree(NamedTuple):
    """Parts of a map; arrays of one entry for each part, if nothing else is said."""

    boxes: npt.NDArray[np.int32]
    """Left, top, right and bottom, in sectors."""
    children: npt.NDArray[np.int32]
    """The two parts that it is cut into; -1 of a sector."""
    parents: npt.NDArray[np.int32]
    leaves: npt.NDArray[np.int32]
    """The part of each sector."""
    roots: npt.NDArray[np.int32]
    """The part of each block."""
    blocks_across: int
    near_parts: int
    """Parts inside of blocks, and blocks; they come before all larger ones."""
    separators: npt.NDArray[np.int32]
    """How many gates its separator has."""
    sizes: npt.NDArray[np.int32]
    """How many gates its list has."""
    firsts: npt.NDArray[np.int64]
    """Where its list begins."""
    gates: npt.NDArray[np.int32]
    """All lists."""
    up: npt.NDArray[np.uint16]
    """Of each entry of a list, its place in the list of the parent; NOT_THERE of others."""
    down: npt.NDArray[np.uint16]
    """Of each entry of a list, two: its places in the lists of the children."""
    sides: npt.NDArray[np.uint16]
    """Of each block, five: where the gates of each side begin in its list, and the end."""


@inlined
def is_sector(tree, part):
    """Whether a part is one sector."""
    return tree.children[at(part), 0] < 0


@inlined
def is_block(tree, part):
    """Whether a part is a block."""
    return part < tree.near_parts and (tree.parents[at(part)] < 0 or tree.parents[at(part)] >= tree.near_parts)


@inlined
def block_of(tree, part):
    """The number of the block that a part inside of it, or the block itself, belongs to."""
    box = tree.boxes
    return np.int64(box[at(part), 1]) // BLOCK * tree.blocks_across + np.int64(box[at(part), 0]) // BLOCK


@helper
def _write_line(borders, kept, across, by_columns, place, first, last, gates, made):
    """Write the gates on a line, if there is room for any: all of them, or those kept. Returns their end."""
    for i in range(first, last):
        border = 2 * (i * across + place - 1) if by_columns else 2 * ((place - 1) * across + i) + 1
        for gate in range(borders[border], borders[border + 1]):
            if kept.size == 0 or kept[gate]:
                if gates.size:
                    gates[made] = gate
                made += 1
    return made


@helper
def _write_list(borders, kept, size, boxes, children, part, ends, gates, made):
    """Write the list of a part, and where its separator and its sides end; returns its end."""
    across, down = size
    left, top, right, bottom = boxes[part, 0], boxes[part, 1], boxes[part, 2], boxes[part, 3]
    if children[part, 0] >= 0:
        other = children[part, 1]
        if boxes[other, 0] > left:
            made = _write_line(borders, kept, across, True, boxes[other, 0], top, bottom, gates, made)
        else:
            made = _write_line(borders, kept, across, False, boxes[other, 1], left, right, gates, made)
    ends[0] = made
    if top > 0:
        made = _write_line(borders, kept, across, False, top, left, right, gates, made)
    ends[1] = made
    if left > 0:
        made = _write_line(borders, kept, across, True, left, top, bottom, gates, made)
    ends[2] = made
    if right < across:
        made = _write_line(borders, kept, across, True, right, top, bottom, gates, made)
    ends[3] = made
    if bottom < down:
        made = _write_line(borders, kept, across, False, bottom, left, right, gates, made)
    ends[4] = made
    return made


@kernel(allocates=True)
def write_lists(borders, kept, size, boxes, children, near_parts, gate_count):
    """Lists of all parts: `separators`, `sizes`, `firsts`, `gates`, `up`, `down`; and the ends of sides, by parts."""
    parts = boxes.shape[0]
    everything = np.empty(0, np.uint8)
    nothing = np.empty(0, np.int32)
    ends = np.empty(5, np.int64)
    separators = np.empty(parts, np.int32)
    sizes = np.empty(parts, np.int32)
    firsts = np.empty(parts + 1, np.int64)
    sides = np.empty((near_parts, 5), np.int32)
    firsts[0] = 0
    for part in range(parts):
        known = everything if part < near_parts else kept
        sizes[part] = _write_list(borders, known, size, boxes, children, part, ends, nothing, 0)
        separators[part] = ends[0]
        firsts[part + 1] = firsts[part] + sizes[part]
        if part < near_parts:
            for side in range(5):
                sides[part, side] = ends[side]
    count = firsts[parts]
    gates = np.empty(count, np.int32)
    up = np.empty(count, np.uint16)
    down = np.empty((count, 2), np.uint16)
    places = np.empty(gate_count, np.int32)
    for gate in range(gate_count):
        places[gate] = NOT_THERE
    for part in range(parts):
        known = everything if part < near_parts else kept
        first = firsts[part]
        _write_list(borders, known, size, boxes, children, part, ends, gates, first)
        for i in range(first, firsts[part + 1]):
            up[i] = down[i, 0] = down[i, 1] = NOT_THERE
            places[gates[i]] = i - first
        for side in range(2 if children[part, 0] >= 0 else 0):
            child = children[part, side]
            begun = firsts[child] + separators[child]
            for i in range(begun, firsts[child + 1]):
                place = places[gates[i]]
                up[i] = place
                if place != NOT_THERE:
                    down[first + place, side] = i - firsts[child]
        for i in range(first, firsts[part + 1]):
            places[gates[i]] = NOT_THERE
    return separators, sizes, firsts, gates, up, down, sides
