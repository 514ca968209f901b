"""Suites on maps that change: after each change, how long it takes until planners plan on the new map, and how well."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from time import thread_time_ns
from typing import NamedTuple, TypeVar

import numpy as np

from waypost.bench.keys import Table
from waypost.bench.suite import Setting, read_settings, suite_values
from waypost.bench.worlds import maps_folder
from waypost.errors import WaypostError, shown
from waypost.living.stages import changed, put_down
from waypost.living.world import World
from waypost.making import build
from waypost.maps.changing import ChangingMap, Query, Stage, read_changing_map
from waypost.planner import Planner
from waypost.system import machine
from waypost.system.files import write_atomically
from waypost.system.progress import progress

__all__ = [
    "COLUMNS",
    "ChangingSuite",
    "Row",
    "cells_of",
    "is_about_changes",
    "read_changing_suite",
    "run_changing_suite",
]

T = TypeVar("T")
KEY = "changes"
"""In a suite's file, in place of maps and problems: files of maps that change."""
_SAME = 1e-3  # lengths that differ by less are the same: files have them with some decimals only
_ALL = 1_000_000_000


@dataclass(frozen=True)
class ChangingSuite:
    """What to run on maps that change."""

    name: str
    title: str
    about: str
    files: tuple[str, ...]
    settings: tuple[Setting, ...]
    again: tuple[str, ...]
    """Labels of settings that are also run by a new grid and a new planner after each change."""
    stages: int
    """Of each file, so many from the beginning."""


class Row(NamedTuple):
    """What one setting did on one map."""

    map: str
    setting: str
    after_edit: str
    """What the planner does after an edit, or that all is made again."""
    changes: int
    change_us: float
    """From a change until the planner knows it, in the mean; then the median and the longest."""
    change_us_median: float
    change_us_max: float
    first_move_us: float
    """From a question to the first move, in the mean."""
    path_us: float
    """The whole path, in the mean."""
    longer_percent: float
    """Than the shortest, in the mean."""
    exact: int
    """Paths as long as the file says, of so many."""
    queries: int


COLUMNS = {
    "setting": "planner",
    "after_edit": "after a change",
    "change_us": "change (us)",
    "first_move_us": "first move (us)",
    "path_us": "whole path (us)",
    "longer_percent": "longer than optimal (%)",
    "exact": "as long as the file says",
}
"""Fields that tables show, and their heads."""


def is_about_changes(name: str) -> bool:
    """Whether a suite is about maps that change."""
    return KEY in suite_values(name)


def read_changing_suite(name: str) -> ChangingSuite:
    """A suite by its file, or by the name of one that comes with Waypost."""
    title = Path(name).stem if name.endswith(".toml") else name
    table = Table(suite_values(name), f"suite {title}")
    settings = tuple(setting for one in table.tables("planner") for setting in read_settings(one))
    labels = tuple(setting.label for setting in settings)
    suite = ChangingSuite(
        name=title,
        title=table.text("title"),
        about=table.text("about", ""),
        files=table.texts(KEY),
        settings=settings,
        again=table.texts("again", ()),
        stages=table.whole("stages", _ALL, lowest=1, highest=_ALL),
    )
    table.end()
    if not settings:
        raise table.complaint("there is nothing to run: [[planner]] is missing")
    for label in suite.again:
        if label not in labels:
            raise table.complaint(f"again must be labels of settings of this suite, not {shown(label)}")
    return suite


def run_changing_suite(suite: ChangingSuite, out: Path, maps: Path | None = None) -> list[Row]:
    """Run all of it, and write a table and a report into a folder."""
    folder = maps_folder(maps)
    if folder is None:
        raise WaypostError("maps that change are files: name their folder by --maps or WAYPOST_MAPS")
    found = [read_changing_map(folder / file) for file in suite.files]
    total = sum(len(each.stages[: suite.stages]) for each in found) * (len(suite.settings) + len(suite.again))
    rows = []
    with progress("changes", total) as advance:
        for each in found:
            for setting in suite.settings:
                rows.append(_measured(each, suite.stages, setting, _Living(each, setting), advance))
                if setting.label in suite.again:
                    rows.append(_measured(each, suite.stages, setting, _Again(each, setting), advance))
    out.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(Row._fields)
    writer.writerows(rows)
    write_atomically(out / "changes.csv", text.getvalue().encode())
    write_atomically(out / "report.md", "".join(_report(suite, rows)).encode())
    return rows


