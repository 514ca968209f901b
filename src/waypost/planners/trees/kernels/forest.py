"""What routes by subgoal trees know and what they were set to, by name."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Forest(NamedTuple):
    """Trees in one array of nodes (see `grow.py`); a walker knows where that of its goal begins and ends."""

    nodes: npt.NDArray[np.uint32]
    shift: int


class Settings(NamedTuple):
    """What a planner was set to: the rule for the first target, climbs that choose it, and steps of each."""

    rule: int
    tries: int
    limit: int
