"""What routes by subgoal trees know and what they were set to, and what trees are grown with, by name."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NODE_BITS = 32


class Forest(NamedTuple):
    """Trees in one array of nodes (see `grow.py`); a walker knows where that of its goal begins and ends."""

    nodes: npt.NDArray[np.uint32]
    shift: int


class Settings(NamedTuple):
    """What a planner was set to: the rule for the first target, climbs that choose it, and steps of each."""

    rule: int
    tries: int
    limit: int


class Scratch(NamedTuple):
    """What trees are grown with, again and again by one rule of exits: cells as far as they are known, and buckets."""

    costs: npt.NDArray[np.int32]
    """From the goal to each cell."""
    vectors: npt.NDArray[np.int64]
    """From its subgoal to each cell, packed; zeros at first."""
    ring: npt.NDArray[np.int64]
    pool: npt.NDArray[np.int64]
    """Room for 8 entries per cell."""
