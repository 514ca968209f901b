"""Troops that walk by subgoal trees (2011, algorithm 3; algorithms 10.2): only their first targets are chosen."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.kernels.numbers import at
from waypost.planners.trees.kernels.forest import Forest, Settings
from waypost.planners.trees.kernels.walk import advance
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.troop import LISTED, MOVING, Lists, Walkers, goes_on, take_first


@kernel
def move_listed(ground, forest, settings, walkers, lists):
    """Let every listed walker move that is not in the queue."""
    ground, forest, settings = Ground(*ground), Forest(*forest), Settings(*settings)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    for i in range(lists.numbers[0].listed):
        walker = np.int64(lists.listed[at(i)])
        if walkers.status[at(walker)] == MOVING | LISTED:
            advance(ground, forest, settings, lists.pool, walkers.state[walker])
            goes_on(walkers, lists, walker)


@kernel
def choose_targets(ground, forest, settings, walkers, lists, most):
    """Let those who wait move, which chooses their first targets, until that took about so much work.

    Returns the work done: less than was asked for if nobody is left.
    """
    ground, forest, settings = Ground(*ground), Forest(*forest), Settings(*settings)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    work = 0
    while work < most and lists.numbers[0].due:
        walker = take_first(walkers, lists)
        work += 1
        if walker < 0:
            continue
        expansions, climbs, probes, growth = advance(ground, forest, settings, lists.pool, walkers.state[walker])
        work += expansions + climbs + probes + growth
        goes_on(walkers, lists, walker)
    return work
