"""What agents share that plan by searches in corridors: scratch that grows, and events (algorithms 7)."""

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Planned
from waypost.agents.trace import read_events
from waypost.kernels.events import EVENT_COLUMNS
from waypost.kernels.named import new_record
from waypost.kernels.outcomes import EVENTS_FULL, POOL_FULL
from waypost.planners.pra_clique.kernels import corridor
from waypost.world.grid import Grid
from waypost.world.search import doubled

__all__ = ["CorridorPlanned", "corridor_settings"]


class CorridorPlanned(Planned):
    """Plans by searches in corridors: these leave events, and their scratch grows when they say that it is full."""

    def __init__(self, grid: Grid, *, euclid: int, room: int, oldest: int = 0, record: bool = False) -> None:
        super().__init__(grid, record=record)
        self.control = new_record(corridor.CONTROL, corridor_settings(grid, euclid, oldest))
        self.heap, self.pushed = np.empty(room, np.int64), np.empty(room, np.int32)
        self.events = np.empty((room if record else 0, EVENT_COLUMNS), np.int64)

    def take_events(self) -> npt.NDArray[np.void]:
        """What searches, and lookaheads if there are any, did since the last call."""
        return read_events(self.grid, self._take_rows())

    def _take_rows(self) -> npt.NDArray[np.int64]:
        """What was recorded; makes its room free again."""
        rows = self.events[: self.control["events"][0]].copy()
        self.control["events"] = 0
        return rows

    def see_to(self, status: int) -> None:
        """As a search that stopped with this status needs it."""
        if status == EVENTS_FULL:
            self.events = doubled(self.events)
        elif status == POOL_FULL and self.pushed.size < corridor.MOST_PUSHES:
            self.heap, self.pushed = doubled(self.heap), doubled(self.pushed)
        else:
            raise self._leads_no_way()


def corridor_settings(grid: Grid, euclid: int, oldest: int = 0) -> corridor.Settings:
    """Settings of searches on a grid, or on levels above it."""
    straight, diagonal, _ = grid.costs
    return corridor.Settings(
        stride=grid.stride, straight_cost=straight, diagonal_cost=diagonal, euclid=euclid, oldest=oldest
    )
