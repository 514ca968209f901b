"""Subgoals of all pairs of clique regions: the database of D LRTA* (Bulitko et al. 2008; algorithms 6)."""

from collections.abc import Mapping
from functools import cached_property
from threading import local
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, ParameterError
from waypost.grid import Grid
from waypost.indexes import cell_map
from waypost.indexes.base import SMALLEST, Index, Regions, read_only, require, smallest
from waypost.indexes.building import Works
from waypost.indexes.cliques import abstract
from waypost.kernels import cliques, cost_field, pair_subgoals, region_graph

__all__ = ["PairSubgoals"]

_MOST_REGIONS = 1 << 14  # a subgoal of each pair is a gigabyte then, before runs are made of them
_ROWS = ("run_counts", "run_columns", "run_ranks", "exit_counts", "exits")


class PairSubgoals(Index):
    """The region of every cell at one level of the clique abstraction, and where to leave it for any other."""

    kernel = "pair_subgoals.subgoals"

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays)
        self.grid = grid
        self.progress = int(params["progress"])
        """1: subgoals that lead ever nearer to the goal's region; 0: the first exits, as published."""
        self.region_count = int(arrays["exit_counts"].size)
        self.cell_map, self.region_of = cell_map.unpacked(grid, arrays, self.region_count)
        """What `region_runs.region_at` reads; and the region of each cell, -1 on walls."""
        read_only(self.region_of)
        self.rows = self._read_rows()
        """What `pair_subgoals.subgoal_of` reads: where rows begin, first columns of runs, their subgoals."""

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Abstract the map, and search from every region's representative."""
        region_of, reps = regions_of_level(grid, int(params["level"]))
        by_goal = _subgoals(grid, region_of, reps, int(params["progress"]), works)
        rows = dict(zip(_ROWS, pair_subgoals.encode(by_goal), strict=True))
        arrays = cell_map.packed(grid, region_of) | {name: smallest(array) for name, array in rows.items()}
        return cls.from_arrays(grid, params, arrays)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        require(arrays, cell_map.CELL_MAP | dict.fromkeys(_ROWS, (SMALLEST, 1)))
        return cls(grid, params, arrays)

    @property
    def states(self) -> int:
        """As the papers count: the map of regions, and a subgoal for each ordered pair."""
        return self.grid.cell_count + self.region_count * (self.region_count - 1)

    @cached_property
    def most_probes(self) -> int:
        """The most runs that are looked at to find a subgoal."""
        return 1 + int(np.diff(self.rows[0]).max()).bit_length()

    def subgoal(self, region: int, goal_region: int) -> int:
        """Where to leave a region for another of its component; -1 if there is no other."""
        subgoal, _ = pair_subgoals.look_up(*self.rows, region, goal_region)
        return int(subgoal)

    @cached_property
    def reps(self) -> npt.NDArray[np.int32]:
        """The representative of each region, found out anew."""
        return _representatives(self.grid, self.region_of, self.region_count)

    def regions(self) -> Regions:
        """Which cell is in which region, and which of them touch."""
        starts, neighbours = region_graph.adjacency(self.grid.mask, self.region_of, self.grid.stride, self.region_count)
        owners = np.repeat(np.arange(self.region_count, dtype=np.int32), np.diff(starts))
        return Regions(self.region_of, self.reps, np.stack([owners, neighbours], axis=1)[owners < neighbours])

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """From the representative of every region to its subgoal towards a goal's."""
        part, own = self.grid.component, int(self.region_of[goal])
        others = np.flatnonzero(part[self.reps] == part[goal])
        rows = [(int(self.reps[region]), self.subgoal(region, own)) for region in others.tolist() if region != own]
        return np.array([*rows, (int(self.reps[own]), goal)], np.int32)

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """From the representative of a cell's region to all its exits."""
        region = int(self.region_of[cell])
        starts, _, subgoals = self.rows
        exits = np.unique(subgoals[starts[region] : starts[region + 1]])
        return np.stack([np.full_like(exits, self.reps[region]), exits], axis=1)

    def _read_rows(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], npt.NDArray[np.int32]]:
        """The rows spread out, after a check that whatever can be asked for leads to an open cell."""
        run_counts, columns, ranks, exit_counts, exits = (self.arrays[name] for name in _ROWS)
        part, count = self.grid.component, self.region_count
        self._check(run_counts.size == count, "run_counts")
        starts, firsts = (np.concatenate([[0], np.cumsum(of, dtype=np.int64)]) for of in (run_counts, exit_counts))
        self._check(starts[-1] == columns.size == ranks.size, "run_columns")
        self._check(firsts[-1] == exits.size, "exit_counts")
        self._check(bool((ranks < np.repeat(exit_counts, run_counts)).all()), "run_ranks")
        self._check(bool((columns < count).all()), "run_columns")
        self._check(bool((exits < part.size).all()), "exits")
        parts = np.zeros(count, np.int32)  # of the map, which each region lies in one of
        is_open = part != 0
        parts[self.region_of[is_open]] = part[is_open]
        self._check(np.array_equal(parts[self.region_of[is_open]], part[is_open]), "run_regions")
        self._check(bool((part[exits] == np.repeat(parts, exit_counts)).all()), "exits")
        self._check(bool((self.region_of[exits] != np.repeat(np.arange(count), exit_counts)).all()), "exits")
        # A row is empty only if there is no other region to go to.
        self._check(np.array_equal(run_counts > 0, np.bincount(parts)[parts] > 1), "run_counts")
        subgoals = exits[np.repeat(firsts[:-1], run_counts) + ranks]
        read_only(starts, columns := columns.astype(np.uint16), subgoals := subgoals.astype(np.int32))
        return starts, columns, subgoals

    @staticmethod
    def _check(holds: bool, name: str) -> None:
        if not holds:
            raise IndexFileError(f"{name} of the index do not fit the map and the other arrays; build the index again")


