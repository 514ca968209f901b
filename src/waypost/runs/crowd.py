"""Crowd: a fleet whose agents never rest, with what its ticks took and where its agents were."""

from time import perf_counter, thread_time

import numpy as np
import numpy.typing as npt

from waypost.errors import WaypostError
from waypost.fleet import Tick
from waypost.planner import Planner
from waypost.system.checks import whole_number
from waypost.world.grid import Grid
from waypost.world.problem import MOST_PROBLEMS

__all__ = ["Crowd", "Places"]


class Places:
    """Random open cells of the largest part of a map, as x, y; the same for the same seed."""

    def __init__(self, grid: Grid, seed: int = 0) -> None:
        largest = int(grid.component_sizes.argmax())
        if grid.component_sizes[largest] < 2:
            raise WaypostError("no two open cells of this map are connected, so nobody can go anywhere")
        seed = whole_number("seed", seed)
        self._grid, self._cells = grid, grid.cells_of(np.arange(grid.component_count + 1) == largest)
        self._random = np.random.default_rng(seed)

    def draw(self, count: int) -> npt.NDArray[np.int32]:
        """The given number of them, as an (n, 2) array."""
        count = whole_number("the number of places", count, highest=MOST_PROBLEMS)
        return self._grid.xys(self._cells[self._random.integers(0, self._cells.size, count)])


class Crowd:
    """Agents on random ways; whoever arrives gets another goal. Figures are of all ticks so far."""

    def __init__(self, planner: Planner, agents: int, seed: int = 0, threads: int | None = None) -> None:
        self.places = Places(planner.grid, seed)
        starts, goals = self.places.draw(agents), self.places.draw(agents)
        self.fleet = planner.fleet(starts, goals, threads=threads)
        self.traffic: npt.NDArray[np.int64] = np.zeros(planner.grid.mask.size, np.int64)
        """How many agents were seen on each cell by `watch`."""
        self.tick_us: list[float] = []
        self.thread_us: list[float] = []
        self.moved = self.chosen = self.arrived = self.longest_wait = 0

    def tick(self, budget_us: float | None = None) -> Tick:
        """Let all move once, and send those on that arrived; only the former is timed."""
        began, began_thread = perf_counter(), thread_time()
        tick = self.fleet.tick(budget_us)
        self.tick_us.append(1e6 * (perf_counter() - began))
        self.thread_us.append(1e6 * (thread_time() - began_thread))
        self.moved += tick.moved
        self.chosen += tick.chosen
        self.arrived += tick.arrived
        self.longest_wait = max(self.longest_wait, tick.longest_wait)
        arrived = self.fleet.events.arrived
        if arrived.size:
            self.fleet.retarget(arrived, self.places.draw(arrived.size))
        return tick

    def watch(self) -> None:
        """Add to the traffic where all agents are now."""
        np.add.at(self.traffic, self.fleet.cells, 1)
