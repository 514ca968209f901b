"""Start: what a new user waits for, and what every later process does, with machine code of each kind.

python -m benchmarks.start [PYTHON], an interpreter with a platform wheel; else build/shipped-env, of `make wheel`.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks import report
from benchmarks.commits import ROOT

ROUNDS = 7
COMMAND = Path(sys.executable).with_name("waypost")
SHIPPED = ROOT / "build" / "shipped-env" / "bin" / "python"
IMPORTS = "import numpy, numba"
FIRST_PATH = """
import sys, waypost as wp
grid = wp.load_map(sys.argv[1])
places = grid.xys((grid.component == grid.component_sizes.argmax()).nonzero()[0])
wp.build(sys.argv[2], grid).path(places[0], places[-1])
"""
LOADING = """
import json, time, waypost as wp
from waypost.machine_code import events, signatures
from waypost.preparing.missing import all_kernels
from waypost.preparing.worker import compile_kernel
kernels = all_kernels()
began = time.process_time()
for kernel in kernels:
    compile_kernel(kernel)
print(json.dumps([(time.process_time() - began) / len(kernels), events.compilations()]))
"""
FIRST_TICK = """
import json, numpy as np, waypost as wp
grid = wp.load_map("caves")
places = grid.xys(np.flatnonzero(grid.component == grid.component_sizes.argmax()))
random = np.random.default_rng(0)
fleet = wp.build("dba", grid).fleet(*(random.choice(places, 10_000) for _ in range(2)), threads=1)
print(json.dumps(fleet.tick(budget_us=1000).us))
"""


def seconds(*command: object, **environment: str) -> float:
    """Wall time of a command."""
    begin = time.perf_counter()
    _run(*command, **environment)
    return time.perf_counter() - begin


class Ran(NamedTuple):
    """What a command and its children took, and what it printed."""

    processor_seconds: float
    seconds: float
    output: str


def measured(*command: object, **environment: str) -> Ran:
    """Run a command with these variables."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    output = _run(*command, **environment)
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - begin
    return Ran(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds, output)


def _run(*command: object, **environment: str) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, check=True, capture_output=True, env=os.environ | environment, text=True)
    return done.stdout


def median_seconds(*command: object) -> float:
    """Median wall time of a command, after one call that warms it up."""
    seconds(*command)
    return statistics.median(seconds(*command) for _ in range(ROUNDS))


def shipped(python: Path, world: Path) -> list[bool]:
    """A new process with machine code of a wheel, beside what importing NumPy and Numba takes in it."""
    clean = {"PYTHONPATH": "", "WAYPOST_CACHE": os.devnull}
    commands = {
        "imports": (python, "-I", "-c", IMPORTS),
        "dba": (python, "-I", "-c", FIRST_PATH, world, "dba"),
        "astar": (python, "-I", "-c", FIRST_PATH, world, "astar"),
    }
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS + 1):  # by turns; the first warms the disk up
        for name, command in commands.items():
            least[name] = min(least[name], seconds(*command, **clean))
    per_kernel, compilations = json.loads(_run(python, "-I", "-c", LOADING, **clean))
    tick_us = min(json.loads(_run(python, "-I", "-c", FIRST_TICK, **clean)) for _ in range(ROUNDS))
    print(f"  import numpy, numba: {least['imports']:.3f} s; DBA* {least['dba']:.3f} s, A* {least['astar']:.3f} s")
    return [
        report.bar("whole process to the first DBA* path", least["dba"] / least["imports"], "times", at_most=2.0),
        report.bar("whole process to the first A* path", least["astar"] / least["imports"], "times", at_most=1.7),
        report.bar("functions compiled for all kernels", compilations, "", at_most=0),
        report.bar("loading a kernel, in the mean", 1000 * per_kernel, "ms", at_most=3),
        report.bar("first tick of 10,000 agents with a budget of 1,000 us", tick_us, "us", at_most=1500),
    ]


def compiling() -> list[bool]:
    """The same without machine code: what compiling takes, in one process and in several."""
    with tempfile.TemporaryDirectory() as folder:
        one, two = (_nothing_kept(Path(folder, name)) for name in ("one", "two"))
        alone = (COMMAND, "prepare", "dba", "--processes", "1")
        cold, warm = (measured(*alone, **one).processor_seconds for _ in range(2))
        both, wall, _ = measured(COMMAND, "prepare", "dba", **two)
    print(f"  prepare on {os.cpu_count()} cores: {wall:.1f} s, {both:.1f} s of the processor")
    return [
        report.bar("compiling DBA* with its fleets", cold - warm, "CPU s", at_most=20),
        report.bar("prepare: wall time by its own processor time", wall / both, "", at_most=0.6),
    ]


def _nothing_kept(folder: Path) -> dict[str, str]:
    """An environment in which nothing was compiled yet."""
    folder.mkdir()
    return {"XDG_CACHE_HOME": str(folder), "TMPDIR": str(folder)}


def commands(world: Path) -> list[bool]:
    """The command line, with machine code of the cache."""
    solve = (COMMAND, "solve", world, "--from", "0,0", "--to", "511,511", "--nearest")
    by_astar = median_seconds(*solve, "--planner", "astar")
    held = [
        report.bar("import waypost", median_seconds(sys.executable, "-c", "import waypost"), "s", at_most=0.6),
        report.bar("first solve on 512x512 in a new process, A*", by_astar, "s", at_most=1.5),
        report.bar(
            "the same by default: DBA*, whose database is built first", median_seconds(*solve), "s", at_most=1.5
        ),
    ]
    return held + [
        report.bar(f"waypost {name} --help", median_seconds(COMMAND, name, "--help"), "s", at_most=0.3)
        for name in ("list", "solve", "run", "demo", "generate", "prepare")
    ]


def main() -> None:
    from waypost import Grid
    from waypost.maps import movingai

    python = Path(sys.argv[1]) if sys.argv[1:] else SHIPPED
    report.start("Start")
    with tempfile.TemporaryDirectory() as folder:
        is_open = np.random.default_rng(0).random((512, 512)) > 0.2
        is_open[[0, -1], [0, -1]] = True
        walls, world = Path(folder) / "walls.map", Path(folder) / "caves.map"
        movingai.write_map(walls, Grid(is_open))
        _run(COMMAND, "generate", "caves", "--size", "512x512", "--out", world)
        held = commands(walls) + compiling()
        if python.exists():
            maps = os.environ.get("WAYPOST_MAPS")  # else most of it is the build of a map four times as open
            held += shipped(python, Path(maps, "dao", "brc202d.map") if maps else world)
        else:
            print("  no platform wheel is installed in build/shipped-env: make wheel")
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
