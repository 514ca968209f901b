"""What one move says, or a whole walk: where the agent is, how it stands, and what work it cost."""

from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["WORK_COUNTERS", "Memory", "RunStatus", "Step", "Walk"]


class RunStatus(Enum):
    """How a move, or a whole run, ended."""

    MOVING = "moving"
    ARRIVED = "arrived"
    OUT_OF_MOVES = "out of moves"
    OUT_OF_TIME = "out of time"
    UNREACHABLE = "unreachable"
    """In a World: no way leads to the goal as the map is now; the agent stays where it is."""


class Step(NamedTuple):
    """One move. The counters are the work that a real-time planner promises to bound (how-it-fits, promise 1)."""

    cell: int
    status: RunStatus
    expansions: int = 0
    """Cells whose successors were all looked at."""
    updates: int = 0
    """Cells visited to learn, beyond those expanded."""
    climbs: int = 0
    """Steps of greedy climbs tried."""
    probes: int = 0
    """Look-ups in a database, an open list or a tree of parents."""
    growth: int = 0
    """Blocks added to the agent's tables."""

    @property
    def work(self) -> int:
        """All work of the move."""
        return sum(self[2:])


WORK_COUNTERS = Step._fields[2:]
"""Names of the work counters, in the order in which traces keep them."""


class Walk(NamedTuple):
    """Many moves at once: n + 1 cells, and the work counters of each of the n moves."""

    status: RunStatus
    cells: npt.NDArray[np.int32]
    work: npt.NDArray[np.int32]


class Memory(NamedTuple):
    """States that an agent held for its own problem: strictly on-line memory (algorithms 1.3, Bulitko et al. 2010)."""

    open: int = 0
    """Most states on the open list at a time."""
    closed: int = 0
    """Most states on the closed list at a time."""
    learned: int = 0
    """States whose heuristic was ever raised, each counted once."""

    @property
    def states(self) -> int:
        """All of them."""
        return sum(self)
