"""What commands print: tables and progress bars."""

import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console
    from rich.table import Table

    from waypost.agents.trace import Trace
    from waypost.planner import Planner

_FIGURE = re.compile(r"[-\d.,/]+( [±→] [-\d.,/]+)?")
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
    _console().print(table)


def show_figures(title: str, head: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> None:
    """Print a table whose figures are never cut: where it is too wide, it goes on below with the same first column.

    Heads and texts may be wrapped between words.
    """
    from rich.table import Table

    console = _console()
    columns = [list(column) for column in zip(head, *rows, strict=True)]
    for piece in _pieces(console.width, columns):
        table = Table(title=title, title_justify="left", title_style="bold")
        for column, width in zip(piece, _widths(console.width, piece), strict=True):
            table.add_column(column[0], width=width, overflow="fold")
        for row in list(zip(*piece, strict=True))[1:]:
            table.add_row(*row)
        console.print(table)
        title = ""  # of the first piece


def _console() -> "Console":
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else WIDE, markup=False, highlight=False)


def _pieces(width: int, columns: "Sequence[list[str]]") -> "Iterator[list[list[str]]]":
    """As many columns at a time as there is room for, each time after the first one, and at least one."""
    first, *others = columns
    piece = [first]
    for column in others:
        if len(piece) > 1 and sum(_widths(0, [*piece, column])) + _borders(len(piece) + 1) > width:
            yield piece
            piece = [first]
        piece.append(column)
    yield piece


def _widths(width: int, columns: "Sequence[list[str]]") -> list[int]:
    """Widths of columns in a table of this width: as narrow as can be, then wider from the left as there is room.

    Figures stay in one line, texts and heads are as wide as their longest word.
    """
    widths, wanted = [], [max(map(len, column)) for column in columns]
    for head, *texts in columns:
        whole = [text for text in texts if _FIGURE.fullmatch(text)]
        widths.append(max(map(len, (*whole, *(word for text in (head, *texts) for word in text.split()))), default=1))
    left = width - sum(widths) - _borders(len(columns))
    for at, most in enumerate(wanted):
        more = max(0, min(left, most - widths[at]))
        widths[at] += more
        left -= more
    return widths


def _borders(count: int) -> int:
    """What lines and spaces between so many columns take."""
    return 3 * count + 1


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
