"""Troops that walk by gates: never stuck, so that they climb all at once (gates rules, "Walk")."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.numbers import at
from waypost.planners.gates.kernels.costs import Costs
from waypost.planners.gates.kernels.route import Settings, choose
from waypost.planners.gates.kernels.sectors import Sectors
from waypost.planners.gates.kernels.tree import Tree
from waypost.planners.gates.kernels.ways import opened
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.troop import LOST, Lists, Walkers, climb_to_target, end, take_first, touch
from waypost.planners.walking.kernels.walker import Slot


@kernel
def choose_targets(ground, sectors, tree, known, settings, scratch, walkers, lists, most):
    """Choose targets for those who wait until that took about so much work, and let each make its move.

    Returns the work done: less than was asked for if nobody is left.
    """
    ground, sectors, tree, known = Ground(*ground), Sectors(*sectors), Tree(*tree), Costs(*known)
    settings, scratch = Settings(*settings), opened(scratch)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    work = np.int64(0)
    fetched = 0
    while work < most and lists.numbers[0].due:
        fetched = (fetched or touch(walkers, lists)) - 1
        walker = take_first(walkers, lists)
        work += 1
        if walker >= 0:
            now = walkers.state[walker]
            now[Slot.CELL] = walkers.cells[at(walker)]
            expansions, climbs, probes = choose(ground, sectors, tree, known, settings, scratch, now)
            work += expansions + climbs + probes
            if now[Slot.TOO_FAR]:
                end(walkers, lists, walker, LOST)
            else:
                climb_to_target(ground, walkers, lists, walker, np.int64(now[Slot.TARGET]))
    return work
