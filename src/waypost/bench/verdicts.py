"""Verdicts: whether a paper's claims held in a suite's results, setting by setting, with the figures."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from waypost.bench.claims import RATIO_OF_SUMS_PERCENT, Choice, Claim
from waypost.bench.suite import Setting
from waypost.bench.summary import Summary

__all__ = ["Verdict", "judge"]


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


def judge(claim: Claim, settings: Sequence[Setting], summaries: Sequence[Summary]) -> list[Verdict]:
    """A verdict for every setting that a claim is about, or for every step of a parameter that it is about."""
    results = {summary.label: _figure(claim, summary) for summary in summaries}
    chosen = [setting for setting in settings if setting.label in results and _takes(claim.of, setting)]
    if claim.trend:
        return [*_along(claim, chosen, results)]
    if claim.below:
        rivals = [setting for setting in settings if setting.label in results and _takes(claim.below, setting)]
        return [*_below(claim, chosen, rivals, results)]
    return [_within(claim, setting.label, results[setting.label]) for setting in chosen]


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


def _figure(claim: Claim, summary: Summary) -> float:
    """What stands for a setting; nothing if not every episode arrived, for figures of other problems do not compare."""
    if not summary.all_arrived:
        return math.nan
    if claim.metric == RATIO_OF_SUMS_PERCENT:
        return summary.ratio_of_sums_percent
    return summary.mean(claim.metric)
