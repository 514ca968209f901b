"""Large maps, step by step: seconds, and bytes per cell at the peak, each step in a process of its own.

Without arguments on a map of 30 million cells; `--side 16384` is one of 268 million.
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

import waypost as wp
from benchmarks import report
from waypost.maps.generate import GENERATORS, generate
from waypost.runs import picture

SIDE = 5478  # 5478 x 5478 = 30,008,484 cells
SMALL = 64
LARGEST_PNG = 8192
SECONDS_TO_LOAD = 5 / SIDE**2  # for each cell
ANY_STEP = 32  # bytes per cell
SEED = 1

Work = Callable[[Any, Path], object]


class Step(NamedTuple):
    """Something done with a map, and how many bytes per cell the process may have at the peak of it."""

    name: str
    prepare: Callable[[Path], Any]
    """Makes what is there before the step: its memory counts, its time does not."""
    work: Work
    most_bytes: float


def _load_grid(folder: Path) -> wp.Grid:
    return wp.load_map(folder / "map.npy")


def _side(folder: Path) -> int:
    return int(np.load(folder / "map.npy", mmap_mode="r").shape[0])


def _nothing(folder: Path) -> None:
    """For steps that begin with a file."""


def _making(kind: str) -> Work:
    return lambda side, _: generate(kind, side, side, SEED)


def _loading(name: str) -> Work:
    return lambda _, folder: wp.load_map(folder / name)


def _saving(name: str) -> Work:
    return lambda grid, folder: wp.save_map(grid, folder / name)


def _from_memory_map(_: None, folder: Path) -> wp.Grid:
    return wp.grid_from_array(np.load(folder / "costs.npy", mmap_mode="r"), open=[1])


def _draw(grid: wp.Grid, folder: Path) -> None:
    picture.write_png(folder / "drawn.png", picture.draw_grid(grid))


def _solving(name: str) -> Work:
    """The whole way between two far corners."""

    def solve(grid: wp.Grid, folder: Path) -> object:
        return wp.build(wp.PlannerName(name), grid).path(*_ends(folder))

    return solve


def _ends(folder: Path) -> tuple[tuple[int, int], tuple[int, int]]:
    start, goal = json.loads((folder / "ends.json").read_text())
    return (start[0], start[1]), (goal[0], goal[1])


def _command(*words: str) -> Work:
    """A command of `waypost`; FOLDER, START and GOAL stand for what they say."""

    def run(_: None, folder: Path) -> None:
        from waypost.cli.app import app

        start, goal = (f"{x},{y}" for x, y in _ends(folder))
        given = {"START": start, "GOAL": goal}
        app([given.get(word, word.replace("FOLDER", str(folder))) for word in words], standalone_mode=False)

    return run


STEPS = (
    *(Step(f"generate {kind}", _side, _making(kind), 14) for kind in GENERATORS),
    Step("load .map", _nothing, _loading("map.map"), 8),
    Step("load .npy, mapped", _nothing, _loading("map.npy"), 8),
    Step("load .png", _nothing, _loading("map.png"), 8),
    Step("load .yaml with .pgm", _nothing, _loading("map.yaml"), 8),
    Step("a memory map of 32-bit numbers", _nothing, _from_memory_map, 12),
    Step("save .map", _load_grid, _saving("written.map"), 6),
    Step("save .npy", _load_grid, _saving("written.npy"), 6),
    Step("save .png", _load_grid, _saving("written.png"), 8),
    Step("save .yaml with .pgm", _load_grid, _saving("written.yaml"), 6),
    Step("fingerprint", _load_grid, lambda grid, _: grid.fingerprint, 6),
    Step("for units of 2 x 2 cells", _load_grid, lambda grid, _: grid.for_size(2), 14),
    Step("for robots of radius 1.5", _load_grid, lambda grid, _: grid.inflate(1.5), 14),
    Step("draw", _load_grid, _draw, 9),
    Step("1,000 random problems", _load_grid, lambda grid, _: wp.sample_problems(grid, 1000, SEED), 16),
    Step(
        "3 problems of a length",
        _load_grid,
        lambda grid, _: wp.sample_problems(grid, 3, SEED, min_length=20, max_length=40),
        14,
    ),
    Step("A* from corner to corner", _load_grid, _solving("astar"), 20),
    Step("jps from corner to corner", _load_grid, _solving("jps"), 22),
    Step("waypost info", _nothing, _command("info", "FOLDER/map.npy"), 8),
    Step("waypost draw", _nothing, _command("draw", "FOLDER/map.npy", "--out", "FOLDER/drawn.png"), 9),
    Step("waypost convert", _nothing, _command("convert", "FOLDER/map.npy", "FOLDER/written.map"), 8),
    Step(
        "waypost solve --planner jps --draw",
        _nothing,
        _command(
            "solve", "FOLDER/map.npy", "--from", "START", "--to", "GOAL", "--planner", "jps", "--draw", "FOLDER/way.png"
        ),
        ANY_STEP,
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=SIDE, help="cells along each side of the map")
    parser.add_argument("--only", action="append", help="steps that have this in their names; repeatable")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.write:
        _write_maps(asked.write, asked.side)
    elif asked.step:
        number, small, large = asked.step
        print(json.dumps(_figures(STEPS[int(number)], Path(small), Path(large))))
    else:
        _measure_all(asked.side, asked.only or [""])


def _measure_all(side: int, only: list[str]) -> None:
    report.start(f"A map of {side:,} x {side:,} cells; memory is that of the process, less that of the interpreter")
    held = []
    with tempfile.TemporaryDirectory() as place:
        small, large = Path(place) / "small", Path(place) / "large"
        for folder, cells in ((small, SMALL), (large, side)):
            _apart("--write", str(folder), "--side", str(cells))
        for number, step in enumerate(STEPS):
            if not any(name in step.name for name in only) or (".png" in step.name and side > LARGEST_PNG):
                continue
            seconds, busy, peak = json.loads(_apart("--step", str(number), str(small), str(large)).splitlines()[-1])
            print(f"  {step.name}: {seconds:.2f} s by the clock, {busy:.2f} s of the processor")
            held.append(report.bar("... at its peak", peak / side**2, "bytes per cell", at_most=step.most_bytes))
            if step.name == "load .map":
                held.append(report.bar("... of the processor", busy, "s", at_most=round(SECONDS_TO_LOAD * side**2, 2)))
            for written in large.glob("written*"):
                written.unlink()
    sys.exit(not all(held))


def _apart(*arguments: str) -> str:
    """What this program prints, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.large_map", *arguments]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} ended with status {done.returncode}")
    return done.stdout


