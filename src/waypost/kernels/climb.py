"""Hill-climbing towards a target as a table look-up, and paths pressed into subgoals that a climb can reach.

A climb goes to the neighbour of least c + h, h being the octile distance to the target; ties go to the larger c, then
to the first in the order of moves: the comparator of `state.look`. It is stuck where no neighbour has a smaller h
than the cell itself (Bulitko, Björnsson, Lawrence 2010, figure 7; algorithms 9.1).

Which neighbour that is depends only on the legal moves and on a small class of the vector to the target: the signs of
dx and dy, and |dx| - |dy| cut off at -2 and 2. For h has kinks only where dx, dy or |dx| - |dy| is 0, and one move
changes the first two by at most 1 and the third by at most 2: beyond that h differs between neighbours as it does at
the cut. So one byte per class and mask holds the answer, whatever the costs and however far the target.

The answer is a step: dx + 1 in the lowest two bits, dy + 1 in the next two. ARRIVED and STUCK are steps too, of
nowhere, with a bit of their own. Whoever takes them stays in place, so that a loop over many movers needs no branch.

*Runs.* Which step comes next waits for two reads, one after the other, and the next cell waits for the step. So the
climb of one mover goes on by the same step as long as the table says the same: a branch that the processor foresees,
and with it the next cells. That takes a third less time, since directions seldom change.
"""

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL
from waypost.kernels.numbers import NO_LIMIT, at

# What is demanded of the climb that stands for a part of a path: to arrive, to arrive and lead back too, or to
# arrive at just the cost of that part.
ONE_WAY, BOTH_WAYS, EXACT = range(3)

_NOWHERE = 1 | 1 << 2
FIRST_END = 16  # steps from here on end a climb
ARRIVED = _NOWHERE | 16
STUCK = _NOWHERE | 32

CLASSES = 45  # 5 differences x 3 x 3 signs; 29 of them occur
_MASKS = 256
_PREFERRED = np.array([4, 5, 6, 7, 0, 1, 2, 3])  # among equal c + h: diagonal moves cost more, so they come first
_INFINITE = 1 << 30


def vector_class(dx, dy):
    """The class of the vector to a target."""
    return 9 * max(-2, min(2, abs(dx) - abs(dy))) + 3 * max(-1, min(1, dy)) + max(-1, min(1, dx)) + CLASSES // 2


class_of = inlined(vector_class)


def climb_table(straight, diagonal):
    """The step of every class and mask, a row of masks for each class; rows of classes that never occur are STUCK."""
    dy, dx = np.mgrid[-3:4, -3:4].reshape(2, -1, 1)  # vectors of every class
    here = _distance(dx, dy, straight, diagonal)
    there = _distance(dx - DX[_PREFERRED], dy - DY[_PREFERRED], straight, diagonal)
    total = np.where(_PREFERRED < FIRST_DIAGONAL, straight, diagonal) + there
    legal = (np.arange(_MASKS)[:, None] >> _PREFERRED & 1).astype(bool)
    best = np.where(legal, total[:, None], _INFINITE).argmin(axis=2)
    least = np.where(legal, there[:, None], _INFINITE).min(axis=2)
    step = np.where(least < here, (DX + 1 | DY + 1 << 2)[_PREFERRED[best]], STUCK)
    table = np.full((CLASSES, _MASKS), STUCK, np.uint8)
    for vector in range(len(step)):
        table[vector_class(int(dx[vector, 0]), int(dy[vector, 0]))] = step[vector]
    table[vector_class(0, 0)] = ARRIVED
    return table.ravel()


def _distance(dx, dy, straight, diagonal):
    """`moves.octile` of whole arrays."""
    dx, dy = np.abs(dx), np.abs(dy)
    return straight * np.maximum(dx, dy) + (diagonal - straight) * np.minimum(dx, dy)


@inlined
def step_towards(table, legal, dx, dy):
    """The step of a cell with these legal moves towards a target that lies dx, dy away."""
    return np.int64(table[at(class_of(dx, dy) << 8 | np.int64(legal))])


