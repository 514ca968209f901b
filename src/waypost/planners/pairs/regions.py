"""The regions of one level of the clique abstraction; something is stored about pairs of them (algorithms 5, 6)."""

from collections.abc import Mapping
from functools import cached_property
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError
from waypost.indexes.base import Index, Regions, read_only
from waypost.indexes.ranges import check_fit
from waypost.kernels.queues import RING
from waypost.planners.cuts import cell_map
from waypost.planners.cuts.cliques import Cliques, abstract
from waypost.planners.cuts.kernels import cliques, graph
from waypost.planners.pairs.kernels.control import Field, Ground, Rows
from waypost.world.grid import Grid

__all__ = [
    "FieldScratch",
    "RegionPairs",
    "check_count",
    "ground_of",
    "numbered",
    "ordered_pairs",
    "regions_of_level",
    "representatives",
    "sums",
]

_MOST_REGIONS = 1 << 14  # a subgoal of each pair is a gigabyte then, before runs are made of them


_NO_ROWS = Rows(row_starts=np.zeros(1, np.int64), columns=np.empty(0, np.uint16), subgoals=np.empty(0, np.int32))
_NO_DEPTHS = np.empty(0, np.uint16)
read_only(*_NO_ROWS, _NO_DEPTHS)


class RegionPairs(Index):
    """The region of every cell; what is stored about pairs of regions is up to the subclass."""

    def __init__(
        self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], region_count: int
    ) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.params = dict(params)
        self.region_count = region_count
        self.cell_map, self.region_of = cell_map.unpacked(grid, arrays, region_count)
        """What `cell_map.region_at` reads; and the region of each cell, -1 on walls."""
        read_only(self.region_of)
        is_open = grid.component != 0
        self.parts = np.zeros(region_count, np.int32)
        """The component of each region, which has to lie in one."""
        self.parts[self.region_of[is_open]] = grid.component[is_open]
        check_fit(np.array_equal(self.parts[self.region_of[is_open]], grid.component[is_open]), "run_regions")
        self.rows = _NO_ROWS
        """Subgoals, in runs; none if they are not stored."""
        self.run_depths = self.pair_depths = _NO_DEPTHS
        """Lookahead depths towards the subgoals of runs, and towards the goal for each region and goal region."""

    @property
    def cap(self) -> int:
        """The deepest lookahead that is stored, 0 if none is."""
        return int(self.params.get("cap", 0))

    @property
    def by_progress(self) -> int:
        """1: subgoals that lead ever nearer to the goal's region; 0: the first exits, as published, or none."""
        return int(self.params.get("by_progress", 0))

    @cached_property
    def most_probes(self) -> int:
        """The most runs that are looked at to find a subgoal."""
        return 1 + int(np.diff(self.rows.row_starts).max(initial=0)).bit_length()

    @property
    def states(self) -> int:
        """As the papers count: the map of regions, and a state for each ordered pair of regions in one component."""
        return self.grid.cell_count + ordered_pairs(self.parts)

    @cached_property
    def reps(self) -> npt.NDArray[np.int32]:
        """The representative of each region, found out again."""
        return representatives(self.grid, self.region_of, self.region_count)

    def regions(self) -> Regions:
        """Which cell is in which region, and which of them touch."""
        starts, neighbours = graph.adjacency(self.grid.mask, self.region_of, self.grid.stride, self.region_count)
        owners = np.repeat(np.arange(self.region_count, dtype=np.int32), np.diff(starts))
        return Regions(self.region_of, self.reps, np.stack([owners, neighbours], axis=1)[owners < neighbours])


class FieldScratch(local):
    """Scratch arrays of `cost_field.fill`, for each thread its own, made when they are first asked for."""

    def __init__(self, grid: Grid) -> None:
        most = 8 * int(grid.component_sizes.max()) + 1
        field = Field(
            costs=np.empty(grid.mask.size, np.int32),
            ring=np.full(RING, -1, np.int64),
            pool=np.empty((most, 2), np.int64),
        )
        self.field: tuple[npt.NDArray[Any], ...] = tuple(field)
        """As kernels take it."""


def ground_of(grid: Grid) -> tuple[Any, ...]:
    """A map as kernels search it."""
    straight, diagonal, shift = grid.costs
    return tuple(Ground(mask=grid.mask, stride=grid.stride, straight=straight, diagonal=diagonal, shift=shift))


def regions_of_level(grid: Grid, level: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The region of each cell, and the representative of each region; numbered in the order of the hierarchy."""
    hierarchy = abstract(grid)
    level = min(level, hierarchy.top)
    check_count(hierarchy, level)
    return numbered(grid, hierarchy, level)


def check_count(hierarchy: Cliques, level: int) -> None:
    """Refuse a level of more regions than pairs of them can be stored of."""
    counts = np.diff(hierarchy.firsts)
    if counts[level - 1] > _MOST_REGIONS:
        raise ParameterError(
            f"level {level} cuts this map into {counts[level - 1]:,} regions, and subgoals of all pairs are supported "
            f"for {_MOST_REGIONS:,}; take a level from {np.argmax(counts <= _MOST_REGIONS) + 1} on"
        )


def numbered(grid: Grid, hierarchy: Cliques, level: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The nodes of a level as regions: that of each cell, and the representatives, in the order of the hierarchy."""
    nodes = hierarchy.in_order(level)
    number = np.full(hierarchy.parents.size + 1, -1, np.int32)  # walls, of node -1, have the last entry
    number[nodes] = np.arange(nodes.size)
    region_of = number[hierarchy.regions(level)]
    return read_only(region_of)[0], representatives(grid, region_of, nodes.size)


def representatives(grid: Grid, region_of: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int32]:
    """The cell of each region nearest to the mean."""
    reps: npt.NDArray[np.int32] = cliques.representatives(region_of, grid.stride, sums(grid, region_of, count))
    return read_only(reps)[0]


def ordered_pairs(parts: npt.NDArray[np.int32]) -> int:
    """How many two regions lie in one component, given that of each."""
    regions = np.bincount(parts)
    return int((regions * (regions - 1)).sum())


def sums(grid: Grid, region_of: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int64]:
    """Of each region the number of its cells, and the sums of their columns and rows in the padded grid."""
    cells = np.flatnonzero(grid.component)
    columns = (np.ones(cells.size), cells % grid.stride, cells // grid.stride)
    summed = np.stack([np.bincount(region_of[cells], of, count) for of in columns], axis=1)
    return read_only(summed.astype(np.int64))[0]
