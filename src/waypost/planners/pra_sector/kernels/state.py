"""What the kernels of PRA* on sectors are given, by name: the map, the index, the settings, scratch, what changes."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import record


class Ground(NamedTuple):
    """The map."""

    mask: npt.NDArray[np.uint8]
    climb_table: npt.NDArray[np.uint8]


class Regions(NamedTuple):
    """The index: regions of sectors, their representatives, and which of them touch."""

    firsts: npt.NDArray[np.int32]
    reps: npt.NDArray[np.int32]
    points: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    neighbours: npt.NDArray[np.int32]


class Settings(NamedTuple):
    """What a planner was set to."""

    side: int
    across: int
    trim: int
    skip_ends: int
    hops: int
    restricted: int
    climbs: int


class Scratch(NamedTuple):
    """Of one agent: for the search over regions, for look-ups in a sector, and for searches in a few regions only."""

    marks: npt.NDArray[np.int64]
    parents: npt.NDArray[np.int32]
    heap: npt.NDArray[np.int64]
    route: npt.NDArray[np.int32]
    sector: npt.NDArray[np.int64]
    stamps: npt.NDArray[np.int32]
    members: npt.NDArray[np.int32]


STATE = record(
    [
        (name, np.int64)
        for name in (
            # numbers that go on forever
            "route_stamp", "cell_stamp",
            # the problem; `end` is the cell that all segments so far lead to, `target_at` and `low` are the places on
            # the route of the target and of `end`
            "goal", "stage", "end", "length", "waypoint", "target", "target_at", "low",
            # the most states held by a search since the reset
            "most_open", "most_closed",
            # what the segment under way has cost
            "expanded", "climbed", "probed",
            # what the running call has made: moves, and rows of the log
            "made", "rows",
        )
    ]
)  # fmt: skip
"""What changes while an agent plans."""
