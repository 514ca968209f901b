"""What the kernel of hub takes, by a clock that is read inside of compiled code: no call from Python is in it."""

import ctypes
from collections.abc import Sequence

import numba
import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.planners.hub.index import HubLabels
from waypost.planners.hub.kernels.route import NEW, SLOTS, HubSlot
from waypost.planners.hub.kernels.walk import walk
from waypost.planners.walking.kernels.walker import Slot
from waypost.world.problem import Problem

ONE_MOVE, ALL_MOVES = 1, 1 << 14
_clock = ctypes.CDLL(None).clock_gettime
_clock.argtypes = [ctypes.c_int, ctypes.c_void_p]
_clock.restype = ctypes.c_int
_MONOTONIC = 1  # the clock of the thread takes longer to read than a first move; the least of rounds is undisturbed
_BILLION = 1_000_000_000


@numba.njit
def _take_times(lines, labels, scratch, now, log, ends, least):  # type: ignore[no-untyped-def]
    before, after = np.empty(2, np.int64), np.empty(2, np.int64)
    for i in range(len(ends)):
        now[Slot.CELL], now[Slot.GOAL] = ends[i]
        now[Slot.TARGET] = -1
        now[HubSlot.PHASE] = NEW
        _clock(_MONOTONIC, before.ctypes)
        made = walk(lines, labels, scratch, now, log, 1)
        _clock(_MONOTONIC, after.ctypes)
        taken = (after[0] - before[0]) * _BILLION + after[1] - before[1]
        least[i] = min(least[i], taken)
        if log.size and made == 0:
            raise ValueError("no way")


def nanoseconds(index: HubLabels, problems: Sequence[Problem], room: int, rounds: int) -> npt.NDArray[np.int64]:
    """What so many moves of each problem's path take at most, the least of some rounds."""
    ends = np.array([(p.start, p.goal) for p in problems], np.int32)
    known = tuple(index.lines), tuple(index.labels), tuple(index.new_scratch())
    found = []
    for room_of_round in (0, room):
        least = np.full(len(ends), np.iinfo(np.int64).max)
        for _ in range(rounds):
            _take_times(*known, np.zeros(SLOTS, np.int32), new_log(room_of_round), ends, least)
        found.append(least)
    taken: npt.NDArray[np.int64] = found[1] - found[0].min()
    return taken
