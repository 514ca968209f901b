"""What routes by regions know, what they were set to and what they work with, by name."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Database(NamedTuple):
    """What is known of a map: its regions, the stored paths, and which of them to take next.

    All tables of int32 stand one after the other in `numbers`, each from where the field of its name says: what a call
    of a kernel costs grows with the number of arrays. That no table leads out of another one is for the index to check.
    """

    numbers: npt.NDArray[np.int32]
    run_columns: npt.NDArray[np.uint16]
    run_ranks: npt.NDArray[np.uint16]
    codes: npt.NDArray[np.uint8]
    legs: npt.NDArray[np.int8]
    run_places: npt.NDArray[np.uint8]
    firsts: int
    reps: int
    columns: int
    run_starts: int
    first_codes: int
    first_legs: int
    tile_runs: int
    run_regions: int
    blocks: int
    """Blocks of columns that a row of next hops has."""
    side: int
    """Cells along a sector's side; 0 if there are no sectors."""
    sectors_across: int


class Settings(NamedTuple):
    """What a planner was set to."""

    ahead: int
    limit: int
    direct: int
    entries: int
    """How near the goal it is settled by which region to come there; 0: nowhere."""
    joints: int
    """Whether the point to go to is found by a binary search over those that are known."""
    ends: int
    """Whether climbs may pass over the first and the last representative."""


class Scratch(NamedTuple):
    """What kernels work with."""

    search: npt.NDArray[np.int64]
    """Of a search inside a sector."""
    way: npt.NDArray[np.int32]
    """That it found."""
    tried: npt.NDArray[np.int32]
    """What walkers have tried."""
