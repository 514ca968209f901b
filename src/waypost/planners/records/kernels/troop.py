"""Troops that walk by records: kNN LRTA* (2010; algorithms 9.4)."""

import numpy as np

from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.numbers import at
from waypost.planners.records.kernels.database import Database, Scratch, Settings
from waypost.planners.records.kernels.route import choose, must_choose
from waypost.planners.records.kernels.walk import advance
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.troop import LISTED, MOVING, Lists, Walkers, ask, goes_on, take_first


@kernel
def move_listed(ground, settings, walkers, lists):
    """Let every listed walker move that is not in the queue; who then needs a target asks."""
    ground, settings, walkers, lists = Ground(*ground), Settings(*settings), Walkers(*walkers), Lists(*lists)
    for i in range(lists.numbers[0].listed):
        walker = np.int64(lists.listed[at(i)])
        if walkers.status[at(walker)] == MOVING | LISTED:
            _advance_and_ask(ground, settings, walkers, lists, walker)


@kernel
def choose_targets(ground, database, settings, scratch, walkers, lists, most):
    """Choose targets for those who wait until that took about so much work, and let each make its move.

    Returns the work done: less than was asked for if nobody is left.
    """
    ground, database = Ground(*ground), Database(*database)
    settings, scratch = Settings(*settings), Scratch(*scratch)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    work = 0
    while work < most and lists.numbers[0].due:
        walker = take_first(walkers, lists)
        work += 1
        if walker < 0:
            continue
        climbs, probes = choose(ground, database, settings, scratch, lists.pool, walkers.state[walker])
        work += climbs + probes
        _advance_and_ask(ground, settings, walkers, lists, walker)
    return work


@inlined
def _advance_and_ask(ground, settings, walkers, lists, walker):
    """One move of a walker that has a target; if it then needs another one, it asks."""
    now = walkers.state[walker]
    advance(ground, lists.pool, now)
    if goes_on(walkers, lists, walker) and must_choose(ground, settings, now):
        ask(walkers, lists, walker)
