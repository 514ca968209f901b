"""Queries whose answer is near: a refused goal and a one-step path, called from Python on large maps."""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import waypost as wp
from benchmarks import report

CALLS = 2000
ROUNDS = 9


def us_per_call(call: Callable[[], object]) -> float:
    """Median over rounds of the mean time of a call."""
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append(1e6 * (time.perf_counter() - begin) / CALLS)
    return statistics.median(rounds)


def main() -> None:
    report.start("Latency of easy queries")
    walled = np.ones((1024, 1024), bool)
    walled[512] = False
    split = wp.build("astar", wp.Grid(walled))

    def refused() -> None:
        try:
            split.path((10, 10), (1000, 1000))
        except wp.Unreachable:
            return
        raise AssertionError("the goal should be unreachable")

    empty = wp.build("astar", wp.Grid(np.ones((4096, 4096), bool)))
    begin = time.perf_counter()
    empty.path((2000, 2000), (2001, 2001))
    print(f"  first query on the 4096x4096 map, scratch and all: {1e6 * (time.perf_counter() - begin):,.0f} us")
    held = [
        report.bar("refused goal, 1024x1024", us_per_call(refused), "us", at_most=10),
        report.bar("one step, empty 4096x4096", us_per_call(lambda: empty.path((9, 9), (10, 10))), "us", at_most=30),
    ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
