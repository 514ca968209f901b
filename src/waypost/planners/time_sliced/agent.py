"""TBA*: an agent that walks while one A* search from its start goes on, a slice per move (algorithms 8)."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.agents.logged import Logged
from waypost.agents.many import Cells
from waypost.agents.step import Memory
from waypost.agents.trace import NO_EVENTS, read_events
from waypost.kernels.compiling import address_of
from waypost.kernels.named import new_record
from waypost.planners.time_sliced.kernels import many
from waypost.planners.time_sliced.kernels import walk as time_sliced
from waypost.world.grid import Grid
from waypost.world.search import Search

__all__ = ["TimeSliced"]

# Many times what is open at a time: on the Dragon Age maps a thirtieth of the cells at most. Should it ever not be
# enough, the kernel asks for room. Rows are used again before a new one is touched, and those never touched take no
# memory.
ENTRIES_PER_CELL = 1


class TimeSliced(Logged):
    """TBA* with a `slice` of planning per move, in expansions: a `share` of it for the search, the rest to trace paths.

    `ratio` steps of a trace cost as much as an expansion. The switches are 0 or 1: `wait` stays at the start where the
    original goes back and forth, `shortcut` joins the path to the goal from beside it, `drop_trace` gives up the trace
    under way when the goal is found.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        slice: int = 50,  # noqa: A002 - the papers' word
        share: float = 0.9,
        ratio: int = 10,
        wait: int = 0,
        shortcut: int = 0,
        drop_trace: int = 0,
        record: bool = False,
    ) -> None:
        super().__init__(grid, record=record)
        # All the room that the open list can need, so that no move has to wait for a larger copy of it.
        entries = ENTRIES_PER_CELL * int(grid.component_sizes.max()) + 8
        self.search = Search(grid, entries=entries, record=record)
        self._arrays = self.search.arrays
        self._stamps = np.zeros((grid.mask.size, 2), np.int64)
        search_share, trace_share = _shares(slice, share, ratio)
        settings = time_sliced.Settings(
            search_share=search_share, trace_share=trace_share, wait=wait, shortcut=shortcut, drop_trace=drop_trace
        )
        self.state = new_record(time_sliced.STATE, settings)
        self._unread_events = NO_EVENTS

    @staticmethod
    def work_bound(params: Mapping[str, Any]) -> int:
        """Most work of one move: both shares of the slice, and a look at every neighbour for a shortcut."""
        return sum(_shares(params["slice"], params["share"], params["ratio"])) + 8 * params["shortcut"]

    def solver(self, goals: Cells) -> Callable[..., int]:  # noqa: ARG002 - any goals
        """A kernel that solves many problems."""
        mine = self.grid.mask, self._arrays, self._stamps, self.state
        begin_at, walk_at = self.search.begin_address, address_of(time_sliced.walk, *mine, self._one_move, 0)
        return partial(many.solve, *mine, begin_at, walk_at)

    def see_to(self, status: int) -> None:
        """Make room."""
        self.search.make_room(status)
        self._arrays = self.search.arrays

    def take_events(self) -> npt.NDArray[np.void]:
        """What the search did since the last call, and the cells that traces began from."""
        events, self._unread_events = self._unread_events, NO_EVENTS
        return np.concatenate([events, read_events(self.grid, self.search.take_events())])

    @property
    def memory(self) -> Memory:
        """The most that a search since `reset` has held."""
        self._require_reset()
        held = Memory(self.search.peak_open, self.search.expansions)
        return Memory(*map(max, held, self._held_before))

    def _begin(self) -> None:
        self._unread_events = NO_EVENTS
        self._held_before = Memory()
        self._start_search()

    def _retarget(self) -> None:
        self._unread_events = self.take_events()
        self._held_before = self.memory
        self._start_search()

    def _start_search(self) -> None:
        self.search.begin(self.cell, self.goal)
        time_sliced.begin(self.state, self.cell)

    def _make_moves(self, log: npt.NDArray[np.int32]) -> int:
        """Let the kernel make moves, with more room whenever it asks for some."""
        mask = self.grid.mask
        status, made = time_sliced.walk(mask, self._arrays, self._stamps, self.state, log, 0)
        while status:
            self.see_to(status)
            status, made = time_sliced.walk(mask, self._arrays, self._stamps, self.state, log, made)
        return made


def _shares(slice: int, share: float, ratio: int) -> tuple[int, int]:  # noqa: A002
    """Expansions and trace steps of a slice, each at least 1; the share counts as it is written in decimals."""
    expansions = min(max(math.floor(Fraction(repr(float(share))) * slice), 1), slice - 1)
    return expansions, ratio * (slice - expansions)
