"""Maps for robots and for large units: inflating a map of 16 million cells beside loading it; paths shortened."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.kernels import bodies
from waypost.maps.generate import generate

SIDE = 4000
KINDS = ("caves", "city", "outdoor")
RADII = (0.75, 2.5, 4)
ROUNDS = 5
PROBLEMS = 1000


def main() -> None:
    report.start(f"Robots and large units on maps of {SIDE} x {SIDE} cells: processor time of one thread")
    held = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            file = Path(folder) / "large.map"
            wp.save_map(wp.Grid(generate(kind, SIDE, SIDE, 1)), file)
            held += _measure(kind, file)
    for name in ("caves", "city"):
        _shorten(name)
    sys.exit(not all(held))


def _measure(kind: str, file: Path) -> list[bool]:
    grid = wp.load_map(file)
    loading = _seconds(lambda: wp.load_map(file))
    print(f"  {kind}, {grid.open_count:,} open: load_map {loading:.3f} s")
    held = []
    for radius in RADII:
        left = grid.inflate(radius).open_count  # which also loads the kernels
        took = _seconds(lambda radius=radius: grid.inflate(radius))  # type: ignore[misc]
        name = f"inflate({radius}), {left:,} left, {took:.3f} s; beside load_map"
        held.append(report.bar(name, took / loading, "times", at_most=3))
    alone = _seconds(lambda: bodies.clearance(grid.component, grid.stride))
    for_size = _seconds(lambda: grid.with_open(grid.clearance >= 3, "the map"))
    print(f"  clearance {alone:.3f} s, then for_size(3) {for_size:.3f} s")
    return held


def _shorten(name: str) -> None:
    """What lines of sight take off the shortest paths of a bundled map."""
    grid = wp.load_map(name)
    problems = wp.sample_problems(grid, PROBLEMS, 1)
    starts, goals = (grid.xys(np.array(ends)) for ends in zip(*((p.start, p.goal) for p in problems), strict=True))
    paths = wp.build("jps", grid).batch(starts, goals, paths=True, threads=1).paths
    smooth = paths.smooth()
    took = _seconds(paths.smooth)
    shorter = 100 * (1 - (smooth.lengths / paths.lengths).mean())
    counts = [len(each.cells) / PROBLEMS for each in (paths, paths.corners(), smooth)]
    print(
        f"  {name}: {counts[0]:.0f} cells of a path, {counts[1]:.1f} corners, smooth {counts[2]:.1f} points, "
        f"{shorter:.1f} % shorter, {1e6 * took / PROBLEMS:.1f} us"
    )


def _seconds(call: Callable[[], object]) -> float:
    """Processor time of a call, the median of some."""
    taken = []
    for _ in range(ROUNDS):
        began = time.thread_time()
        call()
        taken.append(time.thread_time() - began)
    return statistics.median(taken)


if __name__ == "__main__":
    main()
