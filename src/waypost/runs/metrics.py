"""One table of metrics that tables, exports and plots all read (algorithms 1.3): many traces -> a number of each."""

import csv
import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.agents.step import WORK_COUNTERS, RunStatus
from waypost.agents.trace import Trace
from waypost.errors import ParameterError, shown
from waypost.planner import Planner
from waypost.runs.kernels import tally
from waypost.runs.kernels.tally import tally_run
from waypost.world.grid import Grid

__all__ = [
    "GPPC_COLUMNS",
    "METRICS",
    "NO_INDEX",
    "IndexFacts",
    "Metric",
    "Tally",
    "gppc_csv",
    "gppc_rows",
    "index_facts",
]

Numbers = npt.NDArray[Any]

_BYTES_PER_STATE = 4  # a state indexes a cell in 32 bits (algorithms 1.3)


class IndexFacts(NamedTuple):
    """What was made offline for a planner: its size (NaN if parts are made on demand), and what it took."""

    bytes: float = 0
    states: float = 0
    """States stored in all records."""
    build_seconds: float = 0.0


NO_INDEX = IndexFacts()


def index_facts(planner: Planner) -> IndexFacts:
    """What a planner's index is like; a build time that is not known is NaN."""
    if planner.index is None:
        return NO_INDEX
    seconds = float(planner.facts.get("build_seconds", "nan"))
    if not planner.index.is_whole:
        return IndexFacts(math.nan, math.nan, seconds)
    return IndexFacts(planner.index_bytes, planner.index.states, seconds)


_FIRST_ROWS = 64
_COLUMNS = tally.WORK_SUMS + 2 * (len(WORK_COUNTERS) + 1)


class Tally:
    """What traces of one grid amount to, a row each: they need not be kept."""

    def __init__(self, grid: Grid, index: IndexFacts = NO_INDEX) -> None:
        self.grid = grid
        self.index = index
        self.timed_by_move = True
        """Otherwise only each run as a whole was timed."""
        self.status: list[RunStatus] = []
        self._rows = np.zeros((_FIRST_ROWS, _COLUMNS), np.int64)
        self._entered = np.zeros(grid.component.size, np.int32)
        self._shape = grid.stride, *grid.costs[:2]

    @classmethod
    def of(cls, traces: Sequence[Trace], index: IndexFacts = NO_INDEX) -> "Tally":
        """Traces that are at hand, at least one."""
        tally = cls(traces[0].grid, index)
        for trace in traces:
            tally.add(trace)
        return tally

    def add(self, trace: Trace) -> None:
        """Count one more run."""
        run = len(self.status)
        if run == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        move_ns, work, optimal = trace.move_ns, trace.work, trace.problem.optimal
        if len(move_ns) != len(work):
            self.timed_by_move = False
        stride, straight, diagonal = self._shape
        opened, closed, learned = trace.memory
        tally_run(
            self._rows, run, trace.cells, move_ns, work, self._entered, stride, straight, diagonal,
            trace.total_ns, -1 if optimal is None else optimal, opened, closed, learned,
        )  # fmt: skip
        self.status.append(trace.status)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def moves(self) -> Numbers:
        """Moves of each run."""
        return self._tally[:, tally.MOVES]

    @property
    def _tally(self) -> Numbers:
        return self._rows[: len(self)]

    @property
    def total_us(self) -> Numbers:
        """Time of all moves of each run."""
        return self._tally[:, tally.TOTAL_NS] / 1e3

    @property
    def optimal_cells(self) -> Numbers:
        """Optimal length of each problem, NaN where it is not known."""
        optimal = self._tally[:, tally.OPTIMAL]
        return np.where(optimal < 0, np.nan, optimal / self.grid.costs.straight)

    @property
    def memory(self) -> Numbers:
        """States held by each run, columns as `step.Memory`."""
        return self._tally[:, tally.MEMORY : tally.MEMORY + 3]

    def columns(self) -> dict[str, Numbers]:
        """All that is known of each run, by name: whether it arrived, the optimum, and every metric."""
        arrived = np.array([status is RunStatus.ARRIVED for status in self.status])
        facts = {"arrived": arrived, "optimal_cells": self.optimal_cells}
        return facts | {metric.name: metric.over(self) for metric in METRICS.values()}

    @property
    def length_cells(self) -> Numbers:
        """Length of each walk."""
        return self._tally[:, tally.COST] / self.grid.costs.straight

    @property
    def revisits(self) -> Numbers:
        """How often each run entered a cell that it had been in before."""
        return self._tally[:, tally.REVISITS]

    def work_sum(self, counter: int = len(WORK_COUNTERS)) -> Numbers:
        """Work of each run by one counter, or of all."""
        return self._tally[:, tally.WORK_SUMS + counter]

    def work_max(self, counter: int = len(WORK_COUNTERS)) -> Numbers:
        """Most work in a move of each run by one counter, or of all."""
        return self._tally[:, tally.WORK_SUMS + len(WORK_COUNTERS) + 1 + counter]

    def per_move(self, totals: Numbers) -> Numbers:
        """Totals of each run over its moves."""
        return totals / np.maximum(self.moves, 1)

    def time_us(self, column: int) -> Numbers:
        """A time that the tally has in ns; NaN if moves were not timed one by one."""
        return self._tally[:, column] / 1e3 if self.timed_by_move else np.full(len(self), np.nan)


