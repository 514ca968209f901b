"""Regions of a map and the paths between them: the databases of DBA* and HCDPS (algorithms 11, 12).

A map is cut into regions, each with a representative. Stored are optimal paths, pressed into legs, from each
representative to those within some hops; and for every pair of regions, which of these paths to take first.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import SMALLEST, Index, Regions, read_only, require, smallest
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.planners.cuts import cell_map
from waypost.planners.cuts.kernels import climb_regions, graph, sectors
from waypost.planners.regions.kernels import next_hops
from waypost.planners.regions.kernels.database import Database
from waypost.planners.regions.paths import hops
from waypost.planners.walking.kernels.legs import MORE, counts_of
from waypost.world.grid import Grid

__all__ = ["ClimbRegionPaths", "Partition", "RegionPaths", "SectorPaths"]

_SECTOR_BYTES = Growth(950.0, open_cells=0.21, corners=0.82, params={"side": -1.63, "depth": 0.32})
_SECTOR_SECONDS = Growth(5.5e-4, corners=0.97, params={"side": -1.09})
_CLIMB_BYTES = Growth(33.0, open_cells=0.59, corners=0.48, params={"spacing": -0.58, "depth": 0.21})
_CLIMB_SECONDS = Growth(2.7e-8, open_cells=1.38, params={"spacing": -0.59, "depth": 0.45})
_TO_ALL = 8  # paths to all regions take about as much as those over so many hops

_PATHS: dict[str, tuple[npt.DTypeLike, int]] = {
    **dict.fromkeys(("columns", "run_counts", "run_columns", "run_ranks", "path_counts", "codes"), (SMALLEST, 1)),
    "legs": (np.int8, 2),
}
"""What is stored of paths and next hops: dtypes and numbers of dimensions."""
_TABLES = ("firsts", "reps", "columns", "run_starts", "first_codes", "first_legs", "tile_runs", "run_regions")
"""Those of int32 that kernels find in one array, each from where the field of `Database` says that has its name."""


class Partition(NamedTuple):
    """How a map is cut: the representatives, the region of each cell (-1 on walls), and what is stored of it."""

    reps: npt.NDArray[np.int32]
    region_of: npt.NDArray[np.int32]
    stored: dict[str, npt.NDArray[Any]]


class RegionPaths(Index):
    """Regions and the paths between them; how the map is cut is up to the subclass."""

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.params = dict(params)

    @classmethod
    @abstractmethod
    def partition(cls, grid: Grid, params: Mapping[str, Any]) -> Partition:
        """Cut a map into regions."""

    @abstractmethod
    def _read_partition(self) -> dict[str, npt.NDArray[Any]]:
        """The tables of how the map is cut, `reps` among them, after a check of what is stored.

        Every open cell is then in a region, whose representative is in the same part of the map, and stands for it.
        """

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Cut the map, find the paths, and which of them to take first for every pair of regions."""
        reps, region_of, stored = cls.partition(grid, params)
        numbers, legs = hops(grid, reps, region_of, int(params["depth"]), works)
        arrays = {name: smallest(array) for name, array in (stored | numbers).items()} | {"legs": legs}
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
        return 0

    @property
    def states(self) -> int:
        """Representatives and the ends of all legs."""
        return int(self.tables["reps"].size + len(self.arrays["legs"]))

    @cached_property
    def tables(self) -> dict[str, npt.NDArray[Any]]:
        """What kernels read: the stored arrays spread out."""
        cut = self._read_partition()
        return cut | self._read_paths(cut["reps"])

    @cached_property
    def database(self) -> Database:
        """The tables as kernels read them, shared by all agents."""
        tables = [self.tables[name] for name in _TABLES]
        begins = _ends([table.size for table in tables]).tolist()
        numbers, columns, ranks, codes, legs, places = read_only(
            np.concatenate(tables),
            self.tables["run_columns"],
            self.tables["run_ranks"],
            self.arrays["codes"],
            self.arrays["legs"],
            self.tables["run_places"],
        )
        return Database(
            numbers=numbers,
            run_columns=columns,
            run_ranks=ranks,
            codes=codes,
            legs=legs,
            run_places=places,
            **dict(zip(_TABLES, begins, strict=False)),
            blocks=_blocks(self.tables["reps"].size),
            side=self.side,
            sectors_across=-(-self.grid.width // self.side) if self.side else 0,
        )

    @cached_property
    def most(self) -> "Most":
        """What the largest hop and the fullest sector take to look at."""
        codes, runs = self.arrays["codes"], np.diff(self.tables["run_starts"])
        bytes_of_regions = np.diff(self.tables["first_codes"], append=codes.size)
        legs = self.leg_counts()
        looks = int(runs.max()).bit_length() + bytes_of_regions.max() + legs.max(initial=0)
        regions = int(np.diff(self.tables["firsts"]).max(initial=0))
        return Most(probes_per_hop=int(looks) + regions + cell_map.MOST_PROBES, regions_per_sector=regions)

    def regions(self) -> Regions:
        """Which cell is in which region, found out again, and which of them touch."""
        reps, region_of, _ = self.partition(self.grid, self.params)
        starts, neighbours = graph.adjacency(self.grid.mask, region_of, self.grid.stride, reps.size)
        owners = np.repeat(np.arange(reps.size, dtype=np.int32), np.diff(starts))
        return Regions(region_of, reps, np.stack([owners, neighbours], axis=1)[owners < neighbours])

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """The first hop of every region towards a goal's, leg by leg, and the way from there to the goal."""
        goal = self.grid.checked_cell(goal)
        tables, reps = self.tables, self.tables["reps"]
        own = int(self.partition(self.grid, self.params).region_of[goal])
        component, firsts = self.grid.component, self._first_paths()
        starts, columns, ranks = read_only(tables["run_starts"], tables["run_columns"], tables["run_ranks"])
        column, blocks = int(tables["columns"][own]), _blocks(reps.size)
        found = [np.array([[reps[own], goal]], np.int32)]
        for region in np.flatnonzero(component[reps] == component[goal]).tolist():
            if region != own:
                rank, _ = next_hops.next_hop(starts, columns, ranks, next_hops.BLOCK_SHIFT, blocks, region, column)
                found.append(self._legs_of(region, int(firsts[region]) + rank))
        return np.concatenate(found)

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """All paths that are stored of a cell's region, leg by leg."""
        region = int(self.partition(self.grid, self.params).region_of[self.grid.checked_cell(cell)])
        first, last = self._first_paths()[region : region + 2].tolist()
        found = [self._legs_of(region, path) for path in range(first, last)]
        return np.concatenate([np.empty((0, 2), np.int32), *found])

    def _first_paths(self) -> npt.NDArray[np.int64]:
        """The number of each region's first path, and of all paths."""
        return _ends(self.arrays["path_counts"])

    def _legs_of(self, region: int, path: int) -> npt.NDArray[np.int32]:
        """The legs of a region's path as rows of two cells."""
        first, last = _ends(self.leg_counts())[path : path + 2]
        steps = self.arrays["legs"][first:last].astype(np.int64) @ np.array([1, self.grid.stride])
        cells = np.cumsum([self.tables["reps"][region], *steps])
        return np.stack([cells[:-1], cells[1:]], axis=1).astype(np.int32)

    def leg_counts(self) -> npt.NDArray[np.int64]:
        """Legs of every path."""
        counts: npt.NDArray[np.int64] = counts_of(self.arrays["codes"])
        return counts

    def _read_paths(self, reps: npt.NDArray[np.int32]) -> dict[str, npt.NDArray[Any]]:
        """Tables of paths and next hops, after a check that every hop that can be asked for leads somewhere."""
        names = ("columns", "path_counts", "run_counts", "codes", "run_columns", "run_ranks")
        columns, path_counts, run_counts, codes, run_columns, ranks = (self.arrays[name] for name in names)
        self._check(codes.dtype == np.uint8, "codes")
        self._check(max(run_columns.itemsize, ranks.itemsize) <= np.dtype(np.uint16).itemsize, "run_columns")
        ends = np.flatnonzero(codes != MORE) + 1
        firsts, run_starts, leg_ends = (_ends(counts) for counts in (path_counts, run_counts, self.leg_counts()))
        self._check(np.array_equal(np.sort(columns), np.arange(reps.size)), "columns")
        self._check(path_counts.size == reps.size and firsts[-1] == ends.size, "path_counts")
        self._check(codes.size == ends.max(initial=0), "codes")
        self._check(bool((np.diff(leg_ends) > 0).all()) and self.arrays["legs"].shape == (leg_ends[-1], 2), "legs")
        self._check(bool(self.arrays["legs"].any(axis=1).all()), "legs")
        self._check(self._legs_lead_to_representatives(reps, firsts, leg_ends), "legs")
        self._check(run_starts[-1] == run_columns.size == ranks.size, "run_columns")
        self._check(self._runs_are_where_asked_for(reps), "run_counts")
        runs_of_rows = run_counts.reshape(reps.size, -1).sum(axis=1, dtype=np.int64)
        self._check(bool((ranks < np.repeat(path_counts, runs_of_rows)).all()), "run_ranks")
        tables = {
            "columns": columns,
            "run_starts": run_starts,
            "first_codes": np.concatenate([[0], ends])[firsts[:-1]],
            "first_legs": leg_ends[firsts[:-1]],
        }
        return {name: array.astype(np.int32) for name, array in tables.items()} | {
            "run_columns": run_columns.astype(np.uint16),
            "run_ranks": ranks.astype(np.uint16),
        }

    def _runs_are_where_asked_for(self, reps: npt.NDArray[np.int32]) -> bool:
        """Whether a row has runs in just those blocks of columns that hold another region of the same part."""
        blocks = _blocks(reps.size)
        counts = self.arrays["run_counts"]
        if counts.size != reps.size * blocks:
            return False
        part, block = self.grid.component[reps], self.arrays["columns"] >> next_hops.BLOCK_SHIFT
        regions = np.zeros((int(part.max()) + 1, blocks), np.int64)
        np.add.at(regions, (part, block), 1)
        others = regions[part]
        others[np.arange(reps.size), block] -= 1
        return np.array_equal(counts.reshape(others.shape) > 0, others > 0)

    def _legs_lead_to_representatives(
        self, reps: npt.NDArray[np.int32], firsts: npt.NDArray[np.int64], leg_ends: npt.NDArray[np.int64]
    ) -> bool:
        """Whether every leg ends on an open cell, and every path on another representative of the same part."""
        counts = np.diff(leg_ends)
        start = np.repeat(reps.astype(np.int64), np.diff(firsts))
        y, x = np.divmod(np.repeat(start, counts), self.grid.stride)
        walked = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(self.arrays["legs"], axis=0, dtype=np.int64)])
        walked = walked[1:] - np.repeat(walked[leg_ends[:-1]], counts, axis=0)
        x, y = x + walked[:, 0], y + walked[:, 1]
        inside = (x > 0) & (x <= self.grid.width) & (y > 0) & (y <= self.grid.height)
        cells = np.where(inside, y * self.grid.stride + x, 0)
        ends = cells[leg_ends[1:] - 1]
        part = self.grid.component
        is_other = (ends != start) & (part[ends] == part[start]) & np.isin(ends, reps)
        return bool((part[cells] != 0).all() and is_other.all())

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

    @property
    def side(self) -> int:
        """Cells along a sector's side."""
        return _side(self.grid.open_count, self.params)

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the corners around which regions meet, and the side of sectors."""
        known = {"side": _side(shape.open_cells, params), "depth": int(params["depth"]) or _TO_ALL}
        return Forecast(_SECTOR_BYTES.of(shape, known), _SECTOR_SECONDS.of(shape, known))

    @classmethod
    def partition(cls, grid: Grid, params: Mapping[str, Any]) -> Partition:
        """Cut a map into sectors, and those into what hangs together."""
        side = _side(grid.open_count, params)
        firsts, reps, region_of = sectors.partition(grid.mask, grid.component, grid.stride, side)
        counts, places = sectors.pack(firsts, reps, grid.stride, side)
        reps, region_of = read_only(reps, region_of)
        return Partition(reps, region_of, {"counts": counts, "places": places})

    def _read_partition(self) -> dict[str, npt.NDArray[Any]]:
        require(self.arrays, {**_PATHS, "counts": (SMALLEST, 1), "places": (SMALLEST, 1)})
        counts, places = self.arrays["counts"], self.arrays["places"]
        # To cut the map again takes a millisecond or two; nothing less shows that no cell is without a region.
        expected = self.partition(self.grid, self.params).stored
        self._check(np.array_equal(counts, expected["counts"]), "counts")
        self._check(np.array_equal(places, expected["places"]), "places")
        firsts, reps = sectors.unpack(counts, places, self.grid.stride, self.side)
        return {"firsts": firsts, "reps": reps, "tile_runs": _NONE, "run_regions": _NONE, "run_places": _NO_PLACES}


def _side(open_count: int, params: Mapping[str, Any]) -> int:
    """Cells along a sector's side: as asked for, or such that there are some hundreds or thousands of regions."""
    by_size = (side for open_cells, side in _SIDES if open_count <= open_cells)
    return int(params["sector"]) or next(by_size, _LARGEST_SIDE)


