"""Walkers and subgoal trees: moves of many walkers and of one, first moves after loading, builds, walks beside A*."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import prepared_routes, report
from waypost.world.problem import Problem, solve_optimally

WALKERS = 100_000
TICKS = 300
ROUTES = 2_000
ROUNDS = 7
PROBLEMS = 500
SEED = 2011
BG_8 = ("AR0011SR", "AR0205SR", "AR0400SR", "AR0404SR", "AR0406SR", "AR0411SR", "AR0603SR", "AR0701SR")
HELD_TO_THE_BARS = ("AR0205SR", "AR0411SR", "AR0603SR", "AR0701SR")
LARGE_INDEX = "dao/lak100c"  # its trees take 51 MB
STEPPED = 200  # moves of a walk that are timed one by one

World = tuple[wp.Planner, list[Problem]]  # subgoal trees of a map, and problems on it


def bg(name: str) -> wp.Grid:
    return wp.load_map(report.maps_folder() / "bg" / f"{name}.map")


def many_walkers() -> list[bool]:
    """100,000 walkers on prepared routes; those that have arrived start their route again."""
    grid = wp.load_map(report.maps_folder() / "dao" / "orz900d.map")
    routes = prepared_routes.prepared_routes(grid, ROUTES, SEED)
    route = np.random.default_rng(1).integers(0, len(routes.starts), WALKERS)
    walkers = prepared_routes.Walkers(*(np.zeros(WALKERS, np.int32) for _ in prepared_routes.Walkers._fields))
    asking = np.empty(WALKERS, np.int32)
    world = grid.mask, grid.climb_table, grid.stride

    def begin(some: npt.NDArray[np.int32]) -> None:
        walkers.cells[some] = routes.starts[route[some]]
        walkers.to_x[some] = walkers.to_y[some] = 0
        walkers.next_leg[some] = routes.firsts[route[some]]
        walkers.end_leg[some] = routes.firsts[route[some] + 1]

    begin(np.arange(WALKERS, dtype=np.int32))
    rounds = []
    for _ in range(ROUNDS + 1):
        moves, began = 0, time.thread_time()
        for _ in range(TICKS):
            count = prepared_routes.climb_all(*world, walkers, asking)
            done = prepared_routes.follow(*world, routes.legs, walkers, asking, count)
            begin(asking[:done])
            moves += WALKERS - done
        rounds.append(1e9 * (time.thread_time() - began) / moves)
    print(
        f"    {TICKS} ticks, {ROUNDS} rounds; routes of {np.diff(routes.firsts).mean():.1f} legs, "
        f"{routes.legs.itemsize * 2} bytes each; state {sum(array.itemsize for array in walkers)} bytes per walker"
    )
    return [report.bar("walker on a prepared route", statistics.median(rounds[1:]), "ns per move", at_most=20)]


def step_us() -> list[bool]:
    """One `agent.step()` from Python: median of rounds of some thousand moves over several problems."""
    grid = wp.load_map("caves")
    problems = wp.sample_problems(grid, 40, SEED, min_length=100)
    agent = wp.build("trees", grid).agent()
    rounds, moving = [], wp.RunStatus.MOVING
    for _ in range(20):
        seconds, steps = 0.0, 0
        for problem in problems:
            agent.reset(problem)
            agent.step()  # the first chooses a target
            began = time.perf_counter()
            while agent.step().status is moving:
                steps += 1
            seconds += time.perf_counter() - began
        rounds.append(1e6 * seconds / steps)
    return [report.bar("agent.step() of trees from Python", statistics.median(rounds), "us", at_most=1.5)]


def first_move_after_loading() -> list[bool]:
    """From the index file to the first move made; the process and the system's cache are warm."""
    grid = wp.load_map(report.maps_folder() / f"{LARGE_INDEX}.map")
    problems = wp.sample_problems(grid, ROUNDS + 1, SEED)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trees.waypost"
        built = wp.build("trees", grid)
        built.save(file)
        print(f"    {LARGE_INDEX}: {grid.open_count:,} trees, a file of {file.stat().st_size / 1e6:.1f} MB")

        def move(problem: Problem) -> None:
            agent = wp.load(file, grid).agent()
            agent.reset(problem)
            agent.step()

        ms = [1e3 * seconds_of(lambda p=problem: move(p)) for problem in problems]  # type: ignore[misc]
        bare = [1e3 * seconds_of(lambda: wp.load(file, grid)) for _ in problems]
    print(f"    the load alone {statistics.median(bare[1:]):.1f} ms")
    return [report.bar("from the file to the first move", statistics.median(ms[1:]), "ms", at_most=20)]


