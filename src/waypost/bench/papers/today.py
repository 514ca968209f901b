"""Beyond the papers: planners of today on the same problems, and all of them in one figure."""

from collections.abc import Iterator
from math import nan
from pathlib import Path

from waypost.bench.papers.document import Block, Heading, Lines, Picture
from waypost.bench.papers.figures import draw_figure
from waypost.bench.papers.filled import row_blocks
from waypost.bench.papers.items import Item, Panel, Row
from waypost.bench.papers.matching import Match
from waypost.bench.papers.results import PaperResults, SuiteResults

__all__ = ["today_blocks"]

_COLUMNS = ("suboptimality", "work", "us", "cumulative_kb", "seconds")
_PANELS = (Panel("", "us", "suboptimality", 0.0, 0.0), Panel("", "cumulative_kb", "suboptimality", 0.0, 0.0))


def today_blocks(results: PaperResults, pictures: Path) -> Iterator[Block]:
    """A figure and a table for each suite that has them."""
    suites = [suite for suite in results.suites.values() if suite.use.beyond]
    if not suites:
        return
    yield Heading("Beyond the paper")
    yield Lines(("Planners of today, as they are by default, on the same problems beside the paper's own.",))
    for suite in suites:
        yield from _of(suite, results, pictures)


def _of(suite: SuiteResults, results: PaperResults, pictures: Path) -> Iterator[Block]:
    name = suite.use.name
    rows = tuple(_row(s.planner, dict(s.values), s.preset) for s in suite.today)
    every = tuple(_row(s.planner, dict(s.values), s.preset) for s in suite.suite.settings)
    item = Item(f"Today, {name}", "what has been found since", name, columns=_COLUMNS, rows=rows, panels=_PANELS)
    yield Heading(f"`{name}`", 3)
    path = pictures / f"today-{name}.png"
    if draw_figure(item, every, _COLUMNS, suite, path, joined=False):
        yield Picture(path, "All settings of the suite; today's are among them by their names")
    yield from row_blocks(item, rows, _COLUMNS, results)
    if suite.refused:
        yield Lines(tuple(f"{sentence}." for sentence in suite.refused.values()))


def _row(planner: str, values: dict[str, object], preset: str) -> Row:
    wanted = (("preset", (preset,)), *((name, (value,)) for name, value in values.items()))
    match = Match(planner, wanted, as_it_is=True)
    return Row("", match, (nan,) * len(_COLUMNS), f"{planner}, as published" if preset else planner)
