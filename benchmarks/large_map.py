"""Large maps, step by step: seconds, and bytes per cell at the peak, each step in a process of its own.

`python -m benchmarks.large_map` takes a map of 30 million cells; `--side 16384` one of 268 million.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import report

SIDE = 5478  # 5478 x 5478 = 30,008,484 cells
MOST_IMAGE_SIDE = 16384
SMALL = 64
LOAD_SECONDS = 5
MOST_BYTES = 24  # per cell, of any step
SEED = 1


class Step(NamedTuple):
    """Something done with a map: what it takes of the map so far, and what it may take at its peak."""

    name: str
    prepare: Callable[[Path], Any]
    """What is there before the step; its memory counts, its time does not."""
    do: Callable[[Any, Path], Any]
    bytes_per_cell: float


def _nothing(folder: Path) -> None:
    del folder


def _grid(folder: Path) -> Any:
    import waypost as wp

    return wp.load_map(folder / "map.npy")


def _open(folder: Path) -> Any:
    return np.load(folder / "map.npy", mmap_mode="r")


def _corners(grid: Any) -> tuple[int, int]:
    """The first and the last cell of the largest component, nearly always far apart."""
    label = int(grid.component_sizes.argmax())
    rows = grid.component.reshape(-1, grid.stride)
    first = next(y for y in range(len(rows)) if (rows[y] == label).any())
    last = next(y for y in range(len(rows) - 1, -1, -1) if (rows[y] == label).any())
    return (
        first * grid.stride + int(np.flatnonzero(rows[first] == label)[0]),
        last * grid.stride + int(np.flatnonzero(rows[last] == label)[-1]),
    )


def _generate(kind: str) -> Callable[[Any, Path], Any]:
    def make(side: Any, folder: Path) -> Any:
        from waypost.maps.generate import generate

        return generate(kind, side, side, SEED)

    return make


def _side(folder: Path) -> int:
    return int(np.load(folder / "map.npy", mmap_mode="r").shape[0])


def _load(name: str, **options: Any) -> Callable[[Any, Path], Any]:
    def load(_: Any, folder: Path) -> Any:
        import waypost as wp

        return wp.load_map(folder / name, **options)

    return load


def _save(name: str) -> Callable[[Any, Path], Any]:
    def save(grid: Any, folder: Path) -> Any:
        import waypost as wp

        wp.save_map(grid, folder / f"written-{name}")

    return save


def _from_memory_map(_: Any, folder: Path) -> Any:
    import waypost as wp

    return wp.grid_from_array(np.load(folder / "costs.npy", mmap_mode="r"), open=[1])


def _sample(grid: Any, folder: Path) -> Any:
    import waypost as wp

    return wp.sample_problems(grid, 1000, SEED)


def _sample_near(grid: Any, folder: Path) -> Any:
    import waypost as wp

    return wp.sample_problems(grid, 3, SEED, min_length=100, max_length=200)


def _draw(grid: Any, folder: Path) -> Any:
    from waypost.runs import picture

    picture.write_png(folder / "map-drawn.png", picture.draw_grid(grid))


def _solve(name: str) -> Callable[[Any, Path], Any]:
    def solve(grid: Any, folder: Path) -> Any:
        import waypost as wp

        start, goal = _corners(grid)
        return wp.build(name, grid).path(grid.xy(start), grid.xy(goal))

    return solve


def _describe(_: Any, folder: Path) -> Any:
    from waypost.cli.look import info

    info(str(folder / "map.npy"))


def _command_draw(_: Any, folder: Path) -> Any:
    from waypost.cli.look import draw

    draw(str(folder / "map.npy"), folder / "command-drawn.png")


def _command_convert(_: Any, folder: Path) -> Any:
    from waypost.cli.convert import convert

    convert(str(folder / "map.npy"), folder / "converted.map")


def _size(grid: Any, folder: Path) -> Any:
    return grid.for_size(2)


def _inflate(grid: Any, folder: Path) -> Any:
    return grid.inflate(1.5)


STEPS = (
    *(
        Step(f"generate {kind}", _side, _generate(kind), 16)
        for kind in ("blobs", "caves", "city", "maze", "outdoor", "rooms")
    ),
    Step("load .map", _nothing, _load("map.map"), 8),
    Step("load .npy", _nothing, _load("map.npy"), 8),
    Step("load .png", _nothing, _load("map.png"), 8),
    Step("load .yaml and .pgm", _nothing, _load("map.yaml"), 8),
    Step("memory map of numbers", _nothing, _from_memory_map, 10),
    Step("save .map", _grid, _save("map.map"), 8),
    Step("save .npy", _grid, _save("map.npy"), 8),
    Step("save .png", _grid, _save("map.png"), 8),
    Step("save .yaml and .pgm", _grid, _save("map.yaml"), 8),
    Step("fingerprint", _grid, lambda grid, folder: grid.fingerprint, 8),
    Step("units of 2 x 2 cells", _grid, _size, 16),
    Step("robot of radius 1.5", _grid, _inflate, 16),
    Step("draw", _grid, _draw, 8),
    Step("sample 1,000 problems", _grid, _sample, 16),
    Step("sample near problems", _grid, _sample_near, 24),
    Step("A* from corner to corner", _grid, _solve("astar"), 24),
    Step("jps, tables and corner to corner", _grid, _solve("jps"), 24),
    Step("waypost info", _nothing, _describe, 8),
    Step("waypost draw", _nothing, _command_draw, 8),
    Step("waypost convert to .map", _nothing, _command_convert, 8),
)


def _memory(field: str) -> int:
    """Bytes by the system's account of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise SystemExit("this benchmark reads /proc, so it needs Linux")


