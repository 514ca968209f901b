"""A paper's tables filled: paper beside ours, with how far chance may have moved our figure."""

import math
from collections.abc import Iterator, Sequence

from waypost.bench.numbers import number
from waypost.bench.papers.document import Cells
from waypost.bench.papers.estimates import Estimate, Interval
from waypost.bench.papers.items import Item, Pair, Row
from waypost.bench.papers.quantities import QUANTITIES
from waypost.bench.papers.results import PaperResults, SuiteResults
from waypost.bench.suite import Setting
from waypost.bench.summary import break_even_agents
from waypost.bench.tables import fill

__all__ = ["comparison_cells", "compact_cells", "pair_cells", "row_cells", "share_run"]

HEAD = (
    "setting", "figure", "paper", "ours", "ours / paper", "95 % over problems", "95 % over maps", "median",
    "ratio of sums", "failures", "worst 1 %",
)  # fmt: skip


def row_cells(item: Item, rows: Sequence[Row], columns: Sequence[str], results: PaperResults) -> Cells:
    """A line for each setting and column."""
    return Cells(HEAD, tuple(_lines(rows, columns, results[item.suite])))


def _lines(rows: Sequence[Row], columns: Sequence[str], suite: SuiteResults) -> Iterator[tuple[str, ...]]:
    for row in rows:
        groups = suite.groups(row)
        for group in groups:
            label = named(row, group, len(groups))
            if suite.is_scaled(row):
                label += f", as {group[0].label}"
            for name, paper in zip(columns, row.paper, strict=True):
                yield (label, QUANTITIES[name].title, *_figures(suite.estimate(group, name), paper, name))
        if not groups:
            for name, paper in zip(columns, row.paper, strict=True):
                yield (row.label or str(row.of), QUANTITIES[name].title, _known(paper), "not in this run", *[""] * 7)


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
            lines.append((row.label, group[0].label, *(number(one.mean) for one in estimates), *missing))
    return Cells(("series", "setting", *(QUANTITIES[name].title for name in columns), "failures"), tuple(lines))


def named(row: Row, group: Sequence[Setting], count: int) -> str:
    """What a line is called: as the paper does, with the setting's label where a row has several."""
    if not row.label:
        return group[0].label
    if len(group) > 1:
        return f"{row.label}, {len(group)} seeds"
    return row.label if count == 1 else f"{row.label}: {group[0].label}"


def _figures(ours: Estimate, paper: float, name: str) -> tuple[str, ...]:
    if not ours.episodes:
        return (_known(paper), "not run yet", *[""] * 7)
    return (
        _known(paper),
        number(ours.mean),
        _ratio(ours.mean, paper),
        _interval(ours.over_problems),
        _interval(ours.over_maps),
        number(ours.median),
        number(ours.ratio_of_sums) if QUANTITIES[name].is_ratio else "",
        f"{ours.failures:,} of {ours.episodes:,}",
        f"{100 * ours.worst_share:.0f} %" if QUANTITIES[name].is_ratio and ours.worst_share > 0 else "",
    )


def _known(paper: float) -> str:
    return "not known" if math.isnan(paper) else number(paper)


def _ratio(ours: float, paper: float) -> str:
    return "-" if math.isnan(paper) or math.isnan(ours) or not paper else f"{ours / paper:.2f}"


def _interval(interval: Interval) -> str:
    if not interval.is_known:
        return "-"
    if interval.low == interval.high:
        return number(interval.low)
    return f"{number(interval.low)} to {number(interval.high)}"


def pair_cells(item: Item, results: PaperResults) -> Cells:
    """Two settings compared, line by line."""
    suite = results[item.suite]
    rows = []
    for pair in item.pairs:
        ours, what = _measured(pair, suite)
        rows.append((pair.label, what, _known(pair.paper), number(ours), _ratio(ours, pair.paper)))
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
    head, rows, note = fill(wanted, suite.suite.settings, suite.summaries)
    return Cells(tuple(head), tuple(map(tuple, rows))), note


def share_run(rows: Sequence[Row], suite: SuiteResults) -> tuple[int, int]:
    """How many episodes of a table's settings are there, of how many."""
    settings = list(dict.fromkeys(setting for row in rows for setting in suite.settings(row.of)))
    there = sum(len(c["arrived"]) for setting in settings for c in suite.columns(setting, ("arrived",)))
    return there, sum(map(suite.planned, settings))
