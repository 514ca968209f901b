"""DBA* and HCDPS on the ten maps of the 2013 paper: paths, memory, builds, time per move; then growth with the map."""

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import waypost as wp
from benchmarks import region_growth, report
from benchmarks.kernel_moves import KernelMoves
from waypost.agents.step import WORK_COUNTERS
from waypost.catalog import check_params, find
from waypost.indexes.building import Works
from waypost.maps import movingai
from waypost.planner import Planner
from waypost.planners.trees.index import SubgoalTrees
from waypost.world.problem import Problem, solve_optimally, spread

PROBLEMS = 100
BUILDS = 3
GOALS_APART = 5

Setting = tuple[str, dict[str, Any]]
World = tuple[str, wp.Grid, list[Problem]]

DEFAULT: Setting = ("dba", {})
AUTHORS_HCDPS = {1: "16.0 %, 92 KB", 2: "8.45 %, 130 KB", 3: "6.38 %, 171 KB", 4: "5.27 %, 215 KB"}
AUTHORS_DBA = {1: "7.21 %, 351 KB, 236 ms", 2: "5.70 %, 612 KB, 504 ms", 3: "5.49 %, 861 KB", 4: "5.51 %, 1134 KB"}


@dataclass
class Figures:
    """What one setting comes to, map by map."""

    build_ms: list[float] = field(default_factory=list)
    save_ms: list[float] = field(default_factory=list)
    file_kb: list[float] = field(default_factory=list)
    array_kb: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    optima: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        sums = 100 * (sum(self.lengths) / sum(self.optima) - 1)
        return (
            f"{self.percent:6.2f} % mean of ratios, {sums:5.2f} % of sums, file {mean(self.file_kb):5.1f} KB, arrays "
            f"{mean(self.array_kb):5.1f} KB, build {mean(self.build_ms):4.0f} ms, save {mean(self.save_ms):.1f} ms"
        )

    @property
    def percent(self) -> float:
        """Suboptimality, as the mean of ratios."""
        return 100 * (mean(self.ratios) - 1)


def mean(values: Sequence[float]) -> float:
    return statistics.mean(values)


def worlds() -> list[World]:
    """The ten maps, and for each 100 scenarios spread evenly over its file."""
    found = []
    for name in report.PAPER_2013:
        path = report.maps_folder() / "dao" / f"{name}.map"
        grid = wp.load_map(path)
        every = [movingai.scenario_problem(s, grid) for s in movingai.read_scenarios(f"{path}.scen")]
        solvable = [p for p in every if p.start != p.goal and grid.connected(p.start, p.goal)]
        found.append((name, grid, list(solve_optimally(grid, spread(solvable, PROBLEMS)))))
    return found


def build(setting: Setting, grid: wp.Grid) -> tuple[Planner, float]:
    """The planner, built on one thread, and the milliseconds of processor time from the grid to the arrays."""
    entry = find(setting[0])
    params = check_params(entry, setting[1])
    assert entry.index
    began = time.process_time()
    index = entry.index.build(grid, entry.offline(params), Works(1, show_progress=False))
    return Planner(entry, grid, params, index), 1e3 * (time.process_time() - began)


def measure(setting: Setting, maps: Sequence[World], builds: int = 1) -> Figures:
    """Build, save and walk on every map; of several builds the median counts."""
    figures = Figures()
    build(setting, maps[0][1])  # loads the kernels
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.waypost"
        for _, grid, problems in maps:
            made = [build(setting, grid) for _ in range(builds)]
            planner = made[0][0]
            figures.build_ms.append(statistics.median(ms for _, ms in made))
            began = time.process_time()
            planner.save(file)
            figures.save_ms.append(1e3 * (time.process_time() - began))
            figures.file_kb.append(file.stat().st_size / 1024)
            assert planner.index
            figures.array_kb.append(planner.index.bytes / 1024)
            agent = planner.agent()
            for problem in problems:
                agent.reset(problem)
                length = grid.path_cost(agent.walk().cells)
                assert problem.optimal
                figures.lengths.append(length)
                figures.optima.append(problem.optimal)
                figures.ratios.append(length / problem.optimal)
    return figures


def show(label: str, figures: Figures, beside: str = "") -> None:
    print(f"    {label:28} {figures}{f'  [{beside}]' if beside else ''}", flush=True)


