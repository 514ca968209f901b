"""kNN LRTA*: the 2009 form on eight small maps, the 2010 form on two maps of 10 million open cells."""

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import waypost as wp
from benchmarks import learning, report
from benchmarks.kernel_moves import KernelMoves
from waypost.maps.scale import enlarge
from waypost.planner import Planner
from waypost.planners.records.index import Records
from waypost.planners.walking.agent import Subgoal
from waypost.planners.walking.kernels import points
from waypost.world.grid import DiagonalCost
from waypost.world.problem import Problem

FULL_SCALE = (("bg/AR0700SR", 14), ("dao/ost100d", 9))
RECORDS = 60_000
PROBLEMS = 250
SEED = 2010
CORES = 2
MOST_MOVES = 1_000_000
TIMED_MOVES = 10_000  # walks beyond that are not taken apart move by move
PAPER_2009 = {1000: (49.91, 0.09, 42.68), 5000: (27.24, 0.46, 28.54), 10_000: (19.52, 0.92, 25.11)}
OTHERS_2009: tuple[dict[str, Any], ...] = ({"limit": 100}, {"limit": 100, "depth": 6})
_BY_RECORD = (points.BY_POINTS, points.CLIMBING_TO_GOAL)


@dataclass
class Walks:
    """What became of the problems of one map."""

    ratios: list[float]
    found: list[bool]
    """Whether the first selection found a record, or the goal by a climb."""
    arrived: list[bool]
    most_work: int
    online_states: float
    moves: list[int]

    @property
    def percent(self) -> float:
        """Suboptimality, as the mean of ratios."""
        return 100 * (statistics.mean(self.ratios) - 1)

    @property
    def percent_of_found(self) -> float:
        """Suboptimality where the first selection found something."""
        return 100 * (statistics.mean(r for r, found in zip(self.ratios, self.found, strict=True) if found) - 1)

    @property
    def failed_percent(self) -> float:
        """First selections that found nothing."""
        return 100 * (1 - statistics.mean(self.found))


def walk_all(planner: Planner, problems: Sequence[Problem]) -> Walks:
    """Walk on every problem; of walks that do not arrive the cost so far counts."""
    agent, grid = planner.agent(), planner.grid
    walks = Walks([], [], [], 0, 0, [])
    states = []
    for problem in problems:
        agent.reset(problem)
        assert isinstance(agent, Subgoal)
        first = agent.step()
        walks.found.append(bool(agent.state[points.RouteSlot.PHASE] in _BY_RECORD))
        rest = agent.walk(MOST_MOVES)
        assert problem.optimal
        cost = grid.path_cost(np.concatenate([[problem.start], rest.cells]))
        walks.ratios.append(cost / problem.optimal)
        walks.arrived.append(rest.status is wp.RunStatus.ARRIVED)
        walks.most_work = max(walks.most_work, sum(first[2:]), int(rest.work.sum(axis=1).max(initial=0)))
        walks.moves.append(1 + len(rest.work))
        states.append(sum(agent.memory))
    walks.online_states = statistics.mean(states)
    return walks


def form_of_2009() -> list[bool]:
    """Bar 1: the eight maps of `make bench-learning`, with 128 problems each."""
    print("  2009 form, bg-8 [paper, on easier maps: LRTA* of depth 3 is 447.95 % there]")
    worlds = learning.bg_8()
    percents = []
    for records, (percent, size, expansions) in PAPER_2009.items():
        figures = learning.run(("knn-2009", {"records": records}), worlds)
        percents.append(figures["suboptimality_percent"])
        cells = statistics.mean(grid.width * grid.height for grid, _ in worlds)
        work = figures["expansions_per_move_mean"] + figures["climbs_per_move_mean"]
        print(
            f"    {records:6,} records: {percents[-1]:6.2f} % [{percent} %], relative size {3 * records / cells:.2f} "
            f"[{size}], expansions {figures['expansions_per_move_mean']:.2f} and with steps of checks {work:.2f} per "
            f"move [{expansions}], {figures['arrived']:.0f} arrived",
            flush=True,
        )
    for params in OTHERS_2009:
        figures = learning.run(("knn-2009", {"records": 10_000, **params}), worlds)
        print(f"    {10_000:6,} records, {params}: {figures['suboptimality_percent']:6.2f} %", flush=True)
    falls = min(a - b for a, b in pairwise(percents))
    return [
        report.bar("2009: suboptimality falls with the records, by at least", falls, "points", at_least=0),
        report.bar("2009: suboptimality at 10,000 records", percents[-1], "%", at_most=PAPER_2009[10_000][0]),
    ]


