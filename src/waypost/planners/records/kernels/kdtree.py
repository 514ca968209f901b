"""The records most similar to a start and a goal: a kd-tree of four dimensions that is nothing but an order.

A record is a point: x and y of its start, x and y of its end, as a cell's column and row in the padded grid. The tree
of records low up to high, not included, is rooted in the middle, (low + high) // 2. Those before it are its left
subtree and those behind it its right one. On the first level no record on the left has a larger x_start than the root,
and none on the right a smaller one; on the next level this holds of y_start, then x_end, y_end, and so on round
(2010, section 6.2, where equal values are all on the left: in a balanced tree they may be on both sides). Among equal
values the order is that of the records' numbers before they were sorted.

How unlike a record is, is the larger of the two octile distances, between the starts and between the goal and the end
(2010), or their sum (2009; algorithms 9.4, 9.5), or one of them alone where only starts or ends matter. Of equally
similar ones those come first that stand first in the tree.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import copy
from waypost.kernels.moves import octile
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push
from waypost.kernels.selection import select

AXES = 4
MAX, SUM, STARTS, ENDS = range(4)  # of the two distances, or one of them alone
_MOST_LEVELS = 40
_LOW, _HIGH, _AXIS, _AWAY = range(4)  # of a subtree: its records, its axis, and from here on how far away on each axis
_RECORD_BITS = 24
_FEW = 8  # records of a subtree that are all looked at: faster than going down to each
_RECORD_MASK = (1 << _RECORD_BITS) - 1


@kernel(allocates=True)
def order(points):
    """The numbers of the points in the order that makes them a tree."""
    keys = np.empty(points.shape[0], np.int64)
    for record in range(keys.size):
        keys[record] = record
    ranges = np.empty((_MOST_LEVELS, 3), np.int64)
    ranges[0] = 0, keys.size, 0
    waiting = 1
    while waiting:
        waiting -= 1
        low, high, axis = ranges[waiting]
        if high - low < 2:
            continue
        middle = (low + high) >> 1
        for place in range(low, high):
            record = keys[place] & _RECORD_MASK
            keys[place] = np.int64(points[record, axis]) << _RECORD_BITS | record
        select(keys, low, high - 1, middle)
        below = (axis + 1) % AXES
        ranges[waiting] = low, middle, below
        ranges[waiting + 1] = middle + 1, high, below
        waiting += 2
    return (keys & _RECORD_MASK).astype(np.int32)


@kernel(allocates=True)
def is_tree(points):
    """Whether the points stand in the order of a tree."""
    bounds = np.empty((_MOST_LEVELS, 2 * AXES + 3), np.int64)
    bounds[0, :AXES] = -1 << 40
    bounds[0, AXES : 2 * AXES] = 1 << 40
    bounds[0, 2 * AXES :] = 0, points.shape[0], 0
    waiting = 1
    while waiting:
        waiting -= 1
        low, high, axis = bounds[waiting, 2 * AXES :]
        if low == high:
            continue
        middle = (low + high) >> 1
        for i in range(AXES):
            if not bounds[waiting, i] <= points[middle, i] <= bounds[waiting, AXES + i]:
                return False
        below = (axis + 1) % AXES
        copy(bounds[waiting], bounds[waiting + 1])
        bounds[waiting, AXES + axis] = points[middle, axis]
        bounds[waiting, 2 * AXES :] = low, middle, below
        bounds[waiting + 1, axis] = points[middle, axis]
        bounds[waiting + 1, 2 * AXES :] = middle + 1, high, below
        waiting += 2
    return True


@inlined
def unlikeness(measure, straight, diagonal, x_start, y_start, x_end, y_end):
    """The larger of the octile distances of two vectors, their sum, or one of them."""
    at_start = octile(x_start, y_start, straight, diagonal)
    at_end = octile(x_end, y_end, straight, diagonal)
    if measure == MAX:
        return max(at_start, at_end)
    if measure == SUM:
        return at_start + at_end
    return at_start if measure == STARTS else at_end


@helper(allocates=True)
def nearest(points, straight, diagonal, measure, sx, sy, gx, gy, m, best_keys, best_records):
    """Write the m most similar records and how unlike each is, best first; returns how many, and the records looked at.

    A subtree is left out if it is farther away than the worst of m found: its box is at least as far in x and y as the
    cuts between it and the target. `best_keys` and `best_records` have room for m of at least 1.
    """
    target = sx, sy, gx, gy
    stack = np.empty((_MOST_LEVELS, _AWAY + AXES), np.int64)  # of subtrees
    stack[0] = 0
    stack[0, _HIGH] = points.shape[0]
    waiting = 1
    count = 0
    probes = 0
    while waiting:
        waiting -= 1
        low, high, axis, away_sx, away_sy, away_gx, away_gy = _row(stack, waiting)
        if count == m:
            bound = unlikeness(measure, straight, diagonal, away_sx, away_sy, away_gx, away_gy)
            worst = best_keys[at(m - 1)]
            if bound > worst or (bound == worst and low > best_records[at(m - 1)]):
                continue
        while high - low > _FEW:
            middle = (low + high) >> 1
            key = _unlike(points, middle, straight, diagonal, measure, sx, sy, gx, gy)
            probes += 1
            count = _keep(best_keys, best_records, count, m, key, middle)
            beyond = target[axis] - np.int64(points[at(middle), axis])
            far = stack[waiting]
            far[_AWAY] = away_sx
            far[_AWAY + 1] = away_sy
            far[_AWAY + 2] = away_gx
            far[_AWAY + 3] = away_gy
            far[_AWAY + axis] = abs(beyond)
            axis = (axis + 1) % AXES
            far[_AXIS] = axis
            if beyond <= 0:
                far[_LOW] = middle + 1
                far[_HIGH] = high
                high = middle
            else:
                far[_LOW] = low
                far[_HIGH] = middle
                low = middle + 1
            waiting += 1
        for record in range(low, high):
            key = _unlike(points, record, straight, diagonal, measure, sx, sy, gx, gy)
            count = _keep(best_keys, best_records, count, m, key, record)
        probes += high - low
    return count, probes


@inlined
def _unlike(points, record, straight, diagonal, measure, sx, sy, gx, gy):
    """How unlike a record is."""
    row = at(record)
    return unlikeness(
        measure, straight, diagonal, points[row, 0] - sx, points[row, 1] - sy, points[row, 2] - gx, points[row, 3] - gy
    )


@inlined
def _row(stack, row):
    """A subtree that waits: its records, its axis, and how far away it is on each axis."""
    top = stack[at(row)]
    return top[_LOW], top[_HIGH], top[_AXIS], top[_AWAY], top[_AWAY + 1], top[_AWAY + 2], top[_AWAY + 3]


@inlined
def _keep(best_keys, best_records, count, m, key, record):
    """Put a record in its place among the best, if it is one of them; returns how many there are."""
    place = count
    if count == m:
        place = m - 1
        worst = best_keys[at(place)]
        if key > worst or (key == worst and record > best_records[at(place)]):
            return count
    while place > 0 and (
        best_keys[at(place - 1)] > key or (best_keys[at(place - 1)] == key and best_records[at(place - 1)] > record)
    ):
        best_keys[at(place)] = best_keys[at(place - 1)]
        best_records[at(place)] = best_records[at(place - 1)]
        place -= 1
    best_keys[at(place)] = key
    best_records[at(place)] = record
    return count + (count < m)


@helper
def rank_all(points, straight, diagonal, measure, sx, sy, gx, gy, queue):
    """Queue all records by how unlike they are; returns how many there are. `next_of` takes one after the other.

    `queue` is an int64 for each record.
    """
    length = 0
    for record in range(points.shape[0]):
        key = _unlike(points, record, straight, diagonal, measure, sx, sy, gx, gy)
        length = push(queue, length, np.int64(key) << _RECORD_BITS | record)
    return length


@helper
def next_of(queue, length):
    """Take the most similar record that is left; returns it, and how many are left then."""
    record = queue[0] & _RECORD_MASK
    return record, pop(queue, length)
