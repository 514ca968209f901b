"""Agents that plan over regions and refine on the ground, segment by segment (Sturtevant 2007; algorithms 7.2)."""

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent
from waypost.errors import WaypostError
from waypost.grid import Grid
from waypost.indexes.sectors import SectorGraph
from waypost.kernels import in_sector, refinement
from waypost.parameters import whole_number
from waypost.search import Search, doubled
from waypost.step import WORK_COUNTERS, Memory, Status, Step, Walk
from waypost.trace import NO_EVENTS, read_events

__all__ = ["Abstract"]

_FIRST_CELLS = 1024
_COLUMNS = [WORK_COUNTERS.index(name) for name in ("expansions", "climbs", "probes")]


class Abstract(Agent):
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
        self._log = np.empty((_FIRST_CELLS, refinement.LOG_COLUMNS), np.int32)
        self._at = self._end = 0  # cells planned: the next one, and behind the last
        self._unread_events = NO_EVENTS

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most so many; all segments that takes are planned in one call."""
        self._require_reset()
        left = whole_number("max_moves", max_moves)
        cells, work = [np.array([self.cell], np.int32)], [np.empty((0, len(WORK_COUNTERS)), np.int32)]
        while left and self.cell != self.goal:
            ahead, spent = self._take(left)
            cells.append(ahead)
            work.append(np.zeros((ahead.size, len(WORK_COUNTERS)), np.int32))
            work[-1][spent[:, 0, None], _COLUMNS] = spent[:, 1:]
            left -= ahead.size
        status = Status.ARRIVED if self.cell == self.goal else Status.OUT_OF_MOVES
        return Walk(status, np.concatenate(cells), np.concatenate(work))

    def path(self, max_moves: int = MOST_MOVES) -> npt.NDArray[np.int32]:
        """All cells from where the agent stands to the goal, without the work of each move."""
        self._require_reset()
        if self._at < self._end or self.cell == self.goal:
            return super().path(max_moves)
        self._plan(max_moves)
        if self._end > max_moves or self._end == 0:
            return super().path(max_moves)
        cells = np.empty(self._end + 1, np.int32)
        cells[0] = self.cell
        cells[1:] = self._cells[: self._end]
        self._at, self.cell = self._end, self.goal
        return cells

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

    def _advance(self) -> Step:
        expansions = climbs = probes = 0
        if self._at == self._end:
            self._plan(1)
            _, expansions, climbs, probes = self._log[0].tolist()
        cell = int(self._cells[self._at])
        self._at += 1
        status = Status.ARRIVED if cell == self.goal else Status.MOVING
        return Step(cell, status, expansions=expansions, climbs=climbs, probes=probes)

    def _take(self, most: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Make at most so many moves: their cells, and what those of them cost that had to wait for a segment."""
        if self._at == self._end:
            self._plan(most)
        ahead = self._cells[self._at : min(self._end, self._at + most)].copy()
        rows = self._log[: self._state[refinement.ROWS]]
        spent = rows[(rows[:, 0] >= self._at) & (rows[:, 0] < self._at + ahead.size)]
        spent[:, 0] -= self._at
        self._at += ahead.size
        self.cell = int(ahead[-1])
        return ahead, spent

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
        self._at, self._end = 0, int(state[refinement.MADE])
