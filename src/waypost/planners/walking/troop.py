"""Troop: a range of a fleet's walkers with the lists that they share."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.planners.walking.kernels import blocks, troop
from waypost.planners.walking.kernels.troop import NUMBERS, Lists, Numbers, Walkers

__all__ = ["Int32", "Troop", "TroopCounts", "part_of"]

_POOL_CHAINS = 1 << 15  # of the table in which learned values are found
_FIRST_BLOCKS = 1 << 10  # of learned values; they take no memory until they are used

Int32 = npt.NDArray[np.int32]


class TroopCounts(NamedTuple):
    """What happened to a troop in a tick."""

    moved: int
    chosen: int
    """Targets."""
    waiting: int
    longest_wait: int
    """The most ticks that a walker waits, or did until this one."""
    arrived: int


class Troop:
    """Walkers `first` to `first + size` of a fleet."""

    def __init__(self, first: int, learns: bool) -> None:
        self.first = first
        self._learns = learns
        empty = np.empty(0, np.int32)
        pool = blocks.new_pool(_POOL_CHAINS, _FIRST_BLOCKS) if learns else empty
        self.lists = Lists(listed=empty, queue=empty, since=empty, ended=empty, pool=pool, numbers=np.zeros(1, NUMBERS))

    def view(self, walkers: Walkers, size: int) -> None:
        """Take so many walkers of a fleet's arrays, which are new or have become larger."""
        self.walkers = part_of(walkers, slice(self.first, self.first + size))
        if size == self.lists.listed.size:
            return
        waiting = self._in_queue(self._numbers.queued)
        self.lists.numbers["front"] = 0
        self.lists = self.lists._replace(
            listed=_lengthened(self.lists.listed, size),
            queue=_lengthened(self.lists.queue[waiting], size),
            since=_lengthened(self.lists.since[waiting], size),
            ended=np.zeros(size, np.int32),
        )

    def assign(self, walkers: Int32, places: Int32, goals: Int32, ways: npt.NDArray[np.uint8]) -> None:
        """Put walkers on places with goals, and with the status that follows."""
        troop.assign(tuple(self.walkers), tuple(self.lists), walkers, places, goals, ways)

    def begin_tick(self) -> None:
        """Count the tick, have all listed who move, and room for all that they may learn."""
        moving = troop.begin_tick(self.walkers.status, self.lists.listed, self.lists.numbers)
        if self._learns and blocks.room(self.lists.pool) < moving:  # each may add one
            self.lists = self.lists._replace(pool=blocks.enlarged(self.lists.pool, moving))

    @property
    def ended(self) -> Int32:
        """The walkers whose walk ended in this tick."""
        return self.first + self.lists.ended[: self._numbers.ended]

    @property
    def waiting(self) -> Int32:
        """The walkers for whose move there was no time in this tick, those who wait longest first."""
        walkers = self.lists.queue[self._in_queue(self._numbers.due)]
        return self.first + walkers[self.walkers.status[walkers] & troop.STATUS == troop.MOVING]

    @property
    def is_asked(self) -> bool:
        """Whether targets are to be chosen in this tick."""
        return bool(self.lists.numbers["due"][0])

    @property
    def oldest(self) -> int:
        """The tick in which the first in the queue came who is due; this one if nobody is."""
        numbers = self._numbers
        return int(self.lists.since[numbers.front]) if numbers.due else numbers.now

    def counts(self) -> TroopCounts:
        """What happened in this tick."""
        numbers = self._numbers
        waiting, longest = numbers.due - numbers.stale, numbers.longest
        if waiting > 0:
            queue, place = self.lists.queue, numbers.front
            while self.walkers.status[queue[place]] & troop.STATUS != troop.MOVING:
                place = (place + 1) % queue.size
            longest = max(longest, numbers.now - int(self.lists.since[place]))
        return TroopCounts(numbers.moved, numbers.chosen, waiting, longest, numbers.ended - numbers.given_up)

    @property
    def bytes(self) -> int:
        """Memory of the lists, and of what is learned as far as blocks were ever used."""
        lists = self.lists
        learned = blocks.used_bytes(lists.pool) if self._learns else 0
        return sum(array.nbytes for array in (lists.listed, lists.queue, lists.since, lists.ended)) + learned

    @property
    def _numbers(self) -> Numbers:
        """All numbers of the troop as they are now."""
        return Numbers._make(self.lists.numbers.item())

    def _in_queue(self, count: int) -> npt.NDArray[np.int64]:
        """The first so many places of the queue."""
        return (self._numbers.front + np.arange(count)) % max(self.lists.queue.size, 1)


def part_of(walkers: Walkers, window: slice) -> Walkers:
    """What is known of some of the walkers."""
    return Walkers(
        cells=walkers.cells[window],
        to_x=walkers.to_x[window],
        to_y=walkers.to_y[window],
        goals=walkers.goals[window],
        status=walkers.status[window],
        state=walkers.state[window],
    )


def _lengthened(array: Int32, size: int) -> Int32:
    return np.concatenate([array, np.zeros(size - array.size, np.int32)])
