"""Scenes that fleets are measured in, all on orz900d: a crowd without end, and a game with a frame budget."""

import gc
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import report
from waypost.runs.crowd import Crowd

MAP = "orz900d"
SEED = 11
_WARM_TICKS = 200


def grid() -> wp.Grid:
    return wp.load_map(report.maps_folder() / "dao" / f"{MAP}.map")


def crowd(planner: wp.Planner, agents: int, threads: int = 1) -> Crowd:
    return Crowd(planner, agents, SEED, threads)


@dataclass
class Frames:
    """What the ticks of a game took, in milliseconds by the clock and of this thread, and the longest wait."""

    wall_ms: npt.NDArray[np.float64]
    thread_ms: npt.NDArray[np.float64]
    longest_wait: int
    moved: int


def frames(planner: wp.Planner, agents: int, ticks: int, budget_us: float, every: int) -> Frames:
    """Ticks within a budget; all agents get new goals every so many of them, which is not part of a tick."""
    scene = crowd(planner, agents)
    for _ in range(_WARM_TICKS):
        scene.tick(budget_us)
    moved = scene.moved
    everyone = np.arange(agents)
    gc.collect()
    for i in range(ticks):
        if i % every == 0:
            scene.fleet.retarget(everyone, scene.places.draw(agents))
        scene.tick(budget_us)
    wall, thread = (np.array(us[_WARM_TICKS:]) / 1e3 for us in (scene.tick_us, scene.thread_us))
    return Frames(wall, thread, scene.longest_wait, scene.moved - moved)
