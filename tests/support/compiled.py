"""Compiled doors to kernels that have none for Python, since no planner needs one."""

import numpy as np

from waypost.kernels.climb import BOTH_WAYS, ONE_WAY, climb, next_subgoal, write_climb
from waypost.kernels.compiling import helper
from waypost.kernels.numbers import NO_LIMIT
from waypost.planners.cuts.kernels.cell_map import region_at
from waypost.planners.cuts.kernels.in_sector import region_of_cell


@helper
def reachable(mask, table, stride, start, target, limit):
    """Whether a climb of at most so many steps arrives, and the steps it made (2010, figure 7; algorithms 9.1)."""
    return climb(mask, table, stride, start, target, limit)


@helper(allocates=True)
def climb_path(mask, table, stride, start, target, limit):
    """The cells of a climb, as far as it comes: the last one is the target if the climb arrives."""
    _, steps = climb(mask, table, stride, start, target, limit)
    cells = np.empty(steps + 1, np.int32)
    write_climb(mask, table, stride, start, target, cells, 0, steps)
    return cells


@helper(allocates=True)
def compress(mask, table, stride, path, both_ways):
    """Subgoals of a path of one cell or more, its ends included, and the climb steps spent (2010, figure 6).

    Each can be reached by a climb from the one before, and that one from it if `both_ways`.
    """
    demand = BOTH_WAYS if both_ways else ONE_WAY
    subgoals = np.empty(path.size, np.int32)
    subgoals[0] = path[0]
    count = 1
    spent = 0
    here = 0
    while here < path.size - 1:
        # Costs (here 0) are asked for only where a climb has to be exact.
        here, steps = next_subgoal(mask, table, stride, 0, 0, path, here, path.size - 1, demand, NO_LIMIT)
        spent += steps
        subgoals[count] = path[here]
        count += 1
    return subgoals[:count].copy(), spent


@helper(allocates=True)
def expand(mask, table, stride, subgoals):
    """The cells of the climbs from subgoal to subgoal; ends where a climb is stuck."""
    size = 1
    legs = 0
    good = True
    while good and legs < subgoals.size - 1:
        good, steps = climb(mask, table, stride, subgoals[legs], subgoals[legs + 1], NO_LIMIT)
        size += steps
        legs += 1
    cells = np.empty(size, np.int32)
    cells[0] = subgoals[0]
    last = 0
    for leg in range(legs):
        last = write_climb(mask, table, stride, subgoals[leg], subgoals[leg + 1], cells, last, size - 1)
    return cells


@helper
def look_up_in_runs(tile_runs, places, regions, stride, cell):
    """The region of an open cell, and the runs looked at."""
    return region_at(tile_runs, places, regions, stride, cell)


@helper
def look_up_in_sector(mask, firsts, reps, stride, n, across, cell, scratch):
    """The region of an open cell, and the cells looked at."""
    return region_of_cell(mask, firsts, reps, stride, n, across, cell, scratch)
