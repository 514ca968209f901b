"""One click that sends 10,000 units: a fleet beside full paths by our own exact search and by other libraries."""

import importlib.util
import time

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import fleet_scenes
from benchmarks.peers import libraries
from benchmarks.peers.library import Library
from benchmarks.peers.ours import our_libraries
from waypost.runs.crowd import Places

UNITS = 10_000
SECONDS = 15.0  # for one library; what is left over is taken to go on as it began
PEERS = ("tcod AStar", "tcod Pathfinder", "pyastar2d")


def mass_retarget(planner: wp.Planner) -> None:
    """All in one run, on one core, the same starts and goals."""
    places = Places(planner.grid, fleet_scenes.SEED)
    starts, goals = places.draw(UNITS), places.draw(UNITS)
    fleet = planner.fleet(starts, goals, threads=1)
    fleet.tick()
    fleet.teleport(fleet.ids, starts)
    began = time.thread_time()
    fleet.retarget(fleet.ids, goals)
    fleet.tick()
    first = time.thread_time() - began
    while fleet.tick().moved:
        pass
    whole = time.thread_time() - began
    print(f"  One click sends {UNITS:,} agents to random goals on {fleet_scenes.MAP}, one core")
    print(
        f"    fleet of {planner.entry.name}: everyone moves after {1e3 * first:.1f} ms, has arrived after {whole:.2f} s"
    )
    for library in (*our_libraries(), *(libraries.find(name) for name in PEERS)):
        if importlib.util.find_spec(library.module.partition(".")[0]) is None:
            print(f"    {library.name}: not installed here")
            continue
        seconds, answered = _all_paths(library, planner.grid, starts, goals)
        note = "" if answered == UNITS else f" (from the first {answered:,})"
        print(
            f"    {library.name:16} full paths for all after {seconds:8.2f} s{note}: {seconds / first:7,.0f} times as "
            f"long as the fleet until everyone moves, {seconds / whole:6,.1f} times as long as until all have arrived",
            flush=True,
        )


def _all_paths(
    library: Library, grid: wp.Grid, starts: npt.NDArray[np.int32], goals: npt.NDArray[np.int32]
) -> tuple[float, int]:
    """Processor seconds for the paths of all units, and how many were really computed."""
    query = library.prepare(np.ascontiguousarray(grid.is_open))
    pairs = [(tuple(start), tuple(goal)) for start, goal in zip(starts.tolist(), goals.tolist(), strict=True)]
    query(*pairs[0])
    answered, began = 0, time.thread_time()
    while answered < UNITS and time.thread_time() - began < SECONDS:
        query(*pairs[answered])
        answered += 1
    return (time.thread_time() - began) * UNITS / answered, answered
