"""Planner: a catalog entry bound to a grid and its index. What users hold; safe to share between threads."""

import os
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost import catalog
from waypost.agents.base import MOST_MOVES, Agent, make_problem, move_limit
from waypost.batch import Batch, solve_batch
from waypost.catalog import Entry
from waypost.errors import IndexFileError, ParameterError, WaypostError, shown
from waypost.fleet import Fleet
from waypost.indexes.base import Index
from waypost.indexes.building import Works
from waypost.indexes.store import StoredIndex, check_map, decode_index, index_bytes, open_index, write_index
from waypost.planners.walking.mover import TroopRoute
from waypost.preparing.telling import make_ready
from waypost.system import machine
from waypost.system.checks import truth
from waypost.system.files import check_name
from waypost.version import __version__
from waypost.world.grid import Grid, Point
from waypost.world.problem import Problem
from waypost.world.waypoints import Paths

__all__ = ["Planner", "build", "facts_of", "load"]


_TICKED: set[str] = set()  # planners of which a fleet was made in this process


class Planner:
    """Makes agents and paths on one grid. Both grid and index are shared and read-only; agents have scratch."""

    def __init__(
        self,
        entry: Entry,
        grid: Grid,
        params: Mapping[str, Any],
        index: Index | None = None,
        *,
        works: Works | None = None,
    ) -> None:
        if (entry.index is None) != (index is None):
            raise WaypostError(f"{entry.name} {'takes no' if index else 'needs its'} index; see build and load")
        _check_grid(grid)
        if entry.index is not None and index is not None:
            if not isinstance(index, entry.index):
                raise WaypostError(
                    f"the index of {entry.name} is a {entry.index.__name__}, not a {type(index).__name__}"
                )
            index.check_grid(grid)
        self.entry = entry
        self.grid = grid
        self.params = dict(params)
        self.index = index
        self.facts: dict[str, Any] = {} if works is None else facts_of(works)
        """How the index was built, as far as that is known: `build_seconds`, threads, date, version and machine."""
        self._works = works  # how the index was built, until it is saved
        self._idle: list[Agent] = []  # list.pop and list.append are atomic, so threads can share it

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.params.items())
        return f"Planner({self.entry.name!r}, {self.grid.width}x{self.grid.height}{settings})"

    @property
    def work_bound(self) -> int | None:
        """Most work that one move may cost, or None if it grows with the map."""
        bound = self.entry.work_bound
        return None if bound is None else bound(self.params, self.index)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the index to a file that `load` reads; the journal of its build, if there is one, is then deleted."""
        if self.index is None:
            raise WaypostError(
                f"{self.entry.name} computes nothing offline, so there is nothing to save; build it again"
            )
        check_name(path, "the place of an index")
        write_index(path, **self._stored(self.index), facts=self.facts)
        if self._works:
            self._works.discard()
            self._works = None  # the place may be another build's next time

    def problem(self, start: Point, goal: Point, *, nearest: bool = False) -> Problem:
        """The problem of going from one (x, y) to another; raises `Unreachable` at once if there is no path."""
        return make_problem(self.grid, self.grid.open_cell(start, "start"), goal, nearest=nearest)

    def path(
        self, start: Point, goal: Point, *, nearest: bool = False, max_moves: int = MOST_MOVES, corners: bool = False
    ) -> npt.NDArray[np.int32]:
        """The whole path, start and goal included, as an (n, 2) array of x, y; with `corners` only where it turns.

        A planner that learns on the way may wander; beyond `max_moves` it gives up with `OutOfMoves`.
        """
        max_moves, corners = move_limit(max_moves), truth("corners", corners)
        problem = self.problem(start, goal, nearest=nearest)
        try:
            agent = self._idle.pop()
        except IndexError:
            agent = self.agent()
        try:
            agent.reset(problem)
            cells = agent.path(max_moves)
            if corners:
                cells = Paths(self.grid, cells, np.array((0, cells.size))).corners().cells
            return self.grid.xys(cells)
        finally:
            self._idle.append(agent)

    def batch(
        self,
        starts: npt.ArrayLike,
        goals: npt.ArrayLike,
        *,
        paths: bool = False,
        threads: int | None = None,
        max_moves: int = MOST_MOVES,
    ) -> Batch:
        """Solve many problems on all cores (or `threads` of them): costs, and with `paths` all the paths.

        Starts and goals are (n, 2) arrays of x, y. A goal that cannot be reached gets a cost of -1 and an empty path,
        one not reached within `max_moves` a cost of -2.
        """
        from_cells, to_cells = self.grid.open_cells(starts, "starts"), self.grid.open_cells(goals, "goals")
        if len(from_cells) != len(to_cells):
            raise ParameterError(f"there are {len(from_cells):,} starts but {len(to_cells):,} goals")
        max_moves = move_limit(max_moves)
        cells = (from_cells, to_cells)
        return solve_batch(self.agent, self.grid, *cells, paths=paths, threads=threads, max_moves=max_moves)

    def agent(
        self, start: Point | None = None, goal: Point | None = None, *, nearest: bool = False, record: bool = False
    ) -> Agent:
        """A new agent, already on its way if start and goal are given; `record` keeps its search events."""
        if (start is None) != (goal is None):
            raise WaypostError("an agent takes both a start and a goal, or neither")
        agent = self.entry.make_agent(self.grid, self.params, self.index, record=record)
        if start is not None and goal is not None:
            agent.reset(self.problem(start, goal, nearest=nearest))
        return agent

    def fleet(
        self,
        starts: npt.ArrayLike = (),
        goals: npt.ArrayLike = (),
        *,
        nearest: bool = False,
        threads: int | None = None,
    ) -> Fleet:
        """Many agents that move together: starts are (n, 2) arrays of x, y, goals too, or one goal for all.

        Agents have the ids 0, 1, 2, ... in this order; more can be added. They move on all cores (or `threads` of
        them), and just as single agents would.
        """
        if not self.entry.walks:
            walking = ", ".join(name for name, entry in catalog.CATALOG.items() if entry.walks)
            raise WaypostError(f"{self.entry.name} has no fleets; planners that walk by a database have: {walking}")
        make_ready(self.entry.name, fleet=True)
        fleet = Fleet(self.grid, self._make_route, threads)
        fleet.add(starts, goals, nearest=nearest)
        if self.entry.name not in _TICKED and self.grid.open_count:
            _TICKED.add(self.entry.name)
            self._tick_once()
        return fleet

    def _tick_once(self) -> None:
        """Have all in memory that a tick needs, so that none has to wait for the disk or for the compiler."""
        anywhere = self.grid.xys(np.array([np.argmax(self.grid.component != 0)]))
        fleet = Fleet(self.grid, self._make_route, threads=1)
        fleet.retarget(fleet.add(anywhere, anywhere), anywhere)
        fleet.tick(budget_us=0)

    def _stored(self, index: Index) -> dict[str, Any]:
        """What a file of the index holds."""
        return {
            "planner": self.entry.name,
            "revision": self.entry.revision,
            "grid": self.grid,
            "params": self.params,
            "arrays": index.arrays,
        }

    def _make_route(self) -> TroopRoute:
        """For the walkers of one thread of a fleet."""
        route: TroopRoute = self.entry.make_route(self.grid, self.params, self.index)
        return route

    def __copy__(self) -> "Planner":
        twin = Planner(self.entry, self.grid, self.params, self.index)
        twin.facts = dict(self.facts)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Planner":
        return self.__copy__()  # grid and index never change

    def __reduce__(self) -> tuple[Any, ...]:
        index = None if self.index is None else index_bytes(**self._stored(self.index))
        return _unpacked, (self.entry.name, self.grid, self.params, index, self.facts)


def build(
    name: str,
    grid: Grid,
    /,
    *,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **params: Any,
) -> Planner:
    """Prepare a planner by its catalog name, e.g. build("wastar", grid, gamma=0.5).

    A planner with an index computes it now, on all cores (or `threads` of them). With `checkpoint`, a file, a build
    that was interrupted or killed goes on from there when it is called again; saving the planner deletes the file.
    """
    entry = catalog.find(name)
    _check_grid(grid)
    if checkpoint is not None:
        check_name(checkpoint, "checkpoint")
    params = catalog.check_params(entry, params)
    make_ready(entry.name)
    if entry.index is None:
        return Planner(entry, grid, params)
    offline = entry.offline(params)
    with closing(Works(threads, checkpoint, _identity(entry, grid, offline))) as works:
        index = entry.index.build(grid, offline, works)
    return Planner(entry, grid, params, index, works=works)


def facts_of(works: Works) -> dict[str, Any]:
    """What is known of a build that is over: seconds, date, machine, threads and version."""
    return {
        "build_seconds": round(works.seconds, 6),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.describe(),
        "threads": works.threads,
        "waypost": __version__,
    }


def load(path: str | os.PathLike[str], grid: Grid, /, **params: Any) -> Planner:
    """The planner whose index a file holds for this grid, e.g. load("caves.waypost", grid).

    Its parameters are those that it was built with; those of the agent may be changed; of a preset only they count.
    """
    _check_grid(grid)
    check_name(path, "an index file")
    return _loaded(path, open_index(path), grid, params)


def _loaded(path: str | os.PathLike[str], stored: StoredIndex, grid: Grid, params: Mapping[str, Any]) -> Planner:
    """The planner of a stored index, after all checks; `path` names it in what they say."""
    entry = catalog.CATALOG.get(stored.planner)
    if entry is None or entry.index is None or not entry.index.any_map:
        check_map(path, stored, grid)
    if entry is None or entry.index is None or entry.revision != stored.revision:
        here = "none" if entry is None or entry.index is None else f"revision {entry.revision}"
        raise IndexFileError(
            f"{path} is an index of {shown(stored.planner)}, revision {stored.revision}, and this Waypost has {here}; "
            "build the index again"
        )
    try:
        there = catalog.check_params(entry, stored.params)
        index = entry.index.from_arrays(grid, entry.offline(there), stored.arrays)
    except WaypostError as error:
        raise IndexFileError(f"{path} cannot be used, build the index again: {error}") from None
    wanted = catalog.check_params(entry, there | _of_agent(entry, params))
    for name, value in entry.offline(wanted).items():
        if value != there[name]:
            raise ParameterError(
                f"{path} was built with {name}={there[name]}, not {value}; leave {name} out or build the index again"
            )
    make_ready(entry.name)
    planner = Planner(entry, grid, wanted, index)
    planner.facts = stored.facts
    return planner


def _unpacked(
    name: str, grid: Grid, params: Mapping[str, Any], index: bytes | None, facts: Mapping[str, Any]
) -> Planner:
    """A planner that was pickled."""
    if index is None:
        return build(name, grid, **params)
    what = f"the pickled index of {name}"
    planner = _loaded(what, decode_index(what, memoryview(index)), grid, params)
    planner.facts = dict(facts)
    return planner


def _of_agent(entry: Entry, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for an index that is there: those given, and of a preset those that do not decide the index."""
    return {
        name: value
        for name, value in catalog.with_preset(entry, params).items()
        if name in params or not entry.params[name].offline
    }


def _check_grid(grid: Any) -> None:
    if not isinstance(grid, Grid):
        raise ParameterError(f"a planner is built for a Grid, not for {shown(type(grid).__name__)}; see load_map")


def _identity(entry: Entry, grid: Grid, offline: Mapping[str, Any]) -> dict[str, Any]:
    """All that decides an index, and what its journal holds on the way there."""
    return {
        "map": grid.fingerprint,
        "parameters": dict(offline),
        "planner": entry.name,
        "revision": entry.revision,
        "waypost": __version__,
    }
