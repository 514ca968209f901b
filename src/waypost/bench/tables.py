"""The tables that a suite asks for, filled with its results."""

from collections.abc import Iterable, Iterator, Sequence

from waypost.bench.claims import Choice
from waypost.bench.comparisons import BestUnderLimit, Comparison, PaysOff, SideBySide
from waypost.bench.numbers import number, with_error
from waypost.bench.suite import Setting
from waypost.bench.summary import Summary, amortisation_moves
from waypost.metrics import METRICS

__all__ = ["fill"]

_Results = Sequence[tuple[Setting, Summary]]


def fill(
    comparison: Comparison, settings: Iterable[Setting], summaries: Iterable[Summary]
) -> tuple[list[str], list[list[str]]]:
    """Head and rows of a table; only settings that arrived everywhere compare."""
    by_label = {summary.label: summary for summary in summaries if summary.all_arrived}
    results = [(setting, by_label[setting.label]) for setting in settings if setting.label in by_label]
    match comparison:
        case SideBySide():
            head, rows = _side_by_side(comparison, results)
        case BestUnderLimit():
            head, rows = _best_under_limit(comparison, results)
        case PaysOff():
            head, rows = _pays_off(comparison, results)
    return head, list(rows)


def _side_by_side(table: SideBySide, results: _Results) -> tuple[list[str], Iterator[list[str]]]:
    rows = (
        [summary.label, *(with_error(summary.metrics[name].figure) for name in table.metrics)]
        for choice in table.settings
        for summary in _chosen(choice, results)
    )
    return ["setting", *(METRICS[name].title for name in table.metrics)], rows


def _best_under_limit(table: BestUnderLimit, results: _Results) -> tuple[list[str], Iterator[list[str]]]:
    """From the least that any setting needs; a row begins where a better one can be afforded."""
    sign = 1 if METRICS[table.metric].better == "lower" else -1
    by_need = sorted((s.mean(table.limit), sign * s.mean(table.metric), s.label, s) for _, s in results)

    def rows() -> Iterator[list[str]]:
        best = float("inf")
        for need, figure, label, summary in by_need:
            if figure < best:
                best = figure
                yield [f"{number(need)} and more", label, with_error(summary.metrics[table.metric].figure)]

    return [f"Limit: {METRICS[table.limit].title}", "best setting", METRICS[table.metric].title], rows()


def _pays_off(table: PaysOff, results: _Results) -> tuple[list[str], Iterator[list[str]]]:
    """By means, for times are summed over moves."""
    title = METRICS[table.closest].title
    head = [
        "setting", "build (s)", "index (KB)", title, "us per move", "closest to it", title, "us per move",
        "pays off after moves", "which take (s)",
    ]  # fmt: skip
    rivals = list(_chosen(table.against, results))

    def row(summary: Summary) -> list[str]:
        build, size, near, move = _means(summary, "build_seconds", "index_bytes", table.closest, "move_us_mean")
        rival = min(rivals, key=lambda other: abs(_means(other, table.closest)[0] - near))
        moves = amortisation_moves(summary, rival)
        return [
            summary.label,
            *map(number, (build, size / 1024, near, move)),
            rival.label,
            *map(number, (*_means(rival, table.closest, "move_us_mean"), moves, moves * move / 1e6)),
        ]

    return head, (row(summary) for summary in _chosen(table.of, results) if rivals)


def _means(summary: Summary, *names: str) -> list[float]:
    return [summary.metrics[name].mean for name in names]


def _chosen(choice: Choice, results: _Results) -> Iterator[Summary]:
    return (summary for setting, summary in results if choice.takes(setting.planner, setting.values))
