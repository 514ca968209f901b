"""PlannedRoute: ways for the walkers of a troop, each found by a search that goes on from tick to tick."""

from typing import NamedTuple

import numpy as np

from waypost.living.kernels import follow
from waypost.living.kernels.follow import FollowSlot
from waypost.living.veil import Veil, with_moves
from waypost.planners.walking.kernels.troop import MOVING, STATUS, Lists, Numbers, Walkers
from waypost.planners.walking.troop import Int32
from waypost.world.jump_search import JumpSearch
from waypost.world.live_grid import LiveGrid
from waypost.world.search import KernelSearch, Search, SearchState

__all__ = ["PlannedRoute"]

_FIRST_TURNS = 1 << 12
_WORK_OF_JUMPS = 32  # an expansion of jump point search takes as long as so many of other work
_NO_WAY = np.empty(0, np.int32)


class _Asked(NamedTuple):
    """What a search is about."""

    walker: int
    cell: int
    goal: int
    is_detour: bool


class PlannedRoute:
    """A route for one troop of a fleet on the grid of a World, by a search of its own.

    Who is held by blocked cells for more than `patience` ticks gets a way round them, if there is one.
    """

    slots = max(FollowSlot) + 1
    learns = False

    def __init__(self, grid: LiveGrid, search: KernelSearch, veil: Veil, patience: int) -> None:
        self._grid = grid
        self._search = search
        self._detours: Search | None = None  # past blocked cells, made when one is asked for
        self._ground = grid.mask, veil.mask, grid.stride
        self._patience = patience
        self._turns = np.empty(_FIRST_TURNS, np.int32)
        self._used = 0
        self._asked: _Asked | None = None
        self._version = -1  # of the map when that search began

    def prepare_for_many(self) -> None:
        """Walkers share no more than the pool of turns, which is there."""

    def slots_for(self, goals: Int32) -> int:  # noqa: ARG002 - as many for any goal
        """As many for any goal."""
        return self.slots

    def begin_all(self, state: Int32, walkers: Int32, goals: Int32) -> None:  # noqa: ARG002 - the walkers have them
        """No way is known yet."""
        for slot in FollowSlot:
            state[walkers, slot] = 0

    def find_again(self, state: Int32, walkers: Int32, goals: Int32) -> None:
        """The pool of turns is another one, so that all ask again."""
        self.begin_all(state, walkers, goals)

    def move_all(self, walkers: Walkers, lists: Lists) -> None:
        """A step each, of all who know a way."""
        follow.follow_listed(*self._ground, self._turns, self._patience, tuple(walkers), tuple(lists))

    def choose_all(self, walkers: Walkers, lists: Lists, most_work: int) -> int:
        """Find ways for those who wait, one after the other; a search that takes longer goes on in the next call."""
        work = 0
        while work < most_work:
            numbers = Numbers._make(lists.numbers.item())
            if not numbers.due:
                break
            walker = int(lists.queue[numbers.front])
            work += 1
            if walkers.status[walker] & STATUS != MOVING:
                follow.drop_first(tuple(walkers), tuple(lists))
                continue
            asked = _Asked(
                walker,
                int(walkers.cells[walker]),
                int(walkers.goals[walker]),
                bool(walkers.state[walker, FollowSlot.DETOUR]),
            )
            found, spent = self._go_on(asked, max(most_work - work, 1))
            work += spent
            if found is SearchState.FOUND:
                self._set_off(walkers, lists, self._search_of(asked).walk_back(asked.goal))
            elif found is SearchState.EXHAUSTED:
                self._find_none(walkers, lists, asked)
        return work

    @property
    def bytes(self) -> int:
        """Memory of the pool of turns."""
        return self._turns.nbytes

    def _search_of(self, asked: _Asked) -> KernelSearch:
        if not asked.is_detour:
            return self._search
        if self._detours is None:
            self._detours = Search(with_moves(self._grid, self._ground[1]))
        return self._detours

    def _go_on(self, asked: _Asked, most_work: int) -> tuple[SearchState, int]:
        """Search, on from where the last call stopped if it was about the same; how that ended, and the work."""
        search = self._search_of(asked)
        if asked != self._asked:
            search.begin(asked.cell, asked.goal)
            self._asked, self._version = asked, self._grid.version
        each = _WORK_OF_JUMPS if isinstance(search, JumpSearch) else 1
        before = search.expansions
        found = search.advance(max(most_work // each, 1))
        if found is not SearchState.RUNNING:
            self._asked = None
        return found, each * max(search.expansions - before, 1)

    def _set_off(self, walkers: Walkers, lists: Lists, path: Int32) -> None:
        """Let the first of the queue go on its way."""
        if self._used + path.size > self._turns.size:
            packed = np.empty(self._turns.size, np.int32)
            self._used = follow.pack_turns(self._turns, walkers.status, walkers.state, packed)
            self._turns = np.empty(max(packed.size, 2 * (self._used + path.size)), np.int32)
            self._turns[: self._used] = packed[: self._used]
        own = tuple(walkers), tuple(lists)
        self._used = follow.set_off(*self._ground, self._turns, self._patience, *own, path, self._used)

    def _find_none(self, walkers: Walkers, lists: Lists, asked: _Asked) -> None:
        """A search found no way: there is none past what is blocked, or the map has changed under it."""
        if asked.is_detour:
            walkers.state[asked.walker, FollowSlot.DETOUR] = 0
        elif self._version == self._grid.version:
            self._set_off(walkers, lists, _NO_WAY)
