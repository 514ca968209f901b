"""Walking by regions: HCDPS and DBA* (algorithms 11.3, 12.2). Never stuck: every target can be reached by a climb."""

import numpy as np

from waypost.kernels.climb import step_towards, take, vector_to
from waypost.kernels.compiling import kernel
from waypost.kernels.region_route import choose
from waypost.kernels.route_points import STRIDE
from waypost.kernels.walk import CELL, GOAL, TARGET, TO_X, TO_Y

_at = np.uintp  # an unsigned index spares the test for a negative one
COUNTERS = 5  # of the work of a move: expansions, updates, climbs, probes, growth


@kernel
def walk(
    mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places, state, settings, scratch, way, tried, log
):
    """Make as many moves of one walker as the log has room for, at most; returns how many.

    The log is flat: the cells of all moves, then the work counters of each.
    """
    room = log.size // (1 + COUNTERS)
    stride = settings[STRIDE]
    goal = np.int64(state[GOAL, 0])
    cell = np.int64(state[CELL, 0])
    target = np.int64(state[TARGET, 0])
    dx = np.int64(state[TO_X, 0])
    dy = np.int64(state[TO_Y, 0])
    made = 0
    while made < room and cell != goal:
        expansions = climbs = probes = 0
        if cell == target or target < 0:
            state[CELL, 0] = cell
            expansions, climbs, probes = choose(
                mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places,
                state, 0, settings, scratch, way, tried,
            )  # fmt: skip
            target = np.int64(state[TARGET, 0])
            dx, dy = vector_to(stride, cell, target)
        step = step_towards(climb_table, mask[_at(cell)], dx, dy)
        cell, dx, dy = take(step, stride, cell, dx, dy)
        log[_at(made)] = cell
        row = room + COUNTERS * made
        log[_at(row)] = expansions
        log[_at(row + 1)] = 0
        log[_at(row + 2)] = climbs + 1
        log[_at(row + 3)] = probes
        log[_at(row + 4)] = 0
        made += 1
    state[CELL, 0] = cell
    state[TO_X, 0] = dx
    state[TO_Y, 0] = dy
    return made
