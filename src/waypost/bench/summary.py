"""What the episodes of a setting amount to, and how two settings compare."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from waypost import catalog
from waypost.bench.episodes import Columns, Run
from waypost.bench.numbers import Figure, number
from waypost.bench.runner import Outcome
from waypost.bench.suite import Setting
from waypost.runs.metrics import METRICS, Metric

__all__ = [
    "HEADLINE", "RATIO_OF_SUMS", "Stats", "Summary", "ahead_until_moves", "amortisation_moves", "break_even_agents",
    "moves_to_pay_off", "on_common_problems", "summarise",
]  # fmt: skip

HEADLINE = "Means over the problems that arrived; of times the median; of other maxima the largest."
"""What stands for many episodes, in words."""
_NORMAL_95 = 1.96
RATIO_OF_SUMS = "Suboptimality as ratio of sums (%)"
_NAMES = ("arrived", "optimal_cells", "work_bound", *METRICS)


@dataclass(frozen=True)
class Stats:
    """A metric over many episodes."""

    headline: float = math.nan
    """What stands for them all in tables, fronts and plots: see `Metric.over_runs`."""
    mean: float = math.nan
    standard_error: float = math.nan
    median: float = math.nan
    p99: float = math.nan
    max: float = math.nan

    @property
    def figure(self) -> Figure:
        """What stands for them all, with its error if that is the mean."""
        return Figure(self.headline, _NORMAL_95 * self.standard_error if self.headline == self.mean else math.nan)


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

    @property
    def all_arrived(self) -> bool:
        """Whether every episode so far has arrived; figures of different problems do not compare."""
        return 0 < self.arrived == self.episodes

    def mean(self, metric: str) -> float:
        """What stands for all episodes: of most metrics the mean, of times the median, of other maxima the largest."""
        return self.metrics[metric].headline


def summarise(outcome: Outcome) -> Iterator[Summary]:
    """Each setting of a suite; the rows of only one of them are in memory at a time."""
    for setting in outcome.suite.settings:
        runs = _runs(outcome, setting)
        columns = outcome.store.read((run.identity for run in runs), _NAMES)
        yield _summary(outcome, setting, sum(map(len, runs)), columns)


def on_common_problems(outcome: Outcome, a: Summary, b: Summary) -> tuple[Summary, Summary]:
    """Two settings over only those problems that both arrived at."""
    if a.all_arrived and b.all_arrived and a.episodes == b.episodes == a.planned:
        return a, b
    a_setting, b_setting = (next(s for s in outcome.suite.settings if s.label == one.label) for one in (a, b))
    pairs = [
        [outcome.store.read([run.identity], _NAMES) for run in (a_run, b_run)]
        for a_run, b_run in zip(*(_runs(outcome, setting) for setting in (a_setting, b_setting)), strict=True)
    ]
    for pair in pairs:
        most = min(len(columns["arrived"]) for columns in pair)  # one may have come further than the other
        both = np.logical_and(*(columns["arrived"][:most] for columns in pair))
        pair[:] = [{name: values[:most][both] for name, values in columns.items()} for columns in pair]
    a_columns, b_columns = (
        {name: np.concatenate([columns[name] for columns in side]) for name in _NAMES}
        for side in zip(*pairs, strict=True)
    )
    return _summary(outcome, a_setting, a.planned, a_columns), _summary(outcome, b_setting, b.planned, b_columns)


def _runs(outcome: Outcome, setting: Setting) -> list[Run]:
    """Runs of a setting, map by map: the same maps in the same order for all settings."""
    return [run for run in outcome.runs if run.setting == setting]


def _summary(outcome: Outcome, setting: Setting, planned: int, columns: Columns) -> Summary:
    arrived = columns["arrived"].astype(bool)
    most_work = float(columns["work_per_move_max"].max(initial=0))
    limit = outcome.suite.limits.work_per_move
    # As declared for these indexes; an entry of the catalog may leave settings unbounded that others are not.
    real_time = catalog.find(setting.planner).real_time and not bool(np.isinf(columns["work_bound"]).any())
    return Summary(
        setting.label,
        setting.planner,
        planned=planned,
        episodes=len(arrived),
        arrived=int(arrived.sum()),
        metrics={name: _stats(metric, columns[name][arrived]) for name, metric in METRICS.items()},
        ratio_of_sums_percent=_ratio_of_sums(columns, arrived),
        most_work_in_a_move=most_work,
        disqualified=most_work > limit or (not real_time and math.isfinite(limit)),
        real_time=real_time,
    )


def break_even_agents(a: Summary, b: Summary) -> float:
    """The least number of agents with which planner a takes less memory than b (algorithms 1.3); infinite if none.

    Agents of a planner share its index and have memory of their own. NaN if the size of an index is not known.
    """
    index_kb = (a.mean("index_bytes") - b.mean("index_bytes")) / 1024
    if math.isnan(index_kb):
        return math.nan
    saved_kb = b.mean("online_kb") - a.mean("online_kb")
    if saved_kb > 0:
        return max(1, math.floor(index_kb / saved_kb) + 1)
    return 1 if index_kb < saved_kb else math.inf


def amortisation_moves(a: Summary, b: Summary) -> float:
    """The number of moves after which planner a has taken less time than b, and stays so.

    Time is that of the build and of all moves; equal is not less. The result is 0 if a takes less from the first move
    on forever, and infinite if it never takes less for good, even where it does at first (`ahead_until_moves`).
    """
    extra_us, saved_us = _extra_and_saved_us(a, b)
    if saved_us <= 0:
        return 0 if saved_us == 0 and extra_us < 0 else math.inf
    moves = math.floor(extra_us / saved_us) + 1
    return moves if moves > 1 else 0


def ahead_until_moves(a: Summary, b: Summary) -> int:
    """The last number of moves after which planner a has taken less time than b, if it loses its lead; otherwise 0."""
    extra_us, saved_us = _extra_and_saved_us(a, b)
    return math.ceil(extra_us / saved_us) - 1 if saved_us < 0 and extra_us < 0 else 0


def moves_to_pay_off(a: Summary, b: Summary) -> str:
    """After how many moves planner a has taken less time than b, in words where that does not last."""
    ahead = ahead_until_moves(a, b)
    return f"only until {ahead:,}" if ahead else number(amortisation_moves(a, b))


def _extra_and_saved_us(a: Summary, b: Summary) -> tuple[float, float]:
    """How much longer a's build takes than b's, and how much less each of its moves; by means, for they are summed."""
    build, move = ([summary.metrics[name].mean for summary in (a, b)] for name in ("build_seconds", "move_us_mean"))
    return 1e6 * (build[0] - build[1]), move[1] - move[0]


def _stats(metric: Metric, values: npt.NDArray[np.float64]) -> Stats:
    if not values.size:
        return Stats()
    error = float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.nan
    p99 = np.partition(values, rank := math.ceil(0.99 * values.size) - 1)[rank]
    headline = float(metric.over_runs(values))
    return Stats(headline, float(values.mean()), error, float(np.median(values)), float(p99), float(values.max()))


def _ratio_of_sums(columns: Columns, arrived: npt.NDArray[np.bool_]) -> float:
    optimal = columns["optimal_cells"][arrived].sum()
    return 100 * float(columns["length_cells"][arrived].sum() / optimal - 1) if optimal else math.nan