def _child(number: int, large: Path, small: Path) -> None:
    """Do one step, on a small map first: then kernels are loaded, and what the interpreter takes is known."""
    step = STEPS[number]
    step.do(step.prepare(small), small)
    before = _memory("VmRSS")
    ready = step.prepare(large)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again from here
    begin, began = time.perf_counter(), time.process_time()
    result = step.do(ready, large)
    figures = time.perf_counter() - begin, time.process_time() - began, _memory("VmHWM") - before
    del result
    print(json.dumps(figures))


def _write_maps(folder: Path, side: int) -> None:
    import waypost as wp

    # Blobs of walls, 35 % of the map: thousands of components and few long runs, which is hard for labelling.
    noise = np.random.default_rng(0).random((side // 6 + 1, side // 6 + 1)) > 0.35
    is_open = noise.repeat(6, axis=0).repeat(6, axis=1)[:side, :side]
    del noise
    folder.mkdir()
    np.save(folder / "map.npy", is_open)
    costs = np.lib.format.open_memmap(folder / "costs.npy", "w+", np.float32, is_open.shape)
    for y, row in enumerate(is_open):
        costs[y] = row
    del costs
    grid = wp.Grid(is_open)
    del is_open
    wp.save_map(grid, folder / "map.map")
    for name in ("map.png", "map.yaml"):
        if side <= MOST_IMAGE_SIDE:
            wp.save_map(grid, folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=SIDE)
    parser.add_argument("--only", default="", help="steps whose names have this in them")
    parser.add_argument("--step", type=int, help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step is not None:
        _child(asked.step, *asked.folders)
        return
    report.start(f"A map of {asked.side:,} x {asked.side:,} cells")
    held = []
    with tempfile.TemporaryDirectory() as place:
        large, small = Path(place) / "large", Path(place) / "small"
        for folder, side in ((large, asked.side), (small, SMALL)):
            made = f"from pathlib import Path; from benchmarks import large_map; large_map._write_maps(Path({str(folder)!r}), {side})"
            subprocess.run([sys.executable, "-c", made], check=True)
        for number, step in enumerate(STEPS):
            if asked.only not in step.name:
                continue
            command = [sys.executable, "-m", "benchmarks.large_map", "--step", str(number), str(large), str(small)]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            if done.returncode:
                print(f"  MISS {step.name}: {done.stderr.strip().splitlines()[-1]}", flush=True)
                held.append(False)
                continue
            seconds, busy, peak = json.loads(done.stdout.splitlines()[-1])
            name = f"{step.name}, {seconds:.2f} s ({busy:.2f} of the processor)"
            held.append(report.bar(name, peak / asked.side**2, "bytes per cell", at_most=step.bytes_per_cell))
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
