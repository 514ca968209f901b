"""Measure one library on one world, in a process of its own: `python -m benchmarks.peers.measure LIBRARY WORLD`."""

import gc
import importlib
import importlib.metadata
import json
import math
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers import walks, worlds
from benchmarks.peers.library import Library, Point, Query
from benchmarks.peers.worlds import World

MOST_ROUNDS = 5
LEAST_PROBLEMS = 5


class Asked(NamedTuple):
    """Answers to the first problems of a world, the milliseconds of each in each round, and those of the first call."""

    answers: list[Any]
    rounds_ms: list[list[float]]
    first_ms: float


def ask(query: Query, ends: list[tuple[Point, Point]], seconds: float) -> Asked:
    """Ask every problem in up to five rounds, or as many problems as the time allows in one."""
    begin = time.perf_counter()
    query(*ends[0])  # a user's first call is told apart: it may load code and set memory aside
    first_ms = 1e3 * (time.perf_counter() - begin)
    answers: list[Any] = []
    rounds: list[list[float]] = []
    while len(rounds) < MOST_ROUNDS and (not rounds or len(rounds[0]) == len(ends)):
        times: list[float] = []
        for start, goal in ends:
            if time.perf_counter() - begin > seconds and (rounds or len(times) >= LEAST_PROBLEMS):
                break
            answer, milliseconds = timed(query, start, goal)
            times.append(milliseconds)
            if not rounds:
                answers.append(answer)
        if rounds and len(times) < len(ends):
            break  # a round cut short is no round
        rounds.append(times)
    return Asked(answers, rounds, first_ms)


def timed(query: Query, start: Point, goal: Point) -> tuple[Any, float]:
    """The answer and its milliseconds: by the clock on the wall, or the processor's where that is less.

    On a busy machine long queries lose their core more often than short ones. The processor's clock leaves that out;
    the one on the wall is less where a library uses several cores.
    """
    cpu = time.process_time()
    wall = time.perf_counter()
    answer = query(start, goal)
    wall = time.perf_counter() - wall
    cpu = time.process_time() - cpu
    return answer, 1e3 * min(wall, cpu)


def measure(library: Library, world: World, seconds: float) -> dict[str, Any]:
    """Everything the report needs, as plain values."""
    ends = [
        ((sx, sy), (gx, gy)) for (sx, sy), (gx, gy) in zip(world.starts.tolist(), world.goals.tolist(), strict=True)
    ]
    baseline = peak_bytes()
    begin = time.perf_counter()
    importlib.import_module(library.module)
    query = library.prepare(world.is_open)
    ready_seconds = time.perf_counter() - begin
    # Objects of the graph leave the collector's sight: a kindness to libraries with millions of Python objects.
    gc.collect()
    gc.freeze()
    asked = ask(query, ends, seconds)
    gc.unfreeze()
    peak = peak_bytes()  # before paths are judged, which takes memory of our own
    is_open = world.is_open.tolist()
    verdicts, ratios = [], []
    for answer, (start, goal), optimum in zip(asked.answers, ends, world.optima.tolist(), strict=False):
        points = library.read(answer, start)
        reachable = not math.isnan(optimum)
        verdicts.append(walks.judge(is_open, points, start, goal, reachable=reachable))
        if points and reachable:
            ratios.append(walks.length(points) / optimum)
    return {
        "version": importlib.metadata.version(library.package),
        "ready_seconds": ready_seconds,
        "first_ms": asked.first_ms,
        "rounds": len(asked.rounds_ms),
        "query_ms": [statistics.median(times) for times in zip(*asked.rounds_ms, strict=True)],
        "verdicts": {verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))},
        "ratios": ratios,
        "memory_bytes": peak - baseline,
    }


def peak_bytes() -> int:
    """The most memory this process has held. Linux's ru_maxrss would also count the parent's from before the start."""
    try:
        status = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    from benchmarks.peers.libraries import find

    name, path, seconds = sys.argv[1:]
    try:
        result = measure(find(name), worlds.load(Path(path)), float(seconds))
    except (ImportError, importlib.metadata.PackageNotFoundError) as error:
        result = {"missing": f"{type(error).__name__}: {error}"}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