def seconds_of(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def builds() -> list[bool]:
    """Trees of all goals of AR0701SR on all cores; the best of rounds, because the machine does other things too."""
    grid = bg("AR0701SR")
    for climb_exits in (1, 0):
        walls, cores = [], []
        for _ in range(3):
            began = time.process_time()
            walls.append(seconds_of(lambda c=climb_exits: wp.build("trees", grid, climb_exits=c)))  # type: ignore[misc]
            cores.append(time.process_time() - began)
        print(f"    climb_exits={climb_exits}: {min(cores):.2f} core-seconds, {min(walls):.2f} s")
    return [report.bar("trees of all 16,142 goals of AR0701SR", min(walls), "s", at_most=5)]


def longer(planner: wp.Planner, problems: list[Problem]) -> tuple[float, float, float]:
    """By how many per cent walks are longer than the optimum: mean, median, and the ratio of sums, as in the paper."""
    agent = planner.agent()
    cost, optimum = [], []
    for problem in problems:
        trace = wp.simulate(agent, problem, max_moves=1_000_000, each_move=False)
        assert trace.status is wp.RunStatus.ARRIVED
        cost.append(trace.cost)
        optimum.append(problem.optimal or 0)
    ratios = np.array(cost) / np.array(optimum)
    return tuple(100 * (float(ratio) - 1) for ratio in (ratios.mean(), np.median(ratios), sum(cost) / sum(optimum)))  # type: ignore[return-value]


def with_tries(built: wp.Planner, tries: int) -> wp.Planner:
    """The same index with another rule for the first target; 0 is the printed one."""
    return wp.Planner(built.entry, built.grid, built.params | {"tries": tries}, built.index)


def suboptimality() -> tuple[list[bool], list[World]]:
    """Both first-target rules and both exit tests on all eight maps; four of them are held to the bars."""
    print(f"  {PROBLEMS} random problems per map, seed {SEED}, longer than the optimum: mean, median, of sums in %")
    held, worlds = [], []
    for name in BG_8:
        grid = bg(name)
        problems = list(solve_optimally(grid, wp.sample_problems(grid, PROBLEMS, SEED)))
        for climb_exits in (1, 0):
            built = wp.build("trees", grid, climb_exits=climb_exits)
            nodes = built.index.states / grid.open_count if built.index else 0
            for rule, tries, most in (("printed", 0, 11), ("improved", built.params["tries"], 5)):
                mean, median, of_sums = longer(with_tries(built, tries), problems)
                print(
                    f"    {name} climb_exits={climb_exits}, {nodes:5.1f} nodes per tree, {rule:8} "
                    f"{mean:9.3f} {median:8.3f} {of_sums:9.3f}",
                    flush=True,
                )
                if climb_exits == 0 and name in HELD_TO_THE_BARS:
                    held.append(report.bar(f"{name}, {rule} rule, longer by", mean, "%", at_most=most))
        worlds.append((built, problems))
    return held, worlds


def fastest(work: Callable[[], npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """The least of three rounds for each figure, because the machine does other things too."""
    return np.min([work() for _ in range(3)], axis=0)


def beside_astar_and_lrta(worlds: list[World]) -> None:
    """First and later moves from Python, and whole walks in compiled code, over all eight maps."""
    planners: dict[str, Callable[[wp.Planner], wp.Planner]] = {
        "A*": lambda trees: wp.build("astar", trees.grid),
        "LRTA*": lambda trees: wp.build("lrta", trees.grid),
        "trees, printed": lambda trees: with_tries(trees, 0),
        "trees": lambda trees: trees,
    }
    total = {}
    for label, made in planners.items():
        rows = []
        for trees, problems in worlds:
            agent = made(trees).agent()
            wp.simulate(agent, problems[0])

            def walks(agent: wp.Agent = agent, problems: list[Problem] = problems) -> npt.NDArray[np.float64]:
                times = []
                for problem in problems:
                    stepped = wp.simulate(agent, problem, max_moves=STEPPED).move_ns
                    whole = wp.simulate(agent, problem, max_moves=1_000_000, each_move=False).total_ns
                    times.append((stepped[0], stepped[1:].mean() if stepped.size > 1 else stepped[0], whole))
                return np.array(times) / 1e3

            rows.append(fastest(walks))
        first, later, total[label] = np.concatenate(rows).mean(axis=0)
        print(
            f"    {label:16} first move {first:7.2f} us, later moves {later:5.2f} us each, from Python; "
            f"a whole walk in compiled code {total[label]:8.1f} us",
            flush=True,
        )
    for label in ("trees, printed", "trees"):
        print(
            f"    {label}: {total['A*'] / total[label]:.1f} times as fast as A* [paper: 12.4], "
            f"{total['LRTA*'] / total[label]:.1f} times as fast as LRTA* [137.4] in total time"
        )


def main() -> None:
    report.start("Walkers and subgoal trees")
    held = many_walkers() + step_us() + first_move_after_loading() + builds()
    held_walks, worlds = suboptimality()
    beside_astar_and_lrta(worlds)
    sys.exit(not all(held + held_walks))


if __name__ == "__main__":
    main()
