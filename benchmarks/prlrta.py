"""PR LRTA* of 2008 on three maps, as they are and enlarged by 3: suboptimality and planning per move, beside D LRTA*.

The paper's three maps are not named; these are of Baldur's Gate, of the same size, with 100 problems each.
"""

import itertools
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import waypost as wp
from benchmarks import report
from benchmarks.learning import MOST_MOVES, Setting, World, label
from waypost.maps.scale import enlarge

MAPS = ("AR0405SR", "AR0504SR", "AR0505SR")
PROBLEMS, SEED = 100, 2008
FACTOR = 3
CORES = 2
LEVELS, DEPTHS, GAMMAS, CAPS = (3, 4, 5, 6, 7), (1, 3, 5, 10, 15), (0.2, 0.4, 0.6, 1.0), (5, 10, 20)


class Figures(NamedTuple):
    """Of one setting on all maps."""

    percent: float
    median_percent: float
    expansions: float
    most_expansions: int
    move_ns: float
    build_seconds: float
    kilobytes: float


def worlds(factor: int) -> list[World]:
    """The maps, and problems of optimal length 90 to 100, times the factor."""
    grids = [enlarge(wp.load_map(report.maps_folder() / "bg" / f"{name}.map"), factor) for name in MAPS]
    lengths = {"min_length": 90.0 * factor, "max_length": 100.0 * factor}
    return [(grid, wp.sample_problems(grid, PROBLEMS, SEED, **lengths)) for grid in grids]


def run(setting: Setting, places: list[World]) -> Figures:
    """Walk on all problems. Planning is per move of each problem, then over problems, as in the paper."""
    name, params = setting
    ratios, per_move, most, ns, moves, seconds, stored = [], [], 0, 0, 0, 0.0, 0
    for grid, problems in places:
        began = time.perf_counter()
        planner = wp.build(wp.PlannerName(name), grid, threads=CORES, **params)
        seconds += time.perf_counter() - began
        stored += planner.index_bytes
        agent = planner.agent()
        agent.reset(problems[0])
        agent.walk(1)  # compiles
        for problem in problems:
            agent.reset(problem)
            began_ns = time.thread_time_ns()
            walk = agent.walk(MOST_MOVES)
            ns += time.thread_time_ns() - began_ns
            expansions = walk.work[:, 0]
            ratios.append(grid.path_cost(walk.cells) / (problem.optimal or 1))
            per_move.append(expansions.mean())
            most = max(most, int(expansions.max()))
            moves += expansions.size
    percents = 100 * (np.array(ratios) - 1)
    return Figures(
        float(percents.mean()),
        float(np.median(percents)),
        float(np.mean(per_move)),
        most,
        ns / moves,
        seconds / len(places),
        stored / len(places) / 1024,
    )


def refining() -> Iterator[Setting]:
    """PR LRTA*: a selection of what the paper swept, one parameter at a time, and as published."""
    published = {"preset": "published"}
    for level in LEVELS:
        yield "prlrta", {"level": level, **published}
        yield "prlrta", {"level": level}
    for depth in DEPTHS:
        yield "prlrta", {"level": 4, "depth": depth}
    for gamma in GAMMAS:
        yield "prlrta", {"level": 4, "depth": 5, "gamma": gamma}
        yield "prlrta", {"level": 5, "depth": 5, "gamma": gamma}
    yield "prlrta", {"level": 5, "euclid": 0}
    for (level, upper), depth in itertools.product(((3, 5), (4, 6), (5, 7)), (1, 3)):
        yield "prlrta-f-pdb", {"level": level, "upper": upper, "depth": depth, **published}
        yield "prlrta-f-pdb", {"level": level, "upper": upper, "depth": depth}
    for (level, upper), cap in itertools.product(((4, 4), (5, 5), (3, 5), (4, 6)), CAPS):
        yield "prlrta-pdb-g", {"level": level, "upper": upper, "cap": cap}
    for (level, upper), cap in itertools.product(((3, 5), (4, 6), (5, 7)), CAPS[:2]):
        yield "prlrta-pdb-pdb", {"level": level, "upper": upper, "cap": cap, **published}
        yield "prlrta-pdb-pdb", {"level": level, "upper": upper, "cap": cap}


def others() -> Iterator[Setting]:
    """What it is compared with."""
    for level in (3, 5):
        yield "dlrta", {"level": level, "depth": 1, "deepest": 0}
        yield "dlrta", {"level": level}
    yield "pra-clique", {"euclid": 1}


def table(settings: list[tuple[str, dict[str, Any]]], places: list[World]) -> dict[str, Figures]:
    """Print a line for each setting."""
    found = {}
    for setting in settings:
        figures = found[label(setting)] = run(setting, places)
        print(
            f"    {label(setting)}: {figures.percent:.1f} % (median {figures.median_percent:.1f} %), "
            f"{figures.expansions:.2f} expansions per move, at most {figures.most_expansions:,}; "
            f"{figures.move_ns:,.0f} ns per move; {figures.kilobytes:,.1f} KB in {figures.build_seconds:.2f} s",
            flush=True,
        )
    return found


def main() -> int:
    report.start("PR LRTA*")
    held = []
    for factor in (1, FACTOR):
        places = worlds(factor)
        cells = ", ".join(f"{grid.open_count:,}" for grid, _ in places)
        print(f"  maps enlarged by {factor}: {cells} open cells", flush=True)
        refined = table(list(refining()), places)
        compared = table(list(others()), places)
        if factor == FACTOR:
            least = min(figures.expansions for figures in refined.values() if figures.percent <= 20)
            direct = min(figures.expansions for figures in compared.values() if figures.percent <= 20)
            name = "least planning of PR LRTA* over that of D LRTA*, both within 20 %"
            held.append(report.bar(name, least / direct, "times", at_least=1))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
