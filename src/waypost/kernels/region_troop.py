"""Troops that walk by regions: HCDPS and DBA* (algorithms 11.3, 12.2). Never stuck, so that they climb all at once."""

import numpy as np

from waypost.kernels.climb import step_towards, take, vector_to
from waypost.kernels.compiling import kernel
from waypost.kernels.region_route import choose
from waypost.kernels.route_points import STRIDE
from waypost.kernels.troop import ARRIVED, DUE, MOVED, ask, end, take_first, touch
from waypost.kernels.walk import CELL, TARGET

_at = np.uintp  # an unsigned index spares the test for a negative one


@kernel
def choose_targets(
    mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places, settings, scratch, way, tried,
    cells, to_x, to_y, goals, status, state, queue, since, ended, troop, most,
):  # fmt: skip
    """Choose targets for those who wait until that took about so much work, and let each make its move.

    Returns the work done: less than was asked for if nobody is left.
    """
    work = 0
    ahead = 0
    while work < most and troop[DUE]:
        if ahead == 0:
            ahead = touch(queue, cells, to_x, to_y, goals, status, state, troop)
        ahead -= 1
        walker = take_first(queue, since, status, troop)
        work += 1
        if walker < 0:
            continue
        at = _at(walker)
        cell = np.int64(cells[at])
        state[CELL, walker] = cell
        expansions, climbs, probes = choose(
            mask, climb_table, numbers, run_columns, run_ranks, codes, legs, places,
            state, walker, settings, scratch, way, tried,
        )  # fmt: skip
        work += expansions + climbs + probes
        dx, dy = vector_to(settings[STRIDE], cell, np.int64(state[TARGET, walker]))
        step = step_towards(climb_table, mask[_at(cell)], dx, dy)
        cell, dx, dy = take(step, settings[STRIDE], cell, dx, dy)
        cells[at] = cell
        to_x[at] = dx
        to_y[at] = dy
        troop[MOVED] += 1
        if cell == goals[at]:
            to_x[at] = to_y[at] = 0
            end(status, ended, troop, walker, ARRIVED)
        elif dx == 0 and dy == 0:
            ask(queue, since, status, troop, walker)
    return work
