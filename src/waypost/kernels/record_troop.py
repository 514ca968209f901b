"""Troops that walk by records: kNN LRTA* (2010; algorithms 9.4)."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.record_route import choose, must_choose
from waypost.kernels.record_walk import advance
from waypost.kernels.troop import DUE, LIST, LISTED, MOVING, ask, goes_on, take_first

_at = np.uintp  # an unsigned index spares the test for a negative one


@kernel
def move_listed(
    mask, climb_table, settings, cells, goals, status, state, listed, queue, since, ended, pool, numbers
):  # fmt: skip
    """Let every listed walker move that is not in the queue; who then needs a target asks."""
    for i in range(numbers[LIST]):
        walker = np.int64(listed[_at(i)])
        if status[_at(walker)] == MOVING | LISTED:
            advance(mask, climb_table, pool, state, walker, settings)
            if goes_on(cells, goals, status, state, ended, numbers, walker) and must_choose(state, walker, settings):
                ask(queue, since, status, numbers, walker)


@kernel
def choose_targets(
    mask, climb_table, points, first_legs, legs, settings, keys, found,
    cells, goals, status, state, queue, since, ended, pool, numbers, most,
):  # fmt: skip
    """Choose targets for those who wait until that took about so much work, and let each make its move.

    Returns the work done: less than was asked for if nobody is left.
    """
    work = 0
    while work < most and numbers[DUE]:
        walker = take_first(queue, since, status, numbers)
        work += 1
        if walker < 0:
            continue
        climbs, probes = choose(
            mask, climb_table, points, first_legs, legs, pool, state, walker, settings, keys, found
        )  # fmt: skip
        work += climbs + probes
        advance(mask, climb_table, pool, state, walker, settings)
        if goes_on(cells, goals, status, state, ended, numbers, walker) and must_choose(state, walker, settings):
            ask(queue, since, status, numbers, walker)
    return work
