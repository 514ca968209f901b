"""One table of metrics, Trace -> number, that tables, exports and plots all read (algorithms 1.3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from waypost.step import Status
from waypost.trace import Trace

__all__ = ["GPPC_COLUMNS", "METRICS", "Metric", "gppc_row"]


@dataclass(frozen=True)
class Metric:
    """A number that a run yields: its name carries the unit, `better` says which way is good."""

    name: str
    title: str
    better: str
    of: Callable[[Trace], float]
    over_runs: Callable[[npt.NDArray[np.float64]], float] = np.mean
    """What stands for many runs; of times the median, because the machine does other things now and then."""


def _suboptimality(trace: Trace) -> float:
    if trace.problem.optimal is None:
        return float("nan")
    return 100.0 * (trace.cost / trace.problem.optimal - 1) if trace.problem.optimal else 0.0


def _first_moves_us(trace: Trace, count: int) -> float:
    return float(_move_us(trace)[:count].sum())


def _move_us(trace: Trace) -> npt.NDArray[np.float64]:
    """Time of each move, unknown if the run was timed as a whole."""
    return trace.move_ns / 1e3 if trace.move_ns.size == trace.moves else np.full(trace.moves, np.nan)


def _per_move(trace: Trace, total: float) -> float:
    return total / trace.moves if trace.moves else 0.0


def _longest_us(trace: Trace) -> float:
    return float(_move_us(trace).max(initial=0))


def _most_work(trace: Trace) -> float:
    return float(trace.work.sum(axis=1).max(initial=0))


_BYTES_PER_STATE = 4  # as the 2010 paper counts

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("length_cells", "Path length (cells)", "lower", lambda t: t.grid.length(t.cost)),
        Metric("suboptimality_percent", "Suboptimality (%)", "lower", _suboptimality),
        Metric("moves", "Moves", "lower", lambda t: t.moves),
        Metric("move_us_mean", "Time per move (us)", "lower", lambda t: _per_move(t, t.total_ns / 1e3), np.median),
        Metric("move_us_max", "Longest move, response time (us)", "lower", _longest_us, np.median),
        Metric("first_move_us", "First move (us)", "lower", lambda t: _first_moves_us(t, 1), np.median),
        Metric("total_us", "All moves (us)", "lower", lambda t: t.total_ns / 1e3, np.median),
        Metric("expansions", "Cells expanded", "lower", lambda t: float(t.work[:, 0].sum())),
        Metric("expansions_per_move_mean", "Expansions per move", "lower", lambda t: _per_move(t, t.work[:, 0].sum())),
        Metric("work_per_move_mean", "Work per move", "lower", lambda t: _per_move(t, float(t.work.sum()))),
        Metric("work_per_move_max", "Most work in a move", "lower", _most_work, np.max),
        Metric("revisits", "Cells entered again", "lower", lambda t: t.moves + 1 - np.unique(t.cells).size),
        Metric("learned_states", "States learned", "lower", lambda t: t.memory.learned),
        Metric("online_states", "On-line memory (states)", "lower", lambda t: t.memory.states),
        Metric("online_kb", "On-line memory (KB)", "lower", lambda t: t.memory.states * _BYTES_PER_STATE / 1024),
    )
}

GPPC_COLUMNS = (
    "map", "scen", "experiment_id", "path_size", "path_length", "ref_length", "time_cost", "20steps_cost",
    "max_step_time",
)  # fmt: skip
"""Columns of the Grid-Based Path Planning Competition's results; times in seconds."""


def gppc_row(trace: Trace, map_name: str, scenario_name: str, number: int) -> tuple[str | int, ...]:
    """One run as a row of GPPC results; a run that did not arrive has a path of length 0."""
    arrived = trace.status is Status.ARRIVED
    reference = trace.grid.length(trace.problem.optimal or 0)
    seconds = (METRICS["total_us"].of(trace), _first_moves_us(trace, 20), METRICS["move_us_max"].of(trace))
    return (
        map_name,
        scenario_name,
        number,
        trace.moves + 1 if arrived else 0,
        f"{trace.grid.length(trace.cost) if arrived else 0:.9f}",
        f"{reference:.9f}",
        *(f"{us / 1e6:.9f}" for us in seconds),
    )
