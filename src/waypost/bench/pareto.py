"""Pareto fronts: the settings that no other one beats on every count."""

from collections.abc import Sequence

import numpy as np

from waypost.bench.summary import Summary
from waypost.runs.metrics import METRICS

__all__ = ["direction", "front", "is_fit", "left_out", "non_dominated"]

_WAYS = {
    ("lower", "lower"): ("↙", "down and left"),
    ("lower", "higher"): ("↖", "up and left"),
    ("higher", "lower"): ("↘", "down and right"),
    ("higher", "higher"): ("↗", "up and right"),
}


def non_dominated(points: Sequence[Sequence[float]], better: Sequence[str]) -> list[int]:
    """Which points none other beats: as good on every count and better on one.

    `better` says "lower" or "higher" for each count. A point with an unknown coordinate is on no front; equal points
    stand or fall together.
    """
    signs = np.array([1.0 if way == "lower" else -1.0 for way in better])
    values = np.array(points, np.float64).reshape(len(points), len(signs)) * signs
    known = ~np.isnan(values).any(axis=1)
    chosen = []
    for i in np.flatnonzero(known):
        rivals = values[known]
        beaten = ((rivals <= values[i]).all(axis=1) & (rivals < values[i]).any(axis=1)).any()
        if not beaten:
            chosen.append(int(i))
    return chosen


def front(summaries: Sequence[Summary], metrics: Sequence[str]) -> list[Summary]:
    """The settings on the front of two or three metrics, by the first of them.

    Only those that solved every problem: means over different problems do not compare. Nor do disqualified ones count,
    nor among metrics of work those that are not real-time.
    """
    fit = [summary for summary in summaries if is_fit(summary, metrics)]
    points = [[summary.mean(name) for name in metrics] for summary in fit]
    chosen = [fit[i] for i in non_dominated(points, [METRICS[name].better for name in metrics])]
    return sorted(chosen, key=lambda summary: [summary.mean(name) for name in metrics])


def is_fit(summary: Summary, metrics: Sequence[str]) -> bool:
    """Whether a setting may be on a front of these metrics."""
    comparable = summary.real_time or not any(map(_counts_work, metrics))
    return comparable and not summary.disqualified and 0 < summary.arrived == summary.episodes


def left_out(summaries: Sequence[Summary], metrics: Sequence[str]) -> str:
    """A sentence about the planners that are on no front of these metrics because they are not real-time, if any."""
    planners = dict.fromkeys(summary.planner for summary in summaries if not summary.real_time)
    if not planners or not any(map(_counts_work, metrics)):
        return ""
    return (
        f"Not real-time, so on no front of work: {', '.join(planners)}. They plan everything in the first move, "
        "and what they count as work differs (jump point search counts only its jump points)."
    )


def _counts_work(metric: str) -> bool:
    return metric.startswith(("work_", "expansions")) or "_per_move_" in metric


def direction(x: str, y: str) -> str:
    """Which way is better in a plot of these metrics, in words."""
    arrow, words = _WAYS[METRICS[x].better, METRICS[y].better]
    return f"{arrow} {words} is better"
