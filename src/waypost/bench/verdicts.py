"""Verdicts: whether a paper's claims held in a suite's results, setting by setting, with the figures."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from waypost.bench.claims import RATIO_OF_SUMS_PERCENT, Choice, Claim
from waypost.bench.curves import Curve
from waypost.bench.numbers import Figure
from waypost.bench.suite import Setting
from waypost.bench.summary import Summary

__all__ = ["Verdict", "judge"]

_LESS, _NOT_MORE = "less than", "not more than"


@dataclass(frozen=True)
class Verdict:
    """Whether a claim held for one setting. A figure that is not known does not hold."""

    label: str
    figure: Figure
    demand: str
    """What was asked of the figure, in words: less than, at most, ..."""
    against: Figure
    beside: str
    """The label of the setting that the figure was compared with, or nothing."""
    held: bool

    @property
    def times(self) -> Figure:
        """How many times the figure the other is, where no more than that was asked for and both are above 0."""
        mine, other = self.figure, self.against
        if self.demand not in (_LESS, _NOT_MORE) or not (mine.value > 0 and other.value > 0):
            return Figure(math.nan)
        ratio = other.value / mine.value
        return Figure(ratio, ratio * math.hypot(mine.error / mine.value, other.error / other.value))


def judge(claim: Claim, settings: Sequence[Setting], summaries: Sequence[Summary]) -> list[Verdict]:
    """A verdict for every setting that a claim is about, or for every step of a parameter that it is about."""
    by_label = {summary.label: summary for summary in summaries}
    results = {summary.label: _figure(claim.metric, summary) for summary in summaries}
    there = [setting for setting in settings if setting.label in results]
    chosen = [s for s in there if _takes(claim.of, s) and _is_within(claim.only, by_label[s.label])]
    if claim.best and chosen:
        chosen = [_least(chosen, results)]
    if claim.trend:
        verdicts = _along(claim, chosen, results)
    elif claim.below:
        rivals = [setting for setting in there if _takes(claim.below, setting)]
        if not rivals:  # none of them has been run yet
            verdicts = iter(())
        elif claim.at_equal:
            verdicts = _at_equal(claim, chosen, [by_label[rival.label] for rival in rivals], by_label)
        else:
            verdicts = _below(claim, chosen, rivals, results)
    else:
        verdicts = (_within(claim, setting.label, results[setting.label]) for setting in chosen)
    return list(verdicts)


def _within(claim: Claim, label: str, figure: Figure) -> Verdict:
    low, high = claim.at_least, claim.at_most
    held = (low is None or figure.value >= low) and (high is None or figure.value <= high)
    if high is None or (low is not None and figure.value < low):
        return Verdict(label, figure, "at least", Figure(low or 0.0), "", held)
    return Verdict(label, figure, "at most", Figure(high), "", held)


def _below(
    claim: Claim, chosen: Sequence[Setting], rivals: Sequence[Setting], results: dict[str, Figure]
) -> Iterator[Verdict]:
    """Each setting against the lowest of those that it should be below, or one that is not known; if there are any."""
    for setting in chosen:
        alike = [rival for rival in rivals if _values(rival, claim.same) == _values(setting, claim.same)]
        if alike:
            unknown = [rival for rival in alike if math.isnan(results[rival.label].value)]
            rival = unknown[0] if unknown else _least(alike, results)
            figure, other = results[setting.label], results[rival.label]
            yield _against(claim, setting.label, figure, other, rival.label)


def _at_equal(
    claim: Claim, chosen: Sequence[Setting], rivals: Sequence[Summary], by_label: dict[str, Summary]
) -> Iterator[Verdict]:
    """Each setting against what its rivals have where another metric is as large."""
    curve = Curve([(_figure(claim.at_equal, rival), _figure(claim.metric, rival)) for rival in rivals])
    for setting in chosen:
        mine = by_label[setting.label]
        place = _figure(claim.at_equal, mine)
        beside = f"{rivals[0].planner} {curve.where(place)}"
        yield _against(claim, setting.label, _figure(claim.metric, mine), curve.at(place), beside)


def _against(claim: Claim, label: str, figure: Figure, other: Figure, beside: str) -> Verdict:
    """Less than another, or not more."""
    if claim.or_equal:
        return Verdict(label, figure, _NOT_MORE, other, beside, figure.value <= other.value)
    return Verdict(label, figure, _LESS, other, beside, figure.value < other.value)


def _along(claim: Claim, chosen: Sequence[Setting], results: dict[str, Figure]) -> Iterator[Verdict]:
    """Each setting against the next smaller value of the parameter, all others being equal."""
    sweeps: dict[Any, list[Setting]] = {}
    for setting in chosen:
        others = tuple(item for item in setting.values.items() if item[0] != claim.trend)
        sweeps.setdefault(others, []).append(setting)
    for sweep in sweeps.values():
        for before, after in pairwise(sorted(sweep, key=lambda setting: setting.values[claim.trend])):
            figure, other = results[after.label], results[before.label]
            held = figure.value >= other.value if claim.rises else figure.value <= other.value
            demand = "not less than" if claim.rises else _NOT_MORE
            yield Verdict(after.label, figure, demand, other, before.label, held)


def _takes(choice: Choice, setting: Setting) -> bool:
    return choice.takes(setting.planner, setting.values)


def _values(setting: Setting, names: Sequence[str]) -> list[Any]:
    return [setting.values[name] for name in names]


def _least(settings: Sequence[Setting], results: dict[str, Figure]) -> Setting:
    """The setting of the least figure; of unknown ones only where there is no other."""
    return min(settings, key=lambda s: (math.isnan(results[s.label].value), results[s.label].value))


def _is_within(limits: Sequence[tuple[str, float]], summary: Summary) -> bool:
    return all(_figure(metric, summary).value <= most for metric, most in limits)


def _figure(metric: str, summary: Summary) -> Figure:
    """What stands for a setting; nothing if not every episode arrived, for figures of other problems do not compare."""
    if not summary.all_arrived:
        return Figure(math.nan)
    if metric == RATIO_OF_SUMS_PERCENT:
        return Figure(summary.ratio_of_sums_percent)
    return summary.metrics[metric].figure
