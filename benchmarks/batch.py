"""100,000 random problems on a 1024x1024 map: one core against all."""

import os
import statistics
import sys
import time

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.maps import generate

PROBLEMS = 100_000
ROUNDS = 3


def main() -> None:
    report.start(f"Batch of {PROBLEMS:,} problems by jump point search")
    grid = wp.Grid(generate.blobs(1024, 1024, seed=3))
    planner = wp.build("jps", grid)
    problems = wp.sample_problems(grid, PROBLEMS, seed=3)
    starts, goals = (grid.xys(np.array([getattr(p, end) for p in problems])) for end in ("start", "goal"))
    cores = min(2, os.cpu_count() or 1)
    seconds: dict[int, list[float]] = {1: [], cores: []}
    costs = []
    planner.batch(starts[:1000], goals[:1000])
    for _ in range(ROUNDS):
        for threads, times in seconds.items():
            begin = time.perf_counter()
            costs.append(planner.batch(starts, goals, threads=threads).costs)
            times.append(time.perf_counter() - begin)
    assert all(np.array_equal(costs[0], other) for other in costs), "results depend on the number of threads"
    one, several = (statistics.median(seconds[n]) for n in (1, cores))
    print(f"  1 thread: {one:.2f} s, {1e6 * one / PROBLEMS:.0f} us per problem; {cores} threads: {several:.2f} s")
    held = report.bar(f"{cores} cores over one", one / several, "times faster", at_least=1.7)
    sys.exit(not held)


if __name__ == "__main__":
    main()
