"""Paths between the representatives of regions that lie near each other, in legs (algorithms 9.2, 11.2, 12.1).

Of all optimal paths from i to j, the one is taken that, walked back from j, makes at each cell the first of the moves
N E S W NE SE SW NW that is optimal. So its diagonal moves come as early as they can, as a climb makes them, and
hardly any other choice has fewer legs: 2 % at most on ten Dragon Age maps.

A leg is the vector from one subgoal to the next, two int8. A climb makes it: one that arrives (`climb.ONE_WAY`), or
one that is also as cheap as the part of the path that it stands for (`climb.EXACT`).
"""

import numpy as np

from waypost.kernels.canonical import cost_of, spread
from waypost.kernels.climb import count_climb, fits, vector_to
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.copies import with_rows
from waypost.kernels.moves import FIRST_DIAGONAL, octile, offset
from waypost.kernels.numbers import NO_LIMIT, at
from waypost.kernels.queues import RING
from waypost.planners.walking.kernels.legs import MORE, write_leg, write_legs

SPAN = 127  # of a leg, in x and y
NO_PATH = -1
_POOL = 64  # entries at first: it grows once to what a map needs


@kernel(allocates=True)
def paths(mask, table, stride, straight, diagonal, reps, starts, neighbours, demand, first, last, node):
    """Paths from each region of a range to each neighbour on its list: costs, leg counts, and all legs in order.

    Regions `first` up to `last`, not included: ranges can be worked on side by side, and what they return joined.
    `node` is an int64 per cell, zeros at first, that belongs to one thread and can be used again. Cost and count of
    a neighbour that cannot be reached are NO_PATH and 0.
    """
    items = starts[last] - starts[first]
    costs = np.empty(items, np.int32)
    counts = np.empty(items, np.int32)
    legs = np.empty((2 * items + 8, 2), np.int8)
    path = np.empty(256, np.int32)
    targets = np.empty(_longest(starts, first, last), np.int32)
    ring = np.full(RING, -1)
    pool = np.empty((_POOL, 2), np.int64)
    made = 0
    item = 0
    for region in range(first, last):
        start = reps[region]
        wanted = 0
        for index in range(starts[region], starts[region + 1]):
            target = reps[neighbours[index]]
            cost = _direct(mask, table, stride, straight, diagonal, start, target)
            costs[index - starts[first]] = cost
            if cost == NO_PATH:
                targets[wanted] = target
                wanted += 1
        while wanted and not spread(mask, stride, straight, diagonal, node, ring, pool, start, targets, wanted):
            pool = np.empty((2 * pool.shape[0], 2), np.int64)
        for index in range(starts[region], starts[region + 1]):
            target = reps[neighbours[index]]
            before = made
            if costs[item] != NO_PATH:
                legs = with_rows(legs, made + 1)
                made = write_leg(legs, made, stride, start, target)
            else:
                costs[item] = cost_of(node, target)
                if costs[item] != NO_PATH:
                    most = costs[item] // straight
                    if most >= path.size:
                        path = np.empty(2 * most, np.int32)
                    legs = with_rows(legs, made + most)
                    end = _trace(mask, stride, straight, diagonal, node, start, target, path)
                    made = write_legs(mask, table, stride, straight, diagonal, path, end, demand, SPAN, legs, made)
            counts[item] = made - before
            item += 1
    return costs, counts, legs[:made].copy()


@helper
def _longest(starts, first, last):
    """The length of the longest list of neighbours in a range of regions."""
    longest = 0
    for region in range(first, last):
        longest = max(longest, starts[region + 1] - starts[region])
    return longest


@helper
def _direct(mask, table, stride, straight, diagonal, start, target):
    """The cost of a path that is a single leg and clearly optimal, as it is no longer than where nothing is in the way.

    NO_PATH if it has to be searched for.
    """
    if not fits(stride, start, target, SPAN):
        return NO_PATH
    dx, dy = vector_to(stride, np.int64(start), np.int64(target))
    least = octile(dx, dy, straight, diagonal)
    arrived, steps, diagonals = count_climb(mask, table, stride, start, target, NO_LIMIT)
    return least if arrived and (steps - diagonals) * straight + diagonals * diagonal == least else NO_PATH


@helper
def _trace(mask, stride, straight, diagonal, node, start, target, path):
    """Write the path that the search found, start first; returns the place of its end."""
    end = 0
    path[0] = cell = np.int64(target)
    while cell != start:
        cost = cost_of(node, cell)
        move = 0
        back = cell - offset(move, stride)
        while not (
            mask[at(back)] >> move & 1
            and cost_of(node, back) == cost - (straight if move < FIRST_DIAGONAL else diagonal)
        ):
            move += 1
            back = cell - offset(move, stride)
        cell = back
        end += 1
        path[end] = cell
    for i in range((end + 1) // 2):
        path[i], path[end - i] = path[end - i], path[i]
    return end


@inlined
def find_legs(codes, first_code, first_leg, rank):
    """Where the legs of a region's path begin, how many there are, and the bytes read to find them.

    `first_code` and `first_leg` are where the region's own begin.
    """
    code = np.int64(first_code)
    leg = np.int64(first_leg)
    while True:
        count = 0
        while codes[at(code)] == MORE:
            count += MORE
            code += 1
        count += np.int64(codes[at(code)])
        code += 1
        if rank == 0:
            return leg, count, code - np.int64(first_code)
        leg += count
        rank -= 1
