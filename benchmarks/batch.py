"""Batches of random problems on one core and on several, on a benchmark map or, without those, on generated caves.

python -m benchmarks.batch [--threads 1 2 4 8 16] [--planners jps astar dba hub] [--seconds 3] [--rounds 5]
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import report
from waypost.maps import generate

MAP = "dao/orz900d.map"
PLANNERS = "jps", "astar", "dba", "hub"
BARS = {2: 1.8, 16: 12.0}
"""Times as fast as one thread, by the number of threads."""
_FEW, _MOST = 300, 200_000  # problems: to find out how long one takes, and at all

Ends = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


def some_map() -> wp.Grid:
    """A map of the benchmark sets if they are there, else caves of about its size."""
    place = Path(os.environ.get("WAYPOST_MAPS", "")) / MAP
    return wp.load_map(place) if place.is_file() else wp.Grid(generate.caves(1024, 1024, seed=3))


def ends_of(grid: wp.Grid, count: int) -> Ends:
    """Starts and goals of random problems."""
    problems = wp.sample_problems(grid, count, seed=3)
    starts, goals = (grid.xys(np.array([getattr(p, end) for p in problems])) for end in ("start", "goal"))
    return starts, goals


def solve(planner: wp.Planner, ends: Ends, threads: int, paths: bool) -> tuple[float, wp.Batch]:
    """Seconds by the clock, and the answers."""
    began = time.perf_counter()
    batch = planner.batch(*ends, threads=threads, paths=paths)
    return time.perf_counter() - began, batch


def compare(name: str, grid: wp.Grid, counts: list[int], seconds: float, rounds: int) -> bool:
    """One planner on each number of threads, in turns, so that all see the same machine."""
    planner = wp.build(wp.PlannerName(name), grid)
    few = ends_of(grid, _FEW)
    for paths in (False, True):
        solve(planner, few, 1, paths)  # compiles
    each = min(solve(planner, few, 1, False)[0] for _ in range(3)) / _FEW
    ends = ends_of(grid, int(min(max(seconds / each, _FEW), _MOST)))
    holds = True
    for paths in (False, True):
        least = dict.fromkeys(counts, float("inf"))
        first = None
        for _ in range(rounds):
            for threads in counts:
                took, batch = solve(planner, ends, threads, paths)
                least[threads] = min(least[threads], took)
                first = first or batch
                assert np.array_equal(first.costs, batch.costs), "costs depend on the number of threads"
                assert np.array_equal(first.cells, batch.cells), "paths depend on the number of threads"
        what = f"{name}, {'paths' if paths else 'costs'}"
        print(f"  {what}: {len(ends[0]):,} problems, {1e6 * least[1] / len(ends[0]):.1f} us each on one thread")
        for threads in counts[1:]:
            ratio = least[1] / least[threads]
            if threads in BARS:
                holds &= report.bar(f"{what}, {threads} threads over one", ratio, "times", at_least=BARS[threads])
            else:
                print(f"       {what}, {threads} threads over one: {ratio:.2f} times")
    return holds


def main() -> None:
    """Compare all planners that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch")
    parser.add_argument("--threads", type=int, nargs="+", default=[2])
    parser.add_argument("--planners", nargs="+", default=PLANNERS)
    parser.add_argument("--seconds", type=float, default=3.0, help="of one batch on one thread, about")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    report.start("Batches of random problems, on one thread and on several")
    grid = some_map()
    counts = sorted({1, *asked.threads})
    print(f"  {grid}; least of {asked.rounds} rounds by the clock, in turns")
    held = [compare(name, grid, counts, asked.seconds, asked.rounds) for name in asked.planners]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
