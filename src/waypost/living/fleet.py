"""LivingFleet: a fleet on the map of a World, which is brought up to date with the map before each tick and order."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from time import perf_counter_ns
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, WaypostError
from waypost.fleet import Fleet
from waypost.living.kernels import follow
from waypost.living.kernels.follow import FollowSlot
from waypost.living.planned_route import PlannedRoute
from waypost.living.planner import LivingPlanner
from waypost.living.script import Script
from waypost.living.veil import Veil, with_moves
from waypost.planner import Planner
from waypost.planners.exact.agent import PlanFirst
from waypost.planners.walking.ids import Ids, SomeIds
from waypost.planners.walking.kernels import troop
from waypost.planners.walking.members import MemberStatus, Tick
from waypost.planners.walking.mover import Mover, RepairedRoute, TroopRoute
from waypost.system.checks import whole_number
from waypost.world.grid import Points

__all__ = ["LivingFleet"]

_LONGEST_PATIENCE = 1 << 30
_MOST_WORK = 1 << 62
_FEW_CELLS = 16
_NOBODY = np.empty(0, np.int32)


class _Asked(NamedTuple):
    """What agents were last told, as it was meant."""

    ids: Ids
    goals: Ids
    nearest: bool


class LivingFleet(Fleet):
    """Many agents on a map that changes; `world.fleet(starts, goals)` makes one.

    Nobody walks through a new wall: who comes to one asks for another way. Who is walled in becomes `UNREACHABLE`, who
    stands on a closed cell `ON_WALL`; they keep their ids and go on when an edit lets them. Each troop of agents has a
    route of its own, so that what happens does not depend on the number of threads.
    """

    def __init__(
        self, planner: LivingPlanner, veil: Veil, script: Script, threads: int | None, *, nearest: bool, patience: int
    ) -> None:
        self._planner, self._veil, self._script = planner, veil, script
        self._patience = whole_number("patience", patience, highest=_LONGEST_PATIENCE)
        self._present = planner.latest()
        self._version, self._veil_version = planner.version, veil.version
        self._wanted = np.empty(0, np.int32)  # goals, by id: those gone to are others where these cannot be reached
        self._goes_near = np.empty(0, np.bool_)
        self._asked: _Asked | None = None
        self._work: int | None = None
        self.ticks = 0
        """How often it has ticked."""
        super().__init__(planner.live_grid, self._new_route, threads, nearest=nearest)
        self._number = script.note_fleet(self.nearest, self._patience)

    def add(self, starts: Points, goals: Points, *, nearest: bool | None = None) -> Ids:
        """As of any fleet, on the map as it is now."""
        with self._up_to_date():
            ids = super().add(starts, goals, nearest=nearest)
            places, wanted = self._points(self._walkers.cells, ids), self._points(self._wanted, ids)
            if ids.size:
                self._script.note_order(self._number, "add", places, wanted, self._near(nearest))
            return ids

    def remove(self, ids: SomeIds) -> None:
        """As of any fleet."""
        with self._up_to_date():
            chosen = self._checked(ids)
            super().remove(chosen)
            self._script.note_order(self._number, "remove", chosen)

    def retarget(self, ids: SomeIds, goals: Points, *, nearest: bool | None = None) -> None:
        """As of any fleet, on the map as it is now."""
        with self._up_to_date():
            chosen = self._checked(ids)
            super().retarget(chosen, goals, nearest=nearest)
            self._script.note_order(
                self._number, "retarget", chosen, self._points(self._wanted, chosen), self._near(nearest)
            )

    def teleport(self, ids: SomeIds, places: Points) -> None:
        """As of any fleet: agents go on from there to the goals that they were given."""
        with self._up_to_date():
            chosen = self._checked(ids)
            before = self._walkers.goals[chosen]
            self._walkers.goals[chosen] = self._wanted[chosen]
            try:
                super().teleport(chosen, places)
            except WaypostError:
                self._walkers.goals[chosen] = before
                raise
            self._script.note_order(self._number, "teleport", chosen, self._points(self._walkers.cells, chosen))

    def tick(self, budget_us: float | None = None, *, budget_work: int | None = None) -> Tick:
        """Let every agent make one move that has a way to go, on the map as it is now.

        `budget_work` bounds the work of choosing targets as `budget_us` does its time, but by counting it: what
        happens is then the same on every machine and with any number of threads. Each troop of 32,768 agents has an
        even share of it.
        """
        if budget_work is not None:
            if budget_us is not None:
                raise ParameterError("a tick has a budget either in microseconds or in counted work, not in both")
            budget_work = whole_number("budget_work", budget_work, highest=_MOST_WORK)
        self._script.note_tick(self._number, budget_us, budget_work)
        began = perf_counter_ns()
        with self._planner.lease.alone() if self._veil.ends_before(self.ticks + 1) else nullcontext():
            self._veil.count_tick(self.ticks + 1)
        with self._up_to_date():
            self.ticks += 1
            self._work = budget_work
            spent_us = (perf_counter_ns() - began) / 1000  # to take up what was edited
            told = super().tick(budget_us if budget_us is None else max(budget_us - spent_us, 0))
            if len(self._veil):
                self._hold_lost()
            return told._replace(us=told.us + spent_us)

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """The `MemberStatus` of each agent, by id."""
        status = super().status
        if self._is_planned:
            held = (self._walkers.state[: status.size, FollowSlot.HELD] > 0) & (status == MemberStatus.MOVING)
            status[held] = MemberStatus.HELD
        return status

    def __getstate__(self) -> dict[str, Any]:
        raise WaypostError("a fleet of a World cannot be copied: a copy would share the map; make another fleet")

    @property
    def _is_planned(self) -> bool:
        return isinstance(self.movers[0].route, PlannedRoute)

    @property
    def _movers_at_first(self) -> int:
        return 1

    def _mover_of(self, number: int) -> Mover:
        """Of each troop another one, so that no troop shares what it has found out with others."""
        while len(self.movers) <= number:
            self.movers.append(Mover(self._make_route()))
        return self.movers[number]

    def _new_route(self) -> TroopRoute:
        """A route on the map as it is now."""
        entry, params = self._planner.entry, self._planner.params
        if entry.walks:
            grid = with_moves(self._present.grid, self._veil.mask)
            route: TroopRoute = entry.make_route(grid, params, self._present.index)
            return route
        if not (self._planner.repairs and issubclass(entry.agent, PlanFirst)):
            raise WaypostError(
                f"{entry.name} has no fleets; in a World astar, dijkstra, jps and wastar have, and planners that walk "
                "by a database"
            )
        search = cast("PlanFirst", entry.make_agent(self._planner.live_grid, params)).search
        return PlannedRoute(self._planner.live_grid, search, self._veil, self._patience)

    def _points(self, cells: Ids, ids: Ids) -> Any:
        return self.grid.xys(cells[ids])

    def _near(self, nearest: bool | None) -> bool:
        return self.nearest if nearest is None else nearest

    def _works(self, deadline: int | None) -> list[Callable[[], None]]:
        """What the movers have to do in a tick, each with its time, or with its share of the work."""
        if self._work is None:
            return self._works_until(deadline)
        movers = self.movers[: max(len(self.troops), 1)]
        each, rest = divmod(self._work, len(movers))
        return [partial(mover.tick_for, each + (number < rest)) for number, mover in enumerate(movers)]

    def _order(self, ids: Ids, places: Ids, ends: Ids, nearest: bool | None = None) -> Any:
        """As of any fleet; who stands on a closed cell has no way, and what was wanted is remembered."""
        wanted = ends.copy()
        buried = (self.grid.component[places] == 0) & (ends >= 0) if places.size == ends.size else np.zeros(0, np.bool_)
        ends[buried] = places[buried]
        order = self._find_order(ids, places, ends, nearest)
        order.ways[buried] = MemberStatus.ON_WALL
        order.ends[buried] = wanted[buried]
        self._asked = _Asked(ids, wanted, self._near(nearest))
        return order

    def _carry_out(self, order: Any) -> None:
        """As of any fleet."""
        if self._wanted.size < self._ids.end:
            more = 2 * self._ids.end - self._wanted.size
            self._wanted = np.concatenate([self._wanted, np.zeros(more, np.int32)])
            self._goes_near = np.concatenate([self._goes_near, np.zeros(more, np.bool_)])
        if self._asked is not None:
            self._wanted[self._asked.ids], self._goes_near[self._asked.ids] = self._asked.goals, self._asked.nearest
            self._asked = None
        self._tell(order)
        if (buried := order.ids[order.ways == MemberStatus.ON_WALL]).size:
            self._news.append((MemberStatus.UNREACHABLE, buried))

    @contextmanager
    def _up_to_date(self) -> Iterator[None]:
        """The fleet knows the map as it is now, and that is not edited in here."""
        with self._planner.up_to_date() as planner:
            if self._veil_version != self._veil.version:
                self._veil_version = self._veil.version
                for mover in self.movers:
                    mover.route.prepare_for_many()  # what was tried with other cells blocked is forgotten
            if self._version != self._planner.version:
                before, self._version = self._version, self._planner.version
                self._catch_up(planner, before)
            yield

    def _catch_up(self, planner: Planner, before: int) -> None:
        """Take up what edits since a version mean for the agents: who has another way to go, who has one at all."""
        changed = self._planner.live_grid.changed_since(before)
        if planner.entry.walks:
            self._ask_again(self._who_have_stale_ways(planner, changed))
        self._ask_again(self._who_stand_otherwise(changed))
        if self._planner.live_grid.opened_at > before and self._goes_near.any():
            self._come_nearer()

    def _who_have_stale_ways(self, planner: Planner, changed: Ids | None) -> Ids:
        """Ids of agents whose ways, by a database, are not those of the map as it is; all, if there is another one."""
        if planner is not self._present or not hasattr(self.movers[0].route, "stale_after"):
            self._present = planner
            for mover in self.movers:
                mover.route = self._new_route()
                mover.route.prepare_for_many()
            return self.ids[self.status[self.ids] != MemberStatus.ARRIVED]
        stale = [_NOBODY]
        for number, each in enumerate(self.troops):
            route = cast("RepairedRoute", self._mover_of(number).route)
            stale.append(each.first + route.stale_after(each.walkers, changed))
        ids = np.concatenate(stale)
        return ids[self._walkers.status[ids] & troop.STATUS == MemberStatus.MOVING]

    def _who_stand_otherwise(self, changed: Ids | None) -> Ids:
        """Ids of agents that stand otherwise than the map says; where only some cells have changed, few can."""
        walkers, end = self._walkers, self._ids.end
        cells, goals, wanted, status = (
            walkers.cells[:end],
            walkers.goals[:end],
            self._wanted[:end],
            walkers.status[:end],
        )
        ids = np.arange(end, dtype=np.int32)
        if changed is not None and changed.size < _FEW_CELLS:
            is_lost = status & troop.STATUS == MemberStatus.LOST
            ids = ids[np.isin(cells, changed) | np.isin(wanted, changed) | is_lost]
            cells, goals, wanted, status = cells[ids], goals[ids], wanted[ids], status[ids]
        found = np.empty(ids.size, np.int32)
        count = follow.who_stand_otherwise(self.grid.component, cells, goals, wanted, status, found)
        return ids[found[:count]]

    def _come_nearer(self) -> None:
        """Cells were opened: who goes as near as there is a way may now come nearer."""
        walkers, wanted, end = self._walkers, self._wanted, self._ids.end
        goes_near = self._goes_near[:end] & (walkers.goals[:end] != wanted[:end])
        ids = np.flatnonzero(goes_near & (walkers.status[:end] & troop.STATUS != MemberStatus.NONE)).astype(np.int32)
        nearest: dict[tuple[int, int], int] = {}
        is_nearer = np.zeros(ids.size, np.bool_)
        for i, each in enumerate(ids.tolist()):
            cell, goal = int(walkers.cells[each]), int(wanted[each])
            asked = int(self.grid.component[cell]), goal
            if asked[0] and asked not in nearest:
                nearest[asked] = self.grid.nearest_connected(cell, goal)
            is_nearer[i] = nearest.get(asked, walkers.goals[each]) != walkers.goals[each]
        self._ask_again(ids[is_nearer])

    def _ask_again(self, ids: Ids) -> None:
        """Let agents ask for ways to the goals that they were given, or as near to them as they may go."""
        for nearest in (False, True):
            chosen = ids[self._goes_near[ids] == nearest]
            if chosen.size:
                self._carry_out(self._order(chosen, self._walkers.cells[chosen], self._wanted[chosen], nearest))

    def _hold_lost(self) -> None:
        """Who found no way on may only have been held by what is blocked, and asks again in the next tick."""
        ended = np.concatenate([_NOBODY, *(each.ended for each in self.troops)])
        status = self._walkers.status
        lost = ended[status[ended] & troop.STATUS == MemberStatus.LOST]
        if lost.size:
            status[lost] = status[lost] & ~np.uint8(troop.STATUS) | np.uint8(MemberStatus.ON_WALL)  # not told as lost
            self._ask_again(lost)