def _figures(step: Step, small: Path, large: Path) -> tuple[float, float, int]:
    """Seconds, those of the processor and bytes of a step: on a small map first, so that kernels are loaded."""
    step.work(step.prepare(small), small)
    before = _memory("VmRSS")
    ready = step.prepare(large)
    Path("/proc/self/clear_refs").write_text("5")  # the peak of the process begins again
    begin, began = time.perf_counter(), time.process_time()
    result = step.work(ready, large)
    taken = time.perf_counter() - begin, time.process_time() - began
    peak = _memory("VmHWM") - before
    del result
    return *taken, peak


def _memory(field: str) -> int:
    """Bytes of this process, by the system's account: files that are mapped count, too."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    sys.exit("this benchmark reads /proc/self/status, so it needs Linux")


def _write_maps(folder: Path, side: int) -> None:
    """Blobs of walls, 35 % of the map: thousands of components and few long runs, which is hard for labelling."""
    noise = np.random.default_rng(0).random((side // 6 + 1, side // 6 + 1)) > 0.35
    is_open = noise.repeat(6, axis=0).repeat(6, axis=1)[:side, :side]
    folder.mkdir()
    costs = np.lib.format.open_memmap(folder / "costs.npy", "w+", np.float32, is_open.shape)
    for y, row in enumerate(is_open):
        costs[y] = row
    del costs
    grid = wp.Grid(is_open)
    endings = (".map", ".npy", ".yaml") if side > LARGEST_PNG else (".map", ".npy", ".yaml", ".png")
    for ending in endings:
        wp.save_map(grid, folder / f"map{ending}")
    cells = grid.cells_of(grid.component_sizes == grid.component_sizes.max())
    (folder / "ends.json").write_text(json.dumps([grid.xy(int(cells[0])), grid.xy(int(cells[-1]))]))


if __name__ == "__main__":
    main()
