"""Hub labels beside jump point search and DBA*: that all is exact, times, sizes, growth, distances, a fleet, compiling.

`python -m benchmarks.hub [PART ...]` takes some parts alone: ten, distances, fleet, compiling, growth, exact, beyond.
"""

import contextlib
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

import waypost as wp
from benchmarks import fleet_scenes, hub_clock, report
from benchmarks.hub_clock import ALL_MOVES, ONE_MOVE
from waypost.agents.base import Agent
from waypost.catalog import check_params, find
from waypost.indexes.building import Works
from waypost.maps import generate
from waypost.maps.movingai import read_scenarios, scenario_problem
from waypost.planner import Planner
from waypost.planners.hub.index import HubLabels
from waypost.planners.walking.agent import Subgoal
from waypost.world.grid import IntArray
from waypost.world.problem import Problem, spread

ROUNDS = 15
PROBLEMS = 1000
LONG_WALKS = 100  # of which each move is timed
EXACT_MOST = 1000  # scenarios of maps beyond the budget
RANDOM_PROBLEMS = 200  # on maps without scenarios
RAISED_BUDGET = 100_000_000
NS = 1e9

Problems = Sequence[Problem]


def scenarios(name: str, grid: wp.Grid) -> list[Problem]:
    """All of a map that have a way and are not solved where they begin."""
    found = [scenario_problem(s, grid) for s in read_scenarios(f"{map_file(name)}.scen")]
    return [p for p in found if p.start != p.goal and grid.connected(p.start, p.goal)]


def map_file(name: str) -> Path:
    return report.maps_folder() / f"{name}.map"


