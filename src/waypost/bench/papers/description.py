"""A paper as its TOML file describes it: suites, tables and figures with the paper's numbers, causes, sensitivity."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from waypost.bench.keys import Table
from waypost.bench.papers.items import Item, Row, read_item, read_rows
from waypost.bench.papers.matching import Match, read_match
from waypost.bench.papers.quantities import QUANTITIES
from waypost.errors import WaypostError, shown
from waypost.system.files import read_bytes

__all__ = [
    "STATISTICS", "Cause", "Paper", "Rules", "Sets", "Statistic", "SuiteUse", "Titled", "planners_beyond", "read_paper",
    "shipped_papers",
]  # fmt: skip

SHIPPED = resources.files("waypost.bench") / "papers"
_MOST_BYTES = 1 << 20
STATISTICS = ("lowest", "mean", "median", "deviation", "highest")


@dataclass(frozen=True)
class SuiteUse:
    """A suite that a paper runs, and what is changed in it."""

    name: str
    """Of its results; a suite may be used twice."""
    base: str
    """The suite's file."""
    why: tuple[str, ...]
    """Why these maps and rules."""
    change: Mapping[str, Any]
    """Keys of the suite that are replaced."""
    only: tuple[Match, ...]
    """The settings that run; all if there are none."""
    claims: tuple[str, ...]
    """The claims of the suite that are judged here, by their texts; all if none are named."""
    beyond: bool
    """Whether planners of today run beside the paper's."""
    sensitivity: bool
    """Whether it is only there for the sections on sensitivity, without claims of its own."""
    quick: Mapping[str, Any]
    """What --quick changes: maps, problems, limits, `values` of parameters to scale, `with` more, `skip` some."""
    standin: Mapping[str, Any]
    """Maps and problems where there are no benchmark maps."""


@dataclass(frozen=True)
class Statistic:
    """What the paper says of its problems."""

    title: str
    suite: str
    of: Match
    quantity: str
    paper: tuple[float, ...]
    """As STATISTICS; nan where the paper is silent."""


@dataclass(frozen=True)
class Cause:
    """Why a claim is missed, as far as that is known."""

    claim: str
    """The claim's text."""
    text: tuple[str, ...]
    command: str
    """What shows it."""
    holds: float
    """The share of settings for which the claim holds all the same; less is no longer explained."""


@dataclass(frozen=True)
class Rules:
    """The same settings in several suites that differ in one rule."""

    title: str
    suites: tuple[str, ...]
    quantity: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Sets:
    """Random sets of maps of one kind: how far the choice of maps decides."""

    title: str
    suite: str
    quantity: str
    rows: tuple[Row, ...]
    take: tuple[tuple[str, int], ...]
    """How many maps whose names begin like this are in each set, besides those that always are."""
    always: tuple[str, ...]
    cells: tuple[float, float] | None
    """Sets whose mean number of cells, walls included, is outside are left out."""
    draws: int
    by_sums: bool
    """Whether the figure of a set is the quotient of its mean costs, and not the mean of quotients."""


@dataclass(frozen=True)
class Titled:
    """A departure, or something that cannot be reproduced: what, what of it, and what shows it."""

    what: str
    text: tuple[str, ...]
    command: str = ""


@dataclass(frozen=True)
class Paper:
    """All that is known of a paper beforehand."""

    name: str
    title: str
    source: str
    about: tuple[str, ...]
    suites: tuple[SuiteUse, ...]
    items: tuple[Item, ...]
    statistics: tuple[Statistic, ...]
    causes: tuple[Cause, ...]
    rules: tuple[Rules, ...]
    sets: tuple[Sets, ...]
    departures: tuple[Titled, ...]
    missing: tuple[Titled, ...]
    instead: Mapping[str, Any]
    """Parameters that a planner of today takes on these maps, by its name."""


def shipped_papers() -> list[str]:
    """Names of the papers that come with Waypost: the years."""
    files = (file.name for file in SHIPPED.iterdir())
    return sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml") and name[0].isdigit())


def planners_beyond() -> list[str]:
    """Planners of today, which every paper's tables have beside its own: one line each in beyond.toml."""
    return list(tomllib.loads((SHIPPED / "beyond.toml").read_text())["planners"])