def full_scale(name: str, factor: int, costs: DiagonalCost) -> list[bool]:
    """Bars 2 and 4 on one map."""
    grid = enlarge(wp.load_map(report.maps_folder() / f"{name}.map", costs=costs), factor)
    print(
        f"  {name} x {factor}, costs {costs}: {grid.width} x {grid.height}, {grid.open_count:,} open cells", flush=True
    )
    print(f"    sampling and solving {PROBLEMS} problems, which takes two minutes", flush=True)
    problems = wp.sample_problems(grid, PROBLEMS, SEED, min_length=1000, max_length=3000)
    began = time.perf_counter()
    published = wp.build("knn", grid, threads=CORES, records=RECORDS, seed=SEED, preset="published")
    print(f"    published: {RECORDS:,} records built in {time.perf_counter() - began:.1f} s", flush=True)
    held = []
    walks = walk_all(published, problems)
    print(
        f"    published: {walks.percent:,.1f} % overall [12.77 %], though {statistics.mean(walks.arrived):.1%} arrive "
        f"within {MOST_MOVES:,} moves: the few without a record scrub",
        flush=True,
    )
    held.append(report.bar("published: suboptimality with a record", walks.percent_of_found, "%", at_most=10))
    held.append(report.bar("published: selections that fail", walks.failed_percent, "%", at_most=5))
    began = time.perf_counter()
    planner = wp.build("knn", grid, threads=CORES, records=RECORDS, seed=SEED)
    seconds = time.perf_counter() - began
    held.append(report.bar(f"default: build of {RECORDS:,} records on {CORES} cores", seconds, "s", at_most=180))
    return held + improved(planner, problems)


def improved(planner: Planner, problems: Sequence[Problem]) -> list[bool]:
    index = planner.index
    assert isinstance(index, Records)
    print(
        f"    {index.states / RECORDS:.2f} states per record, {index.bytes / 1024:,.0f} KB, "
        f"{8 * index.bytes / index.states:.1f} bits per state",
        flush=True,
    )
    walks = walk_all(planner, problems)
    held = [report.bar("default: suboptimality", walks.percent, "%", at_most=12.77)]
    held.append(report.bar("default: selections that fail", walks.failed_percent, "%", at_most=0.5))
    timed = KernelMoves(planner.agent())
    short = [p for p, moves in zip(problems, walks.moves, strict=True) if moves <= TIMED_MOVES]
    held.append(report.bar("default: time per move in the kernel", timed.mean_ns(problems), "ns", at_most=150))
    cumulative = (index.bytes + 4 * walks.online_states) / 1024
    print(
        f"    cumulative memory {cumulative:,.1f} KB [1547.85 KB]; a walk has {statistics.mean(walks.moves):,.0f} moves"
    )
    ns, work = timed.longest(short)
    assert planner.work_bound
    print(
        f"    selection, the first move: {timed.first_ns(problems) / 1e3:.1f} us on average; longest move "
        f"{ns / 1e3:.1f} us, work {work.sum():,} (climbs {work[2]:,}, probes {work[3]:,})",
        flush=True,
    )
    held.append(report.bar("default: most work of a move", walks.most_work, "", at_most=planner.work_bound))
    return held


def main() -> None:
    report.start("kNN LRTA*: records of solved problems")
    held = form_of_2009()
    for costs in ("1.4", "sqrt2"):
        for name, factor in FULL_SCALE:
            held += full_scale(name, factor, costs)
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
