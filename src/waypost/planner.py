"""Planner: a catalog entry bound to a grid. What users hold; safe to share between threads."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost import catalog
from waypost.agents.base import MOST_MOVES, Agent, make_problem
from waypost.batch import Batch, solve_batch
from waypost.catalog import Entry
from waypost.errors import ParameterError, WaypostError, shown
from waypost.grid import Grid, Point
from waypost.parameters import whole_number
from waypost.problem import Problem

__all__ = ["Planner", "build"]


class Planner:
    """Makes agents and paths on one grid. The grid is shared and read-only; each agent has scratch of its own."""

    def __init__(self, entry: Entry, grid: Grid, params: Mapping[str, Any]) -> None:
        self.entry = entry
        self.grid = grid
        self.params = dict(params)
        self._idle: list[Agent] = []  # list.pop and list.append are atomic, so threads can share it

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.params.items())
        return f"Planner({self.entry.name!r}, {self.grid.width}x{self.grid.height}{settings})"

    def problem(self, start: Point, goal: Point, *, nearest: bool = False) -> Problem:
        """The problem of going from one (x, y) to another; raises `Unreachable` at once if there is no path."""
        return make_problem(self.grid, self.grid.open_cell(start, "start"), goal, nearest=nearest)

    def path(
        self, start: Point, goal: Point, *, nearest: bool = False, max_moves: int = MOST_MOVES
    ) -> npt.NDArray[np.int32]:
        """The whole path, start and goal included, as an (n, 2) array of x, y.

        A planner that learns on the way may wander; beyond `max_moves` it gives up with `OutOfMoves`.
        """
        whole_number("max_moves", max_moves)
        problem = self.problem(start, goal, nearest=nearest)
        try:
            agent = self._idle.pop()
        except IndexError:
            agent = self.agent()
        try:
            agent.reset(problem)
            return self.grid.xys(agent.path(max_moves))
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
        whole_number("max_moves", max_moves)
        cells = (from_cells, to_cells)
        return solve_batch(self.agent, self.grid, *cells, paths=paths, threads=threads, max_moves=max_moves)

    def agent(
        self, start: Point | None = None, goal: Point | None = None, *, nearest: bool = False, record: bool = False
    ) -> Agent:
        """A new agent, already on its way if start and goal are given; `record` keeps its search events."""
        if (start is None) != (goal is None):
            raise WaypostError("an agent takes both a start and a goal, or neither")
        agent = self.entry.make_agent(self.grid, self.params, record=record)
        if start is not None and goal is not None:
            agent.reset(self.problem(start, goal, nearest=nearest))
        return agent


def build(name: str, grid: Grid, /, **params: Any) -> Planner:
    """Prepare a planner by its catalog name, e.g. build("wastar", grid, gamma=0.5)."""
    entry = catalog.find(name)
    if not isinstance(grid, Grid):
        raise ParameterError(f"a planner is built for a Grid, not for {shown(type(grid).__name__)}; see load_map")
    return Planner(entry, grid, catalog.check_params(entry, params))
