"""Regions of a map and the paths between them: the databases of DBA* and HCDPS (algorithms 11, 12).

A map is cut into regions, each with a representative. Stored are optimal paths, pressed into legs, from each
representative to those within some hops; and for every pair of regions, which of these paths to take first.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from threading import local
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.grid import Grid
from waypost.indexes.base import Index, Regions
from waypost.indexes.building import Works
from waypost.kernels import (
    climb,
    climb_regions,
    column_order,
    next_hops,
    optimal_hops,
    region_graph,
    region_paths,
    region_runs,
    sectors,
)

__all__ = ["ClimbRegionPaths", "Partition", "RegionPaths", "SectorPaths"]

_PATHS = ("columns", "run_counts", "run_columns", "run_ranks", "path_counts", "codes")


class Partition(NamedTuple):
    """How a map is cut: the representatives, the region of each cell (-1 on walls), and what is stored of it."""

    reps: npt.NDArray[np.int32]
    region_of: npt.NDArray[np.int32]
    stored: dict[str, npt.NDArray[Any]]


class RegionPaths(Index):
    """Regions and the paths between them; how the map is cut is up to the subclass."""

    kernel = "region_paths.paths"

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays)
        self.grid = grid
        self.params = dict(params)

    @classmethod
    @abstractmethod
    def partition(cls, grid: Grid, params: Mapping[str, Any]) -> Partition:
        """Cut a map into regions."""

    @abstractmethod
    def _read_partition(self) -> dict[str, npt.NDArray[Any]]:
        """The tables of how the map is cut, `reps` among them, after a check of what is stored."""

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Cut the map, find the paths, and which of them to take first for every pair of regions."""
        reps, region_of, stored = cls.partition(grid, params)
        near = _read_only(*region_graph.adjacency(grid.mask, region_of, grid.stride, reps.size))
        if params["depth"] > 1:
            near = _read_only(*region_graph.neighbourhoods(*near, int(params["depth"])))
        starts, neighbours, costs, counts, legs = _needed(*near, *_paths(grid, reps, near, works))
        runs, order = _rows(starts, neighbours, costs, works)
        stored |= {
            "columns": order,
            "run_counts": runs[0],
            "run_columns": runs[1],
            "run_ranks": runs[2],
            "path_counts": np.diff(starts),
            "codes": region_paths.count_codes(counts),
        }
        arrays = {name: smallest(array) for name, array in stored.items()} | {"legs": legs}
        return cls.from_arrays(grid, params, arrays)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        index = cls(grid, params, arrays)
        index.tables  # noqa: B018 - reading them checks them
        return index

    @property
    def side(self) -> int:
        """Cells along a sector's side; 0 if there are no sectors."""
        return int(self.params.get("sector", 0))

    @property
    def states(self) -> int:
        """Representatives and the ends of all legs."""
        return int(self.tables["reps"].size + len(self.arrays["legs"]))

    @cached_property
    def tables(self) -> dict[str, npt.NDArray[Any]]:
        """What kernels read: the stored arrays spread out."""
        return self._read_partition() | self._read_paths()

    @cached_property
    def most(self) -> "Most":
        """What the largest hop and the fullest sector take to look at."""
        codes, runs = self.arrays["codes"], np.diff(self.tables["run_starts"])
        bytes_of_regions = np.diff(self.tables["first_codes"], append=codes.size)
        legs = self._leg_counts()
        looks = int(runs.max()).bit_length() + bytes_of_regions.max() + legs.max(initial=0)
        regions = int(np.diff(self.tables["firsts"]).max(initial=0))
        return Most(probes_per_hop=int(looks) + regions + _MOST_RUNS_OF_A_TILE, regions_per_sector=regions)

    def regions(self) -> Regions:
        """Which cell is in which region, found out anew, and which of them touch."""
        reps, region_of, _ = self.partition(self.grid, self.params)
        starts, neighbours = region_graph.adjacency(self.grid.mask, region_of, self.grid.stride, reps.size)
        owners = np.repeat(np.arange(reps.size, dtype=np.int32), np.diff(starts))
        return Regions(region_of, reps, np.stack([owners, neighbours], axis=1)[owners < neighbours])

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """The first hop of every region towards a goal's, leg by leg, and the way from there to the goal."""
        tables, reps = self.tables, self.tables["reps"]
        own = int(self.partition(self.grid, self.params).region_of[goal])
        component, firsts = self.grid.component, self._first_paths()
        blocks = (reps.size - 1 >> next_hops.BLOCK_SHIFT) + 1
        starts, columns, ranks = _read_only(tables["run_starts"], tables["run_columns"], tables["run_ranks"])
        column = int(tables["columns"][own])
        found = [np.array([[reps[own], goal]], np.int32)]
        for region in np.flatnonzero(component[reps] == component[goal]).tolist():
            if region != own:
                rank, _ = next_hops.next_hop(starts, columns, ranks, next_hops.BLOCK_SHIFT, blocks, region, column)
                found.append(self._legs_of(region, int(firsts[region]) + rank))
        return np.concatenate(found)

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """All paths that are stored of a cell's region, leg by leg."""
        region = int(self.partition(self.grid, self.params).region_of[cell])
        first, last = self._first_paths()[region : region + 2].tolist()
        found = [self._legs_of(region, path) for path in range(first, last)]
        return np.concatenate([np.empty((0, 2), np.int32), *found])

    def _first_paths(self) -> npt.NDArray[np.int64]:
        """The number of each region's first path, and of all paths."""
        return np.concatenate([[0], np.cumsum(self.arrays["path_counts"], dtype=np.int64)])

    def _legs_of(self, region: int, path: int) -> npt.NDArray[np.int32]:
        """The legs of a region's path as rows of two cells."""
        first, last = np.concatenate([[0], np.cumsum(self._leg_counts())])[path : path + 2]
        steps = self.arrays["legs"][first:last].astype(np.int64) @ np.array([1, self.grid.stride])
        cells = np.cumsum([self.tables["reps"][region], *steps])
        return np.stack([cells[:-1], cells[1:]], axis=1).astype(np.int32)

    def _leg_counts(self) -> npt.NDArray[np.int64]:
        """Legs of every path."""
        codes = self.arrays["codes"].astype(np.int64)
        ends = np.flatnonzero(codes != region_paths.MORE)
        return np.diff(np.cumsum(codes)[ends], prepend=0)

    def _read_paths(self) -> dict[str, npt.NDArray[Any]]:
        """Tables of paths and next hops, after a check of all that points somewhere."""
        missing = {*_PATHS, "legs"} - set(self.arrays)
        if missing or any(self.arrays[name].dtype.kind != "u" or self.arrays[name].ndim != 1 for name in _PATHS):
            raise IndexFileError(f"{', '.join(_PATHS)} must be rows of unsigned numbers")
        legs, codes = self.arrays["legs"], self.arrays["codes"]
        if legs.dtype != np.int8 or legs.ndim != 2 or legs.shape[1] != 2 or codes.dtype != np.uint8:
            raise IndexFileError("legs must be pairs of int8, and codes of uint8")
        reps = self._read_partition()["reps"]
        columns, path_counts, run_counts = (self.arrays[name].astype(np.int64) for name in ("columns", "path_counts", "run_counts"))
        blocks = (reps.size - 1 >> next_hops.BLOCK_SHIFT) + 1
        ends = np.flatnonzero(codes != region_paths.MORE) + 1
        leg_ends = np.concatenate([[0], np.cumsum(self._leg_counts())])
        firsts = np.concatenate([[0], np.cumsum(path_counts)])
        run_starts = np.concatenate([[0], np.cumsum(run_counts)])
        self._check(columns.size == reps.size and np.array_equal(np.sort(columns), np.arange(reps.size)), "columns")
        self._check(path_counts.size == reps.size and firsts[-1] == ends.size, "path_counts")
        self._check(codes.size == (ends[-1] if ends.size else 0) and leg_ends[-1] == len(legs), "codes")
        self._check(run_counts.size == reps.size * blocks and run_starts[-1] == self.arrays["run_ranks"].size, "run_counts")
        self._check(self.arrays["run_columns"].size == self.arrays["run_ranks"].size, "run_columns")
        row_of_run = np.repeat(np.arange(reps.size), run_counts.reshape(reps.size, blocks).sum(axis=1))
        self._check(bool((self.arrays["run_ranks"] < path_counts[row_of_run]).all()), "run_ranks")
        has_paths = np.repeat(path_counts > 0, blocks)
        self._check(bool(((run_counts > 0) == has_paths).all()), "run_counts")
        self._check(self._legs_lead_to_representatives(reps, firsts, leg_ends), "legs")
        tables = {
            "columns": columns,
            "run_starts": run_starts,
            "first_codes": np.concatenate([[0], ends])[firsts[:-1]],
            "first_legs": leg_ends[firsts[:-1]],
        }
        return {name: array.astype(np.int32) for name, array in tables.items()} | {
            "run_columns": self.arrays["run_columns"].astype(np.uint16),
            "run_ranks": self.arrays["run_ranks"].astype(np.uint16),
        }

    def _legs_lead_to_representatives(
        self, reps: npt.NDArray[np.int32], firsts: npt.NDArray[np.int64], leg_ends: npt.NDArray[np.int64]
    ) -> bool:
        """Whether every leg ends on an open cell, and every path on a representative that it does not begin from."""
        legs = self.arrays["legs"].astype(np.int64)
        if not len(legs):
            return True
        counts = np.diff(leg_ends)
        if (counts == 0).any():
            return False
        start = np.repeat(reps.astype(np.int64), np.diff(firsts))
        y, x = np.divmod(np.repeat(start, counts), self.grid.stride)
        walked = np.cumsum(legs, axis=0)
        walked -= np.repeat(np.concatenate([[[0, 0]], walked])[leg_ends[:-1]], counts, axis=0)
        x, y = x + walked[:, 0], y + walked[:, 1]
        inside = (x > 0) & (x <= self.grid.width) & (y > 0) & (y <= self.grid.height)
        cells = np.where(inside, y * self.grid.stride + x, 0)
        ends = cells[leg_ends[1:] - 1]
        return bool((self.grid.component[cells] != 0).all() and np.isin(ends, reps).all() and (ends != start).all())

    @staticmethod
    def _check(holds: bool, name: str) -> None:
        if not holds:
            raise IndexFileError(f"{name} of the index do not fit the map and the other arrays; build the index again")


