"""Which record to walk by: of the most similar ones the first that will do, or that of the shortest way (2010, fig. 8).

A record will do if a climb leads from the walker to its start, and another from its end to the goal.
"""

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.moves import octile
from waypost.planners.records.kernels.kdtree import nearest, next_of, rank_all
from waypost.planners.walking.kernels.ground import climb_cost, distance

FAR = 1 << 62


@inlined
def candidates(ground, database, settings, scratch, measure, most, cell, goal):
    """Write at most so many records, the most similar first; returns how many, and the records looked at."""
    points, keys, found = database.points, scratch.keys, scratch.found
    stride = ground.stride
    straight = ground.straight
    diagonal = ground.diagonal
    y = cell // stride
    x = cell - y * stride
    goal_y = goal // stride
    goal_x = goal - goal_y * stride
    if settings.by_tree:
        return nearest(points, straight, diagonal, measure, x, y, goal_x, goal_y, most, keys, found)
    left = rank_all(points, straight, diagonal, measure, x, y, goal_x, goal_y, keys)
    count = min(most, left)
    for i in range(count):
        found[i], left = next_of(keys, left)
    return count, points.shape[0]


@inlined
def start_of(ground, database, record):
    """The cell that a record starts on."""
    return np.int64(database.points[record, 1]) * ground.stride + database.points[record, 0]


@inlined
def end_of(ground, database, record):
    """The cell that a record ends on."""
    return np.int64(database.points[record, 3]) * ground.stride + database.points[record, 2]


@inlined
def leg_length(ground, database, leg):
    """The octile length of a leg."""
    dx = np.int64(database.legs[leg, 0])
    dy = np.int64(database.legs[leg, 1])
    return octile(dx, dy, ground.straight, ground.diagonal)


@inlined
def first_of(ground, database, scratch, count, cell, goal, limit):
    """The first candidate that will do, -1 if none, and climb steps (as published)."""
    climbs = 0
    for i in range(count):
        record = np.int64(scratch.found[i])
        good, _, steps = will_do(ground, database, record, cell, goal, limit)
        climbs += steps
        if good:
            return record, climbs
    return np.int64(-1), climbs


@inlined
def shortest_of(ground, database, scratch, count, cell, goal, limit):
    """The candidate of the shortest way, -1 if none will do; the way, climb steps, and the legs looked at.

    The way of a record is no shorter than that over the same points by octile distances, which costs no climb. So they
    are tried in this order, up to one that cannot be shorter than the best so far.
    """
    first_legs = database.first_legs
    bounds = scratch.keys  # which nobody needs any more
    looked = 0
    for i in range(count):
        record = np.int64(scratch.found[i])
        bounds[i] = distance(ground, cell, start_of(ground, database, record))
        bounds[i] += distance(ground, end_of(ground, database, record), goal)
        for leg in range(first_legs[record], first_legs[record + 1]):
            bounds[i] += leg_length(ground, database, leg)
        looked += first_legs[record + 1] - first_legs[record]
    least = FAR
    chosen = np.int64(-1)
    climbs = 0
    for _ in range(count):
        i = np.argmin(bounds[:count])
        if bounds[i] >= least:
            break
        record = np.int64(scratch.found[i])
        good, detour, steps = will_do(ground, database, record, cell, goal, limit)
        climbs += steps
        if good and bounds[i] + detour < least:
            least = bounds[i] + detour
            chosen = record
        bounds[i] = FAR
    return chosen, least, climbs, looked


@inlined
def will_do(ground, database, record, cell, goal, limit):
    """Whether climbs lead to a record's start and from its end; what they cost beyond distances, and their steps."""
    start = start_of(ground, database, record)
    good, cost, steps = climb_cost(ground, cell, start, limit)
    if not good:
        return False, 0, steps
    detour = cost - distance(ground, cell, start)
    end = end_of(ground, database, record)
    good, cost, last_steps = climb_cost(ground, end, goal, limit)
    return good, detour + cost - distance(ground, end, goal), steps + last_steps
