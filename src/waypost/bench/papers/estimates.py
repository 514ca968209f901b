"""What stands for the episodes of a setting, and how far chance may have moved it: over problems and over maps."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.bench.episodes import Columns
from waypost.bench.papers.quantities import Quantity

__all__ = ["Estimate", "Interval", "estimate"]

Numbers = npt.NDArray[np.float64]

_DRAWS = 400
_SEED = 5
_WORST = 0.01


class Interval(NamedTuple):
    """Where 95 of 100 draws lie."""

    low: float = math.nan
    high: float = math.nan

    @property
    def is_known(self) -> bool:
        """Whether there was anything to draw from."""
        return not math.isnan(self.low)

    def holds(self, figure: float) -> bool:
        """Whether a figure lies in it."""
        return self.low <= figure <= self.high


class Estimate(NamedTuple):
    """A quantity over all episodes of a setting."""

    mean: float
    over_problems: Interval
    over_maps: Interval
    ratio_of_sums: float
    median: float
    worst_share: float
    """How much of the mean the worst hundredth of the problems makes, from 0 to 1."""
    episodes: int
    failures: int
    """Episodes that did not arrive; all figures are of the others."""


def estimate(quantity: Quantity, maps: Sequence[Columns]) -> Estimate:
    """Of one setting, the columns of each map's episodes given."""
    values = [quantity.of(columns) for columns in maps]
    every = np.concatenate(values) if values else np.empty(0)
    episodes = sum(len(columns["arrived"]) for columns in maps)
    failures = episodes - every.size
    if not every.size or np.isnan(every).any():
        return Estimate(math.nan, Interval(), Interval(), math.nan, math.nan, math.nan, episodes, failures)
    merged = {name: np.concatenate([columns[name] for columns in maps]) for name in maps[0]}
    return Estimate(
        float(every.mean()),
        _interval(every, np.ones(every.size)),
        _interval(np.array([v.sum() for v in values]), np.array([float(v.size) for v in values])),
        quantity.ratio_of_sums(merged),
        float(np.median(every)),
        _worst_share(every),
        episodes,
        failures,
    )


def _interval(sums: Numbers, counts: Numbers) -> Interval:
    """Of the mean, when units of such sums and counts are drawn again with replacement, the same way every time."""
    if sums.size < 2:
        return Interval()
    random = np.random.default_rng(_SEED)
    draws = np.empty(_DRAWS)
    for i in range(_DRAWS):
        drawn = random.integers(sums.size, size=sums.size)
        of = counts[drawn].sum()
        draws[i] = sums[drawn].sum() / of if of else math.nan
    if np.isnan(draws).all():
        return Interval()
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    return Interval(float(low), float(high))


def _worst_share(values: Numbers) -> float:
    total = float(values.sum())
    count = math.ceil(_WORST * values.size)
    return float(np.partition(values, values.size - count)[values.size - count :].sum()) / total if total else math.nan
