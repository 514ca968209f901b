"""Walking by records: kNN LRTA* (2010; algorithms 9.4). It learns only while it has no record to walk by."""

import numpy as np

from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.record_choice import ACROSS
from waypost.kernels.record_route import DIAGONALS, STRAIGHTS, choose, must_choose
from waypost.kernels.route_points import DIAGONAL, STRAIGHT, STRIDE
from waypost.kernels.walk import CELL, GOAL, TOO_FAR, move

COUNTERS = 5  # of the work of a move: expansions, updates, climbs, probes, growth


@inlined
def advance(mask, climb_table, pool, state, walker, settings):
    """One move towards the target, counted; returns expansions, climb steps and blocks added."""
    stride = settings[STRIDE]
    cell = np.int64(state[CELL, walker])
    work = move(
        mask, climb_table, pool, state, walker, stride, settings[ACROSS], settings[STRAIGHT], settings[DIAGONAL]
    )
    away = abs(state[CELL, walker] - cell)
    is_straight = away == 1 or away == stride
    state[STRAIGHTS, walker] += is_straight
    state[DIAGONALS, walker] += not is_straight
    return work


@kernel
def walk(mask, climb_table, points, first_legs, legs, pool, state, settings, keys, found, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many.

    The log is flat: the cells of all moves, then the work counters of each.
    """
    room = log.size // (1 + COUNTERS)
    made = 0
    while made < room and state[CELL, 0] != state[GOAL, 0] and not state[TOO_FAR, 0]:
        climbs = probes = 0
        if must_choose(state, 0, settings):
            climbs, probes = choose(mask, climb_table, points, first_legs, legs, pool, state, 0, settings, keys, found)
        expansions, steps, growth = advance(mask, climb_table, pool, state, 0, settings)
        log[made] = state[CELL, 0]
        row = room + COUNTERS * made
        log[row] = expansions
        log[row + 1] = 0
        log[row + 2] = climbs + steps
        log[row + 3] = probes
        log[row + 4] = growth
        made += 1
    return made
