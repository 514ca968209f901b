"""Clique abstraction and D LRTA*: time of the abstraction, walks on eight small maps and on one of 10 million cells."""

import statistics
import sys
import time
from itertools import pairwise

import numpy as np

import waypost as wp
from benchmarks import learning, report
from waypost.maps.scale import enlarge
from waypost.planners.cuts.cliques import abstract
from waypost.planners.pairs.subgoals import PairSubgoals
from waypost.world.problem import Problem

LARGE, FACTOR, LEVEL = "bg/AR0700SR", 14, 9
PROBLEMS, SEED = 250, 2010
CORES = 2
MOST_MOVES = 10_000_000
PAPER_2009 = {3: (10.13, 17.50, 8.22), 5: (13.35, 19.98, 1.39), 6: (22.57, 20.14, 1.14), 7: (55.87, 20.34, 1.06)}
PAPER_2010_MB, PAPER_2010_PERCENT = 84.96, 819.72


def abstraction_seconds(name: str, grid: wp.Grid, *, at_most: float) -> bool:
    """Bar 3: all levels to the top; the least of three."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        levels = abstract(grid)
        seconds.append(time.perf_counter() - began)
    sizes = ", ".join(f"{size:,}" for size in np.diff(levels.firsts).tolist())
    print(f"    {grid.open_count:,} open cells; nodes of the levels: {sizes}")
    return report.bar(f"abstraction of {name} to the top", min(seconds), "s", at_most=at_most)


def small_maps() -> list[bool]:
    """Bar 1: the eight maps of `make bench-learning`, with 128 problems each, three moves of lookahead."""
    worlds = learning.bg_8()
    held, percents = [], []
    for level, (percent, expansions, size) in PAPER_2009.items():
        for params in ({"preset": "published"}, {"deepest": 0}, {}):
            figures = learning.run(("dlrta", {"level": level, **params}), worlds)
            relative, stored, seconds = zip(*(index_figures(grid, level) for grid, _ in worlds), strict=True)
            ours = figures["suboptimality_percent"]
            print(
                f"    level {level} {params or 'by default'}: {ours:.2f} % [{percent}], "
                f"expansions per move {figures['expansions_per_move_mean']:.2f} [{expansions}], relative size "
                f"{statistics.mean(relative):.2f} [{size}], {statistics.mean(stored) / 1024:,.1f} KB, "
                f"{sum(seconds):.2f} s for all maps; {figures['arrived']:.0f} arrived",
                flush=True,
            )
        percents.append(ours)
        held.append(
            report.bar(f"level {level}: suboptimality by default", ours, "%", at_most=round(4 * percent / 3, 2))
        )
    rises = min(b - a for a, b in pairwise(percents))
    return [*held, report.bar("suboptimality rises with the level, by at least", rises, "points", at_least=0)]


def index_figures(grid: wp.Grid, level: int) -> tuple[float, int, float]:
    """Relative size, bytes, and seconds to build."""
    began = time.perf_counter()
    index = wp.build("dlrta", grid, threads=CORES, level=level).index
    assert index
    return index.states / grid.cell_count, index.bytes, time.perf_counter() - began


def full_scale(grid: wp.Grid) -> list[bool]:
    """Bar 2: subgoals of all pairs of the regions of level 9, one move of lookahead as in 2010."""
    began = time.perf_counter()
    planner = wp.build("dlrta", grid, threads=CORES, level=LEVEL, depth=1, deepest=0)
    held = [report.bar(f"build on {CORES} cores", time.perf_counter() - began, "s", at_most=600)]
    index = planner.index
    assert isinstance(index, PairSubgoals)
    region_map = sum(index.arrays[name].nbytes for name in ("tile_counts", "run_places", "run_regions"))
    print(
        f"    {index.region_count:,} regions; {index.bytes / 1e6:.2f} MB, {index.states - grid.cell_count:,} subgoals"
    )
    held.append(report.bar("region map", region_map / 1e6, "MB", at_most=PAPER_2010_MB / 10))
    print(f"    sampling and solving {PROBLEMS} problems", flush=True)
    problems = wp.sample_problems(grid, PROBLEMS, SEED, min_length=1000, max_length=3000)
    ns = walk_all("by default, without deeper lookahead", planner, problems)
    held.append(report.bar("time per move", ns / 1000, "us", at_most=0.15))
    deeper = wp.Planner(planner.entry, grid, planner.params | {"depth": 3, "deepest": 10}, index)
    walk_all("by default", deeper, problems)
    return held


def walk_all(name: str, planner: wp.Planner, problems: list[Problem]) -> float:
    """Walk on every problem, print what became of it; returns nanoseconds per move, of whole walks."""
    agent, ratios, ns, moves, most_work = planner.agent(), [], 0, 0, 0
    for problem in problems:
        agent.reset(problem)
        began = time.thread_time_ns()
        walk = agent.walk(MOST_MOVES)
        ns += time.thread_time_ns() - began
        moves += len(walk.work)
        most_work = max(most_work, int(walk.work.sum(axis=1).max(initial=0)))
        assert problem.optimal
        ratios.append(planner.grid.path_cost(walk.cells) / problem.optimal)
    print(
        f"    {name}: {100 * (statistics.mean(ratios) - 1):,.2f} % [{PAPER_2010_PERCENT}], median "
        f"{100 * (statistics.median(ratios) - 1):.2f} %, {ns / moves:.0f} ns per move; work {most_work} of a bound of "
        f"{planner.work_bound}",
        flush=True,
    )
    return ns / moves


def main() -> int:
    report.start("Cliques and D LRTA*")
    orz900d = wp.load_map(report.maps_folder() / "dao" / "orz900d.map")
    abstract(orz900d)  # compiles
    held = [abstraction_seconds("dao/orz900d", orz900d, at_most=0.3), *small_maps()]
    grid = enlarge(wp.load_map(report.maps_folder() / f"{LARGE}.map", costs="1.4"), FACTOR)
    print(f"  {LARGE} x {FACTOR}: {grid.width} x {grid.height}", flush=True)
    held += [abstraction_seconds(f"{LARGE} x {FACTOR}", grid, at_most=40), *full_scale(grid)]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
