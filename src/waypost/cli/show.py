"""What commands print: tables and progress bars."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table

    from waypost.agents.trace import Trace
    from waypost.planner import Planner

WIDE = 160  # where there is no terminal: wide enough never to wrap, so that output can be searched and compared


def new_table(title: str, first: str, *columns: str, numeric: bool = False) -> "Table":
    """An empty table; columns after a first one called metric hold numbers, or if it is `numeric`."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(first, no_wrap=first != "metric")  # on a narrow terminal the names of metrics give way
    numeric = numeric or first == "metric"
    for column in columns:
        table.add_column(column, justify="right" if numeric else "left", no_wrap=numeric)
    return table


def show(table: "Table") -> None:
    """Print a table."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDE, markup=False, highlight=False).print(table)


@contextmanager
def live() -> "Iterator[Callable[[Table], None]]":
    """A place on the terminal that is drawn over by each table it is given; nothing where there is no terminal."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda table: None  # noqa: ARG005
        return
    with Live(console=console, transient=True, auto_refresh=False) as place:
        yield lambda table: place.update(table, refresh=True)


def show_metrics(title: str, traces: "list[Trace]", planner: "Planner") -> None:
    """Print a table of the metrics of one planner's runs, and how many of them ran out of moves."""
    import numpy as np

    from waypost.agents.step import RunStatus
    from waypost.runs.metrics import METRICS, Tally, index_facts

    summaries: dict[str, Any] = {"mean": np.mean, "median": np.median, "largest": np.max}
    if len(traces) == 1:
        summaries = {"value": np.max}
    table = new_table(title, "metric", *summaries)
    arrived = [trace for trace in traces if trace.status is RunStatus.ARRIVED]
    table.add_row("Arrived", f"{len(arrived)}/{len(traces)}")
    tally = Tally.of(arrived, index_facts(planner)) if arrived else None
    for metric in METRICS.values():
        values = np.array([np.nan]) if tally is None else metric.over(tally)
        if metric.special and not np.nan_to_num(values).any():
            continue
        table.add_row(metric.title, *(_number(summary(values)) for summary in summaries.values()))
    show(table)
    if short := [trace.moves for trace in traces if trace.status is not RunStatus.ARRIVED]:
        print(
            f"{planner.entry.name}: {len(short)} of {len(traces)} problems ran out of moves after {max(short):,}; "
            "the figures are of those that arrived."
        )


def _number(value: float) -> str:
    if value != value:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.2f}"
