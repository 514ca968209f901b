"""Which region every cell is in, as it is stored: runs of equal ones (algorithms 11.4)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import SMALLEST, read_only, smallest
from waypost.indexes.ranges import check_fit
from waypost.planners.cuts.kernels import cell_map
from waypost.planners.cuts.kernels.cell_map import CellMap
from waypost.world.grid import Grid

__all__ = ["CELL_MAP", "MOST_PROBES", "packed", "unpacked"]

_NAMES = ("tile_counts", "run_places", "run_regions")
CELL_MAP: dict[str, tuple[npt.DTypeLike, int]] = dict.fromkeys(_NAMES, (SMALLEST, 1))
"""What is stored: names, dtypes and numbers of dimensions."""
MOST_PROBES = 10
"""The most runs that a look into a map takes."""


def packed(grid: Grid, region_of: npt.NDArray[np.int32]) -> dict[str, npt.NDArray[Any]]:
    """What is stored of a map of regions."""
    stored = cell_map.pack(*cell_map.encode(region_of, grid.stride))
    return {name: smallest(array) for name, array in zip(_NAMES, stored, strict=True)}


def unpacked(grid: Grid, arrays: Mapping[str, npt.NDArray[Any]], regions: int) -> tuple[CellMap, npt.NDArray[np.int32]]:
    """What kernels look up, after a check; and the map, -1 on walls, of so many regions."""
    counts, places, run_regions = (arrays[name] for name in _NAMES)
    # A run before any place that can be looked up, in the first tile and so in all.
    check_fit(counts.size == cell_map.tile_count(grid.width, grid.height), "tile_counts")
    check_fit(counts[0] > 0 and counts.sum(dtype=np.int64) == places.size == run_regions.size, "tile_counts")
    check_fit(places.dtype == np.uint8 and places[0] == 0, "run_places")
    check_fit(bool((run_regions < regions).all()), "run_regions")
    tile_runs, _, _ = cell_map.unpack(counts, places, run_regions)
    runs = CellMap(tile_runs=tile_runs.astype(np.int32), places=places, regions=run_regions.astype(np.int32))
    read_only(*runs)
    region_of = cell_map.decode(runs.tile_runs, runs.places, runs.regions, grid.component, grid.stride)
    return runs, region_of
