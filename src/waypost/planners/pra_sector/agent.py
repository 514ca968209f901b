"""Agents that plan over regions and refine on the ground, segment by segment (Sturtevant 2007; algorithms 7.2)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Planned
from waypost.agents.many import Cells
from waypost.agents.move_log import new_plan_log
from waypost.agents.step import Memory
from waypost.agents.trace import NO_EVENTS, read_events
from waypost.kernels.compiling import address_of
from waypost.kernels.numbers import NO_LIMIT
from waypost.planners.cuts.kernels import in_sector
from waypost.planners.pra_sector.index import SectorGraph
from waypost.planners.pra_sector.kernels import many, plan
from waypost.planners.pra_sector.kernels.state import STATE, Ground, Regions, Scratch, Settings
from waypost.world.grid import Grid
from waypost.world.search import Search, doubled

__all__ = ["SectorPlanning"]

FIRST_CELLS = 1024


class SectorPlanning(Planned):
    """PRA* over the regions of sectors. A segment leads `hops` regions on; `trim` per cent of each are cut off its end.

    The switches are 0 or 1: `skip_ends` leaves out the representatives of start and goal, `restricted` searches only in
    the regions that a segment leads through, `climbs` spares the search where a climb is as short as can be.
    """

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
        self._arrays = self._search.arrays
        self._points = index.points
        ground = Ground(mask=grid.mask, climb_table=grid.climb_table)
        regions = Regions(
            firsts=index.firsts,
            reps=index.reps,
            points=index.points,
            starts=index.starts,
            neighbours=index.neighbours,
        )
        settings = Settings(
            side=index.side,
            across=index.across,
            trim=trim,
            skip_ends=skip_ends,
            hops=hops,
            restricted=restricted,
            climbs=climbs,
        )
        self._fixed = tuple(ground), tuple(regions), tuple(settings)  # plain ones, which Numba types faster
        kept_size = grid.mask.size if restricted else 1
        scratch = Scratch(
            marks=np.zeros(index.reps.size, np.int64),
            parents=np.zeros(index.reps.size, np.int32),
            heap=np.empty(index.neighbours.size + 1, np.int64),  # each edge puts its end on the open list once, at most
            route=np.empty(index.reps.size, np.int32),
            sector=np.zeros(in_sector.scratch_size(index.side), np.int64),
            stamps=np.zeros(kept_size, np.int32),
            members=np.empty(grid.open_count if restricted else 1, np.int32),
        )
        self._scratch: tuple[npt.NDArray[Any], ...] = tuple(scratch)
        self._kept = np.zeros(kept_size, np.uint8)
        self.state = np.zeros(1, STATE)
        self._way = np.empty(FIRST_CELLS, np.int32)
        self._log = new_plan_log(FIRST_CELLS)
        self._unread_events = NO_EVENTS

    @property
    def route(self) -> list[tuple[int, int]]:
        """The representatives on the way over regions, as (x, y), once the first move was planned."""
        regions = Scratch(*self._scratch).route[: self.state["length"][0]]
        return [(x, y) for x, y in self._points[regions].tolist()]

    def solver(self, goals: Cells) -> Callable[..., int]:  # noqa: ARG002 - any goals
        """A kernel that solves many problems."""
        mine = *self._fixed, self._arrays, *self._mine, self._way, self._log
        return partial(many.solve, *mine, address_of(plan.plan, *mine, NO_LIMIT))

    def see_to(self, status: int) -> None:
        """Make room, or say that no way leads there."""
        if status == plan.CELLS_FULL:
            self._way, self._log = doubled(self._way), doubled(self._log)
        elif status == plan.LOST:
            raise self._leads_no_way()
        else:
            self._search.make_room(status)
            self._arrays = self._search.arrays

    def take_events(self) -> npt.NDArray[np.void]:
        """What the searches on the ground did since the last call, and their targets."""
        events, self._unread_events = self._unread_events, NO_EVENTS
        return np.concatenate([events, read_events(self.grid, self._search.take_events())])

    @property
    def memory(self) -> Memory:
        """The most that one search since `reset` has held, over regions or on the ground."""
        self._require_reset()
        return Memory(int(self.state["most_open"][0]), int(self.state["most_closed"][0]))

    def _begin(self) -> None:
        if self.record:
            self._search.take_events()
        self._unread_events = NO_EVENTS
        self.state["most_open"] = self.state["most_closed"] = 0
        self._start()

    def _retarget(self) -> None:
        self._start()

    def _start(self) -> None:
        plan.start(self.state, self.cell, self.goal)
        self._at = self._end = 0

    @property
    def _mine(self) -> tuple[Any, ...]:
        """What the kernel works with besides its search."""
        kept_moves = self._kept.view()  # not an attribute: of a copy it must be a view of the copy's own
        kept_moves.setflags(write=False)  # as a grid's legal moves are: the same type to compiled code
        return self._scratch, self._kept, kept_moves, self.state

    def _plan(self, moves: int) -> None:
        """Let the kernel plan segments of at least so many moves, or to the goal."""
        state = self.state
        state["made"][0] = state["rows"][0] = 0
        mine = self._mine
        while status := plan.plan(*self._fixed, self._arrays, *mine, self._way, self._log, moves):
            self.see_to(status)
        self._cells = self._way[1:]  # what is planned begins behind the cell that the agent stands on
        self._at, self._end, self._rows = 0, state["made"].item(), state["rows"].item()
