"""What the episodes of a setting amount to, and how two settings compare."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from waypost import catalog
from waypost.bench.episodes import Columns
from waypost.bench.runner import Outcome
from waypost.metrics import METRICS

__all__ = ["RATIO_OF_SUMS", "Stats", "Summary", "amortisation_moves", "break_even_agents", "summarise"]

RATIO_OF_SUMS = "Suboptimality as ratio of sums (%)"


@dataclass(frozen=True)
class Stats:
    """A metric over many episodes."""

    mean: float = math.nan
    standard_error: float = math.nan
    median: float = math.nan
    p99: float = math.nan
    max: float = math.nan


@dataclass(frozen=True)
class Summary:
    """A setting over all its episodes; metrics are those of episodes that arrived."""

    label: str
    planner: str
    planned: int
    episodes: int
    arrived: int
    metrics: dict[str, Stats]
    ratio_of_sums_percent: float
    """Suboptimality of all walks together: the sum of lengths over the sum of optima."""
    most_work_in_a_move: float
    disqualified: bool
    """By the suite's real-time cut-off: did more work in a move, or has no bound that would keep it from doing so."""
    real_time: bool = True
    """Whether work per move is bounded; otherwise the first move plans everything."""

    def mean(self, metric: str) -> float:
        """The mean of a metric."""
        return self.metrics[metric].mean


def summarise(outcome: Outcome) -> Iterator[Summary]:
    """Each setting of a suite; the rows of only one of them are in memory at a time."""
    names = ("arrived", "optimal_cells", *METRICS)
    for setting in outcome.suite.settings:
        runs = [run for run in outcome.runs if run.setting == setting]
        columns = outcome.store.read((run.identity for run in runs), names)
        arrived = columns["arrived"].astype(bool)
        real_time, limit = catalog.find(setting.planner).real_time, outcome.suite.limits.work_per_move
        most_work = float(columns["work_per_move_max"].max(initial=0))
        yield Summary(
            setting.label,
            setting.planner,
            planned=sum(map(len, runs)),
            episodes=len(arrived),
            arrived=int(arrived.sum()),
            metrics={name: _stats(columns[name][arrived]) for name in METRICS},
            ratio_of_sums_percent=_ratio_of_sums(columns, arrived),
            most_work_in_a_move=most_work,
            disqualified=most_work > limit or (not real_time and math.isfinite(limit)),
            real_time=real_time,
        )


def break_even_agents(a: Summary, b: Summary) -> float:
    """The least number of agents with which planner a takes less memory than b (algorithms 1.3); infinite if none.

    Agents of a planner share its index and have memory of their own.
    """
    index_kb = (a.mean("index_bytes") - b.mean("index_bytes")) / 1024
    saved_kb = b.mean("online_kb") - a.mean("online_kb")
    if saved_kb > 0:
        return max(1, math.floor(index_kb / saved_kb) + 1)
    return 1 if index_kb < saved_kb else math.inf


def amortisation_moves(a: Summary, b: Summary) -> float:
    """After how many moves planner a, its build included, has taken less time than b; infinite if never."""
    extra_us = 1e6 * (a.mean("build_seconds") - b.mean("build_seconds"))
    saved_us = b.mean("move_us_mean") - a.mean("move_us_mean")
    if saved_us <= 0:
        return 0 if saved_us == 0 and extra_us < 0 else math.inf
    return max(0, math.ceil(extra_us / saved_us))


def _stats(values: npt.NDArray[np.float64]) -> Stats:
    if not values.size:
        return Stats()
    error = float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.nan
    p99 = np.partition(values, rank := math.ceil(0.99 * values.size) - 1)[rank]
    return Stats(float(values.mean()), error, float(np.median(values)), float(p99), float(values.max()))


def _ratio_of_sums(columns: Columns, arrived: npt.NDArray[np.bool_]) -> float:
    optimal = columns["optimal_cells"][arrived].sum()
    return 100 * float(columns["length_cells"][arrived].sum() / optimal - 1) if optimal else math.nan
