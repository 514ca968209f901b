"""Running a suite: what is present is not run again, so an interrupted run goes on where it stopped."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from json import dumps
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import monotonic
from typing import Any

from waypost.bench.call_floor import call_floor_us
from waypost.bench.episodes import Columns, Run, Workbench, identity
from waypost.bench.offline import build_indexes, index_file
from waypost.bench.results import Store
from waypost.bench.suite import Suite
from waypost.bench.warm_up import warm_up
from waypost.bench.worlds import MapSource, ProblemSet, maps_folder
from waypost.errors import WaypostError
from waypost.system import machine
from waypost.system.checks import whole_number
from waypost.system.progress import Advance, note, progress
from waypost.system.threads import MOST_THREADS

__all__ = ["Outcome", "planned_runs", "run_suite", "same_for_all"]

PART_SECONDS = 5.0
"""How much is lost at most when the process is killed: each part is written as soon as it is so old."""

Measure = Callable[[Run, int, float], "Future[Columns]"]


@dataclass(frozen=True)
class Outcome:
    """A suite that has been run, as far as its time allowed."""

    suite: Suite
    store: Store
    runs: tuple[Run, ...]
    episodes: int
    """How many of them there are now."""
    fresh: int
    """How many of them were run just now."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.episodes == sum(map(len, self.runs))


def run_suite(
    suite: Suite,
    out: Path,
    *,
    maps: Path | None = None,
    workers: int = 1,
    timing_workers: int = 1,
    indexes: Path | None = None,
) -> Outcome:
    """Run what is missing of a suite's results in a folder.

    Workers make problems, optima and indexes. Episodes are run by one process, so that nothing disturbs their timings,
    unless more timing workers are asked for; all columns but the timings are the same either way.
    Indexes are kept beside the results, or in a folder that several suites share.
    """
    workers = whole_number("workers", workers, lowest=1, highest=MOST_THREADS)
    timing_workers = whole_number("timing workers", timing_workers, lowest=1, highest=MOST_THREADS)
    store = Store(out, indexes)
    with store.locked():
        runs = planned_runs(suite, store, maps, workers)
        done = {run.identity: store.done(run.identity) for run in runs}
        for line in store.lost():
            note(line)
        before = sum(done.values())
        pending = [run for run in runs if done[run.identity] < len(run)]
        if pending:
            settings = list(dict.fromkeys(run.setting for run in pending))
            warm = partial(warm_up, settings, suite.diagonals, suite.costs, suite.each_move)
            warm(workers)
            build_indexes(pending, workers)
            same = {
                "machine": machine.describe(),
                "call_floor_us": call_floor_us(),
                "timing_workers": timing_workers,
            }
            with (
                progress("episodes", sum(map(len, runs))) as advance,
                _measuring(timing_workers, advance, warm) as measure,
            ):
                advance(before)
                _measure_all(suite, store, pending, done, same, measure, timing_workers)
        episodes = sum(done.values())
        store.merge(run.identity for run in runs)
    return Outcome(suite, store, tuple(runs), episodes, episodes - before)


def planned_runs(suite: Suite, store: Store, maps: Path | None, workers: int) -> list[Run]:
    """All runs of the suite: map by map, so that each map is loaded once."""
    sources = suite.find_maps(maps_folder(maps))
    with progress("problems", len(sources)) as advance, ThreadPoolExecutor(workers) as pool:

        def world(source: MapSource) -> tuple[str, ProblemSet]:
            made = _problems(suite, store, source)
            advance()
            return made

        worlds = list(pool.map(world, sources))
    runs = [
        Run(
            setting=setting,
            source=source,
            scenarios=Path(suite.problems.scenario_file(source)).name,
            fingerprint=fingerprint,
            diagonals=suite.diagonals,
            costs=suite.costs,
            problems=problems,
            max_moves=suite.limits.moves,
            episode_seconds=suite.limits.episode_seconds,
            each_move=suite.each_move,
            rounds=suite.rounds,
        )
        for source, (fingerprint, problems) in zip(sources, worlds, strict=True)
        for setting in suite.settings
    ]
    return [replace(run, index_file=index_file(store.index_folder, run)) for run in runs]


