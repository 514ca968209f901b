"""Subgoals from records of first legs, each used once on a trip (kNN LRTA* 2009; algorithms 9.5)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np

from waypost.indexes.base import Index, read_only
from waypost.planners.records.index import FirstLegs
from waypost.planners.records.kernels.first_leg import FirstLegRecords, next_subgoal
from waypost.planners.walking.ground import ground_of
from waypost.world.grid import Grid

__all__ = ["FirstLegGuide"]


class FirstLegGuide:
    """Names the subgoal of the record most like the problem, by the sum of distances; climbs have `limit` steps."""

    def __init__(self, grid: Grid, index: FirstLegs, *, limit: int = 25) -> None:
        points, legs = index.tables["points"], index.tables["legs"]
        subgoals = (points[:, 1] + legs[:, 1]) * grid.stride + points[:, 0] + legs[:, 0]
        distinct, ranks = np.unique(subgoals, return_inverse=True)
        subgoals, rank_of = read_only(subgoals, ranks.astype(np.int32))
        records = FirstLegRecords(points=points, subgoals=subgoals, ranks=rank_of)
        used, queue = np.zeros(distinct.size, np.int64), np.empty(len(points), np.int64)
        self._next: Callable[..., tuple[int, int, int]] = partial(
            next_subgoal, tuple(ground_of(grid)), tuple(records), limit, used, queue
        )
        self._trip = 0

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work to name a target: all records looked at, a climb to the goal and two for each record."""
        count = len(cast("FirstLegs", index).tables["points"])
        return count + (1 + 2 * count) * int(params["limit"])

    def reset(self) -> None:
        """A new trip: all subgoals may be used again."""
        self._trip += 1

    def target(self, cell: int, goal: int) -> tuple[int, int, int]:
        """Where to go next, and the climb steps and probes to find it."""
        return self._next(self._trip, cell, goal)