@dataclass(frozen=True)
class Metric:
    """A number that a run yields: its name carries the unit, `better` says which way is good."""

    name: str
    title: str
    over: Callable[[Tally], Numbers]
    better: str = "lower"
    timed: bool = False
    """Depends on the machine; all else is the same wherever it is run."""
    special: bool = False
    """Concerns only some planners: tables leave it out where it is 0 throughout."""

    @property
    def over_runs(self) -> Callable[[Numbers], float]:
        """What stands for many runs: of times the median, because the machine does other things now and then."""
        return np.median if self.timed else np.max if self.name.endswith("_max") else np.mean

    def of(self, trace: Trace) -> float:
        """The metric of a single run."""
        return float(self.over(Tally.of([trace]))[0])


def _suboptimality(t: Tally) -> Numbers:
    stands = t.optimal_cells == 0
    return 100.0 * (np.where(stands, 1.0, t.length_cells / np.where(stands, 1.0, t.optimal_cells)) - 1)


def _online_kb(t: Tally) -> Numbers:
    return t.memory.sum(axis=1) * _BYTES_PER_STATE / 1024


def _same(t: Tally, value: float) -> Numbers:
    """A fact of the index, the same for every run with it."""
    return np.full(len(t), value)


def _counter_metrics(row: int, name: str) -> tuple[Metric, Metric]:
    special = name != "expansions"
    return (
        Metric(
            f"{name}_per_move_mean",
            f"{name.capitalize()} per move",
            lambda t: t.per_move(t.work_sum(row)),
            special=special,
        ),
        Metric(
            f"{name}_per_move_max",
            f"Most {name} in a move",
            lambda t: t.work_max(row),
            special=special,
        ),
    )


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("length_cells", "Path length (cells)", lambda t: t.length_cells),
        Metric("suboptimality_percent", "Suboptimality (%)", _suboptimality),
        Metric("moves", "Moves", lambda t: t.moves),
        Metric("move_us_mean", "Time per move (us)", lambda t: t.per_move(t.total_us), timed=True),
        Metric("move_us_p99", "99th percentile of moves (us)", lambda t: t.time_us(tally.P99_NS), timed=True),
        Metric("move_us_max", "Longest move, response time (us)", lambda t: t.time_us(tally.MAX_NS), timed=True),
        Metric("first_move_us", "First move (us)", lambda t: t.time_us(tally.FIRST_NS), timed=True),
        Metric("first_20_moves_us", "First 20 moves (us)", lambda t: t.time_us(tally.FIRST_20_NS), timed=True),
        Metric("total_us", "All moves (us)", lambda t: t.total_us, timed=True),
        Metric("expansions", "Cells expanded", lambda t: t.work_sum(0)),
        *(metric for row, name in enumerate(WORK_COUNTERS) for metric in _counter_metrics(row, name)),
        Metric("work_per_move_mean", "Work per move", lambda t: t.per_move(t.work_sum())),
        Metric("work_per_move_max", "Most work in a move", lambda t: t.work_max()),
        Metric("revisits", "Cells entered again", lambda t: t.revisits),
        Metric("learned_states", "States learned", lambda t: t.memory[:, 2]),
        Metric("online_states", "On-line memory (states)", lambda t: t.memory.sum(axis=1)),
        Metric("online_kb", "On-line memory (KB)", _online_kb),
        Metric("index_bytes", "Index (bytes)", lambda t: _same(t, float(t.index.bytes)), special=True),
        Metric(
            "index_relative_size",
            "Index (states stored per cell of the map)",
            lambda t: _same(t, t.index.states / t.grid.cell_count),
            special=True,
        ),
        Metric(
            "cumulative_kb",
            "On-line memory and index (KB)",
            lambda t: _online_kb(t) + t.index.bytes / 1024,
            special=True,
        ),
        Metric(
            "build_seconds",
            "Building the index (s)",
            lambda t: _same(t, t.index.build_seconds),
            timed=True,
            special=True,
        ),
    )
}


def check_metrics(names: tuple[str, ...], fewest: int, most: int) -> tuple[str, ...]:
    """Names of different metrics that results have."""
    for name in names:
        if name not in METRICS:
            raise ParameterError(f"there is no metric called {shown(name)}; there are {', '.join(METRICS)}")
    if not fewest <= len(names) <= most or len(set(names)) < len(names):
        count = f"{fewest}" if fewest == most else f"{fewest} or {most}"
        raise ParameterError(f"name {count} different metrics, not {shown(', '.join(names))}")
    return names


GPPC_COLUMNS = (
    "map", "scen", "experiment_id", "path_size", "path_length", "ref_length", "time_cost", "20steps_cost",
    "max_step_time",
)  # fmt: skip
"""Columns of the Grid-Based Path Planning Competition's results; times in seconds."""


def gppc_rows(
    map_name: str, scenario_name: str, numbers: Sequence[int], columns: Mapping[str, Numbers]
) -> Iterator[tuple[str | int, ...]]:
    """Tally as rows of GPPC results; a run that did not arrive has length 0, an unknown time is empty."""
    names = ("arrived", "moves", "length_cells", "optimal_cells", "total_us", "first_20_moves_us", "move_us_max")
    for number, arrived, moves, length, optimal, *times_us in zip(
        numbers, *(columns[name].tolist() for name in names), strict=True
    ):
        yield (
            map_name,
            scenario_name,
            number,
            moves + 1 if arrived else 0,
            f"{length if arrived else 0:.9f}",
            f"{0 if np.isnan(optimal) else optimal:.9f}",
            *("" if np.isnan(us) else f"{us / 1e6:.9f}" for us in times_us),
        )


def gppc_csv(rows: Iterable[tuple[str | int, ...]]) -> bytes:
    """Rows of GPPC results as a file, below their head."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(itertools.chain([GPPC_COLUMNS], rows))
    return text.getvalue().encode()
