"""Suites as papers run them: with changes, beside planners of today, to scale, or on stand-ins for benchmark maps."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from waypost import catalog
from waypost.bench.keys import Table
from waypost.bench.papers.description import Paper, SuiteUse, planners_beyond
from waypost.bench.papers.matching import Match, read_match
from waypost.bench.suite import Setting, Suite, make_suite, suite_values

__all__ = ["Scale", "suite_of"]

_MERGED = ("problems", "limits")
_REPLACED = ("maps", "diagonals", "costs", "timing", "rounds")
_PLACES = ("planner", "claim", "table")
"""Where values of parameters stand."""


class Scale:
    """How a paper is run: whole or quick, on benchmark maps or on stand-ins."""

    def __init__(self, *, quick: bool, standin: bool) -> None:
        self.quick = quick
        self.standin = standin

    def values_of(self, use: SuiteUse) -> Mapping[str, Mapping[str, Any]]:
        """Values of parameters that stand for others, by the parameter's name and the other value's text."""
        return use.quick.get("values", {}) if self.quick else {}

    def is_of_today(self, paper: Paper, use: SuiteUse, setting: Setting) -> bool:
        """Whether a setting is a planner of today as it is by default, but for what these maps and this scale need."""
        if setting.preset or setting.planner not in planners_beyond():
            return False
        expected = {name: param.default for name, param in catalog.find(setting.planner).params.items()}
        for given in (paper.instead, use.quick.get("with", {}) if self.quick else {}):
            wanted = dict(given.get(setting.planner, {}))
            expected |= wanted.pop("index", {}) | wanted
        return dict(setting.values) == expected

    def match(self, use: SuiteUse, match: Match) -> Match:
        """Which settings stand for those that a description means."""
        if match.as_it_is:
            return match
        values = self.values_of(use)
        scaled = (
            (name, tuple(values.get(name, {}).get(str(value), value) for value in allowed))
            for name, allowed in match.values
        )
        return replace(match, values=tuple(scaled))


def suite_of(paper: Paper, use: SuiteUse, scale: Scale) -> Suite:
    """A suite with all changes."""
    values = deepcopy(suite_values(use.base))
    if isinstance(values.get("planner"), list) and use.beyond:
        values["planner"] = [*values["planner"], *_beyond(paper, values["planner"])]
    _change(values, use.change)
    _add(values["planner"], use.change.get("with", {}))
    if scale.standin:
        _change(values, use.standin)
    if scale.quick:
        stands = {"maps", *use.standin} if scale.standin else set()  # stand-ins are small as they are
        quick = {key: value for key, value in use.quick.items() if key not in stands}
        _change(values, quick)
        for place in _PLACES:
            values[place] = _scaled(values.get(place, []), use.quick.get("values", {}))
        _add(values["planner"], use.quick.get("with", {}))
    values.pop("published", None)  # the paper's own description has them
    if use.sensitivity:
        for key in ("claim", "table", "plot", "front"):
            values.pop(key, None)
    if use.claims:
        values["claim"] = [claim for claim in values.get("claim", []) if claim["text"] in use.claims]
    suite = make_suite(use.name, values)
    table = Table({}, f"paper {paper.name}, suite {use.name}")
    skipped = [read_match(table, one) for one in use.quick.get("skip", ())] if scale.quick else []
    only = [scale.match(use, match) for match in use.only]
    kept = [
        setting
        for setting in suite.settings
        if (not only or any(match.takes(setting) for match in only))
        and not any(match.takes(setting) for match in skipped)
    ]
    if not kept:
        raise table.complaint("no setting is left to run")
    return replace(suite, settings=tuple(kept))


def _beyond(paper: Paper, there: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Planners of today that do not run with their defaults already."""
    index = {one["name"] for one in there if set(one) == {"name"}}
    wanted = (name for name in planners_beyond() if name not in index)
    return [{"name": name, **paper.instead.get(name, {})} for name in wanted]


def _change(values: dict[str, Any], change: Mapping[str, Any]) -> None:
    for key in _REPLACED:
        if key in change:
            values[key] = deepcopy(change[key])
    for key in _MERGED:
        if key in change:
            kept = values.get(key, {})
            if {"random", "scenarios"} & set(change[key]):  # another way to choose
                kept = {name: value for name, value in kept.items() if name not in ("random", "scenarios")}
            values[key] = kept | dict(change[key])


def _scaled(given: Any, values: Mapping[str, Mapping[str, Any]]) -> Any:
    """The same with values of parameters exchanged, wherever they stand."""
    if isinstance(given, list):
        return [_scaled(one, values) for one in given]
    if not isinstance(given, dict):
        return given
    exchanged = {}
    for name, value in given.items():
        if name in values and isinstance(value, list):
            exchanged[name] = list(dict.fromkeys(values[name].get(str(one), one) for one in value))
        elif name in values:
            exchanged[name] = values[name].get(str(value), value)
        else:
            exchanged[name] = _scaled(value, values)
    return exchanged


def _add(planners: list[dict[str, Any]], more: Mapping[str, Mapping[str, Any]]) -> None:
    """Parameters that planners take besides."""
    for planner in planners:
        given = more.get(planner["name"], {})
        index = planner.get("index", {}) | given.get("index", {})
        planner.update(given)
        if index:
            planner["index"] = index