class _Living:
    """A World, which is edited."""

    def __init__(self, of: ChangingMap, setting: Setting) -> None:
        self._world = World(of.first_grid(), setting.planner, threads=1, **setting.values)
        self.planner = self._world.planner
        self.after_edit = f"{self.planner.entry.after_edit}"
        _ = self._world.edit([(0, 0)], open=False), self._world.edit([(0, 0)], open=True)  # all is in memory then
        self._world.rebuild()

    def change(self, stage: Stage) -> None:
        """Until the planner knows it."""
        put_down(self._world, stage)
        self._world.rebuild()


class _Again:
    """A new grid and a new planner after each change."""

    after_edit = "made again"

    def __init__(self, of: ChangingMap, setting: Setting) -> None:
        self._setting = setting
        self._first = of.first_grid()
        self._is_open = self._first.is_open.copy()
        self.change(Stage((), ()))

    def change(self, stage: Stage) -> None:
        """Until there is another planner, and all that its agents need of the grid."""
        changed(self._is_open, stage.placed)
        grid = self._first.with_open(self._is_open, "the changed map")
        self.planner: Planner = build(self._setting.planner, grid, threads=1, progress=False, **self._setting.values)
        self.planner.agent()


def _measured(
    of: ChangingMap, stages: int, setting: Setting, contender: _Living | _Again, advance: Callable[[int], None]
) -> Row:
    """One setting on one map."""
    changes: list[float] = []
    firsts: list[float] = []
    paths: list[float] = []
    longer: list[float] = []
    exact = 0
    for stage in of.stages[:stages]:
        if stage.placed:
            changes.append(_timed(partial(contender.change, stage))[1])
        for query in stage.queries:
            first, path, length = _asked(contender.planner, query)
            firsts.append(first)
            paths.append(path)
            exact += abs(length - query.length) < _SAME
            longer.append(100 * (length / query.length - 1) if query.length else 0.0)
        advance(1)
    return Row(
        of.name, setting.label, contender.after_edit, len(changes), *_of_times(changes), fmean(firsts or [0.0]),
        fmean(paths or [0.0]), fmean(longer or [0.0]), exact, len(paths),
    )  # fmt: skip


def _of_times(times: Sequence[float]) -> tuple[float, float, float]:
    return (fmean(times), float(np.median(times)), max(times)) if times else (0.0, 0.0, 0.0)


def _asked(planner: Planner, query: Query) -> tuple[float, float, float]:
    """Microseconds to the first move and for the path, and its length."""
    first = 0.0
    if query.start != query.goal:
        agent = planner.agent()
        problem = planner.problem(query.start, query.goal)

        def move() -> None:
            agent.reset(problem)
            agent.step()

        _, first = _timed(move)
    points, path = _timed(lambda: planner.path(query.start, query.goal))
    steps = np.abs(np.diff(points, axis=0)).sum(axis=1)
    return first, path, float(np.where(steps == 2, np.sqrt(2.0), steps).sum())


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """What it answers, and its microseconds of processor time on this thread."""
    began = thread_time_ns()
    answer = work()
    return answer, (thread_time_ns() - began) / 1000


def _report(suite: ChangingSuite, rows: Sequence[Row]) -> Iterator[str]:
    """The table in Markdown."""
    yield f"# {suite.title}\n\n{suite.about}\n\n"
    for name in dict.fromkeys(row.map for row in rows):
        yield f"## {name}\n\n| {' | '.join(COLUMNS.values())} |\n|{'---|' * len(COLUMNS)}\n"
        for row in rows:
            if row.map == name:
                yield f"| {' | '.join(cells_of(row))} |\n"
        yield "\n"
    yield f"Processor time of one thread, on {machine.describe()}.\n"


def cells_of(row: Row) -> list[str]:
    """What tables show of a row."""
    texts = {"exact": f"{row.exact:,} of {row.queries:,}", "longer_percent": f"{row.longer_percent:.2f}"}
    numbers = {name: f"{getattr(row, name):,.1f}" for name in COLUMNS if name.endswith("_us")}
    return [(texts | numbers).get(name) or str(getattr(row, name)) for name in COLUMNS]
