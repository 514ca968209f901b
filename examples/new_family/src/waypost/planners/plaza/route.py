"""The route by a plaza: first there, if it is near, then to the goal."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.planners.plaza.index import Plazas
from waypost.planners.plaza.kernels import walk
from waypost.planners.plaza.kernels.walk import Database
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.troop import Lists, Walkers
from waypost.planners.walking.kernels.walker import Slot
from waypost.planners.walking.troop import Int32
from waypost.world.grid import Grid

__all__ = ["PlazaRoute"]


class PlazaRoute:
    """Heads for the plaza of the walker's component if that is near, and from there for the goal."""

    learns = True
    slots = int(Slot.ROUTE)

    def __init__(self, grid: Grid, index: Plazas) -> None:
        self._grid = grid
        database = Database(component=grid.component, plazas=index.arrays["plazas"])
        self._known = tuple(ground_of(grid)), tuple(database)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:  # noqa: ARG004 - the same for any
        """Most work of one move: a look-up, and a look around that is learned from."""
        return 3

    def begin(self, now: Int32, goal: int) -> Int32:  # noqa: ARG002 - the walker has it
        """A walker without a target is at the beginning."""
        return now

    def walk(self, pool: Int32, now: Int32, log: Int32) -> int:
        """Make moves of the one walker."""
        made: int = walk.walk(*self._known, pool, now, log)
        return made

    def solver(self, pool: Int32, now: Int32, goals: Int32) -> tuple[Int32, Callable[..., int]]:  # noqa: ARG002
        """The slots, and a kernel that solves many problems by them."""
        walk_at = address_of(walk.walk, *self._known, pool, now, new_log(1))
        return now, partial(walk.solve, *self._known, pool, now, walk_at)

    def prepare_for_many(self) -> None:
        """There is nothing to share but the plazas."""

    def slots_for(self, goals: Int32) -> int:  # noqa: ARG002 - as many for any goal
        """As many as for one walker."""
        return self.slots

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Walkers without targets are at the beginning."""

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Walkers have no slots of this route."""

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """One step each, of a climb or of LRTA*."""
        walk.move_listed(*self._known, tuple(walkers), tuple(lists))

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Choose first targets for those who wait."""
        return int(walk.choose_targets(*self._known, tuple(walkers), tuple(lists), most_work))

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]
