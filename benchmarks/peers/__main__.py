"""Measure every library on every world and write the report: `make bench-peers`."""

import argparse
import dataclasses
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import waypost as wp
from benchmarks import pages, report
from benchmarks.peers import bars, tables, worlds
from benchmarks.peers.libraries import PEERS
from benchmarks.peers.library import Library
from benchmarks.peers.ours import our_libraries
from benchmarks.peers.results import Figures, Run, figures
from waypost.system import machine

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "peers"
PAGE = ROOT / "docs" / "peers.md"
README = ROOT / "README.md"
TARGET = "bench-peers"
PLOT = ROOT / "docs" / "images" / "peers.png"
GRACE_SECONDS = 120  # for importing, building a graph and judging paths


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.peers", description=__doc__)
    parser.add_argument("--problems", type=int, default=100, help="problems per map")
    parser.add_argument("--seconds", type=float, default=12, help="time for the queries of one library on one map")
    parser.add_argument("--keep-page", action="store_true", help="leave the page and its plot in docs as they are")
    options = parser.parse_args()
    begin = time.perf_counter()
    report.start(f"Waypost beside its peers, up to {options.problems} problems per map")
    BUILD.mkdir(parents=True, exist_ok=True)
    maps = [worlds.dragon_age(options.problems), worlds.generated(options.problems)]
    if maps[0] is None:
        print("  brc202d is left out: WAYPOST_MAPS names no folder that holds dao/brc202d.map")
    measured = [world for world in maps if world is not None]
    libraries = (*our_libraries(), *PEERS)
    compile_ours()
    run = {world.name: list(measure_all(world, libraries, options.seconds)) for world in measured}
    # Everyone gets the same few calls here, and the slowest takes a second for one of them.
    easy = {
        w.name: list(measure_all(w, libraries, options.seconds / 4)) for w in (worlds.one_step(), worlds.unreachable())
    }
    save(run | easy)
    content = page_content(run, easy, {world.name: world.title for world in measured}, libraries)
    print("\n" + content + "\n", flush=True)
    if options.keep_page or len(measured) < len(maps):
        print("  docs/peers.md is left as it is: it is written by a full run, with both maps")
    else:
        pages.write(PAGE, TARGET, content)
        pages.write(README, TARGET, tables.summary_table(run))
        draw(run, measured)
    print(f"  the whole run took {time.perf_counter() - begin:.0f} s")
    sys.exit(not bars.check(run))


def compile_ours() -> None:
    """Compile our kernels, or find them compiled: that happens once per machine and has a benchmark of its own."""
    grid = wp.Grid(np.ones((9, 9), np.bool_))
    for library in our_libraries():
        wp.build(wp.PlannerName(library.name.removeprefix("waypost ")), grid).path((1, 1), (7, 5))


def measure_all(world: worlds.World, libraries: tuple[Library, ...], seconds: float) -> Iterator[Figures]:
    """Each library in a process of its own, one after the other."""
    path = BUILD / f"{world.name}.npz"
    world.save(path)
    for library in libraries:
        found = measure_apart(library, path, seconds)
        said = found.missing or f"{found.mean_ms:,.3f} ms per query, {len(found.query_ms)} problems"
        print(f"  {world.name}: {library.name}: {said}", flush=True)
        yield found


def measure_apart(library: Library, world: Path, seconds: float) -> Figures:
    """Figures from a new process, or why there are none."""
    command = [sys.executable, "-m", "benchmarks.peers.measure", library.name, str(world), str(seconds)]
    try:
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=GRACE_SECONDS + seconds, cwd=ROOT
        )
    except subprocess.TimeoutExpired as error:
        return Figures(library.name, library.ours, missing=f"not done after {error.timeout:.0f} s")
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or [""])[-1]
        return Figures(library.name, library.ours, missing=f"failed with status {error.returncode}: {last}")
    return figures(library.name, library.ours, json.loads(done.stdout.splitlines()[-1]))


def save(run: Run) -> None:
    """Everything measured, as JSON."""
    plain = {world: [dataclasses.asdict(f) for f in row] for world, row in run.items()}
    (BUILD / "results.json").write_text(json.dumps({"machine": machine.describe(), "worlds": plain}, indent=1))


def page_content(run: Run, easy: Run, titles: dict[str, str], libraries: tuple[Library, ...]) -> str:
    """All tables, under the machine and the versions."""
    parts = [f"Machine: {machine.describe()}.", f"Versions: {tables.versions(run)}."]
    for name, row in run.items():
        parts += [f"### Map: {titles[name]}", tables.map_table(row)]
    side = worlds.EASY_SIDE
    parts += [f"### Easy queries on maps of {side}x{side}", tables.easy_table(easy["one-step"], easy["unreachable"])]
    parts += ["### What each library was given", tables.given_table(libraries)]
    return "\n\n".join(parts)


def draw(run: Run, measured: list[worlds.World]) -> None:
    """The plot, where matplotlib is installed."""
    try:
        from benchmarks.peers import plot
    except ImportError as error:
        print(f"  no plot: {error}")
        return
    plot.draw(run, {world.name: world.title for world in measured}, PLOT)


if __name__ == "__main__":
    main()
