"""Walking by gates, one walker: from point to point by climbs (gates rules, "Walk")."""

import numpy as np

from waypost.kernels.climb import step_towards, vector_to
from waypost.kernels.compiling import kernel
from waypost.kernels.move_log import room_in
from waypost.kernels.numbers import at
from waypost.planners.gates.kernels.costs import Costs
from waypost.planners.gates.kernels.route import Settings, choose
from waypost.planners.gates.kernels.sectors import Sectors
from waypost.planners.gates.kernels.tree import Tree
from waypost.planners.gates.kernels.ways import opened
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.strides import log_run
from waypost.planners.walking.kernels.walker import Slot, stand


@kernel
def walk(ground, sectors, tree, known, settings, scratch, now, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many.

    Fewer, though the goal is not reached, if the index leads no way.
    """
    ground, sectors, tree, known = Ground(*ground), Sectors(*sectors), Tree(*tree), Costs(*known)
    settings, scratch = Settings(*settings), opened(scratch)
    room = room_in(log)
    goal = np.int64(now[Slot.GOAL])
    target = np.int64(now[Slot.TARGET])
    there = np.int64(now[Slot.CELL]), np.int64(now[Slot.TO_X]), np.int64(now[Slot.TO_Y])
    step = step_towards(ground.climb_table, ground.mask[at(there[0])], there[1], there[2])
    made = 0
    while made < room and there[0] != goal:
        work = np.int64(0), np.int64(0), np.int64(0)
        if there[0] == target or target < 0:
            cell = there[0]
            now[Slot.CELL] = cell
            work = choose(ground, sectors, tree, known, settings, scratch, now)
            if now[Slot.TOO_FAR]:
                break
            target = np.int64(now[Slot.TARGET])
            dx, dy = vector_to(ground.stride, cell, target)
            there = cell, dx, dy
            step = step_towards(ground.climb_table, ground.mask[at(cell)], dx, dy)
        made, there, step = log_run(ground, log, made, room, there, (target, goal), step, work)
    stand(now, there[0], there[1], there[2])
    return made