def _problems(suite: Suite, store: Store, source: MapSource) -> tuple[str, ProblemSet]:
    """A map's fingerprint, and its problems: chosen earlier, or now."""
    grid = source.load(suite.diagonals, suite.costs)
    key = identity(suite.problems.key(source, grid.fingerprint))
    rows = store.load_problems(key)
    if rows is None:
        rows = suite.problems.choose(source, grid).rows
        store.save_problems(key, rows)
    return grid.fingerprint, ProblemSet(rows)


def _measure_all(
    suite: Suite,
    store: Store,
    pending: list[Run],
    done: dict[str, int],
    same: dict[str, Any],
    measure: Measure,
    at_once: int,
) -> None:
    """Run the missing episodes part by part; this process alone writes them down."""
    until = monotonic() + suite.limits.suite_seconds
    waiting = deque(pending)
    under_way: dict[Future[Columns], Run] = {}
    while True:
        while waiting and len(under_way) < at_once and monotonic() < until:
            run = waiting.popleft()
            seconds = min(PART_SECONDS, until - monotonic())
            under_way[measure(run, done[run.identity], seconds)] = run
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            run, columns = under_way.pop(future), future.result()
            store.add(run.identity, done[run.identity], columns, same_for_all(run) | same)
            done[run.identity] += len(columns["episode"])
            if done[run.identity] < len(run):
                waiting.appendleft(run)


def same_for_all(run: Run) -> dict[str, Any]:
    """What is the same for all episodes of a run."""
    return {
        "run": run.identity,
        "setting": run.setting.label,
        "planner": run.setting.planner,
        "revision": run.setting.revision,
        "params": dumps(dict(run.setting.params)),
        "index_params": dumps(dict(run.setting.index)),
        "map": run.source.name,
        "scenarios": run.scenarios,
        "diagonals": run.diagonals,
        "costs": run.costs,
        "max_moves": run.max_moves,
        "episode_seconds": run.episode_seconds,
        "timing": "moves" if run.each_move else "walk",
    }


@contextmanager
def _measuring(workers: int, advance: Advance, warm: Callable[[], None]) -> Iterator[Measure]:
    """What runs episodes: this process, or several others, once all of them are warm."""
    if workers == 1:
        workbench = Workbench()

        def here(run: Run, first: int, seconds: float) -> "Future[Columns]":
            future: Future[Columns] = Future()
            future.set_result(workbench.measure(run, first, seconds, advance))
            return future

        yield here
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin, (warm, context.Barrier(workers))) as pool:

        def there(run: Run, first: int, seconds: float) -> "Future[Columns]":
            future = pool.submit(_measure_there, run, first, seconds)
            future.add_done_callback(lambda done: None if done.exception() else advance(len(done.result()["episode"])))
            return future

        try:
            # Each starts a process, and is answered when all of them are warm.
            wait([pool.submit(os.getpid) for _ in range(workers)])
            yield there
        except BrokenProcessPool:
            raise WaypostError(
                "a process that ran episodes was killed, perhaps because memory ran out; "
                "run the suite again to go on from what is there"
            ) from None


_WORKBENCH = Workbench()
"""Of a process that only runs episodes."""


def _measure_there(run: Run, first: int, seconds: float) -> Columns:
    return _WORKBENCH.measure(run, first, seconds, lambda _count=1, /: None)


def _begin(warm: Callable[[], None], all_warm: Barrier) -> None:
    """Begin as a process that runs episodes: no clock starts before the last of them is warm."""
    leave_with_parent()
    warm()
    all_warm.wait()


def leave_with_parent() -> None:
    """A parent that is killed cannot say so: without this its workers would stay forever."""
    parent = parent_process()

    def watch() -> None:
        if parent:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
