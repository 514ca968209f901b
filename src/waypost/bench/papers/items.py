"""A paper's tables and figures by their numbers, with what the paper prints in them."""

import re
from dataclasses import dataclass

from waypost.bench.keys import Table
from waypost.bench.papers.illustrations import ILLUSTRATIONS
from waypost.bench.papers.matching import Match, read_match
from waypost.bench.papers.quantities import QUANTITIES

__all__ = ["MEASURES", "Item", "Pair", "Panel", "ReadOff", "Row", "read_item", "read_rows"]

MEASURES = ("break-even", "times less", "costs")
"""How two settings are compared: agents until the first takes less memory, or quotients of a quantity or of costs."""


@dataclass(frozen=True)
class Row:
    """A setting, or several, and the paper's figures for it."""

    label: str
    of: Match
    paper: tuple[float, ...]
    """For each column; nan where the paper's figure is not known."""
    series: str
    """Rows of one series are joined in a figure."""
    is_pooled: bool = False
    """Whether all settings that are meant stand for one, as those of several seeds do."""


@dataclass(frozen=True)
class Panel:
    """A plot: one quantity against another."""

    title: str
    x: str
    y: str
    most_x: float
    """Where it ends, if the paper shows only a part; otherwise 0."""
    most_y: float


@dataclass(frozen=True)
class Pair:
    """Two settings compared."""

    label: str
    of: Match
    against: Match
    measure: str
    quantity: str
    paper: float


@dataclass(frozen=True)
class ReadOff:
    """What settings have between them, where the paper's index has so many regions."""

    label: str
    of: Match
    at: float
    paper: float


@dataclass(frozen=True)
class Item:
    """A table or a figure."""

    number: str
    """As the paper has it: Table 1, Figure 8."""
    title: str
    suite: str = ""
    """Where its rows are from, or nothing."""
    text: tuple[str, ...] = ()
    """What to know about it: departures, what of the paper is not known."""
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    rows_of: str = ""
    """The number of the table whose rows a figure shows."""
    panels: tuple[Panel, ...] = ()
    cutoff: float = 0.0
    """Settings that ever expand more states in a move are left out; 0: none."""
    pairs: tuple[Pair, ...] = ()
    read_off: tuple[ReadOff, ...] = ()
    comparison: str = ""
    """The title of a table of the suite."""
    illustration: str = ""
    """The name of a picture that we draw."""
    facts: tuple[float, ...] = ()
    """What the paper says of its facts, as far as that is not known of the picture."""
    code: str = ""
    """Where pseudocode is implemented."""


def read_item(table: Table) -> Item:
    """One table or figure; what it has besides its number and title says how it is filled."""
    columns = table.texts("columns", ())
    item = Item(
        number=table.text("number"),
        title=table.text("title"),
        suite=table.text("suite", ""),
        text=tuple(line.strip() for line in table.text("text", "").strip().splitlines() if line.strip()),
        columns=columns,
        rows=read_rows(table, len(columns)),
        rows_of=table.text("rows_of", ""),
        panels=tuple(map(_panel, table.tables("panels"))),
        cutoff=table.number("cutoff", 0.0),
        pairs=tuple(map(_pair, table.tables("pairs"))),
        read_off=tuple(map(_read_off, table.tables("read_off"))),
        comparison=table.text("comparison", ""),
        illustration=table.choice("illustration", tuple(ILLUSTRATIONS), "") if "illustration" in table else "",
        facts=table.figures("facts", ()),
        code=table.text("code", ""),
    )
    table.end()
    for name in columns:
        if name not in QUANTITIES:
            raise table.complaint(f"there is no quantity called {name}; there are {', '.join(QUANTITIES)}")
    filled_by = item.rows, item.rows_of, item.pairs, item.read_off, item.comparison, item.illustration, item.code
    if not any(filled_by):
        raise table.complaint(
            "nothing says what fills it: rows, rows_of, pairs, read_off, comparison, illustration or code"
        )
    if item.panels and not (item.rows or item.rows_of):
        raise table.complaint("panels show rows; give rows, or rows_of")
    return item


def read_rows(table: Table, count: int) -> tuple[Row, ...]:
    """Rows with as many of the paper's figures as there are columns, or none."""
    rows = []
    for one in table.tables("rows"):
        of = read_match(one, one.text_or_table("of"))
        label = one.text("label", "")
        unknown = (float("nan"),) * count
        series = one.text("series", re.sub(r" *\([0-9]+\)$", "", label) or of.planner)
        row = Row(label, of, one.figures("paper", unknown), series, one.truth("pooled", False))
        one.end()
        if len(row.paper) != count:
            raise one.complaint(f"paper must list {count} numbers, nan where one is not known")
        rows.append(row)
    return tuple(rows)


def _panel(table: Table) -> Panel:
    names = tuple(QUANTITIES)
    panel = Panel(
        table.text("title", ""), table.choice("x", names), table.choice("y", names),
        table.number("most_x", 0.0), table.number("most_y", 0.0),
    )  # fmt: skip
    table.end()
    return panel


def _read_off(table: Table) -> ReadOff:
    of = read_match(table, table.text_or_table("of"))
    wanted = ReadOff(table.text("label"), of, table.number("at"), table.number("paper"))
    table.end()
    return wanted


def _pair(table: Table) -> Pair:
    of, against = (read_match(table, table.text_or_table(key)) for key in ("of", "against"))
    measure = table.choice("measure", MEASURES)
    quantity = table.choice("quantity", tuple(QUANTITIES), "suboptimality")
    pair = Pair(table.text("label"), of, against, measure, quantity, table.figures("paper")[0])
    table.end()
    return pair
