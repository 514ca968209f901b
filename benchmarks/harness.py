"""The benchmark harness itself: what it adds to a bare loop, and whether results survive kills and workers."""

import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pyarrow.parquet as pq

import waypost as wp
from benchmarks import report
from waypost.bench import runner
from waypost.bench.runner import Outcome, run_suite
from waypost.bench.suite import read_suite
from waypost.runs.metrics import METRICS
from waypost.system.progress import Advance

EPISODES = 100_000
ROUNDS = 3
MAP = "caves"
KILLS = 20

SHORT = """
title = "Short episodes"
planner = "astar"
[[maps]]
bundled = "caves"
[problems]
random = {episodes}
"""

MIXED = """
title = "To be killed"
planner = ["astar", "jps", "wastar", "lss", "tba"]
[[maps]]
bundled = ["caves", "rooms", "maze"]
[problems]
random = 1500
"""

TIMED = {metric.name for metric in METRICS.values() if metric.timed} | {"machine", "call_floor_us", "timing_workers"}


def run(folder: Path, text: str, workers: int = 1, timing_workers: int = 1) -> Outcome:
    """Run a suite in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    suite = folder / "suite.toml"
    suite.write_text(text)
    return run_suite(read_suite(str(suite)), folder / "results", workers=workers, timing_workers=timing_workers)


def untimed(folder: Path) -> object:
    """All rows of a run without what the clock decides."""
    table = pq.read_table(folder / "results" / "episodes.parquet")
    return table.select([name for name in table.column_names if name not in TIMED]).combine_chunks().to_pydict()


class BareLoop:
    """Stands in for the progress bar: whenever the harness has run some episodes, the bare loop runs the same ones.

    Turn about every few milliseconds, so that whatever else the machine does slows both alike.
    """

    def __init__(self, problems: list[wp.Problem]) -> None:
        self.agent = wp.build("astar", wp.load_map(MAP)).agent()
        # Half the way ahead of the harness, or one of the two would find in the cache what the other has just used.
        self.problems = problems[len(problems) // 2 :] + problems[: len(problems) // 2]
        self.at = 0
        self.seconds = 0.0

    @contextmanager
    def progress(self, _title: str, _total: int) -> Iterator[Advance]:
        """A bar that shows nothing."""
        yield self.tick

    def tick(self, count: int = 1, /) -> None:
        """Run as many problems as the harness just has."""
        begin = time.perf_counter()
        for problem in self.problems[self.at : self.at + count]:
            wp.simulate(self.agent, problem)
        self.seconds += time.perf_counter() - begin
        self.at += count


def overhead(folder: Path) -> bool:
    """The harness, from reading the suite to the merged rows, against a bare loop over the same problems."""
    text = SHORT.format(episodes=EPISODES)
    outcome = run(folder, text)  # makes the problems and compiles
    problems = outcome.runs[0].problems.problems(0, EPISODES)
    moves = sum(outcome.store.read([outcome.runs[0].identity], ["moves"])["moves"]) / EPISODES
    added = []
    for _ in range(ROUNDS):
        shutil.rmtree(folder / "results" / "runs")
        bare = BareLoop(problems)
        with mock.patch.object(runner, "progress", bare.progress):
            begin = time.perf_counter()
            run(folder, text)
            harness = time.perf_counter() - begin - bare.seconds
        added.append(100 * (harness / bare.seconds - 1))
        print(f"  bare loop {bare.seconds:.2f} s, harness {harness:.2f} s: {added[-1]:+.1f} %", flush=True)
    name = f"added to a bare loop over {EPISODES:,} episodes of {moves:.0f} moves on average"
    return report.bar(name, statistics.median(added), "%", at_most=5)


GROWTH_CHILD = """
import resource, sys
from pathlib import Path
from benchmarks import harness
harness.run(Path(sys.argv[1]), harness.SHORT.format(episodes=int(sys.argv[2])))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def memory(folder: Path) -> bool:
    """Peak memory of a process that runs many episodes against one that runs a fifth of them."""
    peaks = []
    for count in (EPISODES // 5, EPISODES):
        done = subprocess.run(
            [sys.executable, "-c", GROWTH_CHILD, folder / str(count), str(count)], check=True, capture_output=True
        )
        peaks.append(int(done.stdout))
        print(f"  {count:,} episodes: {peaks[-1] / 1e6:,.0f} MB", flush=True)
    return report.bar("more memory for five times the episodes", (peaks[1] - peaks[0]) / 1e6, "MB", at_most=60)


KILLED_CHILD = """
import sys
from pathlib import Path
from benchmarks import harness
from waypost.bench import runner
runner.PART_SECONDS = 0.1
harness.run(Path(sys.argv[1]), harness.MIXED, timing_workers=int(sys.argv[2]))
"""


def kills(folder: Path, reference: object) -> bool:
    """Kill the runner again and again, now with one process that runs episodes and now with two, then let it finish."""
    seconds = random.Random(5)  # noqa: S311 - not a secret
    killed = attempts = 0
    while killed < KILLS and attempts < 10 * KILLS:
        attempts += 1
        child = subprocess.Popen([sys.executable, "-c", KILLED_CHILD, folder, str(1 + attempts % 2)])
        try:
            if child.wait(timeout=seconds.uniform(1.0, 4.0)) == 0:  # got through: start again
                shutil.rmtree(folder)
        except subprocess.TimeoutExpired:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            killed += 1
    outcome = run(folder, MIXED)
    print(f"  killed {killed} times; the last run did {outcome.fresh:,} of {outcome.episodes:,} episodes", flush=True)
    same = untimed(folder) == reference
    return report.bar("rows that differ from an uninterrupted run's, or are lost or doubled", not same, "", at_most=0)


def workers(folder: Path, reference: object) -> bool:
    """The same suite on more workers."""
    run(folder, MIXED, workers=2, timing_workers=2)
    return report.bar("columns that differ on two workers", untimed(folder) != reference, "", at_most=0)


def main() -> None:
    report.start("The benchmark harness")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        held = [overhead(folder / "overhead"), memory(folder / "memory")]
        run(folder / "reference", MIXED)
        reference = untimed(folder / "reference")
        held += [kills(folder / "killed", reference), workers(folder / "workers", reference)]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