def read_paper(name: str) -> Paper:
    """A paper by its year, or by a file."""
    if name.endswith(".toml"):
        content, short = read_bytes(name, "paper", _MOST_BYTES), Path(name).stem
    elif name in shipped_papers():
        content, short = (SHIPPED / f"{name}.toml").read_bytes(), name
    else:
        there = ", ".join(shipped_papers())
        raise WaypostError(f"there is no paper called {shown(name)}; there are {there}, or give a .toml file")
    try:
        values = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise WaypostError(f"paper {name} is not TOML: {' '.join(str(error).split())}") from None
    return _read(short, Table(values, f"paper {short}"))


def _read(name: str, table: Table) -> Paper:
    paper = Paper(
        name=name,
        title=table.text("title"),
        source=table.text("source"),
        about=_sentences(table, "about"),
        suites=tuple(map(_suite, table.tables("suite"))),
        items=tuple(map(read_item, table.tables("item"))),
        statistics=tuple(map(_statistic, table.tables("statistic"))),
        causes=tuple(map(_cause, table.tables("cause"))),
        rules=tuple(map(_rules, table.tables("rules"))),
        sets=tuple(map(_sets, table.tables("sets"))),
        departures=tuple(map(_titled, table.tables("departure"))),
        missing=tuple(map(_titled, table.tables("missing"))),
        instead=table.table("instead").rest(),
    )
    table.end()
    names = {use.name for use in paper.suites}
    used = [item.suite for item in paper.items if item.suite] + [sets.suite for sets in paper.sets]
    used += [one.suite for one in paper.statistics] + [name for rules in paper.rules for name in rules.suites]
    for suite in used:
        if suite not in names:
            raise table.complaint(f"there is no suite called {shown(suite)} in this paper")
    return paper


def _sentences(table: Table, key: str, default: str = "") -> tuple[str, ...]:
    """A text, each of whose lines is a sentence."""
    lines = table.text(key, default).strip().splitlines()
    return tuple(line.strip() for line in lines if line.strip())


def _suite(table: Table) -> SuiteUse:
    name = table.text("name")
    use = SuiteUse(
        name=name,
        base=table.text("base", name),
        why=_sentences(table, "why"),
        change=table.table("change").rest(),
        only=tuple(read_match(table, one) for one in _optional(table, "only")),
        claims=table.texts("claims", ()),
        beyond=table.truth("beyond", False),
        sensitivity=table.truth("sensitivity", False),
        quick=table.table("quick").rest(),
        standin=table.table("standin").rest(),
    )
    table.end()
    return use


def _optional(table: Table, key: str) -> list[Any]:
    return list(table.texts_or_tables(key)) if key in table else []


def _quantity(table: Table) -> str:
    return table.choice("quantity", tuple(QUANTITIES))


def _statistic(table: Table) -> Statistic:
    of = read_match(table, table.text_or_table("of"))
    statistic = Statistic(table.text("title"), table.text("suite"), of, _quantity(table), table.figures("paper"))
    table.end()
    if len(statistic.paper) != len(STATISTICS):
        raise table.complaint(f"paper lists {', '.join(STATISTICS)}, nan where it is silent")
    return statistic


def _cause(table: Table) -> Cause:
    cause = Cause(table.text("claim"), _sentences(table, "text"), table.text("command"), table.number("holds", 0.0))
    table.end()
    return cause


def _rules(table: Table) -> Rules:
    rules = Rules(table.text("title"), table.texts("suites"), _quantity(table), read_rows(table, 1))
    table.end()
    return rules


def _sets(table: Table) -> Sets:
    sets = Sets(
        table.text("title"), table.text("suite"), _quantity(table), read_rows(table, 1),
        tuple(table.table("take").rest().items()), table.texts("always", ()), table.pair("cells", None),
        table.whole("draws", 1000, lowest=1, highest=100_000), table.truth("by_sums", False),
    )  # fmt: skip
    table.end()
    return sets


def _titled(table: Table) -> Titled:
    titled = Titled(table.text("what"), _sentences(table, "text"), table.text("command", ""))
    table.end()
    return titled
