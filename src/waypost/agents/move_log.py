"""Logs of moves as kernels write them, made and read."""

import numpy as np
import numpy.typing as npt

from waypost.kernels.move_log import COUNTERS, ENTRIES, PLAN_COLUMNS

__all__ = ["PLAN_COUNTERS", "new_log", "new_plan_log", "read_log"]

PLAN_COUNTERS = ("expansions", "climbs", "probes")
"""What the log of plans counts, behind the planned move that waited for each (`kernels.move_log.log_plan`)."""

Int32 = npt.NDArray[np.int32]


def new_log(room: int) -> Int32:
    """A log with room for so many moves."""
    return np.empty(room * ENTRIES, np.int32)


def read_log(log: Int32, made: int) -> tuple[Int32, Int32]:
    """The cells of the moves made, and the work counters of each, a row for each move."""
    first = log.size // ENTRIES
    return log[:made], log[first : first + COUNTERS * made].reshape(-1, COUNTERS)


def new_plan_log(room: int) -> Int32:
    """A log with room for so many plans."""
    return np.zeros((room, PLAN_COLUMNS), np.int32)
