"""The next subgoal from records of first legs: kNN LRTA* of 2009 (figure 7; algorithms 9.5)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.climb import climb
from waypost.kernels.compiling import kernel
from waypost.planners.records.kernels.kdtree import SUM, next_of, rank_all
from waypost.planners.walking.kernels.ground import Ground


class FirstLegRecords(NamedTuple):
    """The records' points (see `kdtree.py`), the subgoal of each, and its rank among all subgoals."""

    points: npt.NDArray[np.int32]
    subgoals: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int32]


@kernel
def next_subgoal(ground, records, limit, used, queue, trip, cell, goal):
    """Where to go next from a cell, climb steps and probes: the goal, or the subgoal of the most similar record.

    The goal if a climb arrives there, or if no record will do. A record will do if a climb leads from the cell to its
    start and another from the goal to its end, unless its subgoal is the cell, or was used on this trip: `used` holds
    the last trip of every subgoal, by its rank among them.
    """
    ground, records = Ground(*ground), FirstLegRecords(*records)
    stride = ground.stride
    points = records.points
    arrives, climbs = climb(ground.mask, ground.climb_table, stride, cell, goal, limit)
    if arrives:
        return goal, climbs, 0
    y = cell // stride
    goal_y = goal // stride
    ends = cell - y * stride, y, goal - goal_y * stride, goal_y
    left = rank_all(points, ground.straight, ground.diagonal, SUM, *ends, queue)
    while left:
        record, left = next_of(queue, left)
        if used[records.ranks[record]] == trip or records.subgoals[record] == cell:
            continue
        start = points[record, 1] * stride + points[record, 0]
        arrives, steps = climb(ground.mask, ground.climb_table, stride, cell, start, limit)
        climbs += steps
        if not arrives:
            continue
        end = points[record, 3] * stride + points[record, 2]
        arrives, steps = climb(ground.mask, ground.climb_table, stride, goal, end, limit)
        climbs += steps
        if arrives:
            used[records.ranks[record]] = trip
            return records.subgoals[record], climbs, points.shape[0]
    return goal, climbs, points.shape[0]
