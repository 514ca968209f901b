"""What a map is to kernels of gates: its sectors and gates, and the tree over them (gates rules, "Gates", "Tree")."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import WaypostError
from waypost.indexes.base import read_only
from waypost.planners.gates.kernels import sectors as sector_kernels
from waypost.planners.gates.kernels import tree as tree_kernels
from waypost.planners.gates.kernels.sectors import SIDE, Sectors
from waypost.planners.gates.kernels.tree import BLOCK, NOT_THERE, Tree
from waypost.world.grid import COSTS, Costs, Grid

__all__ = ["Parts", "cut", "moves_cost", "sectors_of", "tree_of"]

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]

_MOVES_COST = {COSTS["sqrt2"]: (12, 17), COSTS["1.4"]: (10, 14)}
"""Even numbers, so that half a move to a border is a whole number, and small ones, so that costs take few bytes."""
_FOUR_CONNECTED = (2, 4)


class Parts(NamedTuple):
    """How a map is cut, whatever is on it: parts, the levels of those larger than blocks, and what lines cut."""

    boxes: Ints
    children: Ints
    parents: Ints
    leaves: Ints
    roots: Ints
    near_parts: int
    block_ends: npt.NDArray[np.int64]
    """Where the parts of each block begin, and the end of all."""
    levels: tuple[int, ...]
    """Where the larger parts of each level begin, and their end: none is cut from another one of its level."""


def moves_cost(costs: Costs) -> tuple[int, int]:
    """What a straight and a diagonal move cost within an index."""
    return _MOVES_COST.get(costs, _FOUR_CONNECTED)


def sectors_of(grid: Grid, fine: int) -> Sectors:
    """A map cut into sectors, with gates for parts of at most so many cells of each run of open pairs on a border."""
    straight, diagonal = moves_cost(grid.costs)
    firsts, ends, halves, is_first_choice = sector_kernels.place_gates(grid.mask, grid.stride, fine, straight, diagonal)
    firsts, ends, halves, is_first_choice = read_only(firsts, ends, halves, is_first_choice)
    return Sectors(
        mask=grid.mask,
        stride=grid.stride,
        width=grid.width,
        height=grid.height,
        across=-(-grid.width // SIDE),
        straight=straight,
        diagonal=diagonal,
        firsts=firsts,
        ends=ends,
        halves=halves,
        is_first_choice=is_first_choice,
    )


def tree_of(sectors: Sectors, parts: Parts, kept: Bytes) -> Tree:
    """The tree over a map; of gates on the lines between blocks, parts larger than a block know those kept."""
    size = sectors.across, -(-sectors.height // SIDE)
    separators, sizes, firsts, gates, up, down, sides = tree_kernels.write_lists(
        sectors.firsts, kept, size, parts.boxes, parts.children, parts.near_parts, kept.size
    )
    if sizes.max() >= NOT_THERE:
        raise WaypostError(
            f"gates has no room for the {sizes.max():,} gates along one line of this map; take astar or jps, "
            "which store nothing"
        )
    of_blocks = sides[parts.roots].astype(np.uint16)
    known = read_only(*parts[:5], separators, sizes, firsts, gates, up, down, of_blocks)
    boxes, children, parents, leaves, roots, separators, sizes, firsts, gates, up, down, of_blocks = known
    return Tree(
        boxes=boxes,
        children=children,
        parents=parents,
        leaves=leaves,
        roots=roots,
        blocks_across=-(-sectors.across // BLOCK),
        near_parts=parts.near_parts,
        separators=separators,
        sizes=sizes,
        firsts=firsts,
        gates=gates,
        up=up,
        down=down,
        sides=of_blocks,
    )


def cut(across: int, down: int) -> Parts:
    """Cut a map of so many sectors into blocks and these into sectors, and join blocks two by two.

    The parts of a block follow one another, blocks come by rows, and then all that is larger, level by level.
    """
    blocks_across, blocks_down = -(-across // BLOCK), -(-down // BLOCK)
    blocks = blocks_across * blocks_down
    y, x = np.divmod(np.arange(blocks), blocks_across)
    widths = np.minimum(BLOCK, across - BLOCK * x)
    heights = np.minimum(BLOCK, down - BLOCK * y)
    plans = {size: _plan(*size) for size in set(zip(widths.tolist(), heights.tolist(), strict=True))}
    counts = np.array([len(plans[w, h][0]) for w, h in zip(widths.tolist(), heights.tolist(), strict=True)])
    begins = np.concatenate([[0], np.cumsum(counts)])
    near = int(begins[-1])
    larger, of_larger = _plan(blocks_across, blocks_down)
    boxes = np.empty((near + len(larger) - blocks, 4), np.int32)
    children = np.full((boxes.shape[0], 2), -1, np.int32)
    for (w, h), (plan, pairs) in plans.items():
        which = np.flatnonzero((widths == w) & (heights == h))
        rows = begins[which][:, None] + np.arange(len(plan))
        corner = BLOCK * np.stack([x, y, x, y], axis=1)[which]
        boxes[rows] = corner[:, None] + plan
        children[rows] = np.where(pairs >= 0, begins[which][:, None, None] + pairs, -1)
    roots = begins[1:] - 1
    numbers, levels = _by_levels(of_larger, near)
    is_block = of_larger[:, 0] < 0
    numbers[is_block] = roots[larger[is_block, 1] * blocks_across + larger[is_block, 0]]
    inner = numbers[~is_block]
    boxes[inner] = np.minimum(BLOCK * larger[~is_block], [across, down, across, down])
    children[inner] = numbers[of_larger[~is_block]]
    parents = np.full(boxes.shape[0], -1, np.int32)
    has_children = np.flatnonzero(children[:, 0] >= 0)
    parents[children[has_children]] = has_children[:, None]
    leaves = np.empty(across * down, np.int32)
    sectors = np.flatnonzero(children[:, 0] < 0)
    leaves[boxes[sectors, 1] * across + boxes[sectors, 0]] = sectors
    boxes, children, parents, leaves, roots = read_only(boxes, children, parents, leaves, roots.astype(np.int32))
    return Parts(boxes, children, parents, leaves, roots, near, begins, levels)


def _plan(width: int, height: int) -> tuple[Ints, Ints]:
    """Cut a rectangle in halves, the longer side first, until single squares are left; boxes and children, those first.

    The halves of a rectangle are as equal as can be, the first one the smaller; of a square, left and right ones.
    """
    boxes: list[tuple[int, int, int, int]] = []
    pairs: list[tuple[int, int]] = []

    def add(left: int, top: int, right: int, bottom: int) -> int:
        pair = -1, -1
        if max(right - left, bottom - top) > 1:
            if right - left >= bottom - top:
                middle = (left + right) // 2
                pair = add(left, top, middle, bottom), add(middle, top, right, bottom)
            else:
                middle = (top + bottom) // 2
                pair = add(left, top, right, middle), add(left, middle, right, bottom)
        boxes.append((left, top, right, bottom))
        pairs.append(pair)
        return len(boxes) - 1

    add(0, 0, width, height)
    return np.array(boxes, np.int32), np.array(pairs, np.int32)


def _by_levels(pairs: Ints, first: int) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
    """Numbers of joined parts from `first` on, those of fewer levels below them first; and where each level begins."""
    deep = np.zeros(len(pairs), np.int64)
    for part, (one, other) in enumerate(pairs.tolist()):
        if one >= 0:
            deep[part] = 1 + max(deep[one], deep[other])
    order = np.argsort(deep, kind="stable")[np.count_nonzero(deep == 0) :]
    numbers = np.empty(len(pairs), np.int64)
    numbers[order] = first + np.arange(order.size)
    counts = np.bincount(deep, minlength=1)[1:]
    return numbers, tuple((first + np.concatenate([[0], np.cumsum(counts)])).tolist())
