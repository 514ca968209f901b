"""How an index of gates is built: blocks, then the gates that larger parts know, then these, level by level."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import read_only
from waypost.indexes.building import Arrays, Works, are_just
from waypost.planners.gates import tables
from waypost.planners.gates.kernels import eliminate, thin
from waypost.planners.gates.kernels.costs import Costs
from waypost.planners.gates.kernels.floods import FAR
from waypost.planners.gates.kernels.sectors import Sectors
from waypost.planners.gates.kernels.tree import BLOCK, Tree

__all__ = ["Places", "Studied", "places_of", "study"]

Places64 = npt.NDArray[np.int64]

_NEARNESS = (0, 8, 12, 16, 24, 32, 48)
"""In cells, on lines that cut parts of up to 1, 2, 4, ... blocks: tried on caves and on maps of games."""


class Places(NamedTuple):
    """Where the costs and ways of each part begin, and their ends; ways of parts larger than blocks stand apart."""

    costs: Places64
    near_ways: Places64
    far_ways: Places64


class Studied(NamedTuple):
    """All that is found out about a map."""

    tree: Tree
    kept: npt.NDArray[np.uint8]
    known: Costs


def places_of(tree: Tree) -> Places:
    """Where costs and ways stand."""
    sizes, rows = tree.sizes.astype(np.int64), tree.separators.astype(np.int64)
    whole, below = sizes * (sizes - 1) // 2, (sizes - rows) * (sizes - rows - 1) // 2
    ways = np.where(tree.children[:, 0] < 0, 0, whole)
    below[tree.roots] = 0
    return Places(_ends(whole - below), _ends(ways[: tree.near_parts]), _ends(ways[tree.near_parts :]))


def costs_of(places: Places, costs: npt.NDArray[np.int32], near_ways: Any, far_ways: Any) -> Costs:
    """Costs and ways of all parts as kernels read them."""
    way_firsts = np.concatenate([places.near_ways[:-1], places.far_ways[:-1]])
    costs, cost_firsts, near_ways, far_ways, way_firsts = read_only(
        costs, places.costs, near_ways, far_ways, way_firsts
    )
    return Costs(costs=costs, cost_firsts=cost_firsts, near_ways=near_ways, far_ways=far_ways, way_firsts=way_firsts)


def study(sectors: Sectors, parts: tables.Parts, params: Mapping[str, Any], works: Works) -> Studied:
    """Find out costs and ways of all parts of a map."""
    nothing = read_only(np.zeros(sectors.is_first_choice.size, np.uint8))[0]
    tree = tables.tree_of(sectors, parts, nothing)
    near = places_of(tree)
    block_ends, blocks = parts.block_ends, parts.roots.size

    def sizes_of_blocks(first: int, last: int) -> list[tuple[npt.DTypeLike, tuple[int, ...]]]:
        begin, end = block_ends[first], block_ends[last]
        return [
            (np.int32, (int(near.costs[end] - near.costs[begin]),)),
            (np.uint8, (int(near.near_ways[end] - near.near_ways[begin]),)),
        ]

    def study_blocks(first: int, last: int) -> Arrays:
        made: Arrays = eliminate.study_blocks(tuple(sectors), tuple(tree), block_ends, first, last)
        return made

    def fits_blocks(first: int, last: int, arrays: Arrays) -> bool:
        return are_just(arrays, *sizes_of_blocks(first, last)) and _in_range(arrays[0])

    found = works.parts("blocks", blocks, study_blocks, fits=fits_blocks)
    near_costs, near_ways = (np.concatenate(column) for column in zip(*found, strict=True))
    del found
    nearness = _nearness(sectors, parts, int(params["thin"]))
    kept = thin.thin(tuple(sectors), tuple(tree), near_costs, near.costs, nearness)
    tree = tables.tree_of(sectors, parts, *read_only(kept))
    places = places_of(tree)
    costs = np.empty(places.costs[-1], np.int32)
    costs[: near_costs.size] = near_costs
    del near_costs
    far_ways = np.empty(places.far_ways[-1], np.uint16)
    _study_larger(tree, parts, places, costs, far_ways, works)
    return Studied(tree, kept, costs_of(places, costs, near_ways, far_ways))


def _study_larger(
    tree: Tree,
    parts: tables.Parts,
    places: Places,
    costs: npt.NDArray[np.int32],
    ways: npt.NDArray[np.uint16],
    works: Works,
) -> None:
    """Write costs and ways of the parts larger than blocks, level by level."""
    near = parts.near_parts
    boundary = (tree.sizes - tree.separators)[near:].astype(np.int64)
    held_ends = _ends(boundary * (boundary - 1) // 2)
    held = np.empty(held_ends[-1], np.int32)
    ends = places.costs[near:], places.far_ways, held_ends

    def make(begin: int, first: int, last: int) -> Arrays:
        known = tuple(tree), costs, places.costs, held, held_ends
        made: Arrays = eliminate.study_parts(*known, begin + first, begin + last)
        return made

    def fits(begin: int, first: int, last: int, arrays: Arrays) -> bool:
        first, last = begin - near + first, begin - near + last
        wanted = [(kind, (int(end[last] - end[first]),)) for kind, end in zip(_KINDS, ends, strict=True)]
        return are_just(arrays, *wanted) and _in_range(arrays[0]) and _in_range(arrays[2])

    for level, (begin, end) in enumerate(zip(parts.levels[:-1], parts.levels[1:], strict=True), 1):
        found = works.parts(f"level {level}", end - begin, partial(make, begin), fits=partial(fits, begin))
        wholes: tuple[npt.NDArray[Any], ...] = costs, ways, held
        for whole, stops, column in zip(wholes, ends, zip(*found, strict=True), strict=True):
            whole[stops[begin - near] : stops[end - near]] = np.concatenate(column)


_KINDS = np.int32, np.uint16, np.int32


def _nearness(sectors: Sectors, parts: tables.Parts, percent: int) -> Places64:
    """How near gates are that one stands for, by the blocks along the part that their line cuts; -1 of no line."""
    most = int((parts.boxes[:, 2:] - parts.boxes[:, :2]).max())
    blocks = np.arange(-(-most // BLOCK) + 1)
    steps = np.ceil(np.log2(np.maximum(blocks, 1))).astype(np.int64)
    cells = np.array(_NEARNESS)[np.minimum(steps, len(_NEARNESS) - 1)]
    nearness: Places64 = cells * sectors.straight * percent // 100
    nearness[0] = -1
    return nearness


def _in_range(costs: npt.NDArray[Any]) -> bool:
    return bool(costs.min(initial=0) >= 0 and costs.max(initial=0) <= FAR)


def _ends(counts: npt.NDArray[Any]) -> Places64:
    """Where each of several lists ends that follow one another, after a 0."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
