"""Large maps: gates beside DBA*, and how all planners with an index grow with the map.

`python -m benchmarks.growth [PART ...]` takes some of the parts alone: large, exponents, length, fleet, table, giant.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import waypost as wp
from benchmarks import fleet_scenes, growth_plot, report
from benchmarks.kernel_moves import KernelMoves
from waypost.catalog import check_params, find
from waypost.indexes.base import Index
from waypost.indexes.building import Works
from waypost.maps import generate
from waypost.world.problem import Problem

SEED = 7
LARGE = 4096
PROBLEMS = 500
NEAR = (200, 400)  # cells
EXPONENT_SIDES = (316, 1000, 3162)  # 10^5, 10^6 and 10^7 cells
TABLE_SIDES = (100, 316, 1000, 3162, 10_000)
KINDS = ("caves", "city", "rooms", "outdoor", "blobs")
OTHER_SIDES = (300, 400, 500, 600)
AGENTS = 1_000_000
FLEET_ROUNDS = 20
GIANT = 16_384
INDEXED = ("gates", "dba", "hcdps", "hub", "knn")
TABLE_PROBLEMS = 50
GROWS, LONGEST_BUILD = 10, 120  # what takes at least so many times as long on the next map; seconds
PLOT = Path("docs/images/growth.png")
AS_USUAL: dict[str, Any] = {"sector": 16, "depth": 4}
"""Of DBA*: the setting that small maps get by themselves."""


def caves(side: int) -> wp.Grid:
    return wp.Grid(generate.generate("caves", side, side, SEED))


def build_index(name: str, grid: wp.Grid, params: dict[str, Any] | None = None) -> tuple[Index, float]:
    """From the grid to the index on one thread, and the processor seconds of this process, which does nothing else."""
    entry = find(name)
    offline = entry.offline(check_params(entry, params or {}))
    assert entry.index
    began = time.process_time()
    index = entry.index.build(grid, offline, Works(1, show_progress=False))
    return index, time.process_time() - began


def file_mb(planner: wp.Planner) -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.waypost"
        planner.save(file)
        return file.stat().st_size / 1e6


def solved(grid: wp.Grid, problems: Sequence[Problem]) -> list[Problem]:
    """The same problems with their optimal costs, by jump point search."""
    agent = wp.build("jps", grid).agent()
    found = []
    for problem in problems:
        agent.reset(problem)
        found.append(Problem(problem.start, problem.goal, grid.path_cost(agent.path())))
    return found


def ratios(planner: wp.Planner, problems: Sequence[Problem]) -> list[float]:
    """How long walks are beside the shortest path."""
    agent, found = planner.agent(), []
    for problem in problems:
        agent.reset(problem)
        found.append(planner.grid.path_cost(agent.path()) / (problem.optimal or 1))
    return found


def longer(planner: wp.Planner, problems: Sequence[Problem]) -> float:
    """Per cent by which walks are longer in the mean than the shortest path."""
    return 100 * (statistics.mean(ratios(planner, problems)) - 1)


def times(planner: wp.Planner, problems: Sequence[Problem]) -> tuple[float, float]:
    """Microseconds of a first move and nanoseconds of a mean one, without what a call takes."""
    timed = KernelMoves(planner.agent())
    moves = statistics.mean(timed.moves(problem) for problem in problems)
    floor = timed.floor_ns()
    return (timed.first_ns(problems) - floor) / 1e3, timed.mean_ns(problems) - floor / moves


def large() -> list[bool]:
    """Caves of 16 million cells beside smaller ones of DBA*."""
    _, of_dba = build_index("dba", caves(1024), AS_USUAL)
    small = caves(512)
    dba = wp.build("dba", small, threads=1)
    _, dba_ns = times(dba, wp.sample_problems(small, PROBLEMS, SEED))
    grid = caves(LARGE)
    _, seconds = build_index("gates", grid)
    planner = wp.build("gates", grid, threads=1)
    near = solved(grid, wp.sample_problems(grid, PROBLEMS, SEED, min_length=NEAR[0], max_length=NEAR[1]))
    far = solved(grid, wp.sample_problems(grid, PROBLEMS, SEED))
    (near_us, near_ns), (far_us, far_ns) = times(planner, near), times(planner, far)
    print(f"  dba: build of caves 1024 {of_dba:.2f} s, a move on caves 512 {dba_ns:.1f} ns")
    print(f"  gates on caves {LARGE}: build {seconds:.2f} s; first move near {near_us:.1f} us, far {far_us:.1f} us;")
    print(f"    a move near {near_ns:.1f} ns, far {far_ns:.1f} ns", flush=True)
    return [
        report.bar("build beside dba's of caves 1024", seconds / of_dba, "times", at_most=0.5),
        report.bar("file", file_mb(planner), "MB", at_most=80),
        report.bar("walks of near problems longer", longer(planner, near), "%", at_most=1),
        report.bar("walks of random problems longer", longer(planner, far), "%", at_most=1.2),
        report.bar("a random selection beside a near one", far_us / near_us, "times", at_most=2),
        report.bar("a mean move beside dba's on caves 512", far_ns / dba_ns, "times", at_most=4),
        report.bar("the same over near problems", near_ns / dba_ns, "times", at_most=4),
    ]


def exponents() -> list[bool]:
    """How build, size and bound grow, as powers of the cells."""
    rows = []
    for side in EXPONENT_SIDES:
        grid = caves(side)
        index, seconds = build_index("gates", grid)
        bound = find("gates").work_bound
        assert bound
        most = bound(check_params(find("gates"), {}), index) or 0
        rows.append((grid.cell_count, seconds, index.bytes, most))
        print(
            f"  {grid.cell_count:12,} cells: build {seconds:7.3f} s, {index.bytes:12,} bytes, bound {most:9,}",
            flush=True,
        )
    cells, *figures = np.log(np.array(rows)).T
    powers = [float((figure[-1] - figure[0]) / (cells[-1] - cells[0])) for figure in figures]
    return [
        report.bar("power of the cells that build grows with", powers[0], "", at_most=1.1),
        report.bar("of the size", powers[1], "", at_most=1.1),
        report.bar("of the declared bound", powers[2], "", at_most=0.6),
    ]


def compare(name: str, grid: wp.Grid, count: int = 200) -> tuple[float, float]:
    """Per cent that walks of gates and of DBA* are too long; prints them."""
    problems = solved(grid, wp.sample_problems(grid, count, SEED))
    gates = longer(wp.build("gates", grid, threads=1), problems)
    dba = longer(wp.build("dba", grid, threads=1, **AS_USUAL), problems)
    print(f"    {name:12} gates {gates:5.2f} %, dba {dba:5.2f} %, {gates - dba:+.2f}", flush=True)
    return gates, dba


def length() -> list[bool]:
    """The ten maps of the 2013 paper, generated maps of other kinds, and a maze."""
    folder = report.maps_folder() / "dao"
    ten = [compare(name, wp.load_map(folder / f"{name}.map")) for name in report.PAPER_2013]
    grids = [
        (f"{kind} {side}", wp.Grid(generate.generate(kind, side, side, SEED)))
        for kind in KINDS[1:]
        for side in OTHER_SIDES
    ]
    others = [compare(name, grid) for name, grid in grids]
    others += [compare(f"caves {side}", caves(side)) for side in OTHER_SIDES]
    compare("maze 257", wp.Grid(generate.generate("maze", 257, 257, SEED)))
    apart = [gates - dba for gates, dba in (*ten, *others)]
    return [
        report.bar("points longer than dba's walks, ten maps", _mean_apart(ten), "", at_most=0.1),
        report.bar("the same, generated maps", _mean_apart(others), "", at_most=0.1),
        report.bar("the most on one map", max(apart), "", at_most=0.3),
    ]


def _mean_apart(found: Sequence[tuple[float, float]]) -> float:
    return statistics.mean(gates - dba for gates, dba in found)


def crowd_ns(planner: wp.Planner) -> tuple[float, float]:
    """Nanoseconds of an agent-move once all have targets, new goals on arrival; and microseconds of a first target."""
    began = time.thread_time()
    scene = fleet_scenes.crowd(planner, AGENTS)
    while scene.moved < AGENTS:
        scene.tick()
    first = 1e6 * (time.thread_time() - began) / AGENTS
    for _ in range(FLEET_ROUNDS):
        scene.tick()
    rounds = []
    for _ in range(FLEET_ROUNDS):
        moved, began = scene.moved, time.thread_time()
        scene.tick()
        rounds.append(1e9 * (time.thread_time() - began) / (scene.moved - moved))
    return statistics.mean(rounds), first


def fleet() -> list[bool]:
    """A million agents on caves of 16 million cells beside as many of DBA* on orz900d."""
    dba, _ = crowd_ns(wp.build("dba", fleet_scenes.grid(), threads=1))
    gates, first = crowd_ns(wp.build("gates", caves(LARGE), threads=1))
    print(f"  {AGENTS:,} agents: dba on orz900d {dba:.1f} ns, gates on caves {LARGE} {gates:.1f} ns per agent-move;")
    print(f"    first targets {first:.1f} us each", flush=True)
    return [report.bar("time of an agent-move beside dba's on orz900d", gates / dba, "times", at_most=4)]


def table() -> list[bool]:
    """All planners with an index on caves of more and more cells, as long as a build takes seconds; and their plot."""
    print("  cells        planner  build s     file MB   first us   longer %")
    left = [*INDEXED]
    rows: list[growth_plot.Row] = []
    for side in TABLE_SIDES:
        grid = caves(side)
        problems = solved(grid, wp.sample_problems(grid, TABLE_PROBLEMS, SEED))
        for name in [*left]:
            try:
                _, seconds = build_index(name, grid)
                planner = wp.build(wp.PlannerName(name), grid, threads=1)
                row = growth_plot.Row(
                    name,
                    grid.cell_count,
                    seconds,
                    file_mb(planner),
                    times(planner, problems)[0],
                    longer(planner, problems),
                )
                figures = f"{seconds:9.2f} {row.file_mb:11.3f} {row.first_us:10.1f} {row.longer:10.2f}"
                print(f"  {row.cells:12,} {name:6} {figures}", flush=True)
                rows.append(row)
            except wp.WaypostError as error:
                print(f"  {grid.cell_count:12,} {name:6} {error}", flush=True)
                left.remove(name)
            else:
                if GROWS * seconds > LONGEST_BUILD:
                    left.remove(name)
        growth_plot.draw(rows, PLOT)
    return []


def giant() -> list[bool]:
    """A map of 2.7 * 10^8 cells, from a file that is mapped to walks; time and memory of this process so far."""

    def told(what: str) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(f"  {what:28} {time.process_time():8.1f} s, peak {peak / GIANT**2:5.1f} bytes per cell", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "giant.npy"
        block = generate.generate("caves", 2048, 2048, SEED)
        mapped = np.lib.format.open_memmap(file, "w+", np.bool_, (GIANT, GIANT))
        for y in range(0, GIANT, 2048):
            for x in range(0, GIANT, 2048):
                mapped[y : y + 2048, x : x + 2048] = block
        del mapped
        told("generated")
        grid = wp.grid_from_array(np.load(file, mmap_mode="r"))
        told("loaded")
        planner = wp.build("gates", grid, threads=1)
        told("built")
        index = Path(folder) / "index.waypost"
        planner.save(index)
        told(f"saved, {index.stat().st_size / 1e6:,.0f} MB")
        problems = wp.sample_problems(grid, 20, SEED)
        us, ns = times(planner, problems)
        told(f"walked, {us:,.0f} us, {ns:.0f} ns")
    return []


PARTS: dict[str, Callable[[], list[bool]]] = {
    "large": large, "exponents": exponents, "length": length, "fleet": fleet, "table": table, "giant": giant,
}  # fmt: skip


def main() -> None:
    report.start("Large maps")
    for name in ("dba", "gates"):
        wp.build(name, wp.load_map("caves"))  # loads the kernels
    chosen = sys.argv[1:] or [*PARTS]
    held = [holds for part in chosen for holds in PARTS[part]()]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
