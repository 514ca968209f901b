"""A paper's tables filled: paper beside ours, with how far chance may have moved our figure."""

import math
from collections.abc import Iterator, Sequence

from waypost.bench.numbers import number
from waypost.bench.papers.document import Block, Cells, Lines
from waypost.bench.papers.estimates import Estimate, Interval
from waypost.bench.papers.items import Item, Pair, Row
from waypost.bench.papers.quantities import QUANTITIES
from waypost.bench.papers.results import PaperResults, SuiteResults
from waypost.bench.suite import Setting
from waypost.bench.summary import break_even_agents
from waypost.bench.tables import fill

__all__ = [
    "comparison_cells",
    "compact_cells",
    "figure",
    "filled_columns",
    "pair_cells",
    "quotient",
    "row_blocks",
    "share_run",
]

_NONE = "none"
"""What stands where there is no figure."""
_HEAD = (
    "paper", "ours", "ours / paper", "95 % over problems", "95 % over maps", "median", "ratio of sums", "worst 1 %",
    "failures",
)  # fmt: skip


def row_blocks(item: Item, rows: Sequence[Row], columns: Sequence[str], results: PaperResults) -> Iterator[Block]:
    """A table for each column of the paper's, with a line for each setting; and which settings are not in it."""
    suite = results[item.suite]
    found = [(row, group, len(groups)) for row in rows for groups in [suite.groups(row)] for group in groups]
    run = [one for one in found if suite.estimate(one[1], "cost").episodes]
    for place, name in enumerate(columns):
        lines = [(_label(*one, suite), *_figures(suite.estimate(one[1], name), one[0].paper[place])) for one in run]
        if lines:
            yield filled_columns(Cells((QUANTITIES[name].title, *_HEAD), tuple(lines)))
    absent = [row.label or str(row.of) for row in rows if not suite.groups(row)]
    if absent:
        yield Lines((f"Not in this run: {'; '.join(absent)}.",))
    waiting = [_label(*one, suite) for one in found if one not in run]
    if waiting:
        yield Lines((f"Not run yet: {'; '.join(waiting)}.",))


def _label(row: Row, group: Sequence[Setting], count: int, suite: SuiteResults) -> str:
    """What a line is called, with the setting that stands for it where that is another."""
    return named(row, group, count) + (f", as {group[0].label}" if suite.is_scaled(row) else "")


def filled_columns(cells: Cells) -> Cells:
    """A table without the columns in which nothing is known."""
    kept = [i for i in range(len(cells.head)) if any(row[i] != _NONE for row in cells.rows)]
    return Cells(tuple(cells.head[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in cells.rows))


def compact_cells(item: Item, rows: Sequence[Row], columns: Sequence[str], results: PaperResults) -> Cells:
    """A line for each setting, of figures whose points the paper does not print."""
    suite = results[item.suite]
    lines = []
    for row in rows:
        for group in suite.groups(row, item.cutoff):
            estimates = [suite.estimate(group, name) for name in columns]
            missing = [
                f"{one.failures:,} of {one.episodes:,}" if one.episodes else "not run yet" for one in estimates[:1]
            ]
            lines.append((row.label, group[0].label, *(figure(one.mean) for one in estimates), *missing))
    return Cells(("series", "setting", *(QUANTITIES[name].title for name in columns), "failures"), tuple(lines))


def named(row: Row, group: Sequence[Setting], count: int) -> str:
    """What a line is called: as the paper does, with the setting's label where a row has several."""
    if not row.label:
        return group[0].label
    if len(group) > 1:
        return f"{row.label}, {len(group)} seeds"
    return row.label if count == 1 else f"{row.label}: {group[0].label}"


def _figures(ours: Estimate, paper: float) -> tuple[str, ...]:
    is_ratio = not math.isnan(ours.ratio_of_sums)
    share = 0.0 if math.isnan(ours.worst_share) else ours.worst_share
    return (
        figure(paper),
        figure(ours.mean),
        quotient(ours.mean, paper),
        _interval(ours.over_problems),
        _interval(ours.over_maps),
        figure(ours.median),
        figure(ours.ratio_of_sums),
        f"{100 * share:.0f} %" if is_ratio else _NONE,
        f"{ours.failures:,} of {ours.episodes:,}",
    )


def figure(value: float) -> str:
    """A figure, or a word that says that there is none."""
    return _NONE if math.isnan(value) else number(value)


def quotient(ours: float, paper: float) -> str:
    """Ours by the paper's."""
    if paper == ours == 0:
        return "1.00"
    if math.isnan(paper) or math.isnan(ours) or not paper:
        return _NONE
    return f"{ours / paper:.2f}" if ours >= paper / 10 else f"{ours / paper:.2g}"


def _interval(interval: Interval) -> str:
    if not interval.is_known:
        return _NONE
    low, high = number(interval.low), number(interval.high)
    return low if low == high else f"{low} to {high}"


def pair_cells(item: Item, results: PaperResults) -> Cells:
    """Two settings compared, line by line."""
    suite = results[item.suite]
    rows = []
    for pair in item.pairs:
        ours, what = _measured(pair, suite)
        is_there = suite.settings(pair.of) and suite.settings(pair.against)
        shown = figure(ours) if is_there else "not in this run"
        rows.append((pair.label, what, figure(pair.paper), shown, quotient(ours, pair.paper)))
    return Cells(("comparison", "figure", "paper", "ours", "ours / paper"), tuple(rows))


def _measured(pair: Pair, suite: SuiteResults) -> tuple[float, str]:
    """A comparison's figure, and what it is."""
    of, against = (suite.settings(match) for match in (pair.of, pair.against))
    title = QUANTITIES[pair.quantity].title
    what = {"break-even": "agents until it takes less memory", "costs": "quotient of costs"}
    said = what.get(pair.measure, f"times less: {title}")
    if not of or not against:
        return math.nan, said
    if pair.measure == "break-even":
        by_label = {summary.label: summary for summary in suite.summaries}
        return break_even_agents(by_label[of[0].label], by_label[against[0].label]), said
    mine, other = (suite.estimate(settings[:1], pair.quantity).mean for settings in (of, against))
    if pair.measure == "costs":
        return (100 + other) / (100 + mine), said
    return (other / mine if mine else math.nan), said


def comparison_cells(item: Item, results: PaperResults) -> tuple[Cells, str]:
    """A table of the suite, and what is not in it."""
    suite = results[item.suite]
    wanted = next(one for one in suite.suite.comparisons if one.title == item.comparison)
    head, rows, note = fill(wanted, suite.own, suite.summaries)
    return Cells(tuple(head), tuple(map(tuple, rows))), note


def share_run(rows: Sequence[Row], suite: SuiteResults) -> tuple[int, int]:
    """How many episodes of a table's settings are there, of how many."""
    settings = list(dict.fromkeys(setting for row in rows for setting in suite.settings(row.of)))
    there = sum(len(c["arrived"]) for setting in settings for c in suite.columns(setting, ("arrived",)))
    return there, sum(map(suite.planned, settings))
