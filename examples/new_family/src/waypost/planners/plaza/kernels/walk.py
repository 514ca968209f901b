"""Walking by a plaza, alone and in troops: the plaza is the first target if it is near."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import call, helper, kernel
from waypost.kernels.many import Many, is_new, keep_log, log_size, take_up
from waypost.kernels.move_log import log_move, room_in
from waypost.kernels.numbers import at
from waypost.planners.walking.kernels.ground import Ground, distance
from waypost.planners.walking.kernels.many import put_on_start
from waypost.planners.walking.kernels.troop import LISTED, MOVING, Lists, Walkers, goes_on, take_first
from waypost.planners.walking.kernels.walker import Slot, head_for, move


class Database(NamedTuple):
    """The component of every cell, and the plaza of every component."""

    component: npt.NDArray[np.int32]
    plazas: npt.NDArray[np.int32]


@kernel
def walk(ground, database, pool, now, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many."""
    ground, database = Ground(*ground), Database(*database)
    room = room_in(log)
    made = 0
    while made < room and now[Slot.CELL] != now[Slot.GOAL] and not now[Slot.TOO_FAR]:
        expansions, climbs, probes, growth = _advance(ground, database, pool, now)
        made = log_move(log, made, now[Slot.CELL], expansions, 0, climbs, probes, growth)
    return made


@kernel
def solve(ground, database, pool, now, walk_at, many):
    """Walk from start to goal, one problem after the other; returns DONE, or what is to be seen to."""
    many = Many(*many)
    while take_up(many):
        if is_new(many):
            put_on_start(many, pool, now)
        made = call(walk, walk_at, 0, (ground, database, pool, now, many.log[: log_size(many)]))
        keep_log(many, made)
    return many.progress[0].status


@kernel
def move_listed(ground, database, walkers, lists):
    """Let every listed walker move that is not in the queue."""
    ground, database = Ground(*ground), Database(*database)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    for i in range(lists.numbers[0].listed):
        walker = np.int64(lists.listed[at(i)])
        if walkers.status[at(walker)] == MOVING | LISTED:
            _advance(ground, database, lists.pool, walkers.state[:, walker])
            goes_on(walkers, lists, walker)


@kernel
def choose_targets(ground, database, walkers, lists, most):
    """Let those who wait make their first moves, until that took about so much work; returns how much it took."""
    ground, database = Ground(*ground), Database(*database)
    walkers, lists = Walkers(*walkers), Lists(*lists)
    work = 0
    while work < most and lists.numbers[0].due:
        walker = take_first(walkers, lists)
        work += 1
        if walker >= 0:
            _advance(ground, database, lists.pool, walkers.state[:, walker])
            goes_on(walkers, lists, walker)
    return work


@helper
def _advance(ground, database, pool, now):
    """One move, with a new target first if there is none or it is reached; expansions, climbs, probes and growth."""
    cell = np.int64(now[Slot.CELL])
    probes = 0
    if now[Slot.TARGET] < 0:
        probes = 1
        plaza = database.plazas[at(database.component[at(cell)])]
        goal = now[Slot.GOAL]
        is_near = 2 * distance(ground, cell, plaza) < distance(ground, cell, goal)
        head_for(ground, pool, now, plaza if is_near else goal)
    if now[Slot.TARGET] == cell:  # the plaza, on which a walk may begin
        head_for(ground, pool, now, now[Slot.GOAL])
    expansions, climbs, growth = move(ground, pool, now)
    return expansions, climbs, probes, growth
