"""Figures as reports print them."""

import math
from typing import NamedTuple

__all__ = ["Figure", "number", "with_error"]


class Figure(NamedTuple):
    """What stands for a setting."""

    value: float
    error: float = math.nan
    """The true mean is within so much of it in 95 of 100 cases; unknown if the figure is no mean."""


def number(value: float) -> str:
    """A figure with as many digits as mean something."""
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "never"
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3g}"


def with_error(figure: Figure) -> str:
    """A figure, and half of its 95 % interval where that is known."""
    return number(figure.value) + ("" if math.isnan(figure.error) else f" ± {number(figure.error)}")
