"""Planner: a catalog entry bound to a grid and its index. What users hold; safe to share between threads."""

import copy
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from waypost import catalog
from waypost.agents.base import MOST_MOVES, Agent, find_ends, move_limit
from waypost.agents.distances import Cells, Distances, WayCosts
from waypost.batch import Batch, solve_batch
from waypost.catalog import Entry
from waypost.distances import Closest, closest_of, costs_of_pairs, costs_of_rows
from waypost.errors import IndexFileError, ParameterError, WaypostError, shown
from waypost.fleet import Fleet
from waypost.indexes.base import Index
from waypost.indexes.building import Works
from waypost.indexes.of_sizes import files_of_sizes, has_sizes, together
from waypost.indexes.store import StoredIndex, check_map, decode_index, index_bytes, open_index, write_index
from waypost.planners.names import PlannerName
from waypost.planners.walking.mover import TroopRoute
from waypost.preparing.telling import make_ready
from waypost.system.checks import truth
from waypost.system.files import check_name
from waypost.world.grid import Grid, IntArray, Point, Points
from waypost.world.problem import Problem
from waypost.world.waypoints import Paths

__all__ = ["Planner", "check_grid", "load", "of_all_sizes"]

_TICKED: set[str] = set()  # planners of which a fleet was made in this process


