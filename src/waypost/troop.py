"""Troop: a range of a fleet's walkers with the lists that they share, and what carries them from tick to tick."""

from collections.abc import Sequence
from time import perf_counter_ns
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from waypost.kernels import blocks, troop

__all__ = ["Crew", "Shared", "Troop", "TroopRoute"]

_IDLE_PART = 8  # one in so many may be listed for nothing before the list is made anew
_FIRST_RATE = 5  # ns per unit of work, until that was measured
_LEAST_WORK = 100
_PART_OF_TIME = 2  # half of the time left goes into the next call, so that few calls come close to the deadline,
_LONGEST_CALL_NS = 50_000  # but no more than this, for a call may take longer than it should
_SLOWEST = 64  # no call is taken to have been slower than so many ns per unit: it was interrupted
_CHAINS = 1 << 15  # of the table in which learned values are found
_FIRST_BLOCKS = 1 << 10  # of learned values; they take no memory until they are used

Int32 = npt.NDArray[np.int32]


class Shared(NamedTuple):
    """What is known of each walker of a fleet; the first four and the last lie in memory walker by walker."""

    cells: Int32
    to_x: Int32
    to_y: Int32
    goals: Int32
    status: npt.NDArray[np.uint8]
    state: Int32
    """A column for each walker, in Fortran's order."""

    def part(self, window: slice) -> "Shared":
        """What is known of some of the walkers."""
        cells, to_x, to_y, goals, status, state = self
        return Shared(cells[window], to_x[window], to_y[window], goals[window], status[window], state[:, window])

    @property
    def of_route(self) -> tuple[Int32, Int32, npt.NDArray[np.uint8], Int32]:
        """What routes need whose walkers do not climb all at once: cells, goals, status and state."""
        return self.cells, self.goals, self.status, self.state


class TroopRoute(Protocol):
    """What a route does for many walkers at once."""

    slots: int
    """Slots of a walker's state that the route needs, behind the walker's own."""
    learns: bool
    """Whether its walkers may be stuck, and learn."""

    def prepare_for_many(self) -> None:
        """Make what many walkers can share."""

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> int:
        """Set the slots of walkers for new goals; returns 0, or how many slots a walker must have for that."""

    def move_all(self, shared: Shared, lists: "Lists") -> None:
        """Let all move who have a target."""

    def choose_all(self, shared: Shared, lists: "Lists", most_work: int) -> int:
        """Choose targets for those who wait until that took so much work, and let each make its move; the work."""


class Lists(NamedTuple):
    """Who of a troop may move, who waits and since when, whose walk has ended; what is learned, and the numbers."""

    listed: Int32
    queue: Int32
    since: Int32
    ended: Int32
    pool: Int32
    numbers: npt.NDArray[np.int64]


