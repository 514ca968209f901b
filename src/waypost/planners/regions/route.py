"""The route of regions: hop by hop along stored paths (HCDPS and DBA*; algorithms 11.3, 12.2)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.kernels.move_log import ENTRIES
from waypost.planners.cuts.kernels import in_sector
from waypost.planners.regions.index import RegionPaths
from waypost.planners.regions.kernels import many, troop, walk
from waypost.planners.regions.kernels.database import Scratch, Settings
from waypost.planners.regions.kernels.hops import HOPS_TO_ENTRY
from waypost.planners.walking.by_points import ByPoints
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels import tried
from waypost.planners.walking.kernels.points import LEAST_AHEAD
from waypost.planners.walking.kernels.troop import climb_listed
from waypost.planners.walking.kernels.walker import climb_on
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["RegionRoute"]

_ANYWHERE = 1 << 62
_TRIED = 1 << 15  # entries of the table of what many walkers have tried; more would leave the cache
_ENTRY_HOPS = 3  # within so many hops of the goal it is settled by which region to come there


class RegionRoute(ByPoints):
    """Walks from region to region. `ahead` points are tried by climbs of at most `limit` steps; 0: none.

    `joints`: 1 tries them by a binary search, and takes what it finds even if it is a detour. `direct`: 1 tries a climb
    to the goal first, 2 takes it even if it is a detour. `entries`: 1 chooses by which of the regions around the goal
    to come there. `ends`: 0 visits the representatives of the start's region and of the goal's.
    """

    learns = False

    def __init__(
        self,
        grid: Grid,
        index: RegionPaths,
        *,
        ahead: int = 4,
        limit: int = 250,
        direct: int = 1,
        entries: int = 0,
        joints: int = 0,
        ends: int = 1,
    ) -> None:
        super().__init__(ahead)
        self._grid = grid
        self._ground, self._database = ground_of(grid), index.database
        side, depth = index.side, int(index.params["depth"])
        # With paths to all regions one hop is enough from anywhere.
        reach = _ENTRY_HOPS * depth * side * self._ground.straight if depth else _ANYWHERE
        self._settings = Settings(
            ahead=ahead, limit=limit, direct=direct, entries=reach if entries else 0, joints=joints, ends=ends
        )
        self._climb_on: Callable[..., int] = partial(climb_on, grid.mask, grid.climb_table, grid.stride)
        self._use(
            Scratch(
                search=np.zeros(in_sector.scratch_size(max(side, 1)), np.int64),
                way=np.empty(max(side, 1) ** 2, np.int32),
                tried=np.zeros(0, np.int32),  # one walker does not come to the same place often enough
            )
        )

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of one move: regions looked up, points and entries tried, a search inside a sector."""
        regions = cast("RegionPaths", index)
        most, side, limit = regions.most, regions.side, params["limit"]
        points = max(params["ahead"], LEAST_AHEAD)
        entries = 9 * most.regions_per_sector if params.get("entries") else 0
        hops = 2 * points  # it may choose twice
        if entries:
            hops += (hops + entries) * HOPS_TO_ENTRY  # each may be the first that is near enough to settle
        climbs = points + 2 + entries + 1
        cells = side * side
        inside = cells + cells * (2 + max(cells, 1).bit_length())  # the search, and climbs along what it found
        return 2 * (cells + 16) + hops * most.probes_per_hop + entries + climbs * limit + inside + 1

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:  # noqa: ARG002 - nothing is learned
        """Make moves of the one walker."""
        if log.size == ENTRIES and self._climb_on(now, log):
            return 1
        return self._walk(now, log)

    def solver(self, pool: Int32, now: Int32, goals: Int32) -> tuple[Int32, Callable[..., int]]:  # noqa: ARG002 - any goals
        """The slots, and a kernel that solves many problems by them."""
        walk_at = address_of(walk.walk, *self._known, now, new_log(1))
        return now, partial(many.solve, *self._known, pool, now, walk_at)

    def prepare_for_many(self) -> None:
        """Keep what walkers tried, for others that come to the same place."""
        self._use(self.scratch._replace(tried=np.zeros(tried.table_size(_TRIED), np.int32)))

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:  # noqa: ARG002 - not where it led
        """The search inside a sector, which comes towards the cell."""
        found = in_sector.closed(self.scratch.search, self._grid.stride, self._database.side, cell)
        costs = ((there, g, g + self._grid.octile(there, cell)) for there, g in zip(*found, strict=True))
        return sorted(costs, key=lambda row: row[2])

    def _use(self, scratch: Scratch) -> None:
        """Work with these arrays from now on."""
        self.scratch = scratch
        known = self._known = tuple(self._ground), tuple(self._database), tuple(self._settings), tuple(scratch)
        self._walk: Callable[..., int] = partial(walk.walk, *known)
        self._choose_targets = partial(troop.choose_targets, *known)
        self._move_listed = partial(climb_listed, tuple(self._ground))