class Units(NamedTuple):
    """What a planner of several sizes of units has besides what it has for its own, the smallest."""

    grid: Grid
    """The map itself, which the grids of all sizes are made of."""
    size: int
    others: Mapping[int, "Planner"]


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
        if not isinstance(entry, Entry):
            raise ParameterError(f"a planner is made of a waypost.Entry, not of {shown(entry)}; see build")
        if (entry.index is None) != (index is None):
            raise WaypostError(f"{entry.name} {'takes no' if index else 'needs its'} index; see build and load")
        check_grid(grid)
        params = catalog.check_params(entry, params)  # kernels take sizes and numbers of rounds from them
        if entry.index is not None and index is not None:
            if not isinstance(index, entry.index):
                raise WaypostError(
                    f"the index of {entry.name} is a {entry.index.__name__}, not a {type(index).__name__}"
                )
            index.check_fits(grid, entry.offline(params))
        self.entry = entry
        self.grid = grid
        self.params = params
        self.index = index
        self.facts: dict[str, Any] = {} if works is None else works.facts
        """How the index was built, as far as that is known: `build_seconds`, threads, date, version and machine."""
        self.units: Units | None = None
        """Of a planner that was built for sizes of units."""
        self._works = works  # how the index was built, until it is saved
        self._idle: list[Agent] = []  # list.pop and list.append are atomic, so threads can share it

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.params.items())
        sizes = f", sizes={self.sizes}" if self.units else ""
        return f"Planner({self.entry.name!r}, {self.grid.width}x{self.grid.height}{sizes}{settings})"

    @property
    def sizes(self) -> tuple[int, ...]:
        """For units of how many cells in width and height it plans, the smallest first."""
        return (1,) if self.units is None else (self.units.size, *self.units.others)

    def for_size(self, size: int | None) -> "Planner":
        """The planner of units of a size; None is its own, the smallest."""
        if size is None or size == self.sizes[0]:
            return self
        if self.units is None or size not in self.units.others:
            there = ", ".join(map(str, self.sizes))
            raise ParameterError(
                f"{self.entry.name} was built for units of size {there}, not {shown(size)}; see sizes of build"
            )
        return self.units.others[size]

    @property
    def index_bytes(self) -> int:
        """Bytes of the index; 0 for a planner that computes nothing offline."""
        return 0 if self.index is None else self.index.bytes

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
        write_index(path, **self._stored(), facts=self.facts)
        self.end_build()

    def end_build(self) -> None:
        """Delete the journals of the build; their places may be another build's next time."""
        if self._works:
            self._works.discard()
            self._works = None
        for other in self.units.others.values() if self.units else ():
            other.end_build()

    def problem(self, start: Point, goal: Point, *, nearest: bool = False, size: int | None = None) -> Problem:
        """The problem of going from one (x, y) to another; raises `Unreachable` at once if there is no path."""
        if size is not None:
            return self.for_size(size).problem(start, goal, nearest=nearest)
        return Problem(*find_ends(self.grid, start, goal, nearest=nearest))

    def path(
        self,
        start: Point,
        goal: Point,
        *,
        nearest: bool = False,
        max_moves: int = MOST_MOVES,
        corners: bool = False,
        size: int | None = None,
    ) -> IntArray:
        """The whole path, start and goal included, as an (n, 2) array of x, y; with `corners` only where it turns.

        A planner that learns on the way may wander; beyond `max_moves` it gives up with `OutOfMoves`. A unit of `size`
        is where its upper left cell is.
        """
        if size is not None:
            of_size = self.for_size(size)
            return of_size.path(start, goal, nearest=nearest, max_moves=max_moves, corners=corners)
        max_moves, corners = move_limit(max_moves), truth("corners", corners)
        ends = find_ends(self.grid, start, goal, nearest=nearest)
        try:
            agent = self._idle.pop()
        except IndexError:
            agent = self.agent()
        try:
            agent.set_off(*ends)
            cells = agent.path(max_moves)
            if corners:
                cells = Paths(self.grid, cells, np.array((0, cells.size))).corners().cells
            return self.grid.xys(cells)
        finally:
            self._idle.append(agent)

    def batch(
        self,
        starts: Points,
        goals: Points,
        *,
        paths: bool = False,
        threads: int | None = None,
        max_moves: int = MOST_MOVES,
        size: int | None = None,
    ) -> Batch:
        """Solve many problems on all cores (or `threads` of them): costs, and with `paths` all the paths.

        Starts and goals are (n, 2) arrays of x, y. A goal that cannot be reached gets a cost of -1 and an empty path,
        one not reached within `max_moves` a cost of -2.
        """
        if size is not None:
            of_size = self.for_size(size)
            return of_size.batch(starts, goals, paths=paths, threads=threads, max_moves=max_moves)
        cells, max_moves = self._pairs(starts, goals), move_limit(max_moves)
        return solve_batch(self.agent, self.grid, *cells, paths=paths, threads=threads, max_moves=max_moves)

    def cost(self, starts: Points, goals: Points, *, threads: int | None = None, size: int | None = None) -> WayCosts:
        """The integer cost of the way from each start to its goal, found on all cores; -1 where there is no way.

        It is what the planner's own agents walk: the least cost if the planner is optimal, -2 if they give up.
        """
        if size is not None:
            return self.for_size(size).cost(starts, goals, threads=threads)
        return costs_of_pairs(self._make_distances, self.grid, *self._pairs(starts, goals), threads)

    def costs(
        self, sources: Points, targets: Points, *, threads: int | None = None, size: int | None = None
    ) -> WayCosts:
        """The cost of the way from every source to every target, as of `cost`: a matrix with a row for each source."""
        if size is not None:
            return self.for_size(size).costs(sources, targets, threads=threads)
        cells = self._cells(sources, "sources"), self._cells(targets, "targets")
        return costs_of_rows(self._make_distances, self.grid, *cells, threads)

    def closest(self, starts: Points, goals: Points, *, threads: int | None = None, size: int | None = None) -> Closest:
        """Which goal is nearest to each start by way, the first of several, and the cost; both -1 if there is none."""
        if size is not None:
            return self.for_size(size).closest(starts, goals, threads=threads)
        cells = self._cells(starts, "starts"), self._cells(goals, "goals")
        return closest_of(self._make_distances, self.grid, *cells, threads)

    def agent(
        self,
        start: Point | None = None,
        goal: Point | None = None,
        *,
        nearest: bool = False,
        record: bool = False,
        size: int | None = None,
    ) -> Agent:
        """A new agent, already on its way if start and goal are given; `record` keeps its search events."""
        if size is not None:
            return self.for_size(size).agent(start, goal, nearest=nearest, record=record)
        if (start is None) != (goal is None):
            raise WaypostError("an agent takes both a start and a goal, or neither")
        agent = self.entry.make_agent(self.grid, self.params, self.index, record=record)
        if start is not None and goal is not None:
            agent.reset(self.problem(start, goal, nearest=nearest))
        return agent

    def fleet(
        self,
        starts: Points = (),
        goals: Points = (),
        *,
        nearest: bool = False,
        threads: int | None = None,
        size: int | None = None,
    ) -> Fleet:
        """Many agents that move together: starts are (n, 2) arrays of x, y, goals too, or one goal for all.

        Agents have the ids 0, 1, 2, ... in this order; more can be added. They move on all cores (or `threads` of
        them), and just as single agents would. With `nearest` they go as near as they can to a goal that cannot be
        reached, also to one that they are given later.
        """
        if size is not None:
            return self.for_size(size).fleet(starts, goals, nearest=nearest, threads=threads)
        if not self.entry.walks:
            walking = ", ".join(name for name, entry in catalog.CATALOG.items() if entry.walks)
            raise WaypostError(f"{self.entry.name} has no fleets; planners that walk by a database have: {walking}")
        make_ready(self.entry.name, fleet=True)
        fleet = Fleet(self.grid, self._make_route, threads, nearest=nearest)
        fleet.add(starts, goals)
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

    def stored(self) -> dict[str, Any]:
        """What a file of its own index holds, without those of other sizes."""
        return {
            "planner": self.entry.name,
            "revision": self.entry.revision,
            "grid": self.grid,
            "params": self.params,
            "arrays": {} if self.index is None else self.index.arrays,
        }

    def _stored(self) -> dict[str, Any]:
        """What its file holds."""
        if self.units is None:
            return self.stored()
        others = {size: other.stored() for size, other in self.units.others.items()}
        return together(self.units.grid, {self.units.size: self.stored(), **others})

    def _pairs(self, starts: Points, goals: Points) -> tuple[Cells, Cells]:
        """The cells of as many starts as goals."""
        from_cells, to_cells = self._cells(starts, "starts"), self._cells(goals, "goals")
        if len(from_cells) != len(to_cells):
            raise ParameterError(f"there are {len(from_cells):,} starts but {len(to_cells):,} goals")
        return from_cells, to_cells

    def _cells(self, points: Points, what: str) -> Cells:
        return self.grid.open_cells(points, what).astype(np.int32)

    def _make_distances(self) -> Distances:
        """For one thread that finds costs."""
        return self.entry.make_distances(self.grid, self.params, self.index)

    def _make_route(self) -> TroopRoute:
        """For the walkers of one thread of a fleet."""
        route: TroopRoute = self.entry.make_route(self.grid, self.params, self.index)
        return route

    def __copy__(self) -> "Planner":
        twin = Planner(self.entry, self.grid, self.params, self.index)
        twin.facts = dict(self.facts)
        if self.units is not None:
            others = {size: copy.copy(other) for size, other in self.units.others.items()}
            twin.units = self.units._replace(others=others)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Planner":
        return self.__copy__()  # grid and index never change

    def __reduce__(self) -> tuple[Any, ...]:
        index = None if self.index is None else index_bytes(**self._stored())
        grid = self.units.grid if self.units else self.grid
        return _unpacked, (self.entry.name, grid, self.params, index, self.facts, self.sizes)


