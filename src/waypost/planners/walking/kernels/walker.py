"""The walker: moves agents towards their targets by climbing, and by LRTA* where the climb is stuck.

See how-it-fits, "A route and a walker".
The state of a walker is an array of slots, here called `now`. Who names the targets has slots of its own behind these,
by names of its own: how many, may depend on the goal. A walker climbs as long as it can; stuck, it
begins a *leg* on which it learns until it gets another target, and then forgets what it learned (algorithms 10.2).
"""

from enum import IntEnum, auto

import numpy as np

from waypost.kernels.climb import FIRST_END, step_towards, take, vector_to
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.move_log import log_move
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, octile, offset
from waypost.kernels.numbers import COST_LIMIT, at
from waypost.kernels.tiles import within
from waypost.planners.walking.kernels.blocks import add_block, begin_leg, end_leg, values_of

_NO_MOVE = 1 << 62


class Slot(IntEnum):
    """Where in its state a walker stands and the vector to its target, all that a climb needs; then the rest."""

    CELL = 0
    TO_X = auto()
    TO_Y = auto()
    GOAL = auto()
    TARGET = auto()
    LEG = auto()
    FIRST_BLOCK = auto()
    LAST_BLOCK = auto()
    LEARNED = auto()
    TOO_FAR = auto()
    ROUTE = auto()
    """Here begin the slots of a route."""


@kernel
def place(pool, now, cell, goal):
    """`put`, for Python."""
    put(pool, now, cell, goal)


@inlined
def put(pool, now, cell, goal):
    """Put a walker on a cell and give it a goal; it has no target yet."""
    forget(pool, now)
    now[Slot.CELL] = cell
    now[Slot.GOAL] = goal
    now[Slot.TARGET] = -1
    now[Slot.TOO_FAR] = 0


@inlined
def forget(pool, now):
    """Forget what a walker has learned on the way to its target."""
    if now[Slot.LEG]:
        end_leg(pool, np.int64(now[Slot.FIRST_BLOCK]), np.int64(now[Slot.LAST_BLOCK]))
        now[Slot.LEG] = now[Slot.FIRST_BLOCK] = now[Slot.LAST_BLOCK] = 0


@inlined
def head_for(ground, pool, now, target):
    """Give a walker a target; what it learned on the way to another one is forgotten."""
    forget(pool, now)
    now[Slot.TARGET] = target
    cell = np.int64(now[Slot.CELL])
    now[Slot.TO_X], now[Slot.TO_Y] = vector_to(ground.stride, cell, np.int64(target))


@inlined
def move(ground, pool, now):
    """Move towards the target, which the walker is not on; returns expansions, climb steps and blocks added."""
    cell = np.int64(now[Slot.CELL])
    if now[Slot.LEG] == 0:
        dx = np.int64(now[Slot.TO_X])
        dy = np.int64(now[Slot.TO_Y])
        step = step_towards(ground.climb_table, ground.mask[at(cell)], dx, dy)
        if step < FIRST_END:
            stand(now, *take(step, ground.stride, cell, dx, dy))
            return 0, 1, 0
        now[Slot.LEG] = begin_leg(pool)
    return 1, 0, _learn_and_move(ground, pool, now)


@inlined
def stand(now, cell, dx, dy):
    """Put a walker on a cell from which its target lies dx, dy away."""
    now[Slot.CELL] = cell
    now[Slot.TO_X] = dx
    now[Slot.TO_Y] = dy


@helper
def _learn_and_move(ground, pool, now):
    """One move of LRTA*: raise h of the cell to the least c + h around it, and go there; returns blocks added.

    Ties as in a climb: to the larger c, then to the first in the order of moves.
    """
    cell = np.int64(now[Slot.CELL])
    leg = np.int64(now[Slot.LEG])
    dx = np.int64(now[Slot.TO_X])
    dy = np.int64(now[Slot.TO_Y])
    straight = ground.straight
    diagonal = ground.diagonal
    across = ground.tiles_across
    y = cell // ground.stride
    x = cell - y * ground.stride
    tile = (y >> 3) * across + (x >> 3)
    values = values_of(pool, leg, tile)
    legal = np.int64(ground.mask[cell])
    best = _NO_MOVE
    for way in range(8):
        if legal >> way & 1:
            there_x = x + DX[way]
            there_y = y + DY[way]
            there_tile = (there_y >> 3) * across + (there_x >> 3)
            there = values if there_tile == tile else values_of(pool, leg, there_tile)
            rise = pool[there + within(there_x, there_y)] if there else 0
            h = octile(dx - DX[way], dy - DY[way], straight, diagonal) + rise
            total = (straight if way < FIRST_DIAGONAL else diagonal) + h
            best = min(best, total << 3 | (way + 4 & 7))  # diagonal moves, which cost more, before straight ones
    here = octile(dx, dy, straight, diagonal)
    growth = 0
    if best >> 3 > here + (pool[values + within(x, y)] if values else 0):
        if values == 0:
            block = add_block(pool, leg, tile, np.int64(now[Slot.LAST_BLOCK]))
            now[Slot.LAST_BLOCK] = block
            if now[Slot.FIRST_BLOCK] == 0:
                now[Slot.FIRST_BLOCK] = block
            values = values_of(pool, leg, tile)
            growth = 1
        if pool[values + within(x, y)] == 0:
            now[Slot.LEARNED] += 1
        if best >> 3 >= COST_LIMIT:
            now[Slot.TOO_FAR] = 1
        pool[values + within(x, y)] = (best >> 3) - here
    way = (best & 7) + 4 & 7
    stand(now, cell + offset(way, ground.stride), dx - DX[way], dy - DY[way])
    return growth


@kernel
def climb_on(mask, climb_table, stride, now, log):
    """One step of one walker; returns 0 if it has to choose a target first, or is stuck.

    The log has room for this one. With few arrays: what a call costs grows with their number.
    """
    dx = np.int64(now[Slot.TO_X])
    dy = np.int64(now[Slot.TO_Y])
    cell = np.int64(now[Slot.CELL])
    step = step_towards(climb_table, mask[at(cell)], dx, dy)
    if now[Slot.TARGET] < 0 or step >= FIRST_END:
        return 0
    cell, dx, dy = take(step, stride, cell, dx, dy)
    stand(now, cell, dx, dy)
    return log_move(log, 0, cell, 0, 0, 1, 0, 0)
