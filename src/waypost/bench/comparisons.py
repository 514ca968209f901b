"""Tables that papers print, as a suite asks for them: settings side by side, the best under a limit, what pays off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from waypost.bench.claims import Choice, read_choice, read_choices
from waypost.bench.keys import Table
from waypost.runs.metrics import METRICS, check_metrics

__all__ = ["BestUnderLimit", "Comparison", "PaysOff", "SideBySide", "read_comparison"]


@dataclass(frozen=True)
class SideBySide:
    """Some settings and some metrics."""

    title: str
    settings: tuple[Choice, ...]
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class BestUnderLimit:
    """For each limit on one metric the setting that is best in another, of those that keep to it."""

    title: str
    limit: str
    metric: str


@dataclass(frozen=True)
class PaysOff:
    """After how many moves builds have paid off, each against that of some settings which is closest in a metric."""

    title: str
    of: Choice
    against: Choice
    closest: str


Comparison = SideBySide | BestUnderLimit | PaysOff


def read_comparison(table: Table, settings: Sequence[tuple[str, Mapping[str, Any]]]) -> Comparison:
    """A table of a suite; what it has besides its title tells which kind it is."""
    title = table.text("title")
    comparison: Comparison
    if "limit" in table:
        comparison = BestUnderLimit(title, table.text("limit"), table.text("metric"))
        metrics: tuple[str, ...] = (comparison.limit, comparison.metric)
    elif "against" in table:
        of, against = (read_choice(table, key, settings) for key in ("of", "against"))
        comparison = PaysOff(title, of, against, table.text("closest"))
        metrics = (comparison.closest,)
    else:
        metrics = table.texts("metrics")
        comparison = SideBySide(title, read_choices(table, "of", settings), metrics)
    table.end()
    with table.placed():
        check_metrics(metrics, 1, len(METRICS))
    return comparison
