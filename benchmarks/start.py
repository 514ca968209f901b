"""Cold and warm start: what a new user waits for, and what every later process does."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import report

ROUNDS = 7
COMMAND = Path(sys.executable).with_name("waypost")


def seconds(*command: object, cache: str | None = None) -> float:
    """Wall time of a command."""
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    begin = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, capture_output=True, env=environment)
    return time.perf_counter() - begin


def median_seconds(*command: object) -> float:
    """Median wall time of a command, after one call that warms it up."""
    seconds(*command)
    return statistics.median(seconds(*command) for _ in range(ROUNDS))


def main() -> None:
    from waypost import Grid
    from waypost.maps import movingai

    report.start("Start")
    with tempfile.TemporaryDirectory() as folder:
        demo = (COMMAND, "demo", "--out", Path(folder) / "demo.png")
        cold = seconds(*demo, cache=folder)
        warm = seconds(*demo, cache=folder)
        is_open = np.random.default_rng(0).random((512, 512)) > 0.2
        is_open[[0, -1], [0, -1]] = True
        path = Path(folder) / "512.map"
        movingai.write_map(path, Grid(is_open))
        solve = (COMMAND, "solve", path, "--from", "0,0", "--to", "511,511", "--nearest")
        held = [
            report.bar("compiling: cold demo less warm demo", cold - warm, "s", at_most=60),
            report.bar("import waypost", median_seconds(sys.executable, "-c", "import waypost"), "s", at_most=0.6),
            report.bar(
                "import of everything public",
                median_seconds(sys.executable, "-c", "from waypost import *"),
                "s",
                at_most=0.6,
            ),
            report.bar(
                "first solve on 512x512 in a new process, A*",
                median_seconds(*solve, "--planner", "astar"),
                "s",
                at_most=1.5,
            ),
            report.bar(
                "the same by default: DBA*, whose database is built first", median_seconds(*solve), "s", at_most=1.5
            ),
        ]
        held += [
            report.bar(f"waypost {name} --help", median_seconds(COMMAND, name, "--help"), "s", at_most=0.3)
            for name in ("list", "info", "solve", "run", "draw", "demo", "generate", "convert", "scale")
        ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
