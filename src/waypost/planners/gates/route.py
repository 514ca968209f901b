"""The route by gates: a search up the tree, and from it point after point (gates rules, "Route")."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.kernels.move_log import ENTRIES
from waypost.planners.cuts.kernels import in_sector
from waypost.planners.gates.index import Gates
from waypost.planners.gates.kernels import many, troop, walk
from waypost.planners.gates.kernels.arcs import GateSlot
from waypost.planners.gates.kernels.route import Settings
from waypost.planners.gates.kernels.sectors import SIDE
from waypost.planners.gates.kernels.ways import NUMBERS
from waypost.planners.walking.by_points import ByPoints
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.troop import climb_listed
from waypost.planners.walking.kernels.walker import climb_on
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["GateRoute"]


class GateRoute(ByPoints):
    """Walks from gate to gate. `ahead` points are tried by climbs of at most `limit` steps.

    `direct`: 1 tries a climb to the goal first, 2 takes it even if it is a detour.
    """

    learns = False

    def __init__(self, grid: Grid, index: Gates, *, ahead: int = 4, limit: int = 250, direct: int = 1) -> None:
        super().__init__(ahead)
        self._grid = grid
        self.slots = GateSlot.POINTS + NUMBERS * ahead
        self._scratch = index.new_scratch()
        ground, settings = tuple(ground_of(grid)), Settings(ahead=ahead, limit=limit, direct=direct)
        known = tuple(index.sectors), tuple(index.tree), tuple(index.known), tuple(settings), self._scratch
        self._known = ground, *known
        self._climb_on: Callable[..., int] = partial(climb_on, grid.mask, grid.climb_table, grid.stride)
        self._walk: Callable[..., int] = partial(walk.walk, *self._known)
        self._choose_targets = partial(troop.choose_targets, *self._known)
        self._move_listed = partial(climb_listed, ground)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of one move: two searches up the tree, points unfolded, climbs and a search inside a sector."""
        most = cast("Gates", index).most
        cells = SIDE * SIDE
        inside = cells + cells * (2 + cells.bit_length())  # the search, and climbs along what it found
        unfolded = (params["ahead"] + 1) * (2 * most.height + most.line)
        climbs = (params["ahead"] + 2) * params["limit"]
        return 5 * cells + 5 * most.probes + unfolded + 2 * climbs + inside

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
        """There is nothing that many walkers could share beyond the index."""

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:  # noqa: ARG002 - not where it led
        """The search inside a sector, which comes towards the cell."""
        found = in_sector.closed(self._scratch[-2], self._grid.stride, SIDE, cell)
        costs = ((there, g, g + self._grid.octile(there, cell)) for there, g in zip(*found, strict=True))
        return sorted(costs, key=lambda row: row[2])