class Most(NamedTuple):
    """The most that kernels look at, for the promise about work."""

    probes_per_hop: int
    regions_per_sector: int


class SectorPaths(RegionPaths):
    """Regions of square sectors: what DBA* knows (Lee, Lawrence 2013; algorithms 12)."""

    @classmethod
    def partition(cls, grid: Grid, params: Mapping[str, Any]) -> Partition:
        """Cut a map into sectors, and those into what hangs together."""
        side = int(params["sector"])
        firsts, reps, region_of = sectors.partition(grid.mask, grid.component, grid.stride, side)
        counts, places = sectors.pack(firsts, reps, grid.stride, side)
        return Partition(*_read_only(reps, region_of), {"counts": counts, "places": places})

    def _read_partition(self) -> dict[str, npt.NDArray[Any]]:
        side = int(self.params["sector"])
        across, down = (-(-length // side) for length in (self.grid.width, self.grid.height))
        self._check(set(self.arrays) == {"counts", "places", "legs", *_PATHS}, "arrays")
        counts, places = self.arrays["counts"], self.arrays["places"]
        self._check(counts.dtype.kind == places.dtype.kind == "u" and counts.size == across * down, "counts")
        self._check(int(counts.sum(dtype=np.int64)) == places.size > 0, "places")
        self._check(bool((places < side * side).all()), "places")
        firsts, reps = sectors.unpack(counts, places, self.grid.stride, side)
        inside = (reps % self.grid.stride <= self.grid.width) & (reps // self.grid.stride <= self.grid.height)
        self._check(bool(inside.all() and (self.grid.component[reps] != 0).all()), "places")
        return {"firsts": firsts, "reps": reps, "tile_runs": _NONE, "run_regions": _NONE, "run_places": _NO_PLACES}


class ClimbRegionPaths(RegionPaths):
    """Regions whose cells climb to a seed and back: what HCDPS knows (Lawrence, Bulitko 2010; algorithms 11)."""

    @classmethod
    def partition(cls, grid: Grid, params: Mapping[str, Any]) -> Partition:
        """Grow regions from seeds on a lattice, then from whatever is left."""
        rules = grid.stride, *grid.costs[:2], int(params["spacing"]), int(params["cutoff"])
        reps, region_of = climb_regions.partition(grid.mask, grid.component, grid.climb_table, *rules)
        reps, region_of = _read_only(reps, region_of)
        names = ("tile_counts", "run_places", "run_regions")
        stored = dict(zip(names, region_runs.pack(*region_runs.encode(region_of, grid.stride)), strict=True))
        return Partition(reps, region_of, stored | {"reps": reps.astype(np.uint32)})

    def _read_partition(self) -> dict[str, npt.NDArray[Any]]:
        names = ("tile_counts", "run_places", "run_regions", "reps")
        self._check(set(self.arrays) == {*names, "legs", *_PATHS}, "arrays")
        counts, places, regions, reps = (self.arrays[name] for name in names)
        self._check(all(self.arrays[name].dtype.kind == "u" and self.arrays[name].ndim == 1 for name in names), "arrays")
        self._check(counts.size == region_runs.tile_count(self.grid.width, self.grid.height), "tile_counts")
        runs = int(counts.sum(dtype=np.int64))
        self._check(places.dtype == np.uint8 and runs == places.size == regions.size > 0, "run_places")
        self._check(places[0] == 0 and bool((regions < reps.size).all()), "run_regions")
        self._check(bool((reps < self.grid.component.size).all()) and bool((self.grid.component[reps] != 0).all()), "reps")
        tile_runs, _, _ = region_runs.unpack(counts, places, regions)
        tables = {"firsts": _NONE, "reps": reps, "tile_runs": tile_runs, "run_regions": regions}
        return {name: array.astype(np.int32) for name, array in tables.items()} | {"run_places": places}


_NONE, _NO_PLACES = np.empty(0, np.int32), np.empty(0, np.uint8)
_MOST_RUNS_OF_A_TILE = 10


def _paths(
    grid: Grid, reps: npt.NDArray[np.int32], near: tuple[npt.NDArray[Any], ...], works: Works
) -> tuple[npt.NDArray[Any], ...]:
    """Costs and leg counts of all paths, and their legs."""
    scratch = local()

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        if not hasattr(scratch, "node"):
            scratch.node = np.zeros(grid.mask.size, np.int64)
        rules = grid.stride, *grid.costs[:2]
        made: tuple[npt.NDArray[Any], ...] = region_paths.paths(
            grid.mask, grid.climb_table, *rules, reps, *near, climb.EXACT, first, last, scratch.node
        )
        return made

    return tuple(np.concatenate(column) for column in zip(*works.parts("paths", reps.size, make), strict=True))


def _needed(
    starts: npt.NDArray[np.int64],
    neighbours: npt.NDArray[np.int32],
    costs: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    legs: npt.NDArray[np.int8],
) -> tuple[npt.NDArray[Any], ...]:
    """Those of the paths that two others do not replace: starts, neighbours, costs and leg counts of them, and legs."""
    (costs,) = _read_only(costs)
    keep = optimal_hops.needed(starts, neighbours, costs, 0, starts.size - 1)
    kept = np.concatenate([[0], np.cumsum(keep)])[starts]
    return *_read_only(kept, neighbours[keep], costs[keep]), counts[keep], legs[np.repeat(keep, counts)]


def _rows(
    starts: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32], costs: npt.NDArray[np.int32], works: Works
) -> tuple[tuple[npt.NDArray[Any], ...], npt.NDArray[np.int32]]:
    """Rows of next hops: runs of each block, their columns and ranks; and the column of every region."""
    regions = starts.size - 1
    graph = starts, neighbours, costs
    (order,) = _read_only(column_order.depth_first(*graph))
    if regions <= column_order.MOST_REGIONS:
        distance, sets = _read_only(*optimal_hops.hop_sets(*graph, 0, regions))
        (order,) = _read_only(column_order.shortened(order, distance, starts, neighbours))
        return next_hops.rows(distance, sets, order, next_hops.BLOCK_SHIFT, 0), order

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        distance, sets = _read_only(*optimal_hops.hop_sets(*graph, first, last))
        made: tuple[npt.NDArray[Any], ...] = next_hops.rows(distance, sets, order, next_hops.BLOCK_SHIFT, first)
        return made

    parts = works.parts("next hops", regions, make)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True)), order


def smallest(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers from 0 in as few bytes each as hold them all."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


def _read_only(*arrays: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    for array in arrays:
        array.setflags(write=False)
    return arrays
