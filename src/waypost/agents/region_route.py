"""The route of regions: hop by hop along stored paths (HCDPS and DBA*; algorithms 11.3, 12.2)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import Index, read_only
from waypost.indexes.regions import RegionPaths
from waypost.kernels import (
    in_sector,
    next_hops,
    region_hops,
    region_troop,
    region_walk,
    route_points,
    tried,
    troop,
    walk,
)
from waypost.troop import Int32, Lists, Shared

__all__ = ["RegionRoute"]

_ANYWHERE = 1 << 62
_ONE_MOVE = 1 + region_walk.COUNTERS  # entries of a log
_TRIED = 1 << 15  # entries of the table of what many walkers have tried; more would leave the cache
_ENTRY_HOPS = 3  # within so many hops of the goal it is settled by which region to come there


class RegionRoute:
    """Walks from region to region. `ahead` points are tried by climbs of at most `limit` steps; 0: none, as published.

    `direct`: 1 tries a climb to the goal first, 2 takes it though it be a detour. `entries`: 1 chooses by which of
    the regions around the goal to come there.
    """

    kernel = "region_walk.walk"
    learns = False

    def __init__(
        self, grid: Grid, index: RegionPaths, *, ahead: int = 4, limit: int = 250, direct: int = 1, entries: int = 0
    ) -> None:
        self._grid = grid
        tables, side, depth = index.tables, index.side, int(index.params["depth"])
        straight, diagonal, _ = grid.costs
        numbers, offsets = index.numbers
        # With paths to all regions one hop is enough from anywhere.
        reach = (_ENTRY_HOPS * depth * side * straight if depth else _ANYWHERE) if entries else 0
        blocks = (tables["reps"].size - 1 >> next_hops.BLOCK_SHIFT) + 1
        across = -(-grid.width // side) if side else 0
        settings = (grid.stride, straight, diagonal, ahead, limit, direct, side, across, blocks, reach, *offsets)
        runs, paths = (tables["run_columns"], tables["run_ranks"]), (index.arrays["codes"], index.arrays["legs"])
        database = read_only(grid.mask, grid.climb_table, numbers, *runs, *paths, tables["run_places"])
        self._walk: Callable[..., int] = partial(region_walk.walk, *database)
        self._choose_targets: Callable[..., int] = partial(region_troop.choose_targets, *database)
        self._climb_on: Callable[..., int] = partial(walk.climb_on, grid.mask, grid.climb_table, grid.stride)
        self._ground = grid.mask, grid.climb_table, grid.stride
        self._side, self._settings = side, np.array(settings, np.int64)
        self.slots = route_points.POINTS - walk.SLOTS + max(ahead, route_points.LEAST_AHEAD)
        self._scratch = (
            np.zeros(in_sector.scratch_size(max(side, 1)), np.int64),
            np.empty(max(side, 1) ** 2, np.int32),
            np.zeros(0, np.int32),  # what was tried: one walker does not come to the same place often enough
        )

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of one move: regions looked up, points and entries tried, a search inside a sector."""
        regions = cast("RegionPaths", index)
        most, side, limit = regions.most, regions.side, params["limit"]
        points = max(params["ahead"], route_points.LEAST_AHEAD)
        entries = 9 * most.regions_per_sector if params.get("entries") else 0
        hops = 2 * points  # it may choose twice
        if entries:
            hops += (hops + entries) * region_hops.HOPS_TO_ENTRY  # each may be the first that is near enough to settle
        climbs = points + 2 + entries + 1
        cells = side * side
        inside = cells + cells * (2 + max(cells, 1).bit_length())  # the search, and climbs along what it found
        return 2 * (cells + 16) + hops * most.probes_per_hop + entries + climbs * limit + inside + 1

    def begin(
        self,
        state: npt.NDArray[np.int32],
        walker: int,
        goal: int,  # noqa: ARG002 - the walker has it
    ) -> npt.NDArray[np.int32]:
        """Nothing is known of the way yet: the first move looks."""
        state[route_points.PHASE, walker] = route_points.NEW
        return state

    def walk(
        self,
        pool: npt.NDArray[np.int32],  # noqa: ARG002 - nothing is learned
        state: npt.NDArray[np.int32],
        log: npt.NDArray[np.int32],
    ) -> int:
        """Make moves of the one walker."""
        if log.size == _ONE_MOVE and self._climb_on(state, log):
            return 1
        return self._walk(state, self._settings, *self._scratch, log)

    def prepare_for_many(self) -> None:
        """Keep what walkers tried, for others that come to the same place."""
        self._scratch = (*self._scratch[:2], np.zeros(tried.table_size(_TRIED), np.int32))

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> int:  # noqa: ARG002
        """Nothing is known of any way yet."""
        state[route_points.PHASE, walkers] = route_points.NEW
        return 0

    def move_all(self, shared: Shared, lists: Lists) -> None:
        """Climb, all in one call."""
        listed, queue, since, ended, _, numbers = lists
        walkers = shared.cells, shared.to_x, shared.to_y, shared.goals, shared.status
        troop.climb_listed(*self._ground, *walkers, listed, queue, since, ended, numbers)

    def choose_all(self, shared: Shared, lists: Lists, most_work: int) -> int:
        """Choose targets for those who wait."""
        _, queue, since, ended, _, numbers = lists
        known = self._settings, *self._scratch
        return self._choose_targets(*known, *shared, queue, since, ended, numbers, most_work)

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:  # noqa: ARG002 - not where it led
        """The search inside a sector, which comes towards the cell."""
        found = in_sector.closed(self._scratch[0], self._grid.stride, self._side, cell)
        costs = ((there, g, g + self._grid.octile(there, cell)) for there, g in zip(*found, strict=True))
        return sorted(costs, key=lambda row: row[2])
