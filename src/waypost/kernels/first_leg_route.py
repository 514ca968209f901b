"""The next subgoal from records of first legs: kNN LRTA* of 2009 (figure 7; algorithms 9.5)."""

from waypost.kernels.climb import climb
from waypost.kernels.compiling import kernel
from waypost.kernels.kdtree import SUM, next_of, rank_all


@kernel
def next_subgoal(
    mask, climb_table, stride, straight, diagonal, limit, points, subgoals, ranks, cell, goal, trip, used, queue
):
    """Where to go next from a cell, climb steps and probes: the goal, or the subgoal of the most similar record.

    The goal if a climb arrives there, or if no record will do. A record will do if a climb leads from the cell to its
    start and another from the goal to its end, unless its subgoal is the cell, or was used on this trip: `used` holds
    the last trip of every subgoal, by its rank among them.
    """
    arrives, climbs = climb(mask, climb_table, stride, cell, goal, limit)
    if arrives:
        return goal, climbs, 0
    y = cell // stride
    goal_y = goal // stride
    left = rank_all(points, straight, diagonal, SUM, cell - y * stride, y, goal - goal_y * stride, goal_y, queue)
    while left:
        record, left = next_of(queue, left)
        if used[ranks[record]] == trip or subgoals[record] == cell:
            continue
        start = points[record, 1] * stride + points[record, 0]
        arrives, steps = climb(mask, climb_table, stride, cell, start, limit)
        climbs += steps
        if not arrives:
            continue
        end = points[record, 3] * stride + points[record, 2]
        arrives, steps = climb(mask, climb_table, stride, goal, end, limit)
        climbs += steps
        if arrives:
            used[ranks[record]] = trip
            return subgoals[record], climbs, points.shape[0]
    return goal, climbs, points.shape[0]
