"""What settings have at equal cost: a curve through those of them that no other one beats."""

import math
from collections.abc import Sequence

import numpy as np

from waypost.bench.numbers import Figure
from waypost.bench.pareto import non_dominated

__all__ = ["Curve"]

_LEAST = 1e-9  # of places, which are taken by their logarithms


class Curve:
    """Figures by place, which is another metric: on a line between two settings, places by their logarithms.

    Beyond the first and the last setting, theirs counts. If anything about them is unknown, so is all of it.
    """

    def __init__(self, points: Sequence[tuple[Figure, Figure]]) -> None:
        """Each setting is a place and a figure there."""
        seen = [(place.value, figure.value) for place, figure in points]
        on_front = [] if np.isnan(seen).any() else non_dominated(seen, ("lower", "lower"))
        self._places, self._figures = [], []
        for place, figure in sorted(points[i] for i in on_front):
            self._places.append(place)
            self._figures.append(figure)

    def at(self, place: Figure) -> Figure:
        """The figure at a place; its error takes in how far that place, or those of the settings, may be off."""
        if not self._places or math.isnan(place.value):
            return Figure(math.nan)
        values, errors = ([one[i] for one in self._figures] for i in range(2))
        off = math.hypot(place.error, self._between(place.value, [one.error for one in self._places]))
        low, high = (self._between(place.value + side, values) for side in (-off, off))
        error = math.hypot(self._between(place.value, errors), (high - low) / 2)
        return Figure(self._between(place.value, values), error)

    def where(self, place: Figure) -> str:
        """The place in words; beyond the ends it is the end."""
        if not self._places or math.isnan(place.value):
            return "at an unknown place"
        nearest = min(max(place.value, self._places[0].value), self._places[-1].value)
        return f"at {place.value:.4g}" if nearest == place.value else f"at its end, {nearest:.4g}"

    def _between(self, place: float, values: Sequence[float]) -> float:
        across = [math.log(max(at, _LEAST)) for at in (place, *(one.value for one in self._places))]
        return float(np.interp(across[0], across[1:], values))
