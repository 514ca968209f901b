"""Agents that plan over regions and refine on the ground, segment by segment (Sturtevant 2007; algorithms 7.2)."""

import numpy as np
import numpy.typing as npt

from waypost.agents.base import LOG_COLUMNS, Planned
from waypost.errors import WaypostError
from waypost.grid import Grid
from waypost.indexes.sectors import SectorGraph
from waypost.kernels import in_sector, refinement
from waypost.search import Search, doubled
from waypost.step import Memory
from waypost.trace import NO_EVENTS, read_events

__all__ = ["Abstract"]

_FIRST_CELLS = 1024


class Abstract(Planned):
    """PRA* over the regions of sectors. A segment leads `hops` regions on; `trim` per cent of each are cut off its end.

    The switches are 0 or 1: `skip_ends` leaves out the representatives of start and goal, `restricted` searches only in
    the regions that a segment leads through, `climbs` spares the search where a climb is as short as can be.
    """

    kernel = "refinement.plan"

    def __init__(
        self,
        grid: Grid,
        *,
        index: SectorGraph,
        trim: int = 0,
        skip_ends: int = 0,
        hops: int = 1,
        restricted: int = 0,
        climbs: int = 1,
        record: bool = False,
    ) -> None:
        super().__init__(grid, record=record)
        self._search = Search(grid, record=record)
        self._map = grid.mask, grid.climb_table
        self._world = index.firsts, index.reps, index.points, index.starts, index.neighbours
        regions = index.reps.size
        kept = np.zeros(grid.mask.size if restricted else 1, np.uint8)
        kept_moves = kept.view()
        kept_moves.setflags(write=False)  # as a grid's legal moves are: the same type to compiled code
        self._scratch = (
            np.zeros(regions, np.int64),
            np.zeros(regions, np.int32),
            np.empty(index.neighbours.size + 1, np.int64),  # each edge puts its end on the open list once, at most
            np.empty(regions, np.int32),
            np.zeros(in_sector.scratch_size(index.side), np.int64),
            np.zeros(kept.size, np.int32),
            kept,
            kept_moves,
            np.empty(grid.open_count if restricted else 1, np.int32),
        )
        self._state = np.zeros(refinement.STATE_SIZE, np.int64)
        settings = (index.side, index.across, trim, skip_ends, hops, restricted, climbs)
        self._state[: len(settings)] = settings
        self._cells = np.empty(_FIRST_CELLS, np.int32)
        self._log = np.empty((_FIRST_CELLS, LOG_COLUMNS), np.int32)
        self._unread_events = NO_EVENTS

    @property
    def route(self) -> list[tuple[int, int]]:
        """The representatives on the way over regions, as (x, y), once the first move was planned."""
        regions = self._scratch[3][: self._state[refinement.LENGTH]]
        return [(x, y) for x, y in self._world[2][regions].tolist()]

    def take_events(self) -> npt.NDArray[np.void]:
        """What the searches on the ground did since the last call, and their targets."""
        events, self._unread_events = self._unread_events, NO_EVENTS
        return np.concatenate([events, read_events(self.grid, self._search.take_events())])

    @property
    def memory(self) -> Memory:
        """The most that one search since `reset` has held, over regions or on the ground."""
        return Memory(int(self._state[refinement.MOST_OPEN]), int(self._state[refinement.MOST_CLOSED]))

    def _begin(self) -> None:
        self._search.take_events()
        self._unread_events = NO_EVENTS
        self._state[refinement.MOST_OPEN] = self._state[refinement.MOST_CLOSED] = 0
        self._start()

    def _retarget(self) -> None:
        self._start()

    def _start(self) -> None:
        refinement.start(self._state, self.cell, self.goal)
        self._at = self._end = 0

    def _plan(self, moves: int) -> None:
        """Let the kernel plan segments of at least so many moves, or to the goal."""
        state = self._state
        state[refinement.WANTED] = moves
        state[refinement.MADE] = state[refinement.ROWS] = 0
        while status := refinement.plan(
            *self._map, *self._search.arrays, *self._world, *self._scratch, state, self._cells, self._log
        ):
            if status == refinement.CELLS_FULL:
                self._cells, self._log = doubled(self._cells), doubled(self._log)
            elif status == refinement.LOST:
                raise WaypostError(
                    f"the index leads no way from {self.grid.xy(self.cell)} to {self.grid.xy(self.goal)}, "
                    "or only one that is longer than is supported; build the index again"
                )
            else:
                self._search.make_room(status)
        self._at, self._end, self._rows = 0, int(state[refinement.MADE]), int(state[refinement.ROWS])
