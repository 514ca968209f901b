"""Fleet: any number of agents of one planner, moved together, within a time budget if there is one."""

import copy
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from time import perf_counter_ns
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, shown
from waypost.planners.walking.ids import IdList, Ids, SomeIds
from waypost.planners.walking.kernels import troop
from waypost.planners.walking.kernels.troop import Lists, Walkers
from waypost.planners.walking.members import Events, MemberStatus, Tick
from waypost.planners.walking.mover import Mover, TroopRoute
from waypost.planners.walking.troop import Troop, part_of
from waypost.system.checks import are_numbers, number_within, truth, whole_numbers
from waypost.system.threads import thread_count
from waypost.world.grid import Grid, Points

__all__ = ["MemberStatus", "Events", "Fleet", "Tick"]

TROOP_SHIFT = 15  # a troop has 2^15 walkers at most: one call serves many, and many troops share out among threads
TROOP = 1 << TROOP_SHIFT
_SMALLEST = 16  # walkers that there is room for
_LINE = 16  # int32 numbers of a cache line
_LAST_NS = 20_000  # of a budget are for what comes after all moves: events and counts
_LONGEST_BUDGET_US = 3.6e9  # an hour
_NOBODY = np.empty(0, np.int32)


_NO_EVENTS = Events(_NOBODY, _NOBODY, _NOBODY)


class _Order(NamedTuple):
    """What some agents are told, after all that could be refused: where each is and where it goes, and what follows."""

    ids: Ids
    places: Ids
    ends: Ids
    """-1 removes an agent."""
    ways: npt.NDArray[np.uint8]
    width: int
    """Slots that a walker's state must have for that."""


