"""Mover: takes some troops of a fleet from tick to tick on one thread, within a time budget if there is one."""

from collections.abc import Sequence
from operator import attrgetter
from time import perf_counter_ns
from typing import Protocol

from waypost.planners.walking.kernels.troop import ALL, Lists, Walkers
from waypost.planners.walking.troop import Int32, Troop

__all__ = ["Mover", "RepairedRoute", "TroopRoute"]

_FIRST_RATE = 5  # ns per unit of work, until that was measured
_LEAST_WORK = 100
_PART_OF_TIME = 2  # half of the time left goes into the next call, so that few calls come close to the deadline,
_LONGEST_CALL_NS = 50_000  # but no more than this, for a call may take longer than it should
_SLOWEST = 64  # no call is taken to have been slower than so many ns per unit: it was interrupted


class TroopRoute(Protocol):
    """What a route does for many walkers at once."""

    slots: int
    """Slots of a walker's state, as long as no goal needs more."""
    learns: bool
    """Whether its walkers may be stuck, and learn."""

    def prepare_for_many(self) -> None:
        """Make what many walkers can share."""

    def slots_for(self, goals: Int32) -> int:
        """How many slots a walker must have for any of these goals; a goal that cannot be walked to is refused here."""

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Set the slots of walkers for new goals, after `slots_for`."""

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """Set what slots of walkers hold that goes with the route, where they were on their way by another one."""

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """Let all move who have a target."""

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Choose targets for those who wait until that took so much work, and let each make its move; the work."""


class RepairedRoute(TroopRoute, Protocol):
    """A route of a planner whose index is repaired in place, for fleets in a World; without this all ask again."""

    def stale_after(self, walkers: Walkers, cells: Int32 | None) -> Int32:
        """The walkers of a troop that have to ask again, after cells were opened or closed; None: any may have been.

        Those among them, too, whose climb to the next target is not as it was.
        """


class Mover:
    """Moves its troops by a route of its own, which has the scratch arrays."""

    def __init__(self, route: TroopRoute) -> None:
        self.route = route
        route.prepare_for_many()
        self.troops: list[Troop] = []
        self._ns_per_work = float(_FIRST_RATE)

    def tick(self, deadline_ns: int | None) -> None:
        """Let all walkers move once; targets are chosen until the deadline of `perf_counter_ns`, if there is one."""
        self._move_all()
        if deadline_ns is None:
            self._choose(ALL)
        else:
            self._choose_until(deadline_ns, self.troops)

    def tick_for(self, most_work: int) -> None:
        """Let all walkers move once; in each troop targets are chosen until that took so much work."""
        self._move_all()
        self._choose(most_work)

    def _move_all(self) -> None:
        for troop in self.troops:
            troop.begin_tick()
            self.route.move_all(troop.walkers, troop.lists)

    def _choose(self, most_work: int) -> None:
        for troop in self.troops:
            if troop.is_asked and most_work:  # a call for nothing would take longer than to look
                self.route.choose_all(troop.walkers, troop.lists, most_work)

    def _choose_until(self, deadline_ns: int, troops: Sequence[Troop]) -> None:
        """Choose targets in calls so short that the clock can be read often enough, those who wait longest first.

        One at least is chosen however little time there is, so that nobody waits forever.
        """
        rate, before = self._ns_per_work, perf_counter_ns()
        left, most = list(troops), 0
        while left and (before < deadline_ns or not most):
            first = min(left, key=attrgetter("oldest")) if len(left) > 1 else left[0]
            time = min((deadline_ns - before) / _PART_OF_TIME, _LONGEST_CALL_NS)
            most = max(int(time / rate), _LEAST_WORK if most else 1)
            work = self.route.choose_all(first.walkers, first.lists, most)
            now = perf_counter_ns()
            if work < most:
                left.remove(first)
            elif most > 1 and now - before < _SLOWEST * work:
                rate += ((now - before) / work - rate) / 8
            before = now
        self._ns_per_work = rate
