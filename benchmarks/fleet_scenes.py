"""Scenes that fleets are measured in, all on orz900d: a crowd without end, a frame budget, a click that sends everyone."""

import gc
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import report
from waypost.fleet import Fleet, Tick

MAP = "orz900d"
SEED = 11

Points = npt.NDArray[np.int32]


class Places:
    """Random places of the largest part of the map."""

    def __init__(self, grid: wp.Grid, seed: int = SEED) -> None:
        self._places = grid.xys(np.flatnonzero(grid.component == grid.component_sizes.argmax()))
        self._random = np.random.default_rng(seed)

    def draw(self, count: int) -> Points:
        return self._places[self._random.integers(0, len(self._places), count)]


@dataclass
class Crowd:
    """Agents with random goals; those that arrive get another one."""

    fleet: Fleet
    places: Places

    def tick(self, budget_us: float | None = None) -> Tick:
        tick = self.fleet.tick(budget_us)
        arrived = self.fleet.events.arrived
        if arrived.size:
            self.fleet.retarget(arrived, self.places.draw(arrived.size))
        return tick


def grid() -> wp.Grid:
    return wp.load_map(report.maps_folder() / "dao" / f"{MAP}.map")


def crowd(planner: wp.Planner, agents: int, threads: int = 1) -> Crowd:
    places = Places(planner.grid)
    return Crowd(planner.fleet(places.draw(agents), places.draw(agents), threads=threads), places)


@dataclass
class Frames:
    """What the ticks of a game took, in milliseconds by the clock and of this thread, and the longest waits."""

    wall_ms: npt.NDArray[np.float64]
    thread_ms: npt.NDArray[np.float64]
    longest_wait: int
    moved: int


def frames(planner: wp.Planner, agents: int, ticks: int, budget_us: float, every: int) -> Frames:
    """Ticks within a budget; all agents get new goals every so many of them, which is not part of a tick."""
    scene = crowd(planner, agents)
    for _ in range(200):
        scene.tick(budget_us)
    wall, thread, longest, moved = np.empty(ticks), np.empty(ticks), 0, 0
    everyone = np.arange(agents)
    gc.collect()
    for i in range(ticks):
        if i % every == 0:
            scene.fleet.retarget(everyone, scene.places.draw(agents))
        began, began_thread = time.perf_counter(), time.thread_time()
        tick = scene.fleet.tick(budget_us)
        wall[i], thread[i] = time.perf_counter() - began, time.thread_time() - began_thread
        longest, moved = max(longest, tick.longest_wait), moved + tick.moved
        arrived = scene.fleet.events.arrived
        if arrived.size:
            scene.fleet.retarget(arrived, scene.places.draw(arrived.size))
    return Frames(1e3 * wall, 1e3 * thread, longest, moved)
