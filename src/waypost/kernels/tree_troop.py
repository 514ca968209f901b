"""Troops that walk by subgoal trees (2011, algorithm 3; algorithms 10.2): only their first targets are chosen."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.tree_walk import advance
from waypost.kernels.troop import DUE, LIST, LISTED, MOVING, goes_on, take_first

_at = np.uintp  # an unsigned index spares the test for a negative one


@kernel
def move_listed(mask, climb_table, nodes, settings, cells, goals, status, state, listed, ended, pool, numbers):
    """Let every listed walker move that is not in the queue."""
    for i in range(numbers[LIST]):
        walker = np.int64(listed[_at(i)])
        if status[_at(walker)] == MOVING | LISTED:
            advance(mask, climb_table, nodes, pool, state, walker, settings)
            goes_on(cells, goals, status, state, ended, numbers, walker)


@kernel
def choose_targets(
    mask, climb_table, nodes, settings, cells, goals, status, state, queue, since, ended, pool, numbers, most
):  # fmt: skip
    """Let those who wait move, which chooses their first targets, until that took about so much work.

    Returns the work done: less than was asked for if nobody is left.
    """
    work = 0
    while work < most and numbers[DUE]:
        walker = take_first(queue, since, status, numbers)
        work += 1
        if walker < 0:
            continue
        expansions, climbs, probes, growth = advance(mask, climb_table, nodes, pool, state, walker, settings)
        work += expansions + climbs + probes + growth
        goes_on(cells, goals, status, state, ended, numbers, walker)
    return work
