"""What one move says: where the agent is, how it stands, and what work the move cost."""

from enum import Enum
from typing import NamedTuple

__all__ = ["Status", "Step"]


class Status(Enum):
    """How a move, or a whole run, ended."""

    MOVING = "moving"
    ARRIVED = "arrived"
    OUT_OF_MOVES = "out of moves"


class Step(NamedTuple):
    """One move. The four counters are the work that a real-time planner promises to bound (design 6.1)."""

    cell: int
    status: Status
    expansions: int = 0
    climbs: int = 0
    probes: int = 0
    growth: int = 0

    @property
    def work(self) -> int:
        """All work of the move."""
        return self.expansions + self.climbs + self.probes + self.growth
