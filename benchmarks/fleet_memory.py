"""From how many agents on a planner with a database takes less memory than A* or TBA* (2010 paper, table 6)."""

import math
import statistics
from typing import Any

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import fleet_scenes

PROBLEMS = 100
DATABASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("dba", {}),
    ("hcdps", {}),
    ("knn", {"records": 10_000}),
)
SEARCHES = ("astar", "tba")
BYTES_PER_STATE = 4  # as in the papers: a state is an index of 32 bits


def break_even(grid: wp.Grid) -> None:
    """As the paper counts, a search holds 4 bytes for each state; a fleet's agents are counted by their real bytes."""
    problems = wp.sample_problems(grid, PROBLEMS, fleet_scenes.SEED)
    print(f"  Memory: agents from which on a fleet takes less than searches, {PROBLEMS} random problems")
    per_search = {}
    for name in SEARCHES:
        agent = wp.build(wp.PlannerName(name), grid).agent()
        runs = (wp.simulate(agent, problem, max_moves=1_000_000, each_move=False) for problem in problems)
        states = [run.memory.states for run in runs]
        per_search[name] = BYTES_PER_STATE * statistics.mean(states)
        print(f"    {name:6} {per_search[name] / 1024:8.1f} KB per agent")
    for name, params in DATABASES:
        planner = wp.build(wp.PlannerName(name), grid, **params)
        starts, goals = (grid.xys(_cells(problems, end)) for end in ("start", "goal"))
        fleet = planner.fleet(starts, goals, threads=1)
        for _ in range(50):
            fleet.tick()
        each, index = fleet.bytes / len(fleet), planner.index_bytes
        points = [math.floor(index / (search - each)) + 1 for search in per_search.values()]
        label = f"{name} {' '.join(f'{key}={value:,}' for key, value in params.items())}"
        print(
            f"    {label:20} index {index / 1024:8.1f} KB, {each:5.0f} bytes per agent: "
            + ", ".join(f"less than {search} from {count}" for search, count in zip(SEARCHES, points, strict=True))
        )


def _cells(problems: list[wp.Problem], end: str) -> npt.NDArray[np.int32]:
    return np.array([getattr(problem, end) for problem in problems], np.int32)
