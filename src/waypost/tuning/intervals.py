"""How sure a figure is: intervals by resampling the problems, which are the same for all settings."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Interval", "Statistic", "is_above", "is_below", "is_worse", "mean", "median", "most", "of"]

Numbers = npt.NDArray[np.float64]
Statistic = Callable[..., Any]
"""What stands for many problems: `mean`, `median` or `most`, along an axis."""
mean, median, most = np.mean, np.median, np.max

_RESAMPLES = 1000
_SURE, _KEPT = 0.99, 0.95  # that a setting is out; that one keeps a limit, which fresh problems then confirm
_SHOWN = 0.95


class Interval(NamedTuple):
    """A figure, and where the true one is in 95 of 100 cases."""

    value: float
    low: float
    high: float


@lru_cache(maxsize=8)
def _draws(count: int) -> npt.NDArray[np.int64]:
    """The same draws of so many problems each time: settings are compared on the same ones."""
    return np.random.default_rng(count).integers(count, size=(_RESAMPLES, count))


def _resampled(values: Numbers, statistic: Statistic) -> Numbers:
    return np.asarray(statistic(values[_draws(values.size)], axis=1))


def of(values: Numbers, statistic: Statistic) -> Interval:
    """What stands for these problems, with its interval."""
    low, high = np.quantile(_resampled(values, statistic), ((1 - _SHOWN) / 2, (1 + _SHOWN) / 2))
    return Interval(float(statistic(values)), float(low), float(high))


def is_above(values: Numbers, limit: float, statistic: Statistic) -> bool:
    """Whether the true figure is above a limit in 99 of 100 cases."""
    return bool(np.quantile(_resampled(values, statistic), 1 - _SURE) > limit)


def is_below(values: Numbers, limit: float, statistic: Statistic) -> bool:
    """Whether the true figure is at a limit or below it in 95 of 100 cases."""
    return bool(np.quantile(_resampled(values, statistic), _KEPT) <= limit)


def is_worse(values: Numbers, others: Numbers, statistic: Statistic) -> bool:
    """Whether the true figure is above that of another setting on the same problems in 99 of 100 cases."""
    differences = _resampled(values, statistic) - _resampled(others, statistic)
    return bool(np.quantile(differences, 1 - _SURE) > 0)
