"""Troops that walk by hubs: never stuck, so that they climb all at once (hub rules, "Walk")."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.numbers import at
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.route import choose
from waypost.planners.hub.kernels.solve import Labels, Scratch
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.troop import LOST, Walkers, climb_to_target, end, take_first, touch
from waypost.planners.walking.kernels.troop import Lists as TroopLists
from waypost.planners.walking.kernels.walker import Slot


@kernel
def choose_targets(ground, lines, labels, scratch, walkers, lists, most):
    """Choose targets for those who wait until that took about so much work, and let each make its move.

    Returns the work done: less than was asked for if nobody is left.
    """
    ground, lines, labels, scratch = Ground(*ground), Lines(*lines), Labels(*labels), Scratch(*scratch)
    walkers, lists = Walkers(*walkers), TroopLists(*lists)
    work = 0
    ahead = 0
    while work < most and lists.numbers[0].due:
        if ahead == 0:
            ahead = touch(walkers, lists)
        ahead -= 1
        walker = take_first(walkers, lists)
        work += 1
        if walker < 0:
            continue
        now = walkers.state[walker]
        now[Slot.CELL] = walkers.cells[at(walker)]
        climbs, probes = choose(lines, labels, scratch, now)
        work += climbs + probes
        if now[Slot.TOO_FAR]:
            end(walkers, lists, walker, LOST)
        else:
            climb_to_target(ground, walkers, lists, walker, np.int64(now[Slot.TARGET]))
    return work
