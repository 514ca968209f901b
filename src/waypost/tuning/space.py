"""What can be raced: settings worth trying by the catalog, and why some of them cannot be what is wanted."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from waypost.indexes.forecast import Forecast, MapShape
from waypost.planners.entry import Entry
from waypost.tuning.limits import Bounds, in_words

__all__ = ["UNASKED_SECONDS", "Candidate", "Cut", "candidates", "cut", "ladder"]

UNASKED_SECONDS = 60.0
"""Of building an index that are spent where no limit says how many may be."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A planner with a value for each of its parameters."""

    entry: Entry
    values: tuple[tuple[str, Any], ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Candidate) and (self.entry.name, self.values) == (other.entry.name, other.values)

    def __hash__(self) -> int:
        return hash((self.entry.name, self.values))

    @cached_property
    def params(self) -> dict[str, Any]:
        """The values by name."""
        return dict(self.values)

    @cached_property
    def given(self) -> dict[str, Any]:
        """Those that differ from the planner's defaults."""
        return {name: value for name, value in self.values if value != self.entry.params[name].default}

    @property
    def table(self) -> dict[str, Any]:
        """The planner as a table of a suite."""
        offline = {name: value for name, value in self.given.items() if self.entry.params[name].offline}
        online = {name: value for name, value in self.given.items() if name not in offline}
        return {"name": self.entry.name, **online} | ({"index": offline} if offline else {})

    @property
    def offline(self) -> tuple[str, tuple[tuple[str, Any], ...]]:
        """What one build serves."""
        return self.entry.name, tuple(self.entry.offline(self.params).items())

    def but(self, name: str, value: Any) -> "Candidate":
        """The same with another value."""
        return Candidate(self.entry, tuple((key, value if key == name else old) for key, old in self.values))

    def forecast(self, shape: MapShape) -> Forecast | None:
        """What its index would take, by its formula; None if there is none."""
        if self.entry.index is None:
            return Forecast(0.0, 0.0)
        return self.entry.index.forecast(shape, self.entry.offline(self.params))


def ladder(entry: Entry, name: str) -> tuple[Any, ...]:
    """The values of a parameter that are tried: its steps, and before them the default where it is none of them."""
    param = entry.params[name]
    return param.steps if param.default in param.steps else (param.default, *param.steps)


def candidates(entry: Entry) -> Iterator[Candidate]:
    """Every setting of a planner that is worth trying, its defaults first."""
    default = Candidate(entry, tuple((name, param.default) for name, param in entry.params.items()))
    yield default
    for values in itertools.product(*(ladder(entry, name) for name in entry.params)):
        candidate = Candidate(entry, tuple(zip(entry.params, values, strict=True)))
        if candidate != default:
            yield candidate


@dataclass(frozen=True)
class Cut:
    """Why a candidate is not even tried."""

    reason: str
    limit: str = ""
    """The limit that it would break, if another value of that would do."""
    value: float = math.inf
    """What it would need of that."""


def cut(candidate: Candidate, bounds: Bounds, shape: MapShape, threads: int) -> Cut | None:
    """Why a candidate need not be tried, by its promises and by what its index would take at least."""
    entry = candidate.entry
    if not entry.complete:
        return Cut("does not promise to arrive")
    if bounds.agents > 1 and not entry.walks:
        return Cut(f"has no fleets, and there are {bounds.agents:,} agents")
    if bounds.edits and entry.after_edit != "repairs":
        return Cut("does not repair after an edit of the map: it would have to be made again")
    if bounds.real_time:
        if entry.work_bound is None:
            return Cut("is not real-time: the work of a move has no bound")
        bound = entry.work_bound(candidate.params, None) if entry.index is None else 0
        if bound is not None and bound > bounds.response_work:
            return Cut(f"a move may cost {bound:,} units of work", "response_work", bound)
    forecast = candidate.forecast(shape)
    return None if forecast is None else _by_forecast(forecast, bounds, threads)


def _by_forecast(forecast: Forecast, bounds: Bounds, threads: int) -> Cut | None:
    if forecast.least_bytes > bounds.bytes:
        return Cut(
            f"needs some {in_words('memory', forecast.bytes)} by its formula, built or not", "memory", forecast.bytes
        )
    seconds = forecast.least_seconds / threads
    if seconds > min(bounds.build_seconds, UNASKED_SECONDS):
        takes = f"takes some {in_words('build', forecast.seconds / threads)} to build by its formula"
        if math.isinf(bounds.build_seconds):
            return Cut(f"{takes}, and nobody has asked for more than {UNASKED_SECONDS:.0f} s (build)")
        return Cut(takes, "build", forecast.seconds / threads)
    return None