def of_all_sizes(grid: Grid, planners: Mapping[int, Planner]) -> Planner:
    """The planner of the smallest size, which knows the others."""
    (size, planner), *others = planners.items()
    planner.units = Units(grid, size, dict(others))
    took = [each.facts["build_seconds"] for each in planners.values() if "build_seconds" in each.facts]
    if took:
        planner.facts["build_seconds"] = round(sum(took), 6)
    return planner


def load(path: str | os.PathLike[str], grid: Grid, /, **params: Any) -> Planner:
    """The planner whose index a file holds for this grid, e.g. load("caves.waypost", grid).

    Its parameters are those that it was built with; those of the agent may be changed; of a preset only they count.
    """
    check_grid(grid)
    check_name(path, "an index file")
    return _opened(path, open_index(path), grid, params)


def _opened(path: str | os.PathLike[str], stored: StoredIndex, grid: Grid, params: Mapping[str, Any]) -> Planner:
    """The planner of a file of one size or of several."""
    if not has_sizes(stored):
        return _loaded(path, stored, grid, params)
    parts = files_of_sizes(path, stored)
    planners = {size: _loaded(what, part, grid.for_size(size), params) for size, what, part in parts}
    planner = of_all_sizes(grid, planners)
    planner.facts = stored.facts
    return planner


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
    wanted = catalog.params_with_index(entry, there, params, path)
    make_ready(entry.name)
    planner = Planner(entry, grid, wanted, index)
    planner.facts = stored.facts
    return planner


def _unpacked(
    name: str,
    grid: Grid,
    params: Mapping[str, Any],
    index: bytes | None,
    facts: Mapping[str, Any],
    sizes: tuple[int, ...],
) -> Planner:
    """A planner that was pickled."""
    if index is None:
        entry = catalog.find(PlannerName(name))
        checked = catalog.check_params(entry, params)
        if sizes == (1,):
            return Planner(entry, grid, checked)
        return of_all_sizes(grid, {size: Planner(entry, grid.for_size(size), checked) for size in sizes})
    what = f"the pickled index of {name}"
    planner = _opened(what, decode_index(what, memoryview(index)), grid, params)
    planner.facts = dict(facts)
    return planner


def check_grid(grid: Any) -> None:
    """Refuse what is no map."""
    if not isinstance(grid, Grid):
        raise ParameterError(f"a planner is built for a Grid, not for {shown(type(grid).__name__)}; see load_map")
