"""Many problems on all cores."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent
from waypost.agents.many import NO_WAY, Cells
from waypost.errors import WaypostError
from waypost.system.checks import truth
from waypost.system.stretches import share_out
from waypost.system.threads import thread_count
from waypost.world.grid import Grid, IntArray
from waypost.world.waypoints import Paths

__all__ = ["Batch", "solve_batch"]

_NO_CELLS = np.empty(0, np.int32)


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
    threads = thread_count(threads)
    costs = np.full(starts.size, NO_WAY, np.int64)
    lengths = np.zeros(starts.size, np.int64)
    (solvable,) = np.nonzero(grid.component[starts] == grid.component[goals])
    found: dict[int, Cells] = {}  # by the first problem whose path is there

    def solve(agent: Agent, first: int, last: int) -> None:
        asked = solvable[first:last]
        solved = agent.solve_many(starts[asked], goals[asked], max_moves, paths=paths)
        costs[asked], lengths[asked] = solved.costs, solved.lengths
        if paths:
            found[int(asked[0])] = solved.cells.copy()

    agents = [make_agent() for _ in range(max(1, min(threads, solvable.size)))]  # here: tables of a map are made once
    share_out("solving", solvable.size, [partial(solve, agent) for agent in agents])
    if not paths:
        return Batch(grid, costs, None, _NO_CELLS)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    cells = np.empty(offsets[-1], np.int32)
    firsts = list(found)

    def gather(begin: int, end: int) -> None:
        for first in firsts[begin:end]:
            of_paths = found.pop(first)  # whose memory is free again at once
            cells[offsets[first] :][: of_paths.size] = of_paths

    share_out("gathering", len(firsts), [gather] * max(1, min(threads, len(firsts))))
    return Batch(grid, costs, offsets, cells)
