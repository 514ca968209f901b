"""The tables that a suite asks for, filled with its results."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from waypost.bench.claims import Choice
from waypost.bench.comparisons import BestUnderLimit, Comparison, PaysOff, SideBySide
from waypost.bench.numbers import number, with_error
from waypost.bench.pareto import non_dominated
from waypost.bench.suite import Setting
from waypost.bench.summary import Summary, amortisation_moves, moves_to_pay_off
from waypost.runs.metrics import METRICS

__all__ = ["Filled", "fill"]

_Results = Sequence[tuple[Setting, Summary]]


class Filled(NamedTuple):
    """A table to print."""

    head: list[str]
    rows: list[list[str]]
    note: str
    """Which settings are not in it, and why; nothing if there are none."""


def fill(comparison: Comparison, settings: Iterable[Setting], summaries: Iterable[Summary]) -> Filled:
    """A table of those settings that may be compared: they have run all problems, arrived, and kept to the cut-off."""
    by_label = {summary.label: summary for summary in summaries}
    results = [(setting, by_label[setting.label]) for setting in settings if setting.label in by_label]
    fit = [(setting, summary) for setting, summary in results if _is_fit(summary)]
    match comparison:
        case SideBySide():
            head, rows = _side_by_side(comparison, fit)
        case BestUnderLimit():
            head, rows = _best_under_limit(comparison, fit)
        case PaysOff():
            head, rows = _pays_off(comparison, fit)
    out = [summary.label for _, summary in results if not _is_fit(summary)]
    note = f"Not compared, for they did not arrive everywhere or were disqualified: {', '.join(out)}." if out else ""
    return Filled(head, list(rows), note)


def _is_fit(summary: Summary) -> bool:
    return summary.all_arrived and summary.episodes == summary.planned and not summary.disqualified


def _side_by_side(table: SideBySide, results: _Results) -> tuple[list[str], Iterator[list[str]]]:
    rows = (
        [summary.label, *(with_error(summary.metrics[name].figure) for name in table.metrics)]
        for choice in table.settings
        for summary in _chosen(choice, results)
    )
    return ["setting", *(METRICS[name].title for name in table.metrics)], rows


def _best_under_limit(table: BestUnderLimit, results: _Results) -> tuple[list[str], Iterator[list[str]]]:
    """From the least that any setting needs; a row begins where a better one can be afforded."""
    known = [s for _, s in results if not math.isnan(s.mean(table.limit) + s.mean(table.metric))]
    points = [(s.mean(table.limit), s.mean(table.metric)) for s in known]
    # Of settings that are alike in both the first one stands for all.
    chosen = {points[i]: known[i] for i in reversed(non_dominated(points, ("lower", METRICS[table.metric].better)))}
    rows = (
        [f"{number(need)} and more", summary.label, with_error(summary.metrics[table.metric].figure)]
        for (need, _), summary in sorted(chosen.items())
    )
    return [f"Limit: {METRICS[table.limit].title}", "best setting", METRICS[table.metric].title], rows


def _pays_off(table: PaysOff, results: _Results) -> tuple[list[str], Iterator[list[str]]]:
    """Against the closest of those that none beats both in the metric and in time; by means, for times are summed."""
    title, better = METRICS[table.closest].title, METRICS[table.closest].better
    head = [
        "setting", "build (s)", "index (KB)", title, "us per move", "closest to it", title, "us per move",
        "pays off after moves", "which take (s)",
    ]  # fmt: skip
    against = [summary for summary in _chosen(table.against, results) if _is_timed(summary)]
    points = [_means(summary, table.closest, "move_us_mean") for summary in against]
    rivals = [against[i] for i in non_dominated(points, (better, "lower"))]

    def row(summary: Summary) -> list[str]:
        build, size, near, move = _means(summary, "build_seconds", "index_bytes", table.closest, "move_us_mean")
        rival = min(
            (other for other in rivals if other is not summary),
            key=lambda other: abs(_means(other, table.closest)[0] - near),
        )
        return [
            summary.label,
            *map(number, (build, size / 1024, near, move)),
            rival.label,
            *map(number, _means(rival, table.closest, "move_us_mean")),
            moves_to_pay_off(summary, rival),
            number(amortisation_moves(summary, rival) * move / 1e6),
        ]

    of = [summary for summary in _chosen(table.of, results) if _is_timed(summary)]
    return head, (row(summary) for summary in of if {rival.label for rival in rivals} - {summary.label})


def _is_timed(summary: Summary) -> bool:
    return not any(map(math.isnan, _means(summary, "build_seconds", "move_us_mean")))


def _means(summary: Summary, *names: str) -> list[float]:
    return [summary.metrics[name].mean for name in names]


def _chosen(choice: Choice, results: _Results) -> Iterator[Summary]:
    return (summary for setting, summary in results if choice.takes(setting.planner, setting.values))
