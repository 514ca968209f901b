"""What was measured, and what can be said of it: one `Figures` per library and world."""

import math
import statistics
from dataclasses import dataclass, field
from typing import Any

from benchmarks.peers.walks import CUTS, LEGAL, WRONG

SAME = 1e-6
"""Lengths are sums of floats: this much of a difference is none."""


@dataclass(frozen=True)
class Figures:
    """One library on one world; `missing` says why there are no figures."""

    library: str
    ours: bool
    missing: str = ""
    version: str = ""
    ready_seconds: float = math.nan
    first_ms: float = math.nan
    rounds: int = 0
    query_ms: list[float] = field(default_factory=list)
    """Of the first problems of the world, in order: the median over rounds."""
    verdicts: dict[str, int] = field(default_factory=dict)
    ratios: list[float] = field(default_factory=list)
    memory_bytes: int = 0

    @property
    def mean_ms(self) -> float:
        """Mean time of a query."""
        return statistics.fmean(self.query_ms)

    @property
    def median_ms(self) -> float:
        """Median time of a query."""
        return statistics.median(self.query_ms)

    @property
    def max_ms(self) -> float:
        """Time of the slowest query."""
        return max(self.query_ms)

    @property
    def wrong(self) -> bool:
        """Whether a path is no walk from start to goal, or a query was refused that has a path, or the other way."""
        return WRONG in self.verdicts

    @property
    def legal(self) -> bool:
        """Whether every path keeps the rule that corners are not cut."""
        return set(self.verdicts) == {LEGAL}

    @property
    def faults(self) -> int:
        """How many paths break the rules, and how many legal ones are not of the optimal length."""
        illegal = sum(count for verdict, count in self.verdicts.items() if verdict != LEGAL)
        return illegal or sum(1 for ratio in self.ratios if abs(ratio - 1) >= SAME)

    @property
    def exact(self) -> bool:
        """Whether every path keeps the rule and is as short as can be."""
        return self.faults == 0

    @property
    def cuts(self) -> int:
        """How many paths cut a corner."""
        return self.verdicts.get(CUTS, 0)


YARDSTICK = "waypost astar"
"""Whom everyone is compared with."""

Run = dict[str, list[Figures]]
"""Figures by the name of the world, in the order in which libraries were measured."""


def figures(library: str, ours: bool, measured: dict[str, Any]) -> Figures:
    """From what a measuring process printed."""
    return Figures(library, ours, **measured)


def times_slower(slow: Figures, fast: Figures) -> float:
    """Ratio of mean times over the problems that both have solved."""
    both = min(len(slow.query_ms), len(fast.query_ms))
    return statistics.fmean(slow.query_ms[:both]) / statistics.fmean(fast.query_ms[:both])


def of(row: list[Figures], library: str) -> Figures | None:
    """The figures of one library, if it was measured."""
    return next((f for f in row if f.library == library and not f.missing), None)


def by_speed(row: list[Figures], yardstick: Figures | None) -> list[Figures]:
    """Those that were measured, fastest first, compared with a yardstick over the problems that both have solved."""
    measured = [f for f in row if not f.missing]
    return sorted(measured, key=lambda f: times_slower(f, yardstick) if yardstick else f.mean_ms)


def fastest_exact_peer(row: list[Figures], ours: Figures) -> Figures | None:
    """Among the libraries that keep exact rules, the one nearest to our speed."""
    return next((f for f in by_speed(row, ours) if f.exact and not f.ours), None)
