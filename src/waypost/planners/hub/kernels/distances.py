"""Costs of many ways by labels alone."""

import numpy as np

from waypost.kernels.compiling import helper, kernel
from waypost.kernels.copies import with_rows
from waypost.kernels.moves import octile
from waypost.planners.hub.kernels.connect import connect, place_of
from waypost.planners.hub.kernels.free_walk import walk_freely
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.search import FAR
from waypost.planners.hub.kernels.solve import Labels, Scratch, clear_start, cost_found, mark_start, meet

NO_COST = -1
_FINDS = 16  # of a target, at first


@helper
def free_cost(lines, start, goal):
    """What the walk over free ground costs; NO_COST if it is not free."""
    is_free, _ = walk_freely(lines.mask, lines.stride, start, goal)
    if not is_free:
        return np.int64(NO_COST)
    x, y = place_of(start, lines.stride)
    goal_x, goal_y = place_of(goal, lines.stride)
    return octile(goal_x - x, goal_y - y, lines.straight, lines.diagonal)


@kernel(allocates=True)
def of_rows(lines, labels, scratch, sources, targets, is_matrix, costs):
    """Write what ways cost: from each source to all targets, a row each, or only to the target of its place.

    Returns whether all of them were found.
    """
    lines, labels, scratch = Lines(*lines), Labels(*labels), Scratch(*scratch)
    finds = np.empty((_FINDS * targets.size, 2), np.int32)
    firsts = np.zeros(targets.size + 1, np.int64)
    made = 0
    for i in range(targets.size):
        count, _ = connect(lines, np.int64(targets[i]), scratch.limits, scratch.of_goal)
        finds = with_rows(finds, made + count)
        for k in range(count):
            finds[made + k, 0] = scratch.of_goal[k, 0]
            finds[made + k, 1] = scratch.of_goal[k, 1]
        made += count
        firsts[i + 1] = made
    for row in range(sources.size):
        source = np.int64(sources[row])
        count, _ = mark_start(lines, labels, scratch, source)
        first, end = (0, targets.size) if is_matrix else (row, row + 1)
        for i in range(first, end):
            cost = free_cost(lines, source, np.int64(targets[i]))
            if cost < 0:
                value, _, _ = meet(labels, scratch.best, finds, firsts[i], firsts[i + 1])
                if value >= FAR:
                    return False
                cost = cost_found(value)
            costs[row, i - first] = cost
        clear_start(labels, scratch, count)
    return True