class Fleet:
    """Many agents of one planner; `planner.fleet(starts, goals)` makes one.

    An agent's id is its row in `cells`, `xy`, `goals` and `status`. The id of an agent that was removed is given to
    another one some day, the one longest free first; `generations` says how often each was given. Every agent makes
    just the moves that a single agent of the planner would make; a budget only lets it wait. A call that is refused
    changes nothing. Copies and pickles of a fleet go on from where it stands.
    """

    def __init__(
        self, grid: Grid, make_route: Callable[[], TroopRoute], threads: int | None = None, *, nearest: bool = False
    ) -> None:
        self.grid = grid
        self.threads = thread_count(threads)
        self.nearest = truth("nearest", nearest)
        """Whether agents go as near as they can to goals that cannot be reached, unless a call says otherwise."""
        self._make_route = make_route
        self.movers = [Mover(make_route()) for _ in range(self._movers_at_first)]
        self._helpers = ThreadPoolExecutor(self.threads - 1, "waypost-fleet") if self.threads > 1 else None
        self.troops: list[Troop] = []
        self._width = _in_lines(self.movers[0].route.slots)
        self._walkers = _new_walkers(0, self._width)
        self._ids = IdList()
        self._news: list[tuple[MemberStatus, Ids]] = []
        self._told: list[tuple[MemberStatus, Ids]] = []
        self._events: Events | None = _NO_EVENTS

    @property
    def _movers_at_first(self) -> int:
        return self.threads

    def _mover_of(self, number: int) -> Mover:
        """What moves a troop."""
        return self.movers[number % self.threads]

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, starts: Points, goals: Points, *, nearest: bool | None = None) -> Ids:
        """Add agents on starts, (n, 2) arrays of x, y, with a goal each or one for all; returns their ids.

        A goal that cannot be reached makes the agent's status UNREACHABLE; with `nearest` it goes as near as it can. If
        that is left out, it is as for the fleet.
        """
        places = self.grid.open_cells(_rows(starts), "starts").astype(np.int32)
        ids = self._ids.following(places.size)
        order = self._order(ids, places, self._goals_of(goals, places.size), nearest)
        self._ids.give(ids)
        if self._ids.end > self._walkers.cells.size:
            self._resize(max(self._ids.end, self._walkers.cells.size * 3 // 2), self._width)
        self._carry_out(order)
        return ids

    def remove(self, ids: SomeIds) -> None:
        """Remove agents; they are gone at once."""
        chosen = self._checked(ids)
        self._carry_out(self._order(chosen, self._walkers.cells[chosen], np.full(chosen.size, -1, np.int32)))
        self._ids.free(chosen)

    def retarget(self, ids: SomeIds, goals: Points, *, nearest: bool | None = None) -> None:
        """Send agents to other goals from where they stand: a goal each, or one for all; `nearest` as for `add`."""
        chosen = self._checked(ids)
        ends = self._goals_of(goals, chosen.size)
        self._carry_out(self._order(chosen, self._walkers.cells[chosen], ends, nearest))

    def teleport(self, ids: SomeIds, places: Points) -> None:
        """Put agents on other places, from where they go on to their goals."""
        chosen = self._checked(ids)
        cells = _spread(self.grid.open_cells(_rows(places), "places"), chosen.size, "places")
        self._carry_out(self._order(chosen, cells, self._walkers.goals[chosen]))

    def tick(self, budget_us: float | None = None) -> Tick:
        """Let every agent make one move that has a way to go.

        With a budget in microseconds, targets are chosen only until it is used up: who gets none waits, and goes first
        in the next tick. Moves towards targets that were chosen before are always made.
        """
        began = perf_counter_ns()
        deadline = None
        if budget_us is not None:
            budget_us = number_within("budget_us", budget_us, float, 0, _LONGEST_BUDGET_US, takes_text=False)
            deadline = began + int(1000 * budget_us) - _LAST_NS
        self._told, self._news, self._events = self._news, [], None
        self._run(deadline)
        moved = chosen = waiting = longest = arrived = 0
        for each in self.troops:
            count = each.counts()
            moved += count.moved
            chosen += count.chosen
            waiting += count.waiting
            longest = max(longest, count.longest_wait)
            arrived += count.arrived
        if self._told:
            arrived = self.events.arrived.size
        return Tick(moved, chosen, waiting, longest, arrived, (perf_counter_ns() - began) / 1000)

    @property
    def events(self) -> Events:
        """Who arrived in the last tick, and whose goal turned out to be out of reach."""
        if self._events is None:  # not part of a tick, which may be short of time
            self._events = self._collected()
        return self._events

    @property
    def ids(self) -> Ids:
        """The ids of all agents, in rising order."""
        return np.flatnonzero(self.status).astype(np.int32)

    @property
    def cells(self) -> Ids:
        """The cell of each agent, by id: a view that the next tick changes."""
        return self._view(self._walkers.cells)

    @property
    def goals(self) -> Ids:
        """The goal cell of each agent, by id; -1 where there is none."""
        return self._view(self._walkers.goals)

    @property
    def xy(self) -> Ids:
        """Where each agent stands, by id: an (n, 2) array of x, y."""
        return self.grid.xys(self.cells)

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """The `MemberStatus` of each agent, by id."""
        status = self._walkers.status[: self._ids.end] & np.uint8(troop.STATUS)
        status[self.waiting] = MemberStatus.WAITING
        return status

    @property
    def waiting(self) -> Ids:
        """Ids of the agents for whose move there was no time in the last tick."""
        return np.concatenate([_NOBODY, *(each.waiting for each in self.troops)])

    @property
    def generations(self) -> Ids:
        """How often each id was given to an agent."""
        return self._view(self._ids.generations)

    @property
    def bytes(self) -> int:
        """Memory of all agents together, what they have learned included; the index is shared and not counted."""
        arrays = sum(array.nbytes for array in self._walkers) + self._ids.generations.nbytes
        return arrays + sum(each.bytes for each in self.troops)

    def close(self) -> None:
        """End the fleet's threads; it goes on with one."""
        if self._helpers:
            self._helpers.shutdown()
            self._helpers = None

    def _run(self, deadline: int | None) -> None:
        """One tick of all movers, the first of them on this thread."""
        first, *others = self._works(deadline)
        tasks = [self._helpers.submit(work) for work in others] if self._helpers else []
        first()
        for work in others if self._helpers is None else ():
            work()
        for task in tasks:
            task.result()

    def _works(self, deadline: int | None) -> list[Callable[[], None]]:
        """What the movers have to do in a tick, one at least."""
        return self._works_until(deadline)

    def _works_until(self, deadline: int | None) -> list[Callable[[], None]]:
        busy = [mover for mover in self.movers if mover.troops] if self.troops else [self.movers[0]]
        return [partial(mover.tick, deadline) for mover in busy]

    def _collected(self) -> Events:
        """What happened in this tick, and since the one before."""
        ended = [ids for each in self.troops if (ids := each.ended).size]
        if not (ended or self._told):
            return _NO_EVENTS
        ids = np.sort(np.concatenate([_NOBODY, *ended]))
        how = self._walkers.status[ids] & troop.STATUS
        by_kind = [
            [ids[how == kind], *(others for news, others in self._told if news == kind)]
            for kind in (MemberStatus.ARRIVED, MemberStatus.UNREACHABLE, MemberStatus.LOST)
        ]
        return Events(*(found[0] if len(found) == 1 else np.unique(np.concatenate(found)) for found in by_kind))

    def _order(self, ids: Ids, places: Ids, ends: Ids, nearest: bool | None = None) -> _Order:
        """What to tell agents so that they stand on places and have goals; nothing has changed yet."""
        return self._find_order(ids, places, ends, nearest)

    def _find_order(self, ids: Ids, places: Ids, ends: Ids, nearest: bool | None) -> _Order:
        if not ids.size == places.size == ends.size:  # kernels do not compare them
            raise ParameterError(f"{ids.size:,} agents cannot have {places.size:,} places and {ends.size:,} goals")
        nearest = self.nearest if nearest is None else truth("nearest", nearest)
        ways = np.empty(ids.size, np.uint8)
        if troop.ways_of(self.grid.component, places, ends, ways) < ids.size and nearest:
            for i in np.flatnonzero(ways == troop.UNREACHABLE).tolist():
                ends[i] = self.grid.nearest_connected(int(places[i]), int(ends[i]))
            troop.ways_of(self.grid.component, places, ends, ways)
        width = self._width
        for number, part in _by_troop(ids):
            on_way = ends[part][ways[part] == troop.MOVING]
            if on_way.size:
                width = max(width, self._route_of(number).slots_for(on_way))
        return _Order(ids, places, ends, ways, width)

    def _carry_out(self, order: _Order) -> None:
        """Put agents on places with goals; nothing here is refused."""
        self._tell(order)

    def _tell(self, order: _Order) -> None:
        _ = self.events  # of the last tick, as agents were after it
        ids, places, ends, ways, width = order
        if width > self._width:
            self._resize(self._walkers.cells.size, _in_lines(width))
        for kind in (MemberStatus.ARRIVED, MemberStatus.UNREACHABLE):
            if (of_kind := ids[ways == kind]).size:
                self._news.append((kind, of_kind))
        for number, part in _by_troop(ids):
            walkers, on_way = ids[part] & np.int32(TROOP - 1), ways[part] == troop.MOVING
            each = self.troops[number]
            self._route_of(number).begin_all(each.walkers.state, walkers[on_way], ends[part][on_way])
            each.assign(walkers, places[part], ends[part], ways[part])

    def _route_of(self, number: int) -> TroopRoute:
        """The route by which a troop walks."""
        return self._mover_of(number).route

    def _goals_of(self, goals: Points, count: int) -> Ids:
        return _spread(self.grid.cells(_rows(goals), "goals"), count, "goals")

    def _checked(self, ids: SomeIds) -> Ids:
        """Ids of agents that exist, each of them once, as an array."""
        wanted = whole_numbers(ids)
        if wanted is None or wanted.ndim > 1:
            raise ParameterError(f"ids must be whole numbers, as add() returned them, not {shown(ids)}")
        wanted = np.ascontiguousarray(wanted).reshape(-1)
        chosen = np.empty(wanted.size, np.int32)
        bad = troop.known_ids(self._walkers.status, self._ids.end, wanted.astype(np.int64), chosen)
        if bad >= 0:
            if wanted[bad] in wanted[:bad]:
                raise ParameterError(f"the id {wanted[bad]} is named twice; name each agent once")
            raise ParameterError(f"the fleet has no agent of the id {wanted[bad]}")
        return chosen

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made of. It shares nothing with this fleet but what never changes."""
        return {
            "made_by": (self.grid, self._make_route, self.threads),
            "nearest": self.nearest,
            "walkers": Walkers._make(array.copy("K") for array in self._walkers),
            "ids": copy.deepcopy(self._ids),
            "news": (list(self._told), list(self._news), self._events),
            "lists": [Lists._make(array.copy() for array in each.lists) for each in self.troops],
        }

    def __setstate__(self, copied: dict[str, Any]) -> None:
        Fleet.__init__(self, *copied["made_by"], nearest=copied["nearest"])  # threads and routes of its own
        self._walkers, self._ids = copied["walkers"], copied["ids"]
        self._width = self._walkers.state.shape[1]
        if self._walkers.cells.size:
            self._resize(self._walkers.cells.size, self._width)  # into memory that begins with a cache line
        self._told, self._news, self._events = copied["news"]
        for number, (each, lists) in enumerate(zip(self.troops, copied["lists"], strict=True)):
            each.lists = lists
            on_way = np.flatnonzero(each.walkers.status & troop.STATUS == troop.MOVING).astype(np.int32)
            self._route_of(number).find_again(each.walkers.state, on_way, each.walkers.goals[on_way])

    def _resize(self, count: int, width: int) -> None:
        """Have room for this many agents, each with this many slots."""
        room = -(-max(count, 1) // _SMALLEST) * _SMALLEST
        larger, old = _new_walkers(room, width), self._walkers
        there = part_of(larger, slice(0, old.cells.size))
        there.cells[:], there.to_x[:], there.to_y[:] = old.cells, old.to_x, old.to_y
        there.goals[:], there.status[:], there.state[:, : self._width] = old.goals, old.status, old.state
        self._walkers, self._width = larger, width
        while len(self.troops) < -(-room // TROOP):
            mover = self._mover_of(len(self.troops))
            mover.troops.append(Troop(len(self.troops) * TROOP, mover.route.learns))
            self.troops.append(mover.troops[-1])
        for each in self.troops:
            each.view(larger, min(TROOP, room - each.first))

    def _view(self, array: Ids) -> Ids:
        """The part of an array that belongs to ids in use, not to be written to."""
        part = array[: self._ids.end]
        part.setflags(write=False)
        return part


def _rows(points: Any) -> Any:
    """Points as rows, also if it is only one."""
    try:
        is_point = len(points) == 2 and are_numbers(points) and np.shape(points) == (2,)
    except (TypeError, ValueError):  # what is wrong, the grid will say
        return points
    return [points] if is_point else points


def _spread(cells: npt.NDArray[np.int64], count: int, what: str) -> Ids:
    """As many cells as there are agents: one may stand for all."""
    if cells.size != count and cells.size != 1:
        raise ParameterError(f"there are {cells.size:,} {what} for {count:,} agents; give one for each, or one for all")
    return np.full(count, cells, np.int32)


def _by_troop(ids: Ids) -> Iterator[tuple[int, Any]]:
    """The numbers of troops, and which of the ids belong to each."""
    if not ids.size:
        return
    numbers = ids >> TROOP_SHIFT
    first, last = int(numbers.min()), int(numbers.max())
    if first == last:
        yield first, slice(None)
        return
    order = np.argsort(numbers, kind="stable")
    bounds = np.searchsorted(numbers[order], np.arange(last + 2)).tolist()
    for number, (begin, end) in enumerate(pairwise(bounds)):
        if begin < end:
            yield number, order[begin:end]


def _in_lines(slots: int) -> int:
    """Slots rounded up to whole cache lines."""
    return -(-slots // _LINE) * _LINE


def _new_walkers(count: int, width: int) -> Walkers:
    """Arrays for this many walkers; the rows of their state begin with a cache line."""
    memory = np.zeros(count * width + _LINE, np.int32)
    skipped = -(memory.ctypes.data // memory.itemsize) % _LINE
    rows = memory[skipped : skipped + count * width].reshape(count, width)
    return Walkers(
        cells=np.zeros(count, np.int32),
        to_x=np.zeros(count, np.int32),
        to_y=np.zeros(count, np.int32),
        goals=np.zeros(count, np.int32),
        status=np.zeros(count, np.uint8),
        state=rows,
    )
