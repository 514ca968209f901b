"""What agents share that plan by searches in corridors: scratch that grows, and events (algorithms 7)."""

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Planned
from waypost.errors import WaypostError
from waypost.grid import Grid
from waypost.kernels import best_first, corridor_search
from waypost.search import doubled
from waypost.trace import read_events

__all__ = ["CorridorPlanned"]


class CorridorPlanned(Planned):
    """Plans by searches in corridors: these leave events, and their scratch grows when they say that it is full."""

    _state: npt.NDArray[np.int64]
    """Of the kernel, with the slots of `corridor_search`."""

    def __init__(self, grid: Grid, *, room: int, record: bool = False) -> None:
        super().__init__(grid, record=record)
        self._heap, self._pushed = np.empty(room, np.int64), np.empty(room, np.int32)
        self._events = np.empty((room if record else 0, best_first.EVENT_COLUMNS), np.int64)

    def take_events(self) -> npt.NDArray[np.void]:
        """What searches, and lookaheads if there are any, did since the last call."""
        return read_events(self.grid, self._take_rows())

    def _take_rows(self) -> npt.NDArray[np.int64]:
        """What was recorded; makes its room free again."""
        rows = self._events[: self._state[corridor_search.EVENTS]].copy()
        self._state[corridor_search.EVENTS] = 0
        return rows

    def _make_room(self, status: int) -> None:
        """As a search that stopped with this status needs it."""
        if status == best_first.EVENTS_FULL:
            self._events = doubled(self._events)
        elif status == best_first.POOL_FULL and self._pushed.size < corridor_search.MOST_PUSHES:
            self._heap, self._pushed = doubled(self._heap), doubled(self._pushed)
        else:
            raise WaypostError(
                f"the index leads no way from {self.grid.xy(self.cell)} to {self.grid.xy(self.goal)}, "
                "or only one that is longer than is supported; build the index again"
            )
