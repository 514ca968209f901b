"""A map of 30 million cells: file, move masks and components in memory and ready, in a process of its own."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks import report

SIDE = 5478  # 5478 x 5478 = 30,008,484 cells

CHILD = """
import resource, sys, time
import waypost as wp
wp.load_map(sys.argv[2])  # a small map first: kernels are loaded
begin = time.perf_counter()
grid = wp.load_map(sys.argv[1])
seconds = time.perf_counter() - begin
assert grid.cell_count > 30_000_000
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, grid.component_count)
"""


def main() -> None:
    from waypost import Grid
    from waypost.maps import movingai

    report.start("A map of 30 million cells")
    # Blobs of walls, 35 % of the map: thousands of components and few long runs, which is hard for labelling.
    noise = np.random.default_rng(0).random((SIDE // 6 + 1, SIDE // 6 + 1)) > 0.35
    is_open = noise.repeat(6, axis=0).repeat(6, axis=1)[:SIDE, :SIDE]
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder) / "large.map", Path(folder) / "small.map"
        movingai.write_map(large, Grid(is_open))
        movingai.write_map(small, Grid(is_open[:20, :20]))
        begin = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", CHILD, large, small], check=True, capture_output=True, text=True)
        whole = time.perf_counter() - begin
    seconds, peak, components = (float(word) for word in done.stdout.split())
    print(f"  {SIDE}x{SIDE} cells, {components:,.0f} components; {whole:.2f} s with the interpreter's start")
    held = [
        report.bar("load + masks + components", seconds, "s", at_most=5),
        report.bar("peak memory of the process", peak / 1e9, "GB", at_most=1.5),
    ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
