"""PRA* of Dragon Age on the ten maps of the 2013 paper: time per query, suboptimality, index, by setting."""

import sys
import time
from typing import Any, NamedTuple

import numpy as np

import waypost as wp
from benchmarks import report
from waypost.maps.load import load_problems
from waypost.world.problem import Problem, solve_optimally, spread

PROBLEMS = 100
ROUNDS = 3
SETTINGS: tuple[dict[str, Any], ...] = (
    *({"sector": sector} | more for more in ({}, {"trim": 10}, {"restricted": 1}) for sector in (16, 32, 64, 128)),
    {"sector": 16, "climbs": 0},
    {"sector": 16, "skip_ends": 1},
    {"sector": 16, "trim": 10, "skip_ends": 1},
    {"sector": 16, "trim": 50, "skip_ends": 1},
    {"sector": 16, "hops": 2},
    {"sector": 16, "hops": 2, "trim": 50, "skip_ends": 1},
)

World = tuple[wp.Grid, list[Problem]]


class Figures(NamedTuple):
    """Means over all maps and problems."""

    suboptimality: float
    query_us: float
    first_us: float
    index_bytes: float
    build_ms: float


def worlds() -> list[World]:
    """The maps, each with problems spread evenly over its scenario file and solved."""
    folder = report.maps_folder() / "dao"
    found = []
    for name in report.PAPER_2013:
        grid = wp.load_map(folder / f"{name}.map")
        problems = load_problems(folder / f"{name}.map.scen", grid)
        solvable = [p for p in problems if p.start != p.goal and grid.connected(p.start, p.goal)]
        found.append((grid, list(solve_optimally(grid, spread(solvable, PROBLEMS)))))
    return found


def measure(maps: list[World], setting: dict[str, Any]) -> Figures:
    """All figures of one setting."""
    longer, query, first, size, build = [], 0.0, 0.0, 0, 0.0
    wp.build("pra-sector", maps[0][0], **setting)  # compiles
    for grid, problems in maps:
        begin = time.thread_time()
        planner = wp.build("pra-sector", grid, threads=1, **setting)
        build += time.thread_time() - begin
        assert planner.index is not None
        size += planner.index.bytes
        agent = planner.agent()
        query += report.asking_seconds(agent, problems, agent.path, ROUNDS)
        first += report.asking_seconds(agent, problems, agent.step, ROUNDS)
        for problem in problems:
            agent.reset(problem)
            longer.append(agent.path_cost() / (problem.optimal or 1) - 1)
    count = len(longer)
    return Figures(
        100 * float(np.mean(longer)),
        1e6 * query / count,
        1e6 * first / count,
        size / len(maps),
        1e3 * build / len(maps),
    )


def main() -> None:
    report.start("PRA* of Dragon Age")
    maps = worlds()
    plain = None
    for setting in SETTINGS:
        figures = measure(maps, setting)
        plain = plain or figures
        print(
            f"    {' '.join(f'{name}={value}' for name, value in setting.items())}: {figures.suboptimality:.2f} %, "
            f"{figures.query_us:.0f} us per query, {figures.first_us:.0f} us to the first move, "
            f"{figures.index_bytes:,.0f} bytes, built in {figures.build_ms:.1f} ms",
            flush=True,
        )
    assert plain is not None
    held = [
        report.bar("mean time per query, sector 16, untrimmed", plain.query_us, "us", at_most=100),
        report.bar("mean suboptimality, sector 16, untrimmed", plain.suboptimality, "%", at_most=15),
        report.bar("mean suboptimality, sector 16, untrimmed", plain.suboptimality, "%", at_least=3),
    ]
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
