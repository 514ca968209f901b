"""How DBA* grows with the map: generated caves of 1, 4, 16 and 64 times the area, up to 16 million cells."""

import statistics
import time
from typing import Any

import numpy as np

import waypost as wp
from benchmarks import report
from benchmarks.kernel_moves import KernelMoves
from waypost.maps import generate
from waypost.planners.regions.index import SectorPaths

SIDES = (512, 1024, 2048, 4096)
SEED = 7
PROBLEMS = 40
LENGTHS = (200, 400)  # the same at every size: long walks on a large map would only touch more memory
CORES = 2
HELD: dict[str, Any] = {"sector": 64, "depth": 2}
"""The setting that is held to the bar: its rows of next hops stay small enough for the largest map."""
OTHERS: dict[int, list[dict[str, Any]]] = {
    512: [{}, {"depth": 1}, {"sector": 32}],
    1024: [{}, {"depth": 1}, {"sector": 32}],
    2048: [{}, {"depth": 1}, {"sector": 32}],
    4096: [{"sector": 128, "depth": 2}],
}
"""What else is measured where: next hops grow with the square of the regions, and then a build takes minutes."""


def measure(grid: wp.Grid, problems: list[wp.Problem], params: dict[str, Any]) -> tuple[int, int, float]:
    """Build on two cores and walk; prints a line, and returns most work, the bound on it and the time per move."""
    began = time.perf_counter()
    planner = wp.build("dba", grid, threads=CORES, **params)
    seconds = time.perf_counter() - began
    agent, index, bound = planner.agent(), planner.index, planner.work_bound
    assert isinstance(index, SectorPaths)
    assert bound
    timed = KernelMoves(agent)
    moves = statistics.mean(timed.moves(problem) for problem in problems)
    ns = timed.mean_ns(problems) - timed.floor_ns() / moves
    most, ratios = 0, []
    for problem in problems:
        agent.reset(problem)
        walk = agent.walk()
        most = max(most, int(walk.work.sum(axis=1).max()))
        ratios.append(grid.path_cost(walk.cells) / (problem.optimal or 1))
    print(
        f"    {grid.width:5} {index.side:4} {planner.params['depth']:2} {len(index.tables['reps']):8,} {seconds:8.1f} "
        f"{index.bytes / 1024:10,.0f} {100 * (np.mean(ratios) - 1):6.2f} {ns:7.1f} {most:7,} {bound:9,}",
        flush=True,
    )
    return most, bound, ns


def growth() -> list[bool]:
    """The most work of a move and its time must not grow with the map; builds and indexes are reported."""
    print(f"  caves of N x N cells, {PROBLEMS} problems of {LENGTHS[0]} to {LENGTHS[1]} cells, build on {CORES} cores")
    print("        N sect  d  regions  build s   index KB  subopt  ns/move   most     bound")
    held = []
    wp.build("dba", wp.load_map("caves"))  # loads the kernels
    for side in SIDES:
        grid = wp.Grid(generate.generate("caves", side, side, SEED))
        problems = wp.sample_problems(grid, PROBLEMS, SEED, min_length=LENGTHS[0], max_length=LENGTHS[1])
        for params in (HELD, *OTHERS[side]):
            figures = measure(grid, problems, params)
            if params is HELD:
                held.append(figures)
    most, bound, ns = (last / first for first, last in zip(held[0], held[-1], strict=True))
    return [
        report.bar("growth of the most work of a move, to 64 times the area", most, "fold", at_most=1.1),
        report.bar("growth of the bound on it", bound, "fold", at_most=1.1),
        report.bar("growth of the time per move", ns, "fold", at_most=1.5),
    ]


if __name__ == "__main__":
    report.start("DBA* on larger and larger maps")
    growth()
