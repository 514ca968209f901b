"""Running a paper: its suites one after the other, in parts, each part going on where the last one stopped."""

import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from waypost.bench.episodes import Run
from waypost.bench.offline import build_indexes
from waypost.bench.papers.company import company, keep_company
from waypost.bench.papers.description import Paper, SuiteUse
from waypost.bench.papers.refusals import keep_refusal, may_refuse, refusals, without_refused
from waypost.bench.papers.scale import Scale, suite_of
from waypost.bench.results import Store
from waypost.bench.runner import Outcome, leave_with_parent, planned_runs, run_suite
from waypost.bench.suite import Setting, Suite
from waypost.bench.warm_up import warm_up
from waypost.bench.worlds import maps_folder
from waypost.errors import WaypostError
from waypost.system.progress import note, progress

__all__ = ["Ran", "run_paper", "suites_of"]

_FEW = 1.0  # seconds; with less left nothing is begun
_BUILDING = 0.6  # the share of a suite's time after which no further index is built
_ROUNDS = 2  # the first gives each suite its share of the time, the second what others have left over


@dataclass(frozen=True)
class Ran:
    """A suite of a paper, as far as it has been run."""

    use: SuiteUse
    outcome: Outcome
    refused: Mapping[str, str]
    """Settings that are left out, by their labels, and why."""
    company: str
    """How busy the machine was, if that was noticeable."""


@dataclass(frozen=True)
class _Part:
    """What a part of a run has: processes, and time."""

    maps: Path | None
    workers: int
    until: float

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.until - monotonic()


def suites_of(paper: Paper, scale: Scale) -> list[tuple[SuiteUse, Suite]]:
    """All suites of a paper at a scale."""
    return [(use, suite_of(paper, use, scale)) for use in paper.suites]


def run_paper(
    paper: Paper, folder: Path, scale: Scale, *, maps: Path | None, workers: int, seconds: float
) -> list[Ran]:
    """Run what is missing for about so long.

    With several workers, so many processes build indexes, one each, and then run episodes; a build that is not done in
    time goes on from its journal the next time. With one worker what is begun is finished.
    """
    until = monotonic() + seconds
    folder_of_maps = None if scale.standin else maps_folder(maps)
    pending = {use.name: (use, suite) for use, suite in suites_of(paper, scale)}
    ran: dict[str, Ran] = {}
    for _ in range(_ROUNDS):
        for place, (name, (use, suite)) in enumerate(list(pending.items())):
            share = max(0.0, until - monotonic()) / (len(pending) - place)
            part = _Part(folder_of_maps, workers, monotonic() + share)
            store = Store(folder / name, folder / "indexes")
            store.folder.mkdir(parents=True, exist_ok=True)
            note(f"Paper {paper.name}: {name}, {len(suite.settings)} settings.")
            outcome = _run(suite, store, part)
            if outcome.fresh:
                keep_company(store.folder)
            ran[name] = Ran(use, outcome, refusals(store.folder), company(store.folder))
        pending = {name: one for name, one in pending.items() if not ran[name].outcome.complete}
        if not pending or until - monotonic() < _FEW:
            break
    return list(ran.values())


def _run(suite: Suite, store: Store, part: _Part) -> Outcome:
    """Run a suite for as long as its part lasts: those settings whose indexes are there."""
    ready = _build_missing(without_refused(suite, store.folder), store, part)
    suite = without_refused(suite, store.folder)
    if ready and part.left > _FEW:
        limits = replace(suite.limits, suite_seconds=min(suite.limits.suite_seconds, part.left))
        of_part = replace(suite, settings=tuple(ready), limits=limits)
        options = {"workers": part.workers, "timing_workers": part.workers}
        outcome = run_suite(of_part, store.folder, maps=part.maps, indexes=store.index_folder, **options)
        if len(ready) == len(suite.settings):
            return replace(outcome, suite=suite)
    with store.locked():
        runs = planned_runs(suite, store, part.maps, part.workers)
        episodes = sum(store.done(run.identity) for run in runs)
    return Outcome(suite, store, tuple(runs), episodes, 0)


def _build_missing(suite: Suite, store: Store, part: _Part) -> list[Setting]:
    """Build indexes as long as there is time; the settings that can be run."""
    until = monotonic() + _BUILDING * max(0.0, part.left)
    with store.locked():
        runs = planned_runs(suite, store, part.maps, part.workers)
        pending = [run for run in runs if run.index_file and store.done(run.identity) < len(run)]
        builds = list({run.index_file: run for run in pending if not Path(run.index_file).exists()}.values())
        if builds and part.workers == 1:
            _build_here(suite, store, builds, until)
        elif builds:
            _build_apart(suite, store, builds, part.workers, until)
    waiting = {run.setting for run in pending if not Path(run.index_file).exists()}
    return [setting for setting in suite.settings if setting not in waiting]


def _build_here(suite: Suite, store: Store, builds: Iterable[Run], until: float) -> None:
    warm_up(list(dict.fromkeys(run.setting for run in builds)), suite.diagonals, suite.costs, suite.each_move)
    for run in builds:
        if until - monotonic() < _FEW:
            return
        with _refusing(store, run):
            build_indexes([run], 1)


@contextmanager
def _refusing(store: Store, run: Run) -> Iterator[None]:
    """What refuses a map is written down, if a paper's report is whole without it."""
    try:
        yield
    except WaypostError as error:
        if not may_refuse(run.setting):
            raise
        keep_refusal(store.folder, run.setting, run.source.name, str(error))


def _build_apart(suite: Suite, store: Store, builds: list[Run], workers: int, until: float) -> None:
    """In several processes, which end when their time is up."""
    threads = max(1, workers // len(builds))
    settings = list(dict.fromkeys(run.setting for run in builds))
    begin = partial(_begin, settings, suite, until)
    left = list(reversed(builds))
    under_way: dict[Future[None], Run] = {}
    try:
        with (
            progress("indexes", len(builds)) as advance,
            ProcessPoolExecutor(min(workers, len(builds)), get_context("spawn"), begin) as pool,
        ):
            while left or under_way:
                while left and len(under_way) < workers and until - monotonic() > _FEW:
                    run = left.pop()
                    under_way[pool.submit(build_indexes, [run], threads)] = run
                if not under_way:
                    return
                for one in wait(under_way, return_when=FIRST_COMPLETED).done:
                    with _refusing(store, under_way.pop(one)):
                        one.result()
                    advance()
    except BrokenProcessPool:
        if monotonic() < until:
            raise WaypostError(
                "a process that built indexes was killed, perhaps because memory ran out; "
                "run it again, with fewer --workers"
            ) from None
        note("Builds that are not done go on from their journals the next time.")


def _begin(settings: Sequence[Setting], suite: Suite, until: float) -> None:
    """Begin as a process that builds: what must be compiled is on no clock, and it ends when the time is up."""
    leave_with_parent()
    threading.Thread(target=_leave_at, args=(until,), daemon=True).start()
    warm_up(settings, suite.diagonals, suite.costs, suite.each_move)


def _leave_at(until: float) -> None:
    time.sleep(max(0.0, until - monotonic()))
    os._exit(1)
