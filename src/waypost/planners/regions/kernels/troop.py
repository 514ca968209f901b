"""Troops that walk by regions: HCDPS and DBA* (algorithms 11.3, 12.2). Never stuck, so that they climb all at once."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.numbers import at
from waypost.planners.regions.kernels.database import Database, Scratch, Settings
from waypost.planners.regions.kernels.route import choose
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.troop import LOST, Lists, Walkers, climb_to_target, end, take_first, touch
from waypost.planners.walking.kernels.walker import Slot


@kernel
def choose_targets(ground, database, settings, scratch, walkers, lists, most):
    """Choose targets for those who wait until that took about so much work, and let each make its move.

    Lost is who is led no way: round in a circle, or to where a climb is stuck. Returns the work done: less than was
    asked for if nobody is left.
    """
    ground, database = Ground(*ground), Database(*database)
    settings, scratch = Settings(*settings), Scratch(*scratch)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    numbers = lists.numbers[0]
    work = 0
    ahead = 0
    while work < most and numbers.due:
        if ahead == 0:
            ahead = touch(walkers, lists)
        ahead -= 1
        walker = take_first(walkers, lists)
        work += 1
        if walker < 0:
            continue
        own = at(walker)
        now = walkers.state[walker]
        cell = np.int64(walkers.cells[own])
        now[Slot.CELL] = cell
        expansions, climbs, probes = choose(ground, database, settings, scratch, now)
        work += expansions + climbs + probes
        if now[Slot.TOO_FAR]:
            end(walkers, lists, walker, LOST)
            continue
        climb_to_target(ground, walkers, lists, walker, np.int64(now[Slot.TARGET]))
    return work
