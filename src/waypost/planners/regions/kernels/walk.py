"""Walking by regions: HCDPS and DBA* (algorithms 11.3, 12.2). Never stuck: every target can be reached by a climb.

The walk is made in runs of equal steps, as in `kernels/climb.py`.
"""

import numpy as np

from waypost.kernels.climb import FIRST_END, step_towards, vector_to
from waypost.kernels.compiling import kernel
from waypost.kernels.move_log import room_in
from waypost.kernels.numbers import at
from waypost.kernels.ways import NO_WAY
from waypost.planners.regions.kernels.database import Database, Scratch, Settings
from waypost.planners.regions.kernels.route import choose
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.strides import log_run
from waypost.planners.walking.kernels.walker import Slot, stand


@kernel
def walk(ground, database, settings, scratch, now, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many.

    Fewer, though the goal is not reached, if the index leads no way: round in a circle, or to where a climb is stuck.
    """
    ground, database = Ground(*ground), Database(*database)
    settings, scratch = Settings(*settings), Scratch(*scratch)
    room = room_in(log)
    goal = np.int64(now[Slot.GOAL])
    cell = np.int64(now[Slot.CELL])
    target = np.int64(now[Slot.TARGET])
    dx = np.int64(now[Slot.TO_X])
    dy = np.int64(now[Slot.TO_Y])
    step = step_towards(ground.climb_table, ground.mask[at(cell)], dx, dy)
    made = 0
    while made < room and cell != goal:
        expansions = climbs = probes = 0
        if cell == target or target < 0:
            now[Slot.CELL] = cell
            expansions, climbs, probes = choose(ground, database, settings, scratch, now)
            if now[Slot.TOO_FAR]:
                break
            target = np.int64(now[Slot.TARGET])
            dx, dy = vector_to(ground.stride, cell, target)
            step = step_towards(ground.climb_table, ground.mask[at(cell)], dx, dy)
        if step >= FIRST_END:
            now[Slot.TOO_FAR] = NO_WAY
            break
        work = expansions, climbs, probes
        made, there, step = log_run(ground, log, made, room, (cell, dx, dy), (target, goal), step, work)
        cell, dx, dy = there
    stand(now, cell, dx, dy)
    return made
