"""Fleet: any number of agents of one planner, moved together, within a time budget if there is one."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from itertools import pairwise
from time import perf_counter_ns
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, shown
from waypost.grid import Grid
from waypost.kernels import troop, walk
from waypost.parameters import number_within
from waypost.threads import thread_count
from waypost.troop import Crew, Shared, Troop, TroopRoute

__all__ = ["AgentStatus", "Events", "Fleet", "Tick"]

_TROOP_SHIFT = 15  # a troop has 2^15 walkers at most: one call serves many, and many troops share out among threads
_TROOP = 1 << _TROOP_SHIFT
_SMALLEST = 16  # walkers that there is room for
_LINE = 16  # int32 numbers of a cache line
_LAST_NS = 20_000  # of a budget are for what comes after all moves: events and counts
_LONGEST_BUDGET_US = 3.6e9  # an hour
_NOBODY = np.empty(0, np.int32)

Ids = npt.NDArray[np.int32]


class AgentStatus(IntEnum):
    """How an agent of a fleet stands."""

    NONE = troop.NO_AGENT
    """There is no agent of this id (any more)."""
    MOVING = troop.MOVING
    """On its way."""
    ARRIVED = troop.ARRIVED
    """On its goal."""
    UNREACHABLE = troop.UNREACHABLE
    """No way leads to its goal; it stays where it is."""
    LOST = troop.LOST
    """What it learned went beyond the longest path supported; it stays where it is."""
    WAITING = troop.LOST + 1
    """On its way, but in the last tick there was no time for it."""


class Tick(NamedTuple):
    """What one tick did."""

    moved: int
    """Agents that made a move."""
    chosen: int
    """Targets chosen: the expensive part."""
    waiting: int
    """Agents that could not move for want of time."""
    longest_wait: int
    """Ticks that an agent has stood still for want of time: the most of those who wait, or did until this tick."""
    arrived: int
    """Agents that came to their goal."""
    us: float
    """Microseconds by the clock."""


class Events(NamedTuple):
    """Ids of agents to which something happened in the last tick, or in a call after the one before it."""

    arrived: Ids
    unreachable: Ids
    lost: Ids


_NO_EVENTS = Events(_NOBODY, _NOBODY, _NOBODY)


class Fleet:
    """Many agents of one planner; `planner.fleet(starts, goals)` makes one.

    An agent's id is its row in `cells`, `xy`, `goals` and `status`. The id of an agent that was removed is given to
    another one some day, the one longest free first; `generations` says how often each was given. Every agent makes
    just the moves that a single agent of the planner would make; a budget only lets it wait.
    """

    def __init__(self, grid: Grid, make_route: Callable[[], TroopRoute], threads: int | None = None) -> None:
        self.grid = grid
        self.threads = thread_count(threads)
        self._crews = [Crew(make_route()) for _ in range(self.threads)]
        self._helpers = ThreadPoolExecutor(self.threads - 1, "waypost-fleet") if self.threads > 1 else None
        self._troops: list[Troop] = []
        self._width = _in_lines(walk.SLOTS + self._crews[0].route.slots)
        self._shared = _new_shared(0, self._width)
        self._generations = np.zeros(0, np.int32)
        self._used = 0  # ids below were given at least once
        self._free: list[Ids] = []
        self._free_count = 0
        self._news: list[tuple[AgentStatus, Ids]] = []
        self._told: list[tuple[AgentStatus, Ids]] = []
        self._events: Events | None = _NO_EVENTS

    def __len__(self) -> int:
        return self._used - self._free_count

    def add(self, starts: npt.ArrayLike, goals: npt.ArrayLike, *, nearest: bool = False) -> Ids:
        """Add agents on starts, (n, 2) arrays of x, y, with a goal each or one for all; returns their ids.

        A goal that cannot be reached makes the agent's status UNREACHABLE; with `nearest` it goes as near as it can.
        """
        places = self.grid.open_cells(_pairs(starts), "starts").astype(np.int32)
        ends = self._goals_of(goals, places.size)
        ids = self._new_ids(places.size)
        self._assign(ids, places, ends, nearest)
        return ids

    def remove(self, ids: npt.ArrayLike) -> None:
        """Remove agents; they are gone at once."""
        chosen = np.unique(self._checked(ids))
        self._assign(chosen, self._shared.cells[chosen], np.full(chosen.size, -1, np.int32))
        self._free.append(chosen)
        self._free_count += chosen.size

    def retarget(self, ids: npt.ArrayLike, goals: npt.ArrayLike, *, nearest: bool = False) -> None:
        """Send agents to other goals from where they stand: a goal each, or one for all."""
        chosen = self._checked(ids)
        self._assign(chosen, self._shared.cells[chosen], self._goals_of(goals, chosen.size), nearest)

    def teleport(self, ids: npt.ArrayLike, places: npt.ArrayLike) -> None:
        """Put agents on other places, from where they go on to their goals."""
        chosen = self._checked(ids)
        cells = self.grid.open_cells(_spread(places, chosen.size, "places"), "places").astype(np.int32)
        self._assign(chosen, cells, self._shared.goals[chosen])

    def tick(self, budget_us: float | None = None) -> Tick:
        """Let every agent make one move that has a way to go.

        With a budget in microseconds, targets are chosen only until it is used up: who gets none waits, and goes first
        in the next tick. Moves towards targets that were chosen before are always made.
        """
        began = perf_counter_ns()
        deadline = None
        if budget_us is not None:
            budget_us = number_within("budget_us", budget_us, float, 0, _LONGEST_BUDGET_US)
            deadline = began + int(1000 * budget_us) - _LAST_NS
        self._told, self._news, self._events = self._news, [], None
        self._run(deadline)
        moved = chosen = waiting = longest = arrived = 0
        for each in self._troops:
            count = each.counts()
            moved, chosen, waiting, arrived = (
                moved + count[0],
                chosen + count[1],
                waiting + count[2],
                arrived + count[4],
            )
            longest = max(longest, count[3])
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
        return self._view(self._shared.cells)

    @property
    def goals(self) -> Ids:
        """The goal cell of each agent, by id; -1 where there is none."""
        return self._view(self._shared.goals)

    @property
    def xy(self) -> Ids:
        """Where each agent stands, by id: an (n, 2) array of x, y."""
        return self.grid.xys(self.cells)

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """The `AgentStatus` of each agent, by id."""
        status = self._shared.status[: self._used] & np.uint8(troop.STATUS)
        status[self.waiting] = AgentStatus.WAITING
        return status

    @property
    def waiting(self) -> Ids:
        """Ids of the agents that could not move in the last tick for want of time."""
        return np.concatenate([_NOBODY, *(each.waiting for each in self._troops)])

    @property
    def generations(self) -> Ids:
        """How often each id was given to an agent."""
        return self._view(self._generations)

    @property
    def bytes(self) -> int:
        """Memory of all agents together, what they have learned included; the index is shared and not counted."""
        arrays = sum(array.nbytes for array in self._shared) + self._generations.nbytes
        return arrays + sum(each.bytes for each in self._troops)

    def close(self) -> None:
        """End the fleet's threads; it goes on with one."""
        if self._helpers:
            self._helpers.shutdown()
            self._helpers = None

    def _run(self, deadline: int | None) -> None:
        """One tick of all crews, the first of them on this thread."""
        first, *others = (crew for crew in self._crews if crew.troops) if self._troops else [self._crews[0]]
        tasks = [self._helpers.submit(crew.tick, deadline) for crew in others] if self._helpers else []
        first.tick(deadline)
        for crew in others if self._helpers is None else ():
            crew.tick(deadline)
        for task in tasks:
            task.result()

    def _collected(self) -> Events:
        """What happened in this tick, and since the one before."""
        ended = [ids for each in self._troops if (ids := each.ended).size]
        if not (ended or self._told):
            return _NO_EVENTS
        ids = np.sort(np.concatenate([_NOBODY, *ended]))
        how = self._shared.status[ids] & troop.STATUS
        by_kind = [
            [ids[how == kind], *(others for news, others in self._told if news == kind)]
            for kind in (AgentStatus.ARRIVED, AgentStatus.UNREACHABLE, AgentStatus.LOST)
        ]
        return Events(*(found[0] if len(found) == 1 else np.unique(np.concatenate(found)) for found in by_kind))

    def _assign(self, ids: Ids, places: Ids, ends: Ids, nearest: bool = False) -> None:
        """Put agents on places with goals; a goal of -1 removes one."""
        _ = self.events  # of the last tick, as agents were after it
        ways = np.empty(ids.size, np.uint8)
        if troop.ways_of(self.grid.component, places, ends, ways) < ids.size:
            if nearest:
                for i in np.flatnonzero(ways == troop.UNREACHABLE).tolist():
                    ends[i] = self.grid.nearest_connected(int(places[i]), int(ends[i]))
                troop.ways_of(self.grid.component, places, ends, ways)
            for kind in (AgentStatus.ARRIVED, AgentStatus.UNREACHABLE):
                self._news.append((kind, ids[ways == kind]))
        if len(self._troops) == 1:
            self._assign_to(0, ids, places, ends, ways)
            return
        number = ids >> _TROOP_SHIFT
        order = np.argsort(number, kind="stable")
        bounds = np.searchsorted(number[order], np.arange(len(self._troops) + 1)).tolist()
        for each, (first, last) in enumerate(pairwise(bounds)):
            if first < last:
                part = order[first:last]
                self._assign_to(each, ids[part] & np.int32(_TROOP - 1), places[part], ends[part], ways[part])

    def _assign_to(self, number: int, walkers: Ids, places: Ids, ends: Ids, ways: npt.NDArray[np.uint8]) -> None:
        """Put walkers of one troop on places with goals."""
        each, route = self._troops[number], self._crews[number % self.threads].route
        on_way = ways == troop.MOVING
        while width := route.begin_all(each.shared.state, walkers[on_way], ends[on_way]):
            self._resize(self._shared.cells.size, _in_lines(width))
        each.assign(walkers, places, ends, ways)

    def _goals_of(self, goals: npt.ArrayLike, count: int) -> Ids:
        return self.grid.cells(_spread(goals, count, "goals"), "goals").astype(np.int32)

    def _checked(self, ids: npt.ArrayLike) -> Ids:
        """Ids of agents that exist, as an array."""
        try:
            wanted = np.asarray(ids)
        except ValueError:
            wanted = np.empty((0, 0))
        if wanted.ndim > 1 or (wanted.size and wanted.dtype.kind not in "iu"):
            raise ParameterError(f"ids must be whole numbers, as add() returned them, not {shown(ids)}")
        chosen = np.empty(wanted.size, np.int32)
        unknown = troop.known_ids(
            self._shared.status, self._used, np.ascontiguousarray(wanted, np.int64).ravel(), chosen
        )
        if unknown >= 0:
            raise ParameterError(f"the fleet has no agent of the id {wanted.ravel()[unknown]}")
        return chosen

    def _new_ids(self, count: int) -> Ids:
        """Ids for new agents: fresh ones, as long as most are in use."""
        reused = _NOBODY
        if 2 * self._free_count > self._used:
            free = np.concatenate(self._free)
            reused, rest = free[:count], free[count:]
            self._free, self._free_count = [rest], rest.size
        fresh = np.arange(self._used, self._used + count - reused.size, dtype=np.int32)
        self._used += fresh.size
        if self._used > self._shared.cells.size:
            self._resize(max(self._used, self._shared.cells.size * 3 // 2), self._width)
        ids = np.concatenate([reused, fresh])
        self._generations[ids] += 1
        return ids

    def _resize(self, count: int, width: int) -> None:
        """Have room for so many agents, each with so many slots."""
        room = -(-max(count, 1) // _SMALLEST) * _SMALLEST
        larger, old = _new_shared(room, width), self._shared
        there = larger.part(slice(0, old.cells.size))
        there.cells[:], there.to_x[:], there.to_y[:] = old.cells, old.to_x, old.to_y
        there.goals[:], there.status[:], there.state[: self._width] = old.goals, old.status, old.state
        generations = np.zeros(room, np.int32)
        generations[: self._generations.size] = self._generations
        self._shared, self._generations, self._width = larger, generations, width
        while len(self._troops) < -(-room // _TROOP):
            crew = self._crews[len(self._troops) % self.threads]
            crew.troops.append(Troop(len(self._troops) * _TROOP, crew.route.learns))
            self._troops.append(crew.troops[-1])
        for each in self._troops:
            each.view(larger, min(_TROOP, room - each.first))

    def _view(self, array: Ids) -> Ids:
        """The part of an array that belongs to ids in use, not to be written to."""
        part = array[: self._used]
        part.setflags(write=False)
        return part


def _pairs(points: npt.ArrayLike) -> npt.ArrayLike:
    """Points as rows, also if it is only one."""
    try:
        places = np.asarray(points)
    except ValueError:  # what is wrong, the grid will say
        return points
    return places[None] if places.shape == (2,) else places


def _spread(points: npt.ArrayLike, count: int, what: str) -> npt.ArrayLike:
    """As many points as there are agents: one may stand for all."""
    rows = _pairs(points)
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or len(rows) == count:
        return rows
    if len(rows) == 1:
        return np.broadcast_to(rows, (count, rows.shape[1]))
    raise ParameterError(f"there are {len(rows):,} {what} for {count:,} agents; give one for each, or one for all")


def _in_lines(slots: int) -> int:
    """Slots rounded up to whole cache lines."""
    return -(-slots // _LINE) * _LINE


def _new_shared(count: int, width: int) -> Shared:
    """Arrays for so many walkers; the rows of their state begin with a cache line."""
    cells, to_x, to_y, goals = (np.zeros(count, np.int32) for _ in range(4))
    memory = np.zeros(count * width + _LINE, np.int32)
    skipped = -(memory.ctypes.data // memory.itemsize) % _LINE
    rows = memory[skipped : skipped + count * width].reshape(count, width)
    return Shared(cells, to_x, to_y, goals, np.zeros(count, np.uint8), rows.T)
