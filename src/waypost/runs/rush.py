"""Rush: one click sends many units off. When has everyone moved, by a fleet with a budget and by whole paths?"""

from time import perf_counter, thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.planner import Planner
from waypost.system.progress import Advance

__all__ = ["Rush", "rush", "seconds_of_paths"]

Places = npt.NDArray[np.int32]
_MOST_FRAMES = 20_000


class Rush(NamedTuple):
    """The frames of a rush: what the tick of each took of its core, and when the last unit moved."""

    tick_us: npt.NDArray[np.float64]
    frames_to_move: int
    """Frames after which every unit has made a move."""
    units_on_way: int
    """Those that have not arrived at the end."""


def rush(planner: Planner, starts: Places, goals: Places, budget_us: float, advance: Advance) -> Rush:
    """Send a fleet off, on one core, and give it a budget in each frame, until all have arrived."""
    fleet = planner.fleet(starts, starts, threads=1)
    fleet.tick(budget_us)
    fleet.retarget(fleet.ids, goals)
    begin = fleet.cells.copy()
    standing = np.flatnonzero(begin != fleet.goals)
    tick_us: list[float] = []
    frames_to_move = 0
    while len(tick_us) < _MOST_FRAMES:
        before = thread_time()
        tick = fleet.tick(budget_us)
        took = thread_time() - before
        if not tick.moved and not tick.waiting:
            break
        tick_us.append(1e6 * took)
        if standing.size:
            frames_to_move = len(tick_us)
            standing = standing[fleet.cells[standing] == begin[standing]]
        advance(tick.arrived)
    return Rush(np.array(tick_us), frames_to_move, int((fleet.cells != fleet.goals).sum()))


def seconds_of_paths(planner: Planner, starts: Places, goals: Places, enough_seconds: float) -> tuple[float, int]:
    """What whole paths for all units take on one core, and of how many that was measured: of the first of them."""
    planner.path(starts[0], goals[0])  # loads the compiled kernels
    began, paths = perf_counter(), 0
    while paths == 0 or (paths < len(starts) and perf_counter() - began < enough_seconds):
        planner.path(starts[paths], goals[paths])
        paths += 1
    return (perf_counter() - began) * len(starts) / paths, paths
