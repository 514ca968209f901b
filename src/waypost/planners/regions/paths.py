"""Paths between regions and which to take first, computed for an index of regions (algorithms 11.2, 12.1, 12.3)."""

from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import WaypostError
from waypost.indexes.base import read_only
from waypost.indexes.building import Arrays, Works, are_just
from waypost.kernels import climb
from waypost.planners.cuts.kernels.graph import adjacency, neighbourhoods
from waypost.planners.regions.kernels import column_order, hop_sets, next_hops, paths
from waypost.planners.walking.kernels.legs import count_codes
from waypost.world.grid import Grid

__all__ = ["hops"]

_MOST_WITH_ALL_PAIRS = 1 << 14  # regions, a quarter of what a run's column could count: paths take gigabytes then


def hops(
    grid: Grid, reps: npt.NDArray[np.int32], region_of: npt.NDArray[np.int32], depth: int, works: Works
) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.int8]]:
    """What is stored of paths to the regions within `depth` hops and of next hops, and the legs of all paths.

    A depth of 0 means paths between all pairs of regions.
    """
    if depth == 0:
        starts, neighbours = _all_pairs(grid, reps)
    else:
        starts, neighbours = read_only(*adjacency(grid.mask, region_of, grid.stride, reps.size))
    if depth > 1:
        starts, neighbours = read_only(*neighbourhoods(starts, neighbours, depth))
    costs, counts, legs = _paths(grid, reps, starts, neighbours, works)
    if depth == 0:
        (run_counts, run_columns, run_ranks), order = _direct_rows(starts, neighbours)
    else:
        starts, neighbours, costs, counts, legs = _needed(starts, neighbours, costs, counts, legs)
        (run_counts, run_columns, run_ranks), order = _rows(starts, neighbours, costs, works)
    numbers = {
        "columns": order,
        "run_counts": run_counts,
        "run_columns": run_columns,
        "run_ranks": run_ranks,
        "path_counts": np.diff(starts),
        "codes": count_codes(counts),
    }
    return numbers, legs


def _paths(
    grid: Grid,
    reps: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    neighbours: npt.NDArray[np.int32],
    works: Works,
) -> tuple[npt.NDArray[Any], ...]:
    """Costs and leg counts of all paths, and their legs."""
    scratch = local()

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        if not hasattr(scratch, "node"):
            scratch.node = np.zeros(grid.mask.size, np.int64)
        world = grid.mask, grid.climb_table, grid.stride, grid.costs.straight, grid.costs.diagonal
        made: tuple[npt.NDArray[Any], ...] = paths.paths(
            *world, reps, starts, neighbours, climb.EXACT, first, last, scratch.node
        )
        return made

    def fits(first: int, last: int, found: Arrays) -> bool:
        items = (int(starts[last] - starts[first]),)
        legs = (int(found[1].sum()), 2)
        return are_just(found, (np.int32, items), (np.int32, items), (np.int8, legs)) and are_costs(*found[:2])

    def are_costs(costs: npt.NDArray[np.int32], counts: npt.NDArray[np.int32]) -> bool:
        """Whether they are of paths of so many legs: they decide how many buckets `hop_sets` has."""
        most = counts.astype(np.int64) * (paths.SPAN * grid.costs.diagonal)
        return bool(((costs == paths.NO_PATH) | (costs >= grid.costs.straight)).all() and (costs <= most).all())

    parts = works.parts("paths", reps.size, make, fits=fits)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _all_pairs(grid: Grid, reps: npt.NDArray[np.int32]) -> tuple[npt.NDArray[Any], ...]:
    """For each region, all others of its component: starts and neighbours."""
    if reps.size > _MOST_WITH_ALL_PAIRS:
        raise WaypostError(
            f"paths between all pairs of {reps.size:,} regions are too many; choose a depth from 1 on or larger regions"
        )
    component = grid.component[reps]
    is_other = (component[:, None] == component) & ~np.eye(reps.size, dtype=bool)
    neighbours = np.nonzero(is_other)[1].astype(np.int32)
    return read_only(np.concatenate([[0], np.cumsum(is_other.sum(axis=1))]), neighbours)


def _direct_rows(
    starts: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32]
) -> tuple[tuple[npt.NDArray[Any], ...], npt.NDArray[np.int32]]:
    """Rows of next hops where each region has a path to every other: a run for each, columns in plain order."""
    counts = np.diff(starts)
    columns = neighbours.copy()
    columns[starts[:-1][counts > 0]] = 0  # the first run of a row takes what stands before it along
    return (counts, columns, np.arange(neighbours.size) - np.repeat(starts[:-1], counts)), np.arange(
        counts.size, dtype=np.int32
    )


def _needed(
    starts: npt.NDArray[np.int64],
    neighbours: npt.NDArray[np.int32],
    costs: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    legs: npt.NDArray[np.int8],
) -> tuple[npt.NDArray[Any], ...]:
    """Those of the paths that two others do not replace: starts, neighbours, costs and leg counts of them, and legs."""
    (costs,) = read_only(costs)
    keep = hop_sets.needed(starts, neighbours, costs, 0, starts.size - 1)
    kept = np.concatenate([[0], np.cumsum(keep)])[starts]
    return *read_only(kept, neighbours[keep], costs[keep]), counts[keep], legs[np.repeat(keep, counts)]


def _rows(
    starts: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32], costs: npt.NDArray[np.int32], works: Works
) -> tuple[tuple[npt.NDArray[Any], ...], npt.NDArray[np.int32]]:
    """Rows of next hops: runs of each block, their columns and ranks; and the column of every region."""
    regions = starts.size - 1
    graph = starts, neighbours, costs
    (order,) = read_only(column_order.depth_first(*graph))
    if regions <= column_order.MOST_REGIONS:
        distance, sets = read_only(*hop_sets.hop_sets(*graph, 0, regions))
        (order,) = read_only(column_order.shortened(order, distance, starts, neighbours))
        return next_hops.rows(distance, sets, order, next_hops.BLOCK_SHIFT, 0), order

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        distance, sets = read_only(*hop_sets.hop_sets(*graph, first, last))
        made: tuple[npt.NDArray[Any], ...] = next_hops.rows(distance, sets, order, next_hops.BLOCK_SHIFT, first)
        return made

    parts = works.parts("next hops", regions, make)
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True)), order