@inlined
def way_of(step):
    """The vector of a step."""
    return (step & 3) - 1, (step >> 2 & 3) - 1


@inlined
def take(step, stride, cell, dx, dy):
    """The cell that a step leads to, and how far the target is from there."""
    x, y = way_of(step)
    return cell + y * stride + x, dx - x, dy - y


@inlined
def vector_to(stride, cell, target):
    """dx and dy from a cell to a target."""
    # Of 32 bits: dividing takes a third of the time that it takes with 64.
    dy = np.int64(np.uint32(target) // np.uint32(stride)) - np.int64(np.uint32(cell) // np.uint32(stride))
    return target - cell - dy * stride, dy


@inlined
def count_climb(mask, table, stride, start, target, limit):
    """Climb in at most so many steps; returns whether that arrived, the steps made, and how many were diagonal."""
    cell = np.int64(start)
    dx, dy = vector_to(stride, cell, np.int64(target))
    steps = 0
    diagonals = 0
    step = step_towards(table, mask[at(cell)], dx, dy)
    while step < FIRST_END and steps < limit:
        x, y = way_of(step)
        onward = y * stride + x
        same = step
        before = steps
        while step == same and steps < limit:
            cell += onward
            dx -= x
            dy -= y
            steps += 1
            step = step_towards(table, mask[at(cell)], dx, dy)
        diagonals += (steps - before) * (x & y & 1)
    return step == ARRIVED, steps, diagonals


@inlined
def climb(mask, table, stride, start, target, limit):
    """Climb from start to target in at most so many steps; returns whether that arrived, and the steps made."""
    arrived, steps, _ = count_climb(mask, table, stride, start, target, limit)
    return arrived, steps


@inlined
def write_climb(mask, table, stride, start, target, cells, first, last):
    """Climb and write every cell, start included, to cells[first] up to cells[last]; returns where the last stands."""
    cell = np.int64(start)
    dx, dy = vector_to(stride, cell, np.int64(target))
    cells[at(first)] = cell
    step = step_towards(table, mask[at(cell)], dx, dy)
    while step < FIRST_END and first < last:
        cell, dx, dy = take(step, stride, cell, dx, dy)
        first += 1
        cells[at(first)] = cell
        step = step_towards(table, mask[at(cell)], dx, dy)
    return first


@inlined
def leads(mask, table, stride, straight, diagonal, path, here, there, demand):
    """Whether a climb leads from a place on a path to a later one as demanded, and the climb steps spent."""
    good, spent, diagonals = count_climb(mask, table, stride, path[here], path[there], NO_LIMIT)
    if good and demand == BOTH_WAYS:
        good, steps = climb(mask, table, stride, path[there], path[here], NO_LIMIT)
        spent += steps
    if good and demand == EXACT:
        walked = 0
        for place in range(here, there):
            away = abs(path[place + 1] - path[place])
            walked += straight if away == 1 or away == stride else diagonal
        good = walked == (spent - diagonals) * straight + diagonals * diagonal
    return good, spent


@inlined
def next_subgoal(mask, table, stride, straight, diagonal, path, here, last, demand, span):
    """A far place on a path that a climb leads to as demanded, at most `span` away in x and y; and the steps spent.

    Found by binary search; not always the farthest, because a climb may reach a cell of the path and fail to reach a
    nearer one (2010, figure 6; algorithms 9.2).
    """
    found = here + 1  # neighbours reach each other
    spent = 0
    low = here + 2
    high = last
    while low <= high:
        middle = (low + high) // 2
        good = fits(stride, path[here], path[middle], span)
        if good:
            good, steps = leads(mask, table, stride, straight, diagonal, path, here, middle, demand)
            spent += steps
        if good:
            found = middle
            low = middle + 1
        else:
            high = middle - 1
    return found, spent


@inlined
def fits(stride, cell, target, span):
    """Whether a target is at most `span` away in x and in y."""
    dx, dy = vector_to(stride, np.int64(cell), np.int64(target))
    return max(abs(dx), abs(dy)) <= span
