"""Real-time search without a database: speed of the kernels, the papers' figures beside ours, and constant work.

The bg-8 set is eight Baldur's Gate maps with 128 random problems each of optimal length 100 to 150, seed 2009.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.catalog import CATALOG
from waypost.maps import generate, movingai
from waypost.maps.scale import enlarge
from waypost.runs.metrics import METRICS, Tally
from waypost.world.problem import Problem, solve_optimally, spread

BG_8 = ("AR0011SR", "AR0205SR", "AR0400SR", "AR0404SR", "AR0406SR", "AR0411SR", "AR0603SR", "AR0701SR")
MOST_MOVES = 10_000_000
ROUNDS = 5

Setting = tuple[str, dict[str, Any]]
World = tuple[wp.Grid, list[Problem]]


def bg_8() -> list[World]:
    folder = report.maps_folder() / "bg"
    grids = [wp.load_map(folder / f"{name}.map") for name in BG_8]
    return [(grid, wp.sample_problems(grid, 128, 2009, min_length=100, max_length=150)) for grid in grids]


def scenarios(name: str, choose: Callable[[list[Any]], list[Any]]) -> World:
    path = report.maps_folder() / "dao" / f"{name}.map"
    grid = wp.load_map(path)
    chosen = choose([s for s in movingai.read_scenarios(f"{path}.scen") if s.length > 0])
    problems = [movingai.scenario_problem(s, grid) for s in chosen]
    solvable = [problem for problem in problems if grid.connected(problem.start, problem.goal)]
    return grid, list(solve_optimally(grid, solvable))


def run(setting: Setting, worlds: Sequence[World]) -> dict[str, float]:
    """Every metric over all problems of all maps, as its table would give it, and how many arrived."""
    name, params = setting
    columns: list[dict[str, Any]] = []
    for grid, problems in worlds:
        agent = wp.build(wp.PlannerName(name), grid, **params).agent()
        tally = Tally(grid)
        for problem in problems:
            tally.add(wp.simulate(agent, problem, max_moves=MOST_MOVES, each_move=False))
        columns.append(tally.columns())
    together = {key: np.concatenate([column[key] for column in columns]) for key in columns[0]}
    arrived = together["arrived"]
    figures = {name: float(metric.over_runs(together[name][arrived])) for name, metric in METRICS.items()}
    return figures | {"arrived": float(arrived.sum())}


def speed(setting: Setting, worlds: Sequence[World]) -> tuple[float, float]:
    """Nanoseconds per move, and million expansions per second, of whole walks in compiled code: median of rounds."""
    name, params = setting
    agents = [wp.build(wp.PlannerName(name), grid, **params).agent() for grid, _ in worlds]
    rounds = []
    for _ in range(ROUNDS + 1):
        seconds, moves, expansions = 0.0, 0, 0
        for agent, (_, problems) in zip(agents, worlds, strict=True):
            for problem in problems:
                agent.reset(problem)
                begin = time.perf_counter()
                walk = agent.walk(MOST_MOVES)
                seconds += time.perf_counter() - begin
                moves += len(walk.work)
                expansions += int(walk.work[:, 0].sum())
        rounds.append(seconds)
    median = statistics.median(rounds[1:])  # the first one loads the kernels
    return 1e9 * median / moves, expansions / median / 1e6


def step_us() -> float:
    """One `agent.step()` of one-step LRTA* from Python, scrubbing in a dead end: median of rounds of 1000."""
    grid = wp.load_map("rooms")
    (problem,) = wp.sample_problems(grid, 1, 3, min_length=100)
    agent = wp.build("lrta", grid).agent()
    rounds, moving = [], wp.RunStatus.MOVING
    for _ in range(200):
        agent.reset(problem)
        steps = 0
        begin = time.perf_counter()
        while steps < 1000 and agent.step().status is moving:
            steps += 1
        rounds.append((time.perf_counter() - begin) / (steps or 1))
    return 1e6 * statistics.median(rounds)


def label(setting: Setting) -> str:
    name, params = setting
    return " ".join([name, *(f"{key}={value}" for key, value in params.items())])


def compare_family(worlds: Sequence[World]) -> None:
    """Every real-time planner on bg-8, the papers' figures beside ours where there are any."""
    papers = {
        "lrta depth=1": "2011, other maps: cost 39,232 against 198",
        "lrta depth=3": "2009, other maps: 447.95 %, 20.44 expansions per move",
    }
    settings: list[Setting] = [("lrta", {"depth": 1}), ("lrta", {"depth": 3})]
    settings += [(name, {}) for name, entry in CATALOG.items() if entry.real_time and name != "lrta"]
    total = sum(len(problems) for _, problems in worlds)
    print("  bg-8: suboptimality; moves, revisits, expansions per move, most work of a move, on-line states")
    for setting in settings:
        figures = run(setting, worlds)
        paper = f"  [{papers[label(setting)]}]" if label(setting) in papers else ""
        print(
            f"    {label(setting):14} {figures['suboptimality_percent']:10,.1f} %  {figures['moves']:9,.0f} "
            f"{figures['revisits']:9,.0f} {figures['expansions_per_move_mean']:7.2f} "
            f"{figures['work_per_move_max']:6,.0f} {figures['online_states']:8,.0f}  "
            f"{figures['arrived']:.0f}/{total} arrived{paper}",
            flush=True,
        )
        if setting == ("lrta", {"depth": 1}):
            optimum = statistics.mean(grid.length(p.optimal or 0) for grid, problems in worlds for p in problems)
            print(f"    {'':14} mean cost {figures['length_cells']:,.0f} against {optimum:,.0f}", flush=True)


