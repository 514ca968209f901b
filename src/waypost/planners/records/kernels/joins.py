"""Two records joined: the walker leaves one that starts near it for another that ends near the goal.

*Not in the papers.* Where the surroundings of the walker and of the goal are small, hardly any record leads from one to
the other. But many lead out of the one, many into the other, and their ways cross or come near each other. So points of
the records that start nearest are compared with points of those that end nearest. What lies between two points must be
climbed, and the nearer they are the surer that is: so a gap counts several times when pairs are ranked.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.moves import octile
from waypost.kernels.numbers import at
from waypost.planners.records.kernels.choice import FAR, candidates, end_of, leg_length, start_of
from waypost.planners.records.kernels.kdtree import ENDS, STARTS
from waypost.planners.walking.kernels.ground import climb_cost, distance
from waypost.planners.walking.kernels.legs import after_leg

POINTS_PER_RECORD = 8  # points that are listed, for each record at one end
_GAP_WEIGHT, _LARGER_WEIGHT = 6, 24  # the larger one where nothing else will do
_RECORD, _POINTS = range(2)  # of the records listed: which they are, and where the points of each begin
_AMOUNT, _LEFT, _ENTERED = range(3)  # of a pair of them: what it amounts to, and its points
_X, _Y, _COST, _NUMBER = range(4)  # of a listed point; its cost is that between it and the walker, or the goal


@helper(allocates=True)
def join(ground, database, settings, scratch, cell, goal, limit, least):
    """Two records whose way is shorter than the least, and the points by which they are joined; climb steps, probes.

    First a record and the number of the point where it is left, then one and the point where it is entered. Points are
    counted from 0, the start. All four are -1 if there are no such records.
    """
    most = settings.joins
    room = POINTS_PER_RECORD * most
    near = np.empty((4, room), np.int64)
    far = np.empty((4, room), np.int64)
    firsts = np.empty((2, most + 1), np.int64)
    seconds = np.empty((2, most + 1), np.int64)
    count, probes = candidates(ground, database, settings, scratch, STARTS, most, cell, goal)
    first_count, climbs = _listed(ground, database, scratch, count, cell, goal, True, limit, least, near, firsts)
    count, looked = candidates(ground, database, settings, scratch, ENDS, most, cell, goal)
    second_count, steps = _listed(ground, database, scratch, count, cell, goal, False, limit, least, far, seconds)
    climbs += steps
    near_count = firsts[_POINTS, first_count]
    far_count = seconds[_POINTS, second_count]
    probes += looked + near_count + far_count
    pairs = np.empty((3, first_count * second_count), np.int64)
    nothing = np.int64(-1)
    for weight in (_GAP_WEIGHT, _LARGER_WEIGHT):
        probes += near_count * far_count
        for pair in range(first_count * second_count):
            first = pair // second_count
            second = pair - first * second_count
            near_range = firsts[_POINTS, first], firsts[_POINTS, first + 1]
            far_range = seconds[_POINTS, second], seconds[_POINTS, second + 1]
            best = _nearest_points(ground, near, near_range, far, far_range, weight, limit, least)
            pairs[_AMOUNT, pair], pairs[_LEFT, pair], pairs[_ENTERED, pair] = best
        for _ in range(min(most, first_count * second_count)):
            pair = np.argmin(pairs[_AMOUNT])
            if pairs[_AMOUNT, pair] == FAR:
                break
            pairs[_AMOUNT, pair] = FAR
            left = pairs[_LEFT, pair]
            entered = pairs[_ENTERED, pair]
            from_cell = near[_Y, left] * ground.stride + near[_X, left]
            to_cell = far[_Y, entered] * ground.stride + far[_X, entered]
            good, cost, steps = climb_cost(ground, from_cell, to_cell, limit)
            climbs += steps
            if good and near[_COST, left] + cost + far[_COST, entered] < least:
                first = pair // second_count
                second = pair - first * second_count
                one, other = firsts[_RECORD, first], seconds[_RECORD, second]
                return one, near[_NUMBER, left], other, far[_NUMBER, entered], climbs, probes
        if least < FAR:
            break
    return nothing, nothing, nothing, nothing, climbs, probes


@inlined
def _listed(ground, database, scratch, count, cell, goal, by_start, limit, least, listed, records):
    """List points of the records that will do at one end; returns how many records have some, and climb steps.

    Points that no way shorter than the least leads over are left out, and so are the records from the first one on
    whose points may not all fit.
    """
    stride = ground.stride
    kept = 0
    rows = 0
    climbs = 0
    records[_POINTS, 0] = 0
    for i in range(count):
        record = np.int64(scratch.found[i])
        begin = database.first_legs[record]
        end = database.first_legs[record + 1]
        if rows + end - begin + 1 > listed.shape[1]:
            break
        there = start_of(ground, database, record)
        if by_start:
            good, cost, steps = climb_cost(ground, cell, there, limit)
        else:
            good, cost, steps = climb_cost(ground, end_of(ground, database, record), goal, limit)
            for leg in range(begin, end):
                cost += leg_length(ground, database, leg)
        climbs += steps
        if not good:
            continue
        for number in range(end - begin + 1):
            if number:
                leg = begin + number - 1
                there = after_leg(ground, database.legs, leg, there)
                length = leg_length(ground, database, leg)
                cost += length if by_start else -length
            if cost + distance(ground, there, goal if by_start else cell) < least:
                listed[_Y, rows] = there // stride
                listed[_X, rows] = there - listed[_Y, rows] * stride
                listed[_COST, rows] = cost
                listed[_NUMBER, rows] = number
                rows += 1
        if rows > records[_POINTS, kept]:
            records[_RECORD, kept] = record
            kept += 1
            records[_POINTS, kept] = rows
    return kept, climbs


@inlined
def _nearest_points(ground, near, near_range, far, far_range, weight, limit, least):
    """What the best points of two records to join them by amount to, FAR if none will do, and these points."""
    straight = ground.straight
    diagonal = ground.diagonal
    best = FAR
    left = entered = 0
    for a in range(*near_range):
        x = near[_X, at(a)]
        y = near[_Y, at(a)]
        cost = near[_COST, at(a)]
        for b in range(*far_range):
            dx = far[_X, at(b)] - x
            dy = far[_Y, at(b)] - y
            gap = octile(dx, dy, straight, diagonal)
            way = cost + gap + far[_COST, at(b)]
            amount = way + (weight - 1) * gap
            if amount < best and way < least and max(abs(dx), abs(dy)) <= limit:
                best = amount
                left = a
                entered = b
    return best, left, entered