def least(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Seconds of this thread, the least of some rounds."""
    taken = []
    for _ in range(rounds):
        began = time.thread_time()
        work()
        taken.append(time.thread_time() - began)
    return min(taken)


def in_kernel_ns(agent: Agent, problems: Problems, moves: int) -> npt.NDArray[np.int64]:
    """What the kernel takes for each problem's first moves, so many at most, its call included: the least of rounds."""
    assert isinstance(agent, Subgoal)
    log = np.empty(6 * moves, np.int32)
    best = np.full(len(problems), np.iinfo(np.int64).max)
    for _ in range(ROUNDS):
        for i, problem in enumerate(problems):
            agent.reset(problem)
            began = time.thread_time_ns()
            agent.provider.walk(agent.pool, agent.state, log)
            best[i] = min(best[i], time.thread_time_ns() - began)
    return best


def floor_ns(agent: Agent, problem: Problem) -> int:
    """What a call takes that has no room for a move."""
    agent.reset(problem)
    return int(in_kernel_ns(agent, [problem] * 200, 0).min())


def by_python_ns(agent: Agent, problems: Problems) -> npt.NDArray[np.int64]:
    """What an agent takes for each problem's path, called from Python: the least of rounds."""
    best = np.full(len(problems), np.iinfo(np.int64).max)
    for _ in range(ROUNDS):
        for i, problem in enumerate(problems):
            began = time.thread_time_ns()
            agent.reset(problem)
            agent.path()
            best[i] = min(best[i], time.thread_time_ns() - began)
    return best


def longest_moves(agent: Agent, problems: Problems) -> tuple[int, int, int]:
    """The longest first and later move in nanoseconds, the least of some rounds, and the most work of a move."""
    assert isinstance(agent, Subgoal)
    log = np.empty(6, np.int32)
    first = later = work = 0
    for problem in problems:
        rounds = []
        for _ in range(ROUNDS):
            agent.reset(problem)
            taken = []
            while True:
                began = time.thread_time_ns()
                made = agent.provider.walk(agent.pool, agent.state, log)
                taken.append(time.thread_time_ns() - began)
                if not made:
                    break
                work = max(work, int(log[1:].sum()))
            rounds.append(taken[:-1])
        best = np.array(rounds).min(axis=0)
        first, later = max(first, int(best[0])), max(later, int(best[1:].max(initial=0)))
    return first, later, work


def build_seconds(name: str, grid: wp.Grid) -> float:
    """From the grid to the arrays, on one thread."""
    entry = find(name)
    params = entry.offline(check_params(entry, {}))
    assert entry.index
    return least(lambda: entry.index and entry.index.build(grid, params, Works(1, show_progress=False)))


def file_kb(planner: Planner) -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.waypost"
        planner.save(file)
        return file.stat().st_size / 1024


@dataclass
class Figures:
    """Of one map; the first seven are ratios."""

    first: float
    path: float
    move: float
    build: float
    load: float
    later: float
    call: float
    kb: float
    tables_kb: float
    first_us: float
    path_us: float
    move_ns: float
    build_ms: float
    call_us: float
    work: float
    """The most work of a move, as a part of its bound."""


def measured(name: str) -> Figures:
    """Hub, jump point search and DBA* on one map in turns."""
    grid = wp.load_map(map_file(name))
    problems = spread(scenarios(name, grid), PROBLEMS)
    hub, jps, dba = (wp.build(planner, grid, threads=1, progress=False) for planner in ("hub", "jps", "dba"))
    index = hub.index
    assert isinstance(index, HubLabels)
    agents = hub.agent(), dba.agent()
    floors = [floor_ns(agent, problems[0]) for agent in agents]
    moves = 1 << 14
    first, path = (hub_clock.nanoseconds(index, problems, room, ROUNDS) for room in (ONE_MOVE, ALL_MOVES))
    walks = [in_kernel_ns(agent, problems, moves) - floor for agent, floor in zip(agents, floors, strict=True)]
    counts = [sum(agent_moves(agent, problems)) for agent in agents]
    searched = by_python_ns(jps.agent(), problems)
    called = []
    for planner in (hub, jps):
        ends = [(planner.grid.xy(p.start), planner.grid.xy(p.goal)) for p in problems]
        called.append(least(partial(ask_all, planner, ends), 5) / len(problems))
    longest_first, longest_later, work = longest_moves(agents[0], spread(problems, LONG_WALKS))
    build, other = build_seconds("hub", grid), build_seconds("dba", grid)
    load = least(lambda: HubLabels.from_arrays(grid, hub.params, index.arrays))
    bound = hub.work_bound
    assert bound
    return Figures(
        first=searched.sum() / first.sum(),
        path=searched.sum() / path.sum(),
        move=(walks[0].sum() / counts[0]) / (walks[1].sum() / counts[1]),
        build=build / other,
        load=load / build,
        later=(longest_later - floors[0]) / (longest_first - floors[0]),
        call=called[1] / called[0],
        kb=file_kb(hub),
        tables_kb=index.table_bytes / 1024,
        first_us=first.mean() / 1e3,
        path_us=path.mean() / 1e3,
        move_ns=walks[0].sum() / counts[0],
        build_ms=1e3 * build,
        call_us=1e6 * called[0],
        work=work / bound,
    )


def agent_moves(agent: Agent, problems: Problems) -> Iterator[int]:
    for problem in problems:
        agent.reset(problem)
        yield len(agent.path()) - 1


def ask_all(planner: Planner, ends: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    for start, goal in ends:
        planner.path(start, goal)


def ten() -> list[bool]:
    """The ten maps of 2013."""
    found = {}
    for name in report.PAPER_2013:
        found[name] = it = measured(f"dao/{name}")
        print(
            f"    {name}: first {it.first_us:.2f} us (1/{it.first:.0f} of jps), path {it.path_us:.1f} us "
            f"(1/{it.path:.0f}), {it.move_ns:.1f} ns per move ({it.move:.2f} of dba), build {it.build_ms:.0f} ms "
            f"({it.build:.2f} of dba), load {it.load:.2f} of it, {it.kb:.0f} KB, tables {it.tables_kb:.0f} KB, "
            f"call {it.call_us:.1f} us (1/{it.call:.1f}), "
            f"longest later move {it.later:.2f} of the longest first, work {it.work:.2f} of the bound",
            flush=True,
        )

    def mean(field: str) -> float:
        return statistics.mean(getattr(it, field) for it in found.values())

    return [
        report.bar("jps's path by the first move", mean("first"), "times", at_least=25),
        report.bar("jps's path by the whole path in the kernel", mean("path"), "times", at_least=12),
        report.bar("a move, beside DBA*'s", mean("move"), "times", at_most=1),
        report.bar("build, beside DBA*'s", mean("build"), "times", at_most=2),
        report.bar("tables at load, of the build", mean("load"), "parts", at_most=0.15),
        report.bar("longest later move, beside the longest first", mean("later"), "times", at_most=2),
        report.bar("most work of a move, of its bound", max(it.work for it in found.values()), "parts", at_most=1),
        report.bar("file, mean", mean("kb"), "KB", at_most=150),
        report.bar("file, orz900d", found["orz900d"].kb, "KB", at_most=110),
        report.bar("file, ost100d", found["ost100d"].kb, "KB", at_most=280),
        report.bar("path() beside that of jps", mean("call"), "times", at_least=5),
        report.bar("a call of path()", mean("call_us"), "us", at_most=15),
    ]


def exact() -> list[bool]:
    """Costs and walks of every scenario on all maps in WAYPOST_MAPS that are not refused."""
    wrong = asked = 0
    for name, grid in all_maps():
        try:
            hub = wp.build("hub", grid, progress=False)
        except wp.WaypostError as refusal:
            print(f"    {name}: {refusal}", flush=True)
            continue
        wrong, asked = wrong + differing(hub, problems := asked_on(name, grid)), asked + len(problems)
    print(f"    {asked:,} problems on maps within the budget", flush=True)
    return [report.bar("costs or walks that differ", wrong, "", at_most=0)]


def beyond() -> list[bool]:
    """Some scenarios on the maps that are refused, with the budget raised: takes minutes for each, and gigabytes."""
    held = []
    for name, grid in all_maps():
        try:
            wp.build("hub", grid, progress=False)
        except wp.WaypostError as refusal:
            held.append(beyond_the_budget(name, str(refusal)))
    return held


def all_maps() -> Iterator[tuple[str, wp.Grid]]:
    for file in sorted(report.maps_folder().rglob("*.map")):
        yield str(file.relative_to(report.maps_folder()).with_suffix("")), wp.load_map(file)


def asked_on(name: str, grid: wp.Grid) -> list[Problem]:
    """All scenarios of a map; random problems where there are none."""
    if Path(f"{map_file(name)}.scen").exists():
        return scenarios(name, grid)
    return wp.sample_problems(grid, RANDOM_PROBLEMS, seed=24)


def differing(hub: Planner, problems: Problems) -> int:
    """How many costs by labels, and costs of walks, are not those of jump point search."""
    starts, goals = ends_of(hub.grid, problems)
    wanted = wp.build("jps", hub.grid).batch(starts, goals).costs
    walked = hub.batch(starts, goals, paths=True).costs
    return int((hub.cost(starts, goals) != wanted).sum() + (walked != wanted).sum())


def ends_of(grid: wp.Grid, problems: Problems) -> tuple[IntArray, IntArray]:
    """Starts and goals as x, y."""
    starts, goals = (grid.xys(np.array([getattr(p, end) for p in problems])) for end in ("start", "goal"))
    return starts, goals


def beyond_the_budget(name: str, refusal: str) -> bool:
    """A map that is refused, how soon it is, and whether all is exact there with the budget raised."""
    grid = wp.load_map(map_file(name))
    began = time.process_time()
    with contextlib.suppress(wp.WaypostError):
        wp.build("hub", grid, threads=1, progress=False)
    refusing = time.process_time() - began
    began = time.process_time()
    hub = wp.build("hub", grid, threads=1, progress=False, budget=RAISED_BUDGET)
    building = time.process_time() - began
    index = hub.index
    assert isinstance(index, HubLabels)
    print(
        f"    {name}: {refusal}\n      refused after {refusing:.2f} s; with the budget raised "
        f"{index.lines.cells.size:,} subgoals, {index.labels.entries.size:,} entries, "
        f"{file_kb(hub) / 1024:.1f} MB, {building:.1f} s",
        flush=True,
    )
    wrong = differing(hub, spread(asked_on(name, grid), EXACT_MOST))
    return report.bar("      costs or walks that differ", wrong, f"of {EXACT_MOST:,}", at_most=0)


def growth() -> list[bool]:
    """How builds and labels grow with the side of generated maps."""
    for kind in ("caves", "city", "rooms", "maze"):
        sizes, entries = [], []
        for side in (128, 256, 512, 1024):
            grid = wp.Grid(generate.GENERATORS[kind](side, side, seed=3))
            began = time.process_time()
            try:
                hub = wp.build("hub", grid, threads=1, progress=False)
            except wp.WaypostError as refusal:
                print(f"    {kind} {side}: {refusal}", flush=True)
                continue
            taken = time.process_time() - began
            index = hub.index
            assert isinstance(index, HubLabels)
            sizes.append(index.lines.cells.size)
            entries.append(index.labels.entries.size)
            print(f"    {kind} {side}: {sizes[-1]:,} subgoals, {entries[-1]:,} entries, {taken:.2f} s", flush=True)
        if len(sizes) > 1:
            exponent = math.log(entries[-1] / entries[0]) / math.log(sizes[-1] / sizes[0])
            print(f"    {kind}: entries grow with the subgoals to the power of {exponent:.2f}")
    return []


def distances() -> list[bool]:
    """Costs per second by labels, beside paths of jump point search."""
    grid = fleet_scenes.grid()
    problems = scenarios("dao/orz900d", grid)
    starts, goals = ends_of(grid, problems)
    hub, jps = wp.build("hub", grid), wp.build("jps", grid)
    by_labels = cpu_least(lambda: hub.cost(starts, goals, threads=1))
    by_search = cpu_least(lambda: jps.batch(starts, goals, paths=True, threads=1))
    some = starts[:: max(1, len(starts) // 500)], goals[:: max(1, len(goals) // 500)]
    matrix = cpu_least(lambda: hub.costs(*some, threads=1))
    each = 1e6 * matrix / (len(some[0]) * len(some[1]))
    print(
        f"    {1e6 * by_labels / len(problems):.2f} us per cost, {each:.3f} us of a matrix; "
        f"jps {1e6 * by_search / len(problems):.1f} us"
    )
    return [report.bar("distances by labels beside jps", by_search / by_labels, "times", at_least=30)]


def cpu_least(work: Callable[[], object]) -> float:
    """Processor seconds of the process, the least of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def fleet() -> list[bool]:
    """A million agents that never rest, ticks of hub and of DBA* in turns."""
    grid = fleet_scenes.grid()
    scenes = [fleet_scenes.crowd(wp.build(name, grid, progress=False), 1_000_000) for name in ("hub", "dba")]
    for scene in scenes:
        print(f"    {scene.fleet.bytes / 1e6:.0f} bytes each")
        for _ in range(150):
            scene.tick()
    best = [math.inf, math.inf]
    for _ in range(ROUNDS):
        for i, scene in enumerate(scenes):
            moved, began = 0, time.thread_time()
            for _ in range(4):
                moved += scene.tick().moved
            best[i] = min(best[i], NS * (time.thread_time() - began) / moved)
    print(f"    hub {best[0]:.1f} ns per agent-move, dba {best[1]:.1f}")
    return [report.bar("a million agents, beside DBA*", best[0] / best[1], "times", at_most=1.2)]


def compiling() -> list[bool]:
    """Processor time of compiling from cold: what a path needs, and what a fleet needs besides."""
    first = "import waypost as wp; p = wp.build('hub', wp.load_map('caves'), threads=1); p.path((5, 60), (150, 20))"
    more = "; f = p.fleet([(5, 60)], (150, 20), threads=1); f.tick()"
    found = []
    for program in (first, first + more):
        with tempfile.TemporaryDirectory() as folder:
            nothing_kept = os.environ | dict.fromkeys(("WAYPOST_CACHE", "XDG_CACHE_HOME", "TMPDIR"), folder)
            before = os.times()
            subprocess.run([sys.executable, "-c", program], check=True, env=nothing_kept)
            after = os.times()
            warm = os.times()
            subprocess.run([sys.executable, "-c", program], check=True, env=nothing_kept)
            again = os.times()
        cold = after.children_user + after.children_system - before.children_user - before.children_system
        found.append(cold - (again.children_user + again.children_system - warm.children_user - warm.children_system))
    return [
        report.bar("compiling hub", found[0], "s", at_most=12),
        report.bar("compiling hub with its fleet", found[1], "s", at_most=18),
    ]


PARTS = {part.__name__: part for part in (ten, distances, fleet, compiling, growth, exact, beyond)}


def main() -> None:
    report.start("Hub labels")
    held = []
    for name in sys.argv[1:] or PARTS:
        print(f"  {name}: {PARTS[name].__doc__}")
        held += PARTS[name]()
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