class ClimbRegionPaths(RegionPaths):
    """Regions whose cells climb to a seed and back: what HCDPS knows (Lawrence, Bulitko 2010; algorithms 11)."""

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the cells that are grown over, and the corners at which climbs end."""
        known = {"spacing": int(params["spacing"]), "depth": int(params["depth"]) or _TO_ALL}
        return Forecast(_CLIMB_BYTES.of(shape, known), _CLIMB_SECONDS.of(shape, known))

    @classmethod
    def partition(cls, grid: Grid, params: Mapping[str, Any]) -> Partition:
        """Grow regions from seeds on a lattice, then from whatever is left."""
        rules = grid.stride, *grid.costs[:2], int(params["spacing"]), int(params["cutoff"])
        reps, region_of = climb_regions.partition(grid.mask, grid.component, grid.climb_table, *rules)
        reps, region_of = read_only(reps, region_of)
        return Partition(reps, region_of, cell_map.packed(grid, region_of) | {"reps": reps.astype(np.uint32)})

    def _read_partition(self) -> dict[str, npt.NDArray[Any]]:
        require(self.arrays, {**_PATHS, **cell_map.CELL_MAP, "reps": (SMALLEST, 1)})
        reps, part = self.arrays["reps"], self.grid.component
        self._check(bool((reps < part.size).all()) and bool((part[reps] != 0).all()), "reps")
        runs, region_of = cell_map.unpacked(self.grid, self.arrays, reps.size)
        is_open = part != 0
        self._check(np.array_equal(part[reps[region_of[is_open]]], part[is_open]), "run_regions")
        self._check(np.array_equal(region_of[reps], np.arange(reps.size)), "reps")
        tables = {"firsts": _NONE, "reps": reps.astype(np.int32), "tile_runs": runs.tile_runs}
        return tables | {"run_regions": runs.regions, "run_places": runs.places}


# Sides of sectors for maps of up to so many open cells: small ones walk better, and small maps can afford them.
_SIDES = ((3 << 12, 4), (1 << 15, 8), (1 << 19, 16), (1 << 22, 32), (1 << 25, 64))
_LARGEST_SIDE = 128
_NONE, _NO_PLACES = np.empty(0, np.int32), np.empty(0, np.uint8)


def _blocks(regions: int) -> int:
    """Blocks of columns that a row of next hops has."""
    return (regions - 1 >> next_hops.BLOCK_SHIFT) + 1


def _ends(counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Where each of several lists ends that follow one another, after a 0."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