def paths_and_builds(maps: Sequence[World]) -> list[bool]:
    print("  DBA*, sector 16 [the authors' code with its cell map]")
    held = []
    most_ms = {1: 40, 2: 120}
    for depth in (1, 2, 3):
        figures = measure(("dba", {"depth": depth}), maps, BUILDS)
        show(f"depth {depth}", figures, AUTHORS_DBA[depth])
        if depth in most_ms:
            held.append(report.bar(f"build, depth {depth}", mean(figures.build_ms), "ms", at_most=most_ms[depth]))
    figures = measure(DEFAULT, maps, BUILDS)
    show("default (depth 4)", figures, AUTHORS_DBA[4])
    held.append(report.bar("DBA*: suboptimality", figures.percent, "%", at_most=0.8))
    held.append(report.bar("DBA*: index file", mean(figures.file_kb), "KB", at_most=150))
    held.append(report.bar("DBA*: build", mean(figures.build_ms), "ms", at_most=250))
    for depth in (1, 2, 3, 4):
        published: Setting = ("dba", {"preset": "published", "depth": depth})
        show(f"published, depth {depth}", measure(published, maps), AUTHORS_DBA[depth])
    for without in ({"direct": 0}, {"ahead": 0}, {"entries": 0}):
        show(" ".join(f"{name}={value}" for name, value in without.items()), measure(("dba", without), maps))
    return held


def hcdps(maps: Sequence[World]) -> list[bool]:
    print("  HCDPS [the authors' code with its cell map]")
    for depth, theirs in AUTHORS_HCDPS.items():
        show(f"published, depth {depth}", measure(("hcdps", {"preset": "published", "depth": depth}), maps), theirs)
    for depth in (1, 3, 4):
        show(f"improved, depth {depth}", measure(("hcdps", {"depth": depth}), maps))
    figures = measure(("hcdps", {"depth": 2}), maps)
    show("improved, depth 2", figures)
    return [
        report.bar("HCDPS, improved, depth 2: suboptimality", figures.percent, "%", at_most=4),
        report.bar("HCDPS, improved, depth 2: index file with the cell map", mean(figures.file_kb), "KB", at_most=200),
    ]


def moves(maps: Sequence[World]) -> list[bool]:
    """Time of moves inside the kernel: a call that makes no move is measured with the same arguments, and taken off."""
    per_move, first, floors, longest = [], [], [], []
    for name, grid, problems in maps:
        planner, _ = build(DEFAULT, grid)
        timed = KernelMoves(planner.agent())
        floors.append(timed.floor_ns())
        per_move.append(timed.mean_ns(problems) - timed.floor_ns() / mean([timed.moves(p) for p in problems]))
        first.append(timed.first_ns(problems) - timed.floor_ns())
        ns, work = timed.longest(problems)
        longest.append((ns - timed.floor_ns(), name, work, planner.work_bound))
    print(f"    a call that makes no move takes {mean(floors):,.0f} ns, which are taken off below")
    held = [
        report.bar("DBA*: mean over whole episodes", mean(per_move), "ns per move", at_most=40),
        report.bar("DBA*: first move", mean(first) / 1e3, "us", at_most=3),
    ]
    longest_ns, name, work, bound = max(longest, key=lambda found: found[0])
    counted = ", ".join(f"{kind} {count}" for kind, count in zip(WORK_COUNTERS, work, strict=True) if count)
    print(f"    longest move: {longest_ns / 1e3:.1f} us on {name}, work {work.sum():,} of {bound:,} ({counted});")
    print(f"    mean of the longest on each map {mean([ns for ns, *_ in longest]) / 1e3:.1f} us")
    return held


def trees_on_demand(maps: Sequence[World]) -> None:
    """What LRTA* with subgoals takes here: a tree is made for each new goal, or all of them are stored."""
    milliseconds, kb, all_mb = [], [], []
    for _, grid, problems in maps:
        index = wp.build("trees", grid, goals_kept=1).index
        assert isinstance(index, SubgoalTrees)
        index.tree(problems[0].start)  # loads the kernels
        sizes = []
        for problem in problems[::GOALS_APART]:
            began = time.thread_time()
            nodes, first, end, _ = index.tree(problem.goal)
            milliseconds.append(1e3 * (time.thread_time() - began))
            sizes.append((end - first) * nodes.itemsize)
        kb.append(mean(sizes) / 1024)
        all_mb.append(mean(sizes) * grid.open_count / 2**20)
    print(
        f"  LRTA* with subgoals: {mean(milliseconds):.1f} ms to make the tree of a new goal, {mean(kb):.1f} KB each; "
        f"trees of all goals would take {mean(all_mb):,.0f} MB per map"
    )


def main() -> None:
    report.start("DBA* and HCDPS: the ten maps of the 2013 paper, 100 scenarios each")
    maps = worlds()
    held = [*paths_and_builds(maps), *moves(maps), *hcdps(maps)]
    trees_on_demand(maps)
    held += region_growth.growth()
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
