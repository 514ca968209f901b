"""Walking by records: kNN LRTA* (2010; algorithms 9.4). It learns only while it has no record to walk by."""

import numpy as np

from waypost.kernels.compiling import inlined, kernel
from waypost.kernels.move_log import log_move, room_in
from waypost.planners.records.kernels.database import Database, Scratch, Settings
from waypost.planners.records.kernels.route import RecordSlot, choose, must_choose
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.walker import Slot, move


@inlined
def advance(ground, pool, now):
    """One move towards the target, counted; returns expansions, climb steps and blocks added."""
    cell = np.int64(now[Slot.CELL])
    work = move(ground, pool, now)
    away = abs(now[Slot.CELL] - cell)
    is_straight = away == 1 or away == ground.stride
    now[RecordSlot.STRAIGHTS] += is_straight
    now[RecordSlot.DIAGONALS] += not is_straight
    return work


@kernel
def walk(ground, database, settings, scratch, pool, now, log):
    """Make as many moves of one walker as the log has room for, at most; returns how many."""
    ground, database = Ground(*ground), Database(*database)
    settings, scratch = Settings(*settings), Scratch(*scratch)
    room = room_in(log)
    made = 0
    while made < room and now[Slot.CELL] != now[Slot.GOAL] and not now[Slot.TOO_FAR]:
        climbs = probes = 0
        if must_choose(ground, settings, now):
            climbs, probes = choose(ground, database, settings, scratch, pool, now)
        expansions, steps, growth = advance(ground, pool, now)
        made = log_move(log, made, now[Slot.CELL], expansions, 0, climbs + steps, probes, growth)
    return made
