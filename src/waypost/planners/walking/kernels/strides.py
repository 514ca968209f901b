"""Many steps of a climb, written to the log of moves, in runs of equal steps (`kernels/climb.py`)."""

from waypost.kernels.climb import step_towards, way_of
from waypost.kernels.compiling import inlined
from waypost.kernels.move_log import log_move
from waypost.kernels.numbers import at


@inlined
def log_run(ground, log, made, room, there, ends, step, work):
    """Make a step, and others as long as they are the same; returns how many moves are made, the place, the next step.

    The place is the cell and the vector to the target. The run ends on the target, on the goal, and where the log is
    full; the first step is logged with the work of choosing the target.
    """
    cell, dx, dy = there
    target, goal = ends
    expansions, climbs, probes = work
    x, y = way_of(step)
    onward = y * ground.stride + x
    same = step
    climbs += 1
    while step == same:
        cell += onward
        dx -= x
        dy -= y
        made = log_move(log, made, cell, expansions, 0, climbs, probes, 0)
        if made == room or cell == target or cell == goal:
            break
        expansions = probes = 0
        climbs = 1
        step = step_towards(ground.climb_table, ground.mask[at(cell)], dx, dy)
    return made, (cell, dx, dy), step
