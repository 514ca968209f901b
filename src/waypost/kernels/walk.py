"""The walker: moves agents towards their targets by climbing, and by LRTA* where the climb is stuck (design 4).

The state of any number of walkers is one array: a row for each slot below, a column for each walker; one agent is a
fleet of one. Who names the targets has slots of its own behind these. A walker climbs as long as it can; stuck, it
begins a *leg* on which it learns until it gets another target, and then forgets what it learned (algorithms 10.2).
"""

import numpy as np

from waypost.kernels.best_first import COST_LIMIT
from waypost.kernels.blocks import add_block, begin_leg, end_leg, values_of
from waypost.kernels.climb import FIRST_END, step_towards, take, vector_to
from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.moves import DX, DY, FIRST_DIAGONAL, octile, offset
from waypost.kernels.tiles import within

_at = np.uintp  # an unsigned index spares the test for a negative one
_NO_MOVE = 1 << 62

# Where the walker stands and the vector to its target, which are all that a climb needs; then the rest.
CELL, TO_X, TO_Y, GOAL, TARGET, LEG, FIRST_BLOCK, LAST_BLOCK, LEARNED, TOO_FAR = range(10)
SLOTS = 10  # of the walker; those of a route begin here
NEXT_LEG, END_LEG = SLOTS, SLOTS + 1  # of a route whose legs are prepared


@kernel
def place(pool, state, walker, cell, goal):
    """Put a walker on a cell and give it a goal; it has no target yet."""
    forget(pool, state, walker)
    state[CELL, walker] = cell
    state[GOAL, walker] = goal
    state[TARGET, walker] = -1
    state[TOO_FAR, walker] = 0


@inlined
def forget(pool, state, walker):
    """Forget what a walker has learned on the way to its target."""
    if state[LEG, walker]:
        end_leg(pool, np.int64(state[FIRST_BLOCK, walker]), np.int64(state[LAST_BLOCK, walker]))
        state[LEG, walker] = state[FIRST_BLOCK, walker] = state[LAST_BLOCK, walker] = 0


@inlined
def head_for(pool, state, walker, stride, target):
    """Give a walker a target; what it learned on the way to another one is forgotten."""
    forget(pool, state, walker)
    state[TARGET, walker] = target
    state[TO_X, walker], state[TO_Y, walker] = vector_to(stride, np.int64(state[CELL, walker]), np.int64(target))


@inlined
def move(mask, climb_table, pool, state, walker, stride, across, straight, diagonal):
    """Move towards the target, which the walker is not on; returns expansions, climb steps and blocks added."""
    cell = np.int64(state[CELL, walker])
    if state[LEG, walker] == 0:
        dx = np.int64(state[TO_X, walker])
        dy = np.int64(state[TO_Y, walker])
        step = step_towards(climb_table, mask[_at(cell)], dx, dy)
        if step < FIRST_END:
            state[CELL, walker], state[TO_X, walker], state[TO_Y, walker] = take(step, stride, cell, dx, dy)
            return 0, 1, 0
        state[LEG, walker] = begin_leg(pool)
    return 1, 0, _learn_and_move(mask, pool, state, walker, stride, across, straight, diagonal)


@helper
def _learn_and_move(mask, pool, state, walker, stride, across, straight, diagonal):
    """One move of LRTA*: raise h of the cell to the least c + h around it, and go there; returns blocks added.

    Ties as in a climb: to the larger c, then to the first in the order of moves.
    """
    cell = np.int64(state[CELL, walker])
    leg = np.int64(state[LEG, walker])
    dx = np.int64(state[TO_X, walker])
    dy = np.int64(state[TO_Y, walker])
    y = cell // stride
    x = cell - y * stride
    tile = (y >> 3) * across + (x >> 3)
    values = values_of(pool, leg, tile)
    legal = np.int64(mask[cell])
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
            block = add_block(pool, leg, tile, np.int64(state[LAST_BLOCK, walker]))
            state[LAST_BLOCK, walker] = block
            if state[FIRST_BLOCK, walker] == 0:
                state[FIRST_BLOCK, walker] = block
            values = values_of(pool, leg, tile)
            growth = 1
        if pool[values + within(x, y)] == 0:
            state[LEARNED, walker] += 1
        if best >> 3 >= COST_LIMIT:
            state[TOO_FAR, walker] = 1
        pool[values + within(x, y)] = (best >> 3) - here
    way = (best & 7) + 4 & 7
    state[CELL, walker] = cell + offset(way, stride)
    state[TO_X, walker] = dx - DX[way]
    state[TO_Y, walker] = dy - DY[way]
    return growth


@kernel
def climb_all(mask, climb_table, stride, state, asking):
    """Let every walker climb one step; returns how many could not, having arrived or being stuck, and lists them."""
    cells = state[CELL]
    to_x = state[TO_X]
    to_y = state[TO_Y]
    count = 0
    for walker in range(cells.size):
        cell = np.int64(cells[walker])
        dx = np.int64(to_x[walker])
        dy = np.int64(to_y[walker])
        step = step_towards(climb_table, mask[_at(cell)], dx, dy)
        cells[walker], to_x[walker], to_y[walker] = take(step, stride, cell, dx, dy)
        asking[_at(count)] = walker
        count += step >= FIRST_END
    return count


@kernel
def climb_on(mask, climb_table, stride, state, log):
    """One step of one walker that never is stuck; returns 0 if it has to choose a target first.

    Written are the cell and the five work counters. With few arrays: what a call costs grows with their number.
    """
    dx = np.int64(state[TO_X, 0])
    dy = np.int64(state[TO_Y, 0])
    if state[TARGET, 0] < 0 or (dx == 0 and dy == 0):
        return 0
    cell = np.int64(state[CELL, 0])
    step = step_towards(climb_table, mask[_at(cell)], dx, dy)
    state[CELL, 0], state[TO_X, 0], state[TO_Y, 0] = take(step, stride, cell, dx, dy)
    log[:] = 0
    log[0] = state[CELL, 0]
    log[3] = 1  # climb step
    return 1


@kernel
def follow(mask, climb_table, stride, legs, state, asking, count):
    """Give the walkers that ask the next leg of their prepared route and let them climb; returns how many have none.

    A leg is the vector from one subgoal to the next. Those that have none left are moved to the front of the list.
    """
    done = 0
    for at in range(count):
        walker = asking[at]
        leg = np.int64(state[NEXT_LEG, walker])
        if leg == state[END_LEG, walker]:
            asking[done] = walker
            done += 1
            continue
        state[NEXT_LEG, walker] = leg + 1
        cell = np.int64(state[CELL, walker])
        dx = np.int64(legs[leg, 0])
        dy = np.int64(legs[leg, 1])
        step = step_towards(climb_table, mask[_at(cell)], dx, dy)
        state[CELL, walker], state[TO_X, walker], state[TO_Y, walker] = take(step, stride, cell, dx, dy)
    return done
