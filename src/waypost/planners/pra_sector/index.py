"""Regions of square sectors and which of them touch: all that PRA* of Dragon Age stores (Sturtevant 2007)."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, ParameterError
from waypost.indexes.base import Index, Regions, require
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.planners.cuts.kernels import graph, sectors
from waypost.planners.pra_sector.kernels import edges, route
from waypost.world.grid import Grid

__all__ = ["SectorGraph"]

_MOST_REGIONS = 1 << route.REGION_BITS


_BYTES = Growth(3050.0, corners=0.76, params={"sector": -1.54})
_SECONDS = Growth(1e-7, open_cells=1.0)


class SectorGraph(Index):
    """Regions of each sector, the place of each one's representative, and its edges; not which cell is in which region.

    What kernels read is spread out when the index is made: the attributes below.
    """

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.side = int(params["sector"])
        self.across, down = (-(-length // self.side) for length in (grid.width, grid.height))
        counts, places = self._checked_counts(self.across * down)
        firsts, reps = sectors.unpack(counts, places, grid.stride, self.side)
        self._check(bool((reps % grid.stride <= grid.width).all() and reps.max() < grid.component.size), "places")
        self._check(bool((grid.component[reps] != 0).all()), "places")
        edge_counts = self.arrays["edge_counts"].astype(np.int32)
        self._check(edge_counts.size == reps.size, "edge_counts")
        sector_of = _sector_of(firsts)
        starts, neighbours = edges.unpack(firsts, sector_of, edge_counts, self.arrays["edges"], self.across)
        self._check(starts.size == reps.size + 1, "edges")
        self.firsts, self.reps = firsts, reps
        """The first region of each sector, with one more at the end, and the representative of each region (int32)."""
        self.points = grid.xys(reps)
        """Where the representatives are: (n, 2) int32."""
        self.starts, self.neighbours = starts, neighbours
        """Neighbours of region r: neighbours[starts[r] : starts[r + 1]], ascending (int64, int32)."""
        for array in (firsts, reps, self.points, starts, neighbours):
            array.setflags(write=False)

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the corners around which regions meet, and the side of sectors."""
        return Forecast(_BYTES.of(shape, params), _SECONDS.of(shape))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Cut the map, find out which regions touch, and pack that."""
        side = int(params["sector"])
        across = -(-grid.width // side)
        firsts, reps, region_of = sectors.partition(grid.mask, grid.component, grid.stride, side)
        if reps.size > _MOST_REGIONS:
            raise ParameterError(
                f"sectors of {side} x {side} cells cut this map into {reps.size:,} regions, and {_MOST_REGIONS:,} "
                "are supported; take larger sectors"
            )
        region_of.setflags(write=False)
        starts, neighbours = graph.adjacency(grid.mask, region_of, grid.stride, reps.size)
        sector_of = _sector_of(firsts)

        def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
            made: tuple[npt.NDArray[Any], ...] = edges.pack(firsts, sector_of, starts, neighbours, across, first, last)
            return made

        edge_counts, packed = map(np.concatenate, zip(*works.parts("edges", reps.size, make), strict=True))
        counts, places = sectors.pack(firsts, reps, grid.stride, side)
        arrays = {
            "counts": counts,
            "places": places,
            "edge_counts": edge_counts.astype(_count_type(side)),
            "edges": packed,
        }
        return cls.from_arrays(grid, params, arrays)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        small = _count_type(int(params["sector"]))
        wanted = {"counts": small, "places": small, "edge_counts": small, "edges": np.uint8}
        require(arrays, {name: (dtype, 1) for name, dtype in wanted.items()})
        return cls(grid, params, arrays)

    @property
    def states(self) -> int:
        """Representatives."""
        return int(self.reps.size)

    def regions(self) -> Regions:
        """Which cell is in which region, found out again, and which of them touch."""
        _, _, region_of = sectors.partition(self.grid.mask, self.grid.component, self.grid.stride, self.side)
        owners = np.repeat(np.arange(self.reps.size, dtype=np.int32), np.diff(self.starts))
        pairs = np.stack([owners, self.neighbours], axis=1)
        return Regions(region_of, self.reps, pairs[owners < self.neighbours])

    def _checked_counts(self, sector_count: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Regions of each sector and places of representatives: as many as fit, and some wherever a cell is open."""
        counts, places = self.arrays["counts"], self.arrays["places"]
        self._check(counts.size == sector_count, "counts")
        self._check(0 < places.size <= _MOST_REGIONS and int(counts.sum(dtype=np.int64)) == places.size, "places")
        self._check(int(places.max()) < self.side * self.side, "places")
        y, x = np.divmod(np.flatnonzero(self.grid.component), self.grid.stride)
        used = np.zeros(sector_count, bool)
        used[(y - 1) // self.side * self.across + (x - 1) // self.side] = True
        self._check(bool((used == (counts > 0)).all()), "counts")
        return counts, places

    @staticmethod
    def _check(holds: bool, name: str) -> None:
        if not holds:
            raise IndexFileError(f"{name} of the index do not fit the map and the other arrays; build the index again")


def _count_type(side: int) -> type[np.unsignedinteger[Any]]:
    """What counts of a sector are stored as: two bytes from where a sector can have more than 255 of anything."""
    return np.uint8 if side <= sectors.MOST_IN_A_BYTE else np.uint16


def _sector_of(firsts: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The sector of each region."""
    return np.repeat(np.arange(firsts.size - 1, dtype=np.int32), np.diff(firsts))
