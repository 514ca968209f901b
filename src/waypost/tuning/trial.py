"""A candidate in a race: what is known of it so far, and which limits it keeps."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.bench.episodes import Columns
from waypost.planners.names import PlannerName
from waypost.tuning import intervals
from waypost.tuning.folder import Clocked, Facts
from waypost.tuning.intervals import Interval, Statistic
from waypost.tuning.limits import Bounds, Objective, in_words
from waypost.tuning.space import Candidate

__all__ = ["Figures", "Trial", "Violation"]

_ONLINE_UNIT = 1024
_ENOUGH = 16  # problems, before a mean is believed ...
_GROSS = 10  # ... unless it is so many times too large, and a percentage point more
_OF_OBJECTIVE: dict[Objective, tuple[str, Statistic]] = {
    "suboptimality": ("suboptimality_percent", intervals.mean),
    "time": ("move_us_mean", intervals.median),
}


class Violation(NamedTuple):
    """A limit that a trial breaks."""

    limit: str
    value: float
    bound: float
    sure: bool
    """Whether more problems would hardly change that."""

    @property
    def ratio(self) -> float:
        """How many times too much it is."""
        return self.value / self.bound if self.bound > 0 else math.inf

    def __str__(self) -> str:
        if self.limit == "arrival":
            return f"{self.value:,.0f} walks did not arrive"
        return f"{self.limit} is {in_words(self.limit, self.value)}, and {in_words(self.limit, self.bound)} the limit"


class Figures(NamedTuple):
    """What is known of a trial: each with its interval where it was measured on problems."""

    problems: int
    arrived: int
    suboptimality: Interval
    move_us: Interval
    memory: float
    index_bytes: float
    build_seconds: float
    work_bound: float
    most_work: float
    response_us: float
    """The bound on the work of a move, times what a unit of work takes."""


@dataclass(eq=False)
class Trial:
    """A candidate and what is known of it so far."""

    candidate: Candidate
    label: str
    facts: Facts | None = None
    rows: Columns = field(default_factory=dict)
    walked: int = 0
    clocked: Clocked | None = None
    fell: str = ""
    """Why it is out of the race, in words; nothing while it is in."""
    beaten_by: "Trial | None" = None
    """The better one, if it is out for that alone."""
    needs: tuple[Violation, ...] = ()
    """What it would need to be in it, if that is known: limits that it breaks."""
    _known: dict[object, Any] = field(default_factory=dict)

    @property
    def planner(self) -> PlannerName:
        """The name of its planner."""
        return PlannerName(self.candidate.entry.name)

    @property
    def has_walked(self) -> bool:
        """Whether anything was measured on problems."""
        return self.walked > 0 and self.facts is not None

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """A figure of each problem that it arrived at."""
        arrived = self.rows["arrived"].astype(bool)
        return np.asarray(self.rows[name], np.float64)[arrived]

    @property
    def stray(self) -> int:
        """Walks that did not arrive."""
        return int((~self.rows["arrived"].astype(bool)).sum()) if self.has_walked else 0

    def objective_of(self, objective: Objective, bounds: Bounds) -> tuple[npt.NDArray[np.float64], Statistic]:
        """Values over the problems of an objective, and what stands for them."""
        if objective == "memory":
            held = np.asarray(self.rows["online_kb"], np.float64) * _ONLINE_UNIT
            return (self.facts.index_bytes if self.facts else 0) + bounds.agents * held, intervals.most
        name, statistic = _OF_OBJECTIVE[objective]
        return self.column(name), statistic

    def value_of(self, objective: Objective, bounds: Bounds) -> float:
        """What an objective comes to, infinite if nothing is known of it."""
        return float(self._once((objective, bounds), lambda: self._value_of(objective, bounds)))

    def violations(self, bounds: Bounds) -> tuple[Violation, ...]:
        """Limits that it breaks, as far as it has come."""
        found: tuple[Violation, ...] = self._once(bounds, lambda: tuple(self._violations(bounds)))
        return found

    def _once(self, what: object, find: Callable[[], Any]) -> Any:
        """What is known after so many problems, found out once: it is asked for whenever trials are compared."""
        key = what, self.walked, self.clocked, self.facts
        if key not in self._known:
            self._known[key] = find()
        return self._known[key]

    def _value_of(self, objective: Objective, bounds: Bounds) -> float:
        if not self.has_walked or self.stray:
            return math.inf
        if objective == "time" and self.clocked:
            return self.clocked.move_us
        values, statistic = self.objective_of(objective, bounds)
        return float(statistic(values))

    def memory(self, bounds: Bounds) -> float:
        """Bytes: of the index with all that is derived from it, and of what each agent holds at most."""
        if self.facts is None:
            return math.inf
        online = float(np.max(self.rows["online_kb"], initial=0.0)) if self.has_walked else 0.0
        return self.facts.index_bytes + bounds.agents * online * _ONLINE_UNIT

    @property
    def unit_us(self) -> float:
        """What a unit of work takes here: the median over walks."""
        work = self.column("work_per_move_mean")
        return float(np.median(self.column("move_us_mean") / np.maximum(work, 1e-9))) if work.size else math.nan

    def _violations(self, bounds: Bounds) -> Iterator[Violation]:
        if self.facts is None:
            return
        yield from _above("build", self.facts.build_seconds, bounds.build_seconds)
        yield from _above("response_work", self.facts.work_bound, bounds.response_work)
        yield from _above("memory", self.memory(bounds), bounds.bytes)
        if not self.has_walked:
            return
        if self.stray:
            yield Violation("arrival", self.stray, 0, sure=True)
            return
        yield from _above("response_work", float(self.rows["work_per_move_max"].max()), bounds.response_work)
        if math.isfinite(bounds.response_us):
            yield from _above("response_us", self.facts.work_bound * self.unit_us, bounds.response_us)
            if self.clocked:
                yield from _above("response_us", self.clocked.p999_us, bounds.response_us)
        percent = self.column("suboptimality_percent")
        if math.isfinite(bounds.percent) and float(percent.mean()) > bounds.percent:
            is_gross = float(percent.mean()) > _GROSS * (bounds.percent + 1)
            enough = percent.size >= _ENOUGH
            sure = is_gross or (enough and intervals.is_above(percent, bounds.percent, intervals.mean))
            yield Violation("suboptimality", float(percent.mean()), bounds.percent, sure)

    def keeps_for_sure(self, bounds: Bounds) -> bool:
        """Whether it keeps the limit on suboptimality in 95 of 100 cases, and all others."""
        if self.violations(bounds):
            return False
        percent = self.column("suboptimality_percent")
        return math.isinf(bounds.percent) or intervals.is_below(percent, bounds.percent, intervals.mean)

    def figures(self, bounds: Bounds) -> Figures:
        """All that is known."""
        facts = self.facts or Facts(0, math.inf, math.nan)
        arrived = int(self.rows["arrived"].sum())
        nothing = Interval(math.nan, math.nan, math.nan)
        time = intervals.of(self.column("move_us_mean"), intervals.median) if arrived else nothing
        if self.clocked:  # the interval of the rows, around the better figure
            shift = self.clocked.move_us / time.value
            time = Interval(*(shift * each for each in time))
        return Figures(
            problems=self.walked,
            arrived=arrived,
            suboptimality=intervals.of(self.column("suboptimality_percent"), intervals.mean) if arrived else nothing,
            move_us=time,
            memory=self.memory(bounds),
            index_bytes=facts.index_bytes,
            build_seconds=facts.build_seconds,
            work_bound=facts.work_bound,
            most_work=float(self.rows["work_per_move_max"].max(initial=0)),
            response_us=facts.work_bound * self.unit_us,
        )


def _above(limit: str, value: float, bound: float) -> Iterator[Violation]:
    """A figure that is exact, or as good as that, if it is above its limit."""
    if value > bound:
        yield Violation(limit, value, bound, sure=True)