def tba_sweep() -> list[bool]:
    worlds = [scenarios(name, lambda found: spread(found, 100)) for name in report.PAPER_2013]
    published = {5: 1504.54, 10: 666.50, 50: 131.12, 100: 64.66}
    figures = {r: run(("tba", {"slice": r}), worlds) for r in published}
    print("  TBA* on the ten maps of 2013, 100 scenarios each [2010, maps of 10 million cells]")
    for r, found in figures.items():
        print(
            f"    R={r:<4} suboptimality {found['suboptimality_percent']:8,.1f} % [{published[r]:,.2f} %], on-line "
            f"{found['online_kb']:,.1f} KB, most work of a move {found['work_per_move_max']:.0f}",
            flush=True,
        )
    by_slice = [found["suboptimality_percent"] for found in figures.values()]
    states = [found["online_kb"] for found in figures.values()]
    falls = min(np.diff(by_slice) * -1)
    differs = 100 * (max(states) / min(states) - 1)
    return [
        report.bar("TBA*: suboptimality falls with R, by at least", float(falls), "points", at_least=0),
        report.bar("TBA*: on-line memory differs between R by", differs, "%", at_most=0.5),
    ]


def lss_first_trial() -> list[bool]:
    hog2 = {"arena2": 2.8, "hrt201n": 13.2, "brc202d": 19.3}
    print("  LSS-LRTA*(32), all moves of a plan, first trial, every 20th scenario: mean cost ratio [HOG2]")
    held = []
    for name, theirs in hog2.items():
        figures = run(("lss", {"lookahead": 32}), [scenarios(name, lambda found: found[::20])])
        ours = 1 + figures["suboptimality_percent"] / 100
        print(f"    {name}: {ours:.2f} [{theirs}]")
        held.append(report.bar("factor between the two", max(ours / theirs, theirs / ours), "", at_most=1.5))
    return held


def constant_work() -> list[bool]:
    """The most work of a move on one generated map, enlarged; the promise is that it does not grow."""
    small = wp.Grid(generate.generate("caves", 96, 96, 4))
    names = [name for name, entry in CATALOG.items() if entry.real_time]
    most: dict[str, list[int]] = {name: [] for name in names}
    for factor in (1, 2, 4, 8):
        grid = enlarge(small, factor)
        problems = wp.sample_problems(grid, 10, 7)
        for name in names:
            planner = wp.build(CATALOG[name], grid)
            walks = [wp.simulate(planner.agent(), p, max_moves=300_000, each_move=False).work for p in problems]
            most[name].append(max(int(work.sum(axis=1).max()) for work in walks))
    print("  most work of a move at 1, 4, 16 and 64 times the area, and the bound declared")
    excess, growth = 0.0, 0.0
    for name, figures in most.items():
        declared = wp.build(CATALOG[name], grid).work_bound
        assert declared
        print(f"    {name:10} {figures} of {declared}", flush=True)
        excess = max(excess, max(figures) / declared)
        growth = max(growth, figures[-1] / figures[-2])
    return [
        report.bar("most work of a move, as a part of the bound", excess, "", at_most=1),
        report.bar("growth of it from 16 to 64 times the area", growth, "fold", at_most=1.1),
    ]


def main() -> None:
    report.start("Real-time search without a database")
    worlds = bg_8()
    ns, _ = speed(("lrta", {"depth": 1}), worlds)
    held = [report.bar("LRTA*, one step, inside the kernel", ns, "ns per move", at_most=45)]
    _, millions = speed(("lss", {"lookahead": 32}), worlds)
    held.append(report.bar("LSS-LRTA*(32)", millions, "million expansions per second", at_least=8))
    held.append(report.bar("agent.step() of one-step LRTA* from Python", step_us(), "us", at_most=1.5))
    held += constant_work()
    held += lss_first_trial()
    held += tba_sweep()
    compare_family(worlds)
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
