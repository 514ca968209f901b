"""PRA* on cliques on three maps of Dragon Age: time per query and suboptimality, by setting."""

import sys
import time
from typing import Any, NamedTuple

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.maps.load import load_problems
from waypost.world.problem import Problem, solve_optimally

MAPS = ("arena2", "hrt201n", "brc202d")
EVERY = 5
ROUNDS = 5
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"width": 0},
    {"width": 2},
    {"euclid": 1},
    *({"steps": steps} for steps in (5, 10, 20)),
    *({"steps": steps, "euclid": 1} for steps in (5, 10, 20)),
    {"steps": 10, "width": 0},
    {"steps": 10, "width": 2},
)

World = tuple[wp.Grid, list[Problem]]


class Figures(NamedTuple):
    """Means over the problems of a map."""

    ratio: float
    query_us: float
    first_us: float
    expansions: float
    probes: float


def world(name: str) -> World:
    """A map with every fifth problem of its scenario file, solved."""
    folder = report.maps_folder() / "dao"
    grid = wp.load_map(folder / f"{name}.map")
    problems = load_problems(folder / f"{name}.map.scen", grid)[::EVERY]
    return grid, list(solve_optimally(grid, [p for p in problems if p.start != p.goal]))


def measure(planner: wp.Planner, problems: list[Problem]) -> Figures:
    """All figures of one setting on one map."""
    agent = planner.agent()
    ratios, work = [], np.zeros(5)
    for problem in problems:
        agent.reset(problem)
        walk = agent.walk()
        ratios.append(planner.grid.path_cost(walk.cells) / (problem.optimal or 1))
        work += walk.work.sum(axis=0)
    query, first = (
        1e6 * report.asking_seconds(agent, problems, ask, ROUNDS) / len(problems) for ask in (agent.path, agent.step)
    )
    return Figures(float(np.mean(ratios)), query, first, work[0] / len(problems), work[3] / len(problems))


def pra() -> bool:
    """PRA* by setting; the bars are of full refinement."""
    held = []
    for name in MAPS:
        grid, problems = world(name)
        wp.build("pra-clique", grid)  # compiles
        begin = time.thread_time()
        index = wp.build("pra-clique", grid, threads=1).index
        build = time.thread_time() - begin
        assert index is not None
        print(
            f"  {name}: {grid.open_count:,} open cells, {len(problems):,} problems; "
            f"index of {index.bytes:,} bytes, built in {1e3 * build:.1f} ms",
            flush=True,
        )
        for setting in SETTINGS:
            figures = measure(wp.build("pra-clique", grid, **setting), problems)
            print(
                f"    {' '.join(f'{key}={value}' for key, value in setting.items()) or 'full refinement'}: "
                f"cost ratio {figures.ratio:.5f}, {figures.query_us:.0f} us per query, {figures.first_us:.0f} us to "
                f"the first move, {figures.expansions:.0f} cells and {figures.probes:.0f} nodes expanded",
                flush=True,
            )
            if not setting:
                held.append(report.bar(f"mean cost ratio on {name}", figures.ratio, "", at_most=1.01))
                held.append(report.bar(f"mean time per query on {name}", figures.query_us, "us", at_most=400))
    return all(held)


def main() -> None:
    report.start("Cliques")
    sys.exit(not pra())


if __name__ == "__main__":
    main()
