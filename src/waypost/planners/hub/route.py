"""The route of hubs: from subgoal to subgoal of a shortest path (hub rules, "Walk")."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.kernels.move_log import ENTRIES
from waypost.planners.hub.index import HubLabels
from waypost.planners.hub.kernels import many, troop, walk
from waypost.planners.hub.kernels.route import NEW, SLOTS, HubSlot
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.troop import Lists, Walkers, climb_listed
from waypost.planners.walking.kernels.walker import climb_on
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["HubRoute"]


class HubRoute:
    """Walks a shortest path, of which it knows the next subgoal and where to go on from the hub."""

    learns = False
    slots = SLOTS

    def __init__(self, grid: Grid, index: HubLabels) -> None:
        self._climb_on: Callable[..., int] = partial(climb_on, grid.mask, grid.climb_table, grid.stride)
        ground = tuple(ground_of(grid))
        known = tuple(index.lines), tuple(index.labels), tuple(index.new_scratch())
        self._known = known
        self._walk: Callable[..., int] = partial(walk.walk, *known)
        self._choose_targets: Callable[..., int] = partial(troop.choose_targets, ground, *known)
        self._move_listed: Callable[..., None] = partial(climb_listed, ground)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:  # noqa: ARG004 - of the index alone
        """Most work of one move: of a first one, which looks from both ends, or of one down from a hub."""
        most = cast("HubLabels", index).most
        return max(2 * most.probes_of_look + most.free_steps + most.entries, 2 * most.below) + 1

    def begin(self, now: Int32, goal: int) -> Int32:  # noqa: ARG002 - the walker has it
        """Nothing is known of the way yet: the first move looks."""
        now[HubSlot.PHASE] = NEW
        return now

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:  # noqa: ARG002 - nothing is learned
        """Make moves of the one walker."""
        if log.size == ENTRIES and self._climb_on(now, log):
            return 1
        return self._walk(now, log, 0)

    def write_path(self, now: Int32, log: Int32) -> int:
        """Make as many moves of the one walker as the log has room for, at most, without the work in it."""
        return self._walk(now, log, 1)

    def solver(self, pool: Int32, now: Int32, goals: Int32) -> tuple[Int32, Callable[..., int]]:  # noqa: ARG002 - any goals
        """The slots, and a kernel that solves many problems by them."""
        walk_at = address_of(walk.walk, *self._known, now, new_log(1), 1)
        return now, partial(many.solve, *self._known, pool, now, walk_at)

    def prepare_for_many(self) -> None:
        """There is nothing that many walkers could share beyond the index."""

    def slots_for(self, goals: Int32) -> int:  # noqa: ARG002 - as many for any goal
        """As many as for one walker."""
        return self.slots

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:  # noqa: ARG002 - the walkers have them
        """Nothing is known of any way yet."""
        state[walkers, HubSlot.PHASE] = NEW

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Walkers' slots hold places on the map and in the index only."""

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """One step each, all in one call."""
        self._move_listed(tuple(walkers), tuple(lists))

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Choose targets for those who wait."""
        return self._choose_targets(tuple(walkers), tuple(lists), most_work)

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:  # noqa: ARG002 - nothing is searched
        """Nothing is ever expanded."""
        return []
