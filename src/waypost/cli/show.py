"""What commands print: tables and progress bars."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.table import Table

    from waypost.agents.trace import Trace
    from waypost.runs.metrics import IndexFacts

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


def show_comparison(
    title: str,
    runs: "dict[str, list[Trace]]",
    metrics: "Iterable[str] | None" = None,
    facts: "dict[str, IndexFacts] | None" = None,
) -> None:
    """Print a table of metrics, planners side by side or more about one alone, and who ran out of moves.

    The facts are those of the indexes of planners that have one.
    """
    import numpy as np

    from waypost.agents.step import RunStatus
    from waypost.runs.metrics import METRICS, NO_INDEX, Tally

    summaries: dict[str, Any] = {"mean": np.mean, "median": np.median, "largest": np.max}
    if len(next(iter(runs.values()))) == 1:
        summaries = {"value": np.max}
    table = new_table(title, "metric", *(runs if len(runs) > 1 else summaries))
    arrived = {name: [t for t in traces if t.status is RunStatus.ARRIVED] for name, traces in runs.items()}
    table.add_row("Arrived", *(f"{len(arrived[name])}/{len(traces)}" for name, traces in runs.items()))
    of_index = facts or {}
    together = [Tally.of(runs, of_index.get(name, NO_INDEX)) if runs else None for name, runs in arrived.items()]
    for metric in (METRICS[name] for name in metrics or METRICS):
        values = [np.array([np.nan]) if of_one is None else metric.over(of_one) for of_one in together]
        if metric.special and not np.nan_to_num(np.concatenate(values)).any():
            continue
        chosen = [metric.over_runs] if len(runs) > 1 else summaries.values()
        table.add_row(metric.title, *(_number(summary(v)) for v in values for summary in chosen))
    show(table)
    if len(runs) > 1:
        print("Means over the problems; of times the median, of the most work the largest.")
    for name, traces in runs.items():
        short = [t.moves for t in traces if t.status is not RunStatus.ARRIVED]
        if short:
            print(
                f"{name}: {len(short)} of {len(traces)} problems ran out of moves after {max(short):,}; "
                "the figures are of those that arrived."
            )


def _number(value: float) -> str:
    if value != value:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.2f}"
