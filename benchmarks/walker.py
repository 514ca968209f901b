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
from benchmarks import report
from waypost.kernels import climb, walk
from waypost.problem import Problem
from waypost.search import Search

WALKERS = 100_000
TICKS = 300
ROUTES = 2_000
ROUNDS = 7
PROBLEMS = 500
SEED = 2011
BG_8 = ("AR0011SR", "AR0205SR", "AR0400SR", "AR0404SR", "AR0406SR", "AR0411SR", "AR0603SR", "AR0701SR")
HELD_TO_THE_BARS = ("AR0205SR", "AR0411SR", "AR0603SR", "AR0701SR")
LARGE_INDEX = ("AR0400SR", {})

Setting = tuple[str, dict[str, Any]]
PRINTED: Setting = ("trees", {"tries": 0})
IMPROVED: Setting = ("trees", {})


def bg(name: str) -> wp.Grid:
    return wp.load_map(report.maps_folder() / "bg" / f"{name}.map")


def prepared_routes(grid: wp.Grid) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    """Where each route starts, where its legs begin among all legs (one more than routes), and the legs."""
    search, world = Search(grid), (grid.mask, grid.climb_table, grid.stride)
    starts, firsts, legs = [], [0], []
    for problem in wp.sample_problems(grid, ROUTES, SEED):
        search.solve(problem.start, problem.goal)
        subgoals, _ = climb.compress(*world, search.path(problem.goal).astype(np.int32), False)
        legs.append(np.diff(grid.xys(subgoals), axis=0))
        starts.append(problem.start)
        firsts.append(firsts[-1] + len(legs[-1]))
    packed = np.concatenate(legs).astype(np.int16)
    packed.setflags(write=False)
    return np.array(starts, np.int32), np.array(firsts, np.int32), packed


def many_walkers() -> list[bool]:
    """100,000 walkers on prepared routes; those that have arrived start their route again."""
    grid = wp.load_map(report.maps_folder() / "dao" / "orz900d.map")
    starts, firsts, legs = prepared_routes(grid)
    route = np.random.default_rng(1).integers(0, len(starts), WALKERS)
    state = np.zeros((walk.SLOTS + 2, WALKERS), np.int32)
    asking = np.empty(WALKERS, np.int32)
    world = grid.mask, grid.climb_table, grid.stride

    def begin(walkers: npt.NDArray[np.int32]) -> None:
        state[walk.CELL, walkers] = starts[route[walkers]]
        state[[[walk.TO_X], [walk.TO_Y]], walkers] = 0
        state[walk.NEXT_LEG, walkers] = firsts[route[walkers]]
        state[walk.END_LEG, walkers] = firsts[route[walkers] + 1]

    begin(np.arange(WALKERS, dtype=np.int32))
    rounds = []
    for _ in range(ROUNDS + 1):
        moves, began = 0, time.thread_time()
        for _ in range(TICKS):
            done = walk.follow(*world, legs, state, asking, walk.climb_all(*world, state, asking))
            begin(asking[:done])
            moves += WALKERS - done
        rounds.append(1e9 * (time.thread_time() - began) / moves)
    used = len({walk.CELL, walk.TO_X, walk.TO_Y, walk.NEXT_LEG, walk.END_LEG})
    print(
        f"    {TICKS} ticks, {ROUNDS} rounds; routes of {np.diff(firsts).mean():.1f} legs, {legs.itemsize * 2} bytes "
        f"each; state {state.itemsize * len(state)} bytes per walker, {state.itemsize * used} of them in use here"
    )
    return [report.bar("walker on a prepared route", statistics.median(rounds[1:]), "ns per move", at_most=20)]


def step_us() -> list[bool]:
    """One `agent.step()` from Python: median of rounds of some thousand moves over several problems."""
    grid = wp.load_map("caves")
    problems = wp.sample_problems(grid, 40, SEED, min_length=100)
    agent = wp.build("trees", grid).agent()
    rounds, moving = [], wp.Status.MOVING
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
    name, params = LARGE_INDEX
    grid = bg(name)
    problems = wp.sample_problems(grid, ROUNDS + 1, SEED)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trees.waypost"
        built = wp.build("trees", grid, **params)
        built.save(file)
        print(f"    {name}: {built.index.bytes / 1e6:.1f} MB, {len(grid.xys(np.flatnonzero(grid.component))):,} trees")

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
    """Trees of all goals of AR0701SR on all cores; the best of rounds, since the machine is shared."""
    grid = bg("AR0701SR")
    for climb_exits in (1, 0):
        walls, cores = [], []
        for _ in range(3):
            began = time.process_time()
            walls.append(seconds_of(lambda c=climb_exits: wp.build("trees", grid, climb_exits=c)))  # type: ignore[misc]
            cores.append(time.process_time() - began)
        print(f"    climb_exits={climb_exits}: {min(cores):.2f} core-seconds, {min(walls):.2f} s")
    return [report.bar("trees of all 16,142 goals of AR0701SR", min(walls), "s", at_most=5)]


def walks(setting: Setting, grid: wp.Grid, problems: list[Problem]) -> dict[str, float]:
    """Mean suboptimality of walks, and their times: the first move, a later one, and all of a walk."""
    name, params = setting
    agent = wp.build(name, grid, **params).agent()
    longer, first, later, total = [], [], [], []
    for problem in problems:
        trace = wp.simulate(agent, problem, max_moves=1_000_000)
        assert trace.status is wp.Status.ARRIVED
        assert problem.optimal
        longer.append(100 * (trace.cost / problem.optimal - 1))
        us = trace.seconds * 1e6
        first.append(us[0])
        later.append(us[1:].mean() if us.size > 1 else 0.0)
        total.append(us.sum())
    return {
        "longer": statistics.mean(longer),
        "first_us": statistics.median(first),
        "later_us": statistics.median(later),
        "total_us": statistics.mean(total),
    }


def main() -> None:
    report.start("Walkers and subgoal trees")
    held = many_walkers() + step_us() + first_move_after_loading() + builds()
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
