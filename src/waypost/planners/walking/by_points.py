"""What routes by points have in common: a walker's slots hold what it is at, and places on the map."""

from collections.abc import Callable

from waypost.planners.walking.kernels.points import LEAST_AHEAD, NEW, RouteSlot
from waypost.planners.walking.kernels.troop import Lists, Walkers
from waypost.planners.walking.troop import Int32

__all__ = ["ByPoints"]


class ByPoints:
    """A route of points that become known on the way, of which some `ahead` are tried by climbs.

    Which kernels move walkers and choose their targets is up to each kind of route.
    """

    _move_listed: Callable[..., None]
    _choose_targets: Callable[..., int]

    def __init__(self, ahead: int) -> None:
        self.slots = RouteSlot.POINTS + max(ahead, LEAST_AHEAD)

    def begin(self, now: Int32, goal: int) -> Int32:  # noqa: ARG002 - the walker has it
        """Nothing is known of the way yet: the first move looks."""
        now[RouteSlot.PHASE] = NEW
        return now

    def slots_for(self, goals: Int32) -> int:  # noqa: ARG002 - as many for any goal
        """As many as for one walker."""
        return self.slots

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:  # noqa: ARG002 - the walkers have them
        """Nothing is known of any way yet."""
        state[walkers, RouteSlot.PHASE] = NEW

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Walkers' slots hold places on the map only."""

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """One step each, all in one call."""
        self._move_listed(tuple(walkers), tuple(lists))

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Choose targets for those who wait."""
        return self._choose_targets(tuple(walkers), tuple(lists), most_work)