def regions_of_level(grid: Grid, level: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The region of each cell, and the representative of each region; numbered in the order of the hierarchy."""
    hierarchy = abstract(grid)
    level = min(level, hierarchy.top)
    nodes = hierarchy.in_order(level)
    if nodes.size > _MOST_REGIONS:
        enough = next(i for i in range(1, hierarchy.top + 1) if np.diff(hierarchy.firsts)[i - 1] <= _MOST_REGIONS)
        raise ParameterError(
            f"level {level} cuts this map into {nodes.size:,} regions, and subgoals of all pairs are supported for "
            f"{_MOST_REGIONS:,}; take a level from {enough} on"
        )
    number = np.full(hierarchy.parents.size + 1, -1, np.int32)  # walls, of node -1, have the last entry
    number[nodes] = np.arange(nodes.size)
    region_of = number[hierarchy.regions(level)]
    return read_only(region_of)[0], _representatives(grid, region_of, nodes.size)


def _representatives(grid: Grid, region_of: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int32]:
    """The cell of each region nearest to the mean."""
    cells = np.flatnonzero(grid.component)
    sums = [
        np.bincount(region_of[cells], of, count)
        for of in (np.ones(cells.size), cells % grid.stride, cells // grid.stride)
    ]
    reps: npt.NDArray[np.int32] = cliques.representatives(
        region_of, grid.stride, np.stack(sums, axis=1).astype(np.int64)
    )
    return read_only(reps)[0]


def _subgoals(
    grid: Grid, region_of: npt.NDArray[np.int32], reps: npt.NDArray[np.int32], progress: int, works: Works
) -> npt.NDArray[np.int32]:
    """The subgoal of every region, in a row for each goal region; one search on the whole map for each."""
    scratch = local()
    world = grid.mask, grid.stride, *grid.costs, progress, region_of, reps

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        if not hasattr(scratch, "arrays"):
            most = 8 * int(grid.component_sizes.max()) + 1
            ring = np.full(cost_field.RING, -1, np.int64)
            scratch.arrays = np.empty(grid.mask.size, np.int32), ring, np.empty((most, 2), np.int64)
        return (pair_subgoals.subgoals(*world, first, last, *scratch.arrays),)

    return read_only(np.concatenate([part for (part,) in works.parts("subgoals", reps.size, make)]))[0]
