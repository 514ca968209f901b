"""Many problems on all cores."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from threading import Event

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent
from waypost.agents.distances import NO_WAY, OUT_OF_MOVES, Cells
from waypost.errors import OutOfMoves, WaypostError
from waypost.system.checks import truth
from waypost.system.progress import Advance, progress
from waypost.system.threads import on_threads, thread_count
from waypost.world.grid import Grid, IntArray
from waypost.world.problem import Problem
from waypost.world.waypoints import Paths

__all__ = ["Batch", "solve_batch"]

_NO_CELLS = np.empty(0, np.int32)
_MOST_AT_ONCE = 64  # problems between two looks at the shared counter and the progress bar


@dataclass(frozen=True)
class Batch:
    """Answers to many problems, in their order. All paths are one ragged array: i's cells start at offsets[i]."""

    grid: Grid
    costs: npt.NDArray[np.int64]
    """Integer cost of each path; -1 where there is none, -2 where the agent ran out of moves on the way."""
    offsets: npt.NDArray[np.int64] | None
    """None if paths were not asked for."""
    cells: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def lengths(self) -> npt.NDArray[np.float64]:
        """Path lengths in cells, NaN where there is no path."""
        return np.where(self.costs >= 0, self.costs / self.grid.costs.straight, np.nan)

    @property
    def paths(self) -> Paths:
        """All paths at once: `batch.paths.corners()` are their turning points, `batch.paths.smooth()` shorter ones."""
        if self.offsets is None:
            raise WaypostError("this batch has only costs; ask for paths=True")
        return Paths(self.grid, self.cells, self.offsets)

    def path(self, i: int) -> IntArray:
        """Path i as an (n, 2) array of x, y; empty where there is none."""
        return self.paths.path(i)


def solve_batch(
    make_agent: Callable[[], Agent],
    grid: Grid,
    starts: Cells,
    goals: Cells,
    *,
    paths: bool,
    threads: int | None,
    max_moves: int = MOST_MOVES,
) -> Batch:
    """Solve problems from start cells to goal cells; the result does not depend on the number of threads."""
    paths = truth("paths", paths)
    total = len(starts)
    workers = max(1, min(thread_count(threads), total))
    chunk = max(1, min(_MOST_AT_ONCE, total // (8 * workers)))
    costs = np.full(total, NO_WAY, np.int64)
    found: list[npt.NDArray[np.int32] | None] = [None] * (total if paths else 0)
    chunks = count()

    def solve(agent: Agent, advance: Advance, stop: Event) -> None:
        while (first := next(chunks) * chunk) < total:
            last = min(first + chunk, total)
            for i in range(first, last):
                if stop.is_set():
                    return
                start, goal = int(starts[i]), int(goals[i])
                if not grid.connected(start, goal):
                    continue
                agent.reset(Problem(start, goal))
                try:
                    if paths:
                        found[i] = agent.path(max_moves)
                    else:
                        costs[i] = agent.path_cost(max_moves)
                except OutOfMoves:
                    costs[i] = OUT_OF_MOVES
            advance(last - first)

    agents = [make_agent() for _ in range(workers)]  # here, so that tables of the map are made once
    with progress("solving", total) as advance:
        on_threads([partial(solve, agent, advance) for agent in agents])
    return _with_paths(grid, found, costs) if paths else Batch(grid, costs, None, _NO_CELLS)


def _with_paths(grid: Grid, found: list[npt.NDArray[np.int32] | None], costs: npt.NDArray[np.int64]) -> Batch:
    """Join the paths, and read their costs off the joined array at once."""
    lengths = np.array([0 if cells is None else len(cells) for cells in found], np.int64)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    cells = np.concatenate([_NO_CELLS, *(cells for cells in found if cells is not None)])
    walked = np.concatenate(([0], np.cumsum(grid.move_costs(cells))))
    has_path = lengths > 0
    costs[has_path] = walked[offsets[1:][has_path] - 1] - walked[offsets[:-1][has_path]]
    return Batch(grid, costs, offsets, cells)
