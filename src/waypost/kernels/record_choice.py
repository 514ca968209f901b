"""Which record to walk by: of the most similar ones the first that will do, or that of the shortest way (2010, fig. 8).

A record will do if a climb leads from the walker to its start, and another from its end to the goal.
"""

import numpy as np

from waypost.kernels.climb import count_climb
from waypost.kernels.compiling import inlined
from waypost.kernels.kdtree import nearest, next_of, rank_all
from waypost.kernels.moves import octile
from waypost.kernels.route_points import DIAGONAL, FIRST_SETTING, STRAIGHT, STRIDE, distance

FAR = 1 << 62

# What a planner was set to; of the six enhancements of 2010 the first is DIRECT.
ACROSS, SKIPS_FIRST, SKIPS_LAST, CANDIDATES, BY_TREE, QUOTA, SHORTEST, SECOND_LIMIT, JOINS = range(
    FIRST_SETTING, FIRST_SETTING + 9
)


@inlined
def candidates(points, settings, measure, most, cell, goal, keys, found):
    """Write at most so many records, the most similar first; returns how many, and the records looked at."""
    stride = settings[STRIDE]
    straight = settings[STRAIGHT]
    diagonal = settings[DIAGONAL]
    y = cell // stride
    x = cell - y * stride
    goal_y = goal // stride
    goal_x = goal - goal_y * stride
    if settings[BY_TREE]:
        return nearest(points, straight, diagonal, measure, x, y, goal_x, goal_y, most, keys, found)
    left = rank_all(points, straight, diagonal, measure, x, y, goal_x, goal_y, keys)
    count = min(most, left)
    for i in range(count):
        found[i], left = next_of(keys, left)
    return count, points.shape[0]


@inlined
def start_of(points, stride, record):
    """The cell that a record starts on."""
    return np.int64(points[record, 1]) * stride + points[record, 0]


@inlined
def end_of(points, stride, record):
    """The cell that a record ends on."""
    return np.int64(points[record, 3]) * stride + points[record, 2]


@inlined
def climb_cost(mask, climb_table, settings, cell, target, limit):
    """Whether a climb of so many steps arrives, what it costs as far as it comes, and its steps."""
    arrives, steps, diagonals = count_climb(mask, climb_table, settings[STRIDE], cell, target, limit)
    return arrives, (steps - diagonals) * settings[STRAIGHT] + diagonals * settings[DIAGONAL], steps


@inlined
def leg_length(legs, settings, leg):
    """The octile length of a leg."""
    return octile(np.int64(legs[leg, 0]), np.int64(legs[leg, 1]), settings[STRAIGHT], settings[DIAGONAL])


@inlined
def first_of(mask, climb_table, points, settings, cell, goal, found, count, limit):
    """The first candidate that will do, -1 if none, and climb steps (as published)."""
    climbs = 0
    for i in range(count):
        record = np.int64(found[i])
        good, _, steps = will_do(mask, climb_table, points, settings, cell, goal, record, limit)
        climbs += steps
        if good:
            return record, climbs
    return np.int64(-1), climbs


@inlined
def shortest_of(mask, climb_table, points, first_legs, legs, settings, cell, goal, found, count, limit, bounds):
    """The candidate of the shortest way, -1 if none will do; the way, climb steps, and the legs looked at.

    The way of a record is no shorter than that over the same points by octile distances, which costs no climb. So they
    are tried in this order, up to one that cannot be shorter than the best so far. `bounds` has room for all.
    """
    stride = settings[STRIDE]
    looked = 0
    for i in range(count):
        record = np.int64(found[i])
        bounds[i] = distance(settings, cell, start_of(points, stride, record))
        bounds[i] += distance(settings, end_of(points, stride, record), goal)
        for leg in range(first_legs[record], first_legs[record + 1]):
            bounds[i] += leg_length(legs, settings, leg)
        looked += first_legs[record + 1] - first_legs[record]
    least = FAR
    chosen = np.int64(-1)
    climbs = 0
    for _ in range(count):
        i = np.argmin(bounds[:count])
        if bounds[i] >= least:
            break
        record = np.int64(found[i])
        good, detour, steps = will_do(mask, climb_table, points, settings, cell, goal, record, limit)
        climbs += steps
        if good and bounds[i] + detour < least:
            least = bounds[i] + detour
            chosen = record
        bounds[i] = FAR
    return chosen, least, climbs, looked


@inlined
def will_do(mask, climb_table, points, settings, cell, goal, record, limit):
    """Whether climbs lead to a record's start and from its end; what they cost beyond distances, and their steps."""
    start = start_of(points, settings[STRIDE], record)
    good, cost, steps = climb_cost(mask, climb_table, settings, cell, start, limit)
    if not good:
        return False, 0, steps
    detour = cost - distance(settings, cell, start)
    end = end_of(points, settings[STRIDE], record)
    good, cost, last_steps = climb_cost(mask, climb_table, settings, end, goal, limit)
    return good, detour + cost - distance(settings, end, goal), steps + last_steps
