"""The head of a report: what was run on what, why, and how alike the paper's problems are."""

from collections.abc import Iterator

import numpy as np

from waypost.bench.numbers import number
from waypost.bench.papers.description import STATISTICS, Paper, Statistic
from waypost.bench.papers.document import Block, Cells, Heading, Lines
from waypost.bench.papers.quantities import QUANTITIES, columns_of
from waypost.bench.papers.results import PaperResults, SuiteResults
from waypost.bench.papers.scale import Scale
from waypost.bench.report import what_was_run
from waypost.version import __version__

__all__ = ["header_blocks"]

_STANDINS = "**STAND-INS: there is no folder of benchmark maps, so all figures are of generated maps.**"


def header_blocks(paper: Paper, results: PaperResults, scale: Scale) -> Iterator[Block]:
    """Title, scale, suites with their maps, problems beside the paper's."""
    yield Heading(paper.title, 1)
    if scale.standin:
        yield Lines((_STANDINS, "They show that the machinery works, and nothing about the paper."))
    yield Lines((f"{paper.source}.", *paper.about))
    kind = "Quick: to scale, in minutes" if scale.quick else "Full"
    state = "complete" if results.complete else "NOT COMPLETE"
    quick = " --quick" if scale.quick else ""
    yield Lines(
        (
            f"**{kind}; {state}.**",
            f"Made by `waypost paper {paper.name}{quick}`, Waypost {__version__}.",
            *(() if results.complete else ("Run it again to go on where it stopped.",)),
        )
    )
    yield Heading("What was run")
    for suite in results.suites.values():
        yield from _suite(suite, scale)
    if paper.statistics:
        yield Heading("Problems")
        head = ("figure", "whose", *STATISTICS)
        yield Cells(head, tuple(row for one in paper.statistics for row in _statistic(one, results[one.suite])))


def _suite(suite: SuiteResults, scale: Scale) -> Iterator[Block]:
    yield Heading(f"`{suite.use.name}`", 3)
    if suite.use.why:
        yield Lines(suite.use.why)
    said = [*what_was_run(suite.outcome), suite.company]
    yield Lines(tuple(f"{line}." for line in said if line), is_list=True)
    if scale.quick and (changes := list(_to_scale(suite))):
        yield Lines(("To scale, in this quick run:",))
        yield Lines(tuple(changes), is_list=True)
    rows = tuple(
        (name, f"`{fingerprint[:12]}`", f"{width} x {height}", number(cells))
        for name, (fingerprint, width, height, cells) in suite.open_cells.items()
    )
    yield Cells(("map", "fingerprint", "size", "open cells"), rows)


def _to_scale(suite: SuiteResults) -> Iterator[str]:
    """Which values of parameters stand for others, and what planners take besides."""
    for name, values in suite.use.quick.get("values", {}).items():
        yield f"`{name}`: " + ", ".join(f"{new} stands for {old}" for old, new in values.items()) + "."
    for planner, given in suite.use.quick.get("with", {}).items():
        params = {name: value for name, value in given.items() if name != "index"} | given.get("index", {})
        yield f"`{planner}` with " + ", ".join(f"`{name}={value}`" for name, value in params.items()) + "."


def _statistic(one: Statistic, suite: SuiteResults) -> Iterator[tuple[str, ...]]:
    title = one.title
    yield (title, "paper", *("not known" if np.isnan(value) else number(value) for value in one.paper))
    for setting in suite.settings(one.of):
        maps = suite.columns(setting, columns_of([one.quantity]))
        values = np.concatenate([QUANTITIES[one.quantity].of(columns) for columns in maps])
        if values.size:
            ours = (values.min(), values.mean(), np.median(values), values.std(), values.max())
            yield (title, "ours", *(number(float(value)) for value in ours))
