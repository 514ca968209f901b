"""Claims of a paper, as a suite states them: about which settings, which metric, and what is said of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from waypost import catalog
from waypost.bench.keys import Table
from waypost.errors import shown
from waypost.runs.metrics import METRICS

__all__ = ["RATIO_OF_SUMS_PERCENT", "Choice", "Claim", "read_choice", "read_choices", "read_claim"]

RATIO_OF_SUMS_PERCENT = "ratio_of_sums_percent"
"""Suboptimality of all walks together: no metric of an episode, but papers print it."""

_Settings = Sequence[tuple[str, Mapping[str, Any]]]
"""Those of a suite: a planner and the values of its parameters each."""
_KINDS = ("at_most", "at_least", "below", "not_above", "falls_with", "rises_with")


@dataclass(frozen=True)
class Choice:
    """Some settings of a planner: those with these values of its parameters."""

    planner: str
    values: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    def takes(self, planner: str, values: Mapping[str, Any]) -> bool:
        """Whether a setting is one of them."""
        return planner == self.planner and all(values[name] in allowed for name, allowed in self.values)


@dataclass(frozen=True)
class Claim:
    """What is said of a metric of some settings; just one of the last fields says it, or both bounds do."""

    text: str
    source: str
    of: Choice
    metric: str
    at_most: float | None = None
    at_least: float | None = None
    below: Choice | None = None
    """Less than each of these settings has, ..."""
    or_equal: bool = False
    """... or as much ..."""
    same: tuple[str, ...] = ()
    """... of those that agree in these parameters."""
    at_equal: str = ""
    """... or less than these settings have at the same value of this metric, between two of them."""
    only: tuple[tuple[str, float], ...] = ()
    """Only of settings that have at most so much of these metrics."""
    trend: str = ""
    """A parameter: the metric never rises (or never falls) from one value of it to the next larger one."""
    rises: bool = False
    best: bool = False
    """Only of the setting that has least of the metric."""
    times: float | None = None
    """How many times less the paper has, to stand beside ours; nothing depends on it."""


def read_claim(table: Table, settings: Iterable[tuple[str, Mapping[str, Any]]]) -> Claim:
    """A claim about settings of a suite, each given as its planner and the values of its parameters."""
    found = list(settings)
    text, source, metric = table.text("text"), table.text("source", ""), table.text("metric")
    of = read_choice(table, "of", found)
    given = [kind for kind in _KINDS if kind in table]
    if len(given) != 1 and given != ["at_most", "at_least"]:
        raise table.complaint(f"a claim says one of {', '.join(_KINDS)}, or both bounds; not {len(given)} of them")
    at_most, at_least = (table.number(kind) if kind in table else None for kind in ("at_most", "at_least"))
    below = next((read_choice(table, key, found) for key in ("below", "not_above") if key in table), None)
    same = table.texts("same", ()) if below else ()
    at_equal = table.text("at_equal", "") if below else ""
    only = table.table("only").rest() if "only" in table else {}
    best = table.truth("best", False)
    times = table.number("times") if "times" in table else None
    trends = {kind: table.text(kind) for kind in ("falls_with", "rises_with") if kind in table}
    table.end()
    for name in (metric, *([at_equal] if at_equal else []), *only):
        if name not in (*METRICS, RATIO_OF_SUMS_PERCENT):
            there = ", ".join((*METRICS, RATIO_OF_SUMS_PERCENT))
            raise table.complaint(f"there is no metric called {shown(name)}; there are {there}")
    for name, most in only.items():
        if type(most) not in (int, float):
            raise table.complaint(f"only, {name}, must be a number, not {shown(most)}")
    if at_equal and same:
        raise table.complaint("a claim has either same or at_equal, not both")
    if times is not None and not below:
        raise table.complaint("times is how many times less the paper has, so it goes with below or not_above")
    if best and not {"at_most", "below", "not_above"} & {*given}:
        raise table.complaint("the best setting has least, so best goes with at_most, below or not_above")
    choices = [of, below] if below else [of]
    for name in (*same, *trends.values()):
        for choice in choices:
            _check_param(table, choice.planner, name)
    trend = next(iter(trends.values()), "")
    return Claim(
        text,
        source,
        of,
        metric,
        at_most=at_most,
        at_least=at_least,
        below=below,
        or_equal="not_above" in given,
        same=same,
        at_equal=at_equal,
        only=tuple(only.items()),
        trend=trend,
        rises="rises_with" in trends,
        best=best,
        times=times,
    )


def read_choice(table: Table, key: str, settings: _Settings) -> Choice:
    """Settings by their planner's name, or by a table of it and values of parameters; of lists any value will do."""
    return _choice(table, key, table.text_or_table(key), settings)


def read_choices(table: Table, key: str, settings: _Settings) -> tuple[Choice, ...]:
    """A list of such choices."""
    return tuple(_choice(table, key, given, settings) for given in table.texts_or_tables(key))


def _choice(table: Table, key: str, given: str | dict[str, Any], settings: _Settings) -> Choice:
    values = {"planner": given} if isinstance(given, str) else dict(given)
    planner = values.pop("planner", None)
    if not isinstance(planner, str):
        raise table.complaint(f"{key} must name a planner, or be a table with one and values of its parameters")
    with table.placed():
        name = catalog.find(planner).name
    for parameter in values:
        _check_param(table, name, parameter)
    lists = {parameter: value if isinstance(value, list) else [value] for parameter, value in values.items()}
    choice = Choice(name, tuple((parameter, tuple(allowed)) for parameter, allowed in lists.items()))
    if not any(choice.takes(*setting) for setting in settings):
        raise table.complaint(f"{key} takes in no setting of this suite")
    return choice


def _check_param(table: Table, planner: str, name: str) -> None:
    known = catalog.find(planner).params
    if name not in known:
        raise table.complaint(f"{planner} has no parameter called {shown(name)}; its parameters: {', '.join(known)}")
