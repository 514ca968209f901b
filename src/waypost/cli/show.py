"""What commands print: tables and progress bars."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from waypost.trace import Trace


def new_table(title: str, first: str, *columns: str) -> "Table":
    """An empty table; columns after a first one called metric hold numbers."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(first, no_wrap=True)
    for column in columns:
        numeric = first == "metric"
        table.add_column(column, justify="right" if numeric else "left")
    return table


def show(table: "Table") -> None:
    """Print a table."""
    from rich.console import Console

    # Not a terminal: wide enough never to wrap, so that output can be searched and compared.
    Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False).print(table)


def comparison(title: str, runs: "dict[str, list[Trace]]") -> "Table":
    """A table of every metric: means side by side, or more about a planner that stands alone."""
    import numpy as np

    from waypost.metrics import METRICS, Tally
    from waypost.step import Status

    summaries: dict[str, Any] = {"mean": np.mean, "median": np.median, "largest": np.max}
    if len(runs) > 1:
        summaries = {"mean": np.mean}
    elif len(next(iter(runs.values()))) == 1:
        summaries = {"value": np.max}
    table = new_table(title, "metric", *(runs if len(runs) > 1 else summaries))
    arrived = {name: [t for t in traces if t.status is Status.ARRIVED] for name, traces in runs.items()}
    together = [Tally(traces) if traces else None for traces in arrived.values()]
    for metric in METRICS.values():
        values = [np.array([np.nan]) if of_one is None else metric.over(of_one) for of_one in together]
        if not metric.special or np.nan_to_num(np.concatenate(values)).any():
            table.add_row(metric.title, *(_number(summary(v)) for v in values for summary in summaries.values()))
    table.add_row("Arrived", *(f"{len(arrived[name])} / {len(traces)}" for name, traces in runs.items()))
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.2f}"
