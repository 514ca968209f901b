"""Fleets: a million agents, two cores, a frame budget, many units with one goal, and one click beside its peers."""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import waypost as wp
from benchmarks import fleet_memory, fleet_peers, fleet_scenes, report
from waypost.fleet import Fleet

MILLION = 1_000_000
WARM_TICKS = 150  # until agents that began together have spread over their ways
TICKS = 40
ROUNDS = 5
UNITS = 10_000
FRAMES = 10_000
BUDGET_US = 1000
RETARGET_EVERY = 500
AWAY_MS = 0.1  # that others had the core in a tick
ONE_GOAL_UNITS = (500, 10_000)


def a_million(planner: wp.Planner) -> list[bool]:
    """Moves of a million agents that never rest: selections, new goals and events included."""
    scene = fleet_scenes.crowd(planner, MILLION)
    bytes_each = scene.fleet.bytes / MILLION
    print(f"  {MILLION:,} agents, {planner.entry.name} on {fleet_scenes.MAP}: {bytes_each:.0f} bytes each")
    for _ in range(WARM_TICKS):
        scene.tick()
    rounds, chosen, arrived = [], 0, 0
    for _ in range(ROUNDS):
        moved, began = 0, time.thread_time()
        for _ in range(TICKS):
            tick = scene.tick()
            moved, chosen, arrived = moved + tick.moved, chosen + tick.chosen, arrived + tick.arrived
        rounds.append(1e9 * (time.thread_time() - began) / moved)
    moves, shown = MILLION * TICKS * ROUNDS, " ".join(f"{ns:.1f}" for ns in rounds)
    print(f"    a target every {moves / chosen:.0f} moves, a new goal every {moves / arrived:.0f}; rounds: {shown} ns")
    return [report.bar("a million agents, one core", statistics.median(rounds), "ns per agent-move", at_most=60)]


def two_cores(planner: wp.Planner) -> list[bool]:
    """The same crowd on one core and on two, ticks in turn, so that both see the same machine; identical cells.

    Where others have the cores too, the clock says little. So the processor time of each thread is taken as well: what
    a tick on two cores of its own would take is that of the slower thread, and what is done before and after.
    """
    one, two = (fleet_scenes.crowd(planner, MILLION, threads) for threads in (1, 2))
    movers = two.fleet.movers
    spent = [0.0 for _ in movers]
    for number, mover in enumerate(movers):
        mover.tick = partial(_tick_timed, mover.tick, spent, number)  # type: ignore[method-assign]
    wall: dict[int, list[float]] = {1: [], 2: []}
    alone: dict[int, list[float]] = {1: [], 2: []}
    same = True
    for i in range(WARM_TICKS + TICKS):
        for threads, scene in ((1, one), (2, two)):
            began, began_thread = time.perf_counter(), time.thread_time()
            scene.tick()
            if i >= WARM_TICKS:
                wall[threads].append(1e3 * (time.perf_counter() - began))
                mine = time.thread_time() - began_thread
                alone[threads].append(1e3 * (mine if threads == 1 else mine - spent[0] + max(spent)))
        same = same and np.array_equal(one.fleet.cells, two.fleet.cells)
    best = {threads: min(ms) for threads, ms in wall.items()}
    core = {threads: statistics.median(ms) for threads, ms in alone.items()}
    for threads, ms in wall.items():
        print(
            f"    {threads} threads: ticks of {statistics.median(ms):.1f} ms by the clock, the fastest "
            f"{best[threads]:.1f}; {core[threads]:.1f} ms of the busier core"
        )
    print(f"    cells of all agents identical after every tick: {'yes' if same else 'NO'}")
    return [
        same,
        report.bar("two cores by the clock, fastest ticks", best[1] / best[2], "times", at_least=1.6),
        report.bar("two cores by processor time", core[1] / core[2], "times", at_least=1.6),
        report.bar("a million agents, a tick on two cores (aim)", core[2], "ms of the busier core", at_most=16.7),
    ]


def _tick_timed(tick: Callable[[int | None], None], spent: list[float], number: int, deadline: int | None) -> None:
    began = time.thread_time()
    tick(deadline)
    spent[number] = time.thread_time() - began


def frame_budget(planner: wp.Planner) -> list[bool]:
    """Ten thousand ticks of a game."""
    found = fleet_scenes.frames(planner, UNITS, FRAMES, BUDGET_US, RETARGET_EVERY)
    print(f"  {UNITS:,} agents, budget_us={BUDGET_US}, {FRAMES:,} ticks, all get new goals every {RETARGET_EVERY}")
    for what, ms in (("by the clock", found.wall_ms), ("of the thread", found.thread_ms)):
        p50, p99, p999, most = np.percentile(ms, [50, 99, 99.9, 100])
        print(f"    ms {what:13} p50 {p50:.3f}, p99 {p99:.3f}, p99.9 {p999:.3f}, max {most:.3f}")
    is_away = found.wall_ms - found.thread_ms > AWAY_MS
    at_home = float(np.percentile(found.wall_ms[~is_away], 99.9))
    print(f"    longest wait {found.longest_wait} ticks; {found.moved / FRAMES:,.0f} agents moved per tick")
    print(f"    off its core for more than {AWAY_MS} ms in {is_away.sum()} ticks; p99.9 of the others {at_home:.3f} ms")
    return [
        report.bar("p99.9 of a tick by the clock", float(np.percentile(found.wall_ms, 99.9)), "ms", at_most=1.2),
        report.bar("longest tick of the thread", float(found.thread_ms.max()), "ms", at_most=1.5),
    ]


def one_goal(planner: wp.Planner) -> None:
    """What a click costs that sends all units to one place, and what it costs if each has a goal of its own."""
    for units in ONE_GOAL_UNITS:
        scene = fleet_scenes.crowd(planner, units)
        fleet = scene.fleet
        for what, goals in (("one goal", 1), ("a goal each", units)):
            first, walk = [], []
            for _ in range(ROUNDS):
                fleet.retarget(fleet.ids, scene.places.draw(goals))
                first.append(1e6 * _seconds(fleet.tick) / units)
                walk.append(1e6 * _seconds(partial(_until_arrived, fleet)) / units)
            us, all_us = statistics.median(first), statistics.median(walk)
            print(f"    {units:6,} units, {what:11}: {us:.2f} us each until all move, then {all_us:.1f} us to the goal")


def _until_arrived(fleet: Fleet) -> None:
    while fleet.tick().moved:
        pass


def _seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def main() -> None:
    report.start("Fleets")
    planner = wp.build("dba", fleet_scenes.grid())
    held = frame_budget(planner)
    one_goal(planner)
    fleet_peers.mass_retarget(planner)
    fleet_memory.break_even(planner.grid)
    held += a_million(planner)
    held += two_cores(planner)
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
