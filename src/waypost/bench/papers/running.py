"""Running a paper: its suites one after the other, in parts, each part going on where the last one stopped."""

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from waypost.bench.episodes import Run
from waypost.bench.offline import build_indexes
from waypost.bench.papers.description import Paper, SuiteUse
from waypost.bench.papers.scale import Scale, suite_of
from waypost.bench.results import Store
from waypost.bench.runner import Outcome, leave_with_parent, planned_runs, run_suite
from waypost.bench.suite import Setting, Suite
from waypost.bench.warm_up import warm_up
from waypost.bench.worlds import maps_folder
from waypost.system.progress import note, progress

__all__ = ["Ran", "run_paper", "suites_of"]

_FEW = 1.0  # seconds; with less left nothing is begun


@dataclass(frozen=True)
class Ran:
    """A suite of a paper, as far as it has been run."""

    use: SuiteUse
    outcome: Outcome


def suites_of(paper: Paper, scale: Scale) -> list[tuple[SuiteUse, Suite]]:
    """All suites of a paper at a scale."""
    return [(use, suite_of(paper, use, scale)) for use in paper.suites]


def run_paper(
    paper: Paper, folder: Path, scale: Scale, *, maps: Path | None, workers: int, seconds: float
) -> list[Ran]:
    """Run what is missing for about so long; what is begun is finished, so a build may take longer.

    With several workers, so many processes build indexes, one each, and then run episodes.
    """
    until = monotonic() + seconds
    folder_of_maps = None if scale.standin else maps_folder(maps)
    ran = []
    for use, suite in suites_of(paper, scale):
        store = Store(folder / use.name, folder / "indexes")
        store.folder.mkdir(parents=True, exist_ok=True)
        whole = _build_missing(suite, store, folder_of_maps, workers, until)
        left = max(0.0, until - monotonic()) if whole else 0.0
        limits = replace(suite.limits, suite_seconds=min(suite.limits.suite_seconds, left))
        if left < _FEW:
            outcome = _as_it_is(suite, store, folder_of_maps, workers)
        else:
            note(f"Paper {paper.name}: {use.name}, {len(suite.settings)} settings.")
            timed = replace(suite, limits=limits)
            outcome = run_suite(
                timed,
                store.folder,
                maps=folder_of_maps,
                workers=workers,
                timing_workers=workers,
                indexes=store.index_folder,
            )
        ran.append(Ran(use, outcome))
    return ran


def _as_it_is(suite: Suite, store: Store, maps: Path | None, workers: int) -> Outcome:
    """What is there of a suite for which no time is left."""
    with store.locked():
        runs = planned_runs(suite, store, maps, workers)
        episodes = sum(store.done(run.identity) for run in runs)
    return Outcome(suite, store, tuple(runs), episodes, 0)


def _build_missing(suite: Suite, store: Store, maps: Path | None, workers: int, until: float) -> bool:
    """Build indexes until there is no time left; whether all are there now."""
    with store.locked():
        runs = planned_runs(suite, store, maps, workers)
        pending = [run for run in runs if run.index_file and store.done(run.identity) < len(run)]
        builds = list({run.index_file: run for run in pending if not Path(run.index_file).exists()}.values())
        if not builds:
            return True
        if workers == 1:
            warm_up([run.setting for run in builds], suite.diagonals, suite.costs, suite.each_move)
            return _build_here(builds, until)
        return _build_apart(suite, builds, workers, until)


def _build_here(builds: Iterable[Run], until: float) -> bool:
    for run in builds:
        if until - monotonic() < _FEW:
            return False
        build_indexes([run], 1)
    return True


def _build_apart(suite: Suite, builds: list[Run], workers: int, until: float) -> bool:
    """In several processes; the last of a sweep take longest, so they are begun first."""
    threads = max(1, workers // len(builds))
    settings = list(dict.fromkeys(run.setting for run in builds))
    warm = partial(_begin, settings, suite)
    left = list(builds)
    with (
        progress("indexes", len(builds)) as advance,
        ProcessPoolExecutor(min(workers, len(builds)), get_context("spawn"), warm) as pool,
    ):
        under_way: set[Future[None]] = set()
        while left or under_way:
            while left and len(under_way) < workers and until - monotonic() > _FEW:
                under_way.add(pool.submit(build_indexes, [left.pop()], threads))
            if not under_way:
                return False
            done = next(as_completed(under_way))
            under_way.remove(done)
            done.result()
            advance()
    return True


def _begin(settings: Sequence[Setting], suite: Suite) -> None:
    """Begin as a process that builds: what must be compiled is on no clock."""
    leave_with_parent()
    warm_up(settings, suite.diagonals, suite.costs, suite.each_move)