class Troop:
    """Walkers `first` to `first + size` of a fleet."""

    def __init__(self, first: int, learns: bool) -> None:
        self.first = first
        self._learns = learns
        empty = np.empty(0, np.int32)
        pool = blocks.new_pool(_CHAINS, _FIRST_BLOCKS) if learns else empty
        self.lists = Lists(empty, empty, empty, empty, pool, np.zeros(troop.NUMBERS, np.int64))

    def view(self, shared: Shared, size: int) -> None:
        """Take so many walkers of a fleet's arrays, which are new or have become larger."""
        window = slice(self.first, self.first + size)
        self.shared = shared.part(window)
        if size == self.lists.listed.size:
            return
        listed, queue, since, _, pool, numbers = self.lists
        waiting = (numbers[troop.FRONT] + np.arange(numbers[troop.QUEUE])) % max(queue.size, 1)
        numbers[troop.FRONT] = 0
        self.lists = Lists(
            _lengthened(listed, size),
            _lengthened(queue[waiting], size),
            _lengthened(since[waiting], size),
            np.zeros(size, np.int32),
            pool,
            numbers,
        )

    def assign(self, walkers: Int32, places: Int32, goals: Int32, ways: npt.NDArray[np.uint8]) -> None:
        """Put walkers on places with goals, and with the status that follows."""
        listed, queue, since, _, pool, numbers = self.lists
        troop.assign(pool, *self.shared, listed, queue, since, numbers, walkers, places, goals, ways)

    def begin_tick(self) -> None:
        """Count the tick, and have all listed in order who move, and not too many who do not."""
        numbers = self.lists.numbers
        numbers[troop.NOW] += 1
        numbers[troop.DUE] = numbers[troop.QUEUE]
        numbers[troop.MOVED : troop.LONGEST + 1] = 0  # all that happens in a tick
        listed, on_way, loose = numbers[: troop.LOOSE + 1].tolist()
        if loose or _IDLE_PART * (listed - on_way) > listed:
            troop.list_anew(self.shared.status, self.lists.listed, numbers)
        if self._learns and blocks.room(self.lists.pool) < on_way:  # each may add one
            self.lists = self.lists._replace(pool=blocks.enlarged(self.lists.pool, on_way))

    @property
    def ended(self) -> Int32:
        """The walkers whose walk ended in this tick."""
        return self.first + self.lists.ended[: self.lists.numbers[troop.ENDED]]

    @property
    def waiting(self) -> Int32:
        """The walkers that could not move in this tick for want of time, those who wait longest first."""
        _, queue, _, _, _, numbers = self.lists
        order = (numbers[troop.FRONT] + np.arange(numbers[troop.DUE])) % max(queue.size, 1)
        walkers = queue[order]
        return self.first + walkers[self.shared.status[walkers] & troop.STATUS == troop.MOVING]

    def counts(self) -> tuple[int, int, int, int, int]:
        """Of this tick: moves, targets chosen, walkers that wait, the most ticks that one did or does, arrivals."""
        numbers = self.lists.numbers.tolist()
        waiting, longest = numbers[troop.DUE] - numbers[troop.STALE], numbers[troop.LONGEST]
        if waiting > 0:
            _, queue, since, _, _, _ = self.lists
            place = numbers[troop.FRONT]
            while self.shared.status[queue[place]] & troop.STATUS != troop.MOVING:
                place = (place + 1) % queue.size
            longest = max(longest, numbers[troop.NOW] - int(since[place]))
        arrived = numbers[troop.ENDED] - numbers[troop.GONE]
        return numbers[troop.MOVED], numbers[troop.CHOSEN], waiting, longest, arrived

    @property
    def bytes(self) -> int:
        """Memory of the lists, and of what is learned as far as blocks were ever used."""
        *lists, pool, _ = self.lists
        return sum(array.nbytes for array in lists) + (blocks.used_bytes(pool) if self._learns else 0)


class Crew:
    """Carries some troops from tick to tick, on one thread; a route of its own has the scratch arrays."""

    def __init__(self, route: TroopRoute) -> None:
        self.route = route
        route.prepare_for_many()
        self.troops: list[Troop] = []
        self._ns_per_work = float(_FIRST_RATE)

    def tick(self, deadline_ns: int | None) -> None:
        """Let all walkers move once; targets are chosen until the deadline of `perf_counter_ns`, if there is one."""
        for each in self.troops:
            each.begin_tick()
            self.route.move_all(each.shared, each.lists)
        if deadline_ns is None:
            for each in self.troops:
                self.route.choose_all(each.shared, each.lists, troop.ALL)
        else:
            self._choose_until(deadline_ns, self.troops)

    def _choose_until(self, deadline_ns: int, troops: Sequence[Troop]) -> None:
        """Choose targets in calls so short that the clock can be read often enough, those who wait longest first.

        One at least is chosen however little time there is, so that nobody waits forever.
        """
        rate, before = self._ns_per_work, perf_counter_ns()
        left, most = list(troops), 0
        while left and (before < deadline_ns or not most):
            first = min(left, key=_oldest) if len(left) > 1 else left[0]
            time = min((deadline_ns - before) / _PART_OF_TIME, _LONGEST_CALL_NS)
            most = max(int(time / rate), _LEAST_WORK if most else 1)
            work = self.route.choose_all(first.shared, first.lists, most)
            now = perf_counter_ns()
            if work < most:
                left.remove(first)
            elif most > 1 and now - before < _SLOWEST * work:
                rate += ((now - before) / work - rate) / 8
            before = now
        self._ns_per_work = rate


def _lengthened(array: Int32, size: int) -> Int32:
    return np.concatenate([array, np.zeros(size - array.size, np.int32)])


def _oldest(each: Troop) -> int:
    """The tick in which the first in the queue came."""
    _, _, since, _, _, numbers = each.lists
    return int(since[numbers[troop.FRONT]]) if numbers[troop.DUE] else int(numbers[troop.NOW])
