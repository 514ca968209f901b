"""Indexes of a suite: built before any episode, once per map and offline parameters, and kept beside the results."""

from collections.abc import Iterable
from pathlib import Path

from waypost import catalog
from waypost.bench.episodes import Run, identity
from waypost.errors import WaypostError
from waypost.indexes.store import open_index
from waypost.making import build
from waypost.system.progress import note

__all__ = ["build_indexes", "index_file"]

_JOURNAL_ENDING = ".partial"


def index_file(folder: Path, run: Run) -> str:
    """Where the index of a run lies, or nothing if its planner has none; one for all settings of the agent."""
    setting = run.setting
    if catalog.find(setting.planner).index is None:
        return ""
    key = {"planner": setting.planner, "revision": setting.revision, "index": dict(setting.index)}
    return str(folder / f"{identity(key | {'map': run.fingerprint})}.waypost")


def build_indexes(runs: Iterable[Run], threads: int, *, show: bool = True) -> None:
    """Build what is not there yet, with a bar if it is to show; a killed build goes on from its journal."""
    for file, run in {run.index_file: run for run in runs if run.index_file}.items():
        journal = Path(file + _JOURNAL_ENDING)
        if not _is_there(file):
            if Path(file).exists():
                note(f"{file} is damaged, or does not say how long it took to build: it is built again.")
            grid = run.source.load(run.diagonals, run.costs)
            params = dict(run.setting.index)
            build(run.setting.planner, grid, threads=threads, checkpoint=journal, progress=show, **params).save(file)
        journal.unlink(missing_ok=True)


def _is_there(file: str) -> bool:
    """Whether an index is whole and says how long it took, so that its build need not be repeated."""
    try:
        return "build_seconds" in open_index(file).facts
    except WaypostError:
        return False
