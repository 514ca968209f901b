"""Verdicts: whether a paper's claims held in a suite's results, setting by setting, with the figures."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from waypost.bench.claims import RATIO_OF_SUMS_PERCENT, Choice, Claim
from waypost.bench.suite import Setting
from waypost.bench.summary import Summary

__all__ = ["Verdict", "judge"]

_NORMAL_95 = 1.96


@dataclass(frozen=True)
class Verdict:
    """Whether a claim held for one setting. A figure that is not known does not hold."""

    label: str
    figure: float
    demand: str
    """What was asked of the figure, in words: less than, at most, ..."""
    against: float
    beside: str
    """The label of the setting that the figure was compared with, or nothing."""
    held: bool
    error: float = math.nan
    """The true mean is within so much of the figure in 95 of 100 cases; unknown if the figure is no mean."""
    error_against: float = math.nan


def judge(claim: Claim, settings: Sequence[Setting], summaries: Sequence[Summary]) -> list[Verdict]:
    """A verdict for every setting that a claim is about, or for every step of a parameter that it is about."""
    by_label = {summary.label: summary for summary in summaries}
    results = {summary.label: _figure(claim.metric, summary) for summary in summaries}
    there = [setting for setting in settings if setting.label in results]
    chosen = [s for s in there if _takes(claim.of, s) and _is_within(claim.only, by_label[s.label])]
    if claim.trend:
        verdicts = _along(claim, chosen, results)
    elif claim.below:
        rivals = [setting for setting in there if _takes(claim.below, setting)]
        if claim.at_equal:
            verdicts = _at_equal(claim, chosen, [by_label[rival.label] for rival in rivals], by_label)
        else:
            verdicts = _below(claim, chosen, rivals, results)
    else:
        verdicts = (_within(claim, setting.label, results[setting.label]) for setting in chosen)
    errors = {summary.label: _error(claim.metric, summary) for summary in summaries}
    return [
        replace(verdict, error=errors[verdict.label], error_against=errors.get(verdict.beside, math.nan))
        for verdict in verdicts
    ]


def _within(claim: Claim, label: str, figure: float) -> Verdict:
    low, high = claim.at_least, claim.at_most
    held = (low is None or figure >= low) and (high is None or figure <= high)
    if high is None or (low is not None and figure < low):
        return Verdict(label, figure, "at least", low or 0.0, "", held)
    return Verdict(label, figure, "at most", high, "", held)


def _below(
    claim: Claim, chosen: Sequence[Setting], rivals: Sequence[Setting], results: dict[str, float]
) -> Iterator[Verdict]:
    """Each setting against the lowest of those that it should be below, or one that is not known; if there are any."""
    for setting in chosen:
        alike = [rival for rival in rivals if _values(rival, claim.same) == _values(setting, claim.same)]
        if alike:
            least = min(alike, key=lambda rival: (not math.isnan(results[rival.label]), results[rival.label]))
            figure, other = results[setting.label], results[least.label]
            yield Verdict(setting.label, figure, "less than", other, least.label, figure < other)


def _at_equal(
    claim: Claim, chosen: Sequence[Setting], rivals: Sequence[Summary], by_label: dict[str, Summary]
) -> Iterator[Verdict]:
    """Each setting against what its rivals have where another metric is as large: on a line between two of them.

    That metric is taken on a logarithmic scale; beyond the first and the last of them, theirs counts.
    """
    points = sorted((_figure(claim.at_equal, rival), _figure(claim.metric, rival)) for rival in rivals)
    across, up = (list(values) for values in zip(*points, strict=True))
    for setting in chosen:
        mine = by_label[setting.label]
        figure, place = _figure(claim.metric, mine), _figure(claim.at_equal, mine)
        other = float(np.interp(_log(place), [_log(value) for value in across], up))
        beside = f"{rivals[0].planner} at {place:.4g}"
        yield Verdict(setting.label, figure, "less than", other, beside, figure < other)


def _log(value: float) -> float:
    return math.log(max(value, 1e-9))


def _along(claim: Claim, chosen: Sequence[Setting], results: dict[str, float]) -> Iterator[Verdict]:
    """Each setting against the next smaller value of the parameter, all others being equal."""
    sweeps: dict[Any, list[Setting]] = {}
    for setting in chosen:
        others = tuple(item for item in setting.values.items() if item[0] != claim.trend)
        sweeps.setdefault(others, []).append(setting)
    for sweep in sweeps.values():
        for before, after in pairwise(sorted(sweep, key=lambda setting: setting.values[claim.trend])):
            figure, other = results[after.label], results[before.label]
            held = figure >= other if claim.rises else figure <= other
            demand = "not less than" if claim.rises else "not more than"
            yield Verdict(after.label, figure, demand, other, before.label, held)


def _takes(choice: Choice, setting: Setting) -> bool:
    return choice.takes(setting.planner, setting.values)


def _values(setting: Setting, names: Sequence[str]) -> list[Any]:
    return [setting.values[name] for name in names]


def _is_within(limits: Sequence[tuple[str, float]], summary: Summary) -> bool:
    return all(_figure(metric, summary) <= most for metric, most in limits)


def _figure(metric: str, summary: Summary) -> float:
    """What stands for a setting; nothing if not every episode arrived, for figures of other problems do not compare."""
    if not summary.all_arrived:
        return math.nan
    if metric == RATIO_OF_SUMS_PERCENT:
        return summary.ratio_of_sums_percent
    return summary.mean(metric)


def _error(metric: str, summary: Summary) -> float:
    """Half of the 95 % interval, by the standard error of the mean; not a number if the figure is no mean."""
    if metric == RATIO_OF_SUMS_PERCENT:
        return math.nan
    stats = summary.metrics[metric]
    return _NORMAL_95 * stats.standard_error if stats.headline == stats.mean else math.nan
