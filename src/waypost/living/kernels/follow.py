"""Troops that follow ways found for each of their walkers, on a map that may have changed since.

A way is kept as the cells where it turns, in a pool that the walkers of a troop share; a row of state says which part
of it is a walker's own. Each step is looked up in the legal moves as they are now. Where it is no longer legal, the
walker asks for another way; where it is only blocked for some ticks, it waits first.
"""

from enum import IntEnum

import numpy as np

from waypost.kernels.compiling import helper, inlined, kernel
from waypost.kernels.numbers import at
from waypost.planners.walking.kernels.troop import (
    ARRIVED,
    LOST,
    MOVING,
    NO_AGENT,
    ON_WALL,
    STATUS,
    UNREACHABLE,
    Lists,
    Walkers,
    ask,
    end,
    take_first,
)
from waypost.planners.walking.kernels.walker import Slot

# The move of each pair of signs, (1 + sign of y) * 3 + 1 + sign of x; none where both are 0.
MOVE_OF = np.array((7, 0, 4, 3, -1, 1, 6, 2, 5))


class FollowSlot(IntEnum):
    """What a walker's state holds of its way, behind what all walkers have."""

    AT = Slot.ROUTE
    """Where in the pool the turn stands that it is going to."""
    END = Slot.ROUTE + 1
    HELD = Slot.ROUTE + 2
    """Ticks that it has waited in front of a blocked cell."""
    DETOUR = Slot.ROUTE + 3
    """Whether it asks for a way round blocked cells."""


@kernel
def follow_listed(mask, veil, stride, turns, patience, walkers, lists):
    """Let every listed walker take a step of its way; who cannot asks, who comes to its goal ends.

    `veil` has the legal moves but for those into blocked cells, and past them.
    """
    walkers, lists = Walkers(*walkers), Lists(*lists)
    numbers = lists.numbers[0]
    for i in range(numbers.listed):
        walker = np.int64(lists.listed[at(i)])
        own = at(walker)
        if walkers.to_x[own] != 0 or walkers.to_y[own] != 0:
            _step(mask, veil, stride, turns, patience, walkers, lists, walker)


@inlined
def _sign(number):
    return int(number > 0) - int(number < 0)


@inlined
def _step(mask, veil, stride, turns, patience, walkers, lists, walker):
    """One step of a walker that has a way."""
    own = at(walker)
    right = _sign(walkers.to_x[own])
    down = _sign(walkers.to_y[own])
    cell = np.int64(walkers.cells[own])
    move = MOVE_OF[3 * down + right + 4]
    if veil[at(cell)] >> move & 1:
        _take(stride, turns, walkers, lists, walker, cell + down * stride + right, right, down)
        return
    now = walkers.state[walker]
    if mask[at(cell)] >> move & 1:
        now[FollowSlot.HELD] += 1
        if now[FollowSlot.HELD] <= patience:
            return
        now[FollowSlot.DETOUR] = 1
    walkers.to_x[own] = walkers.to_y[own] = 0
    ask(walkers, lists, walker)


@inlined
def _take(stride, turns, walkers, lists, walker, cell, right, down):
    """Put a walker on the next cell of its way."""
    own = at(walker)
    now = walkers.state[walker]
    now[FollowSlot.HELD] = 0
    walkers.cells[own] = cell
    walkers.to_x[own] -= right
    walkers.to_y[own] -= down
    lists.numbers[0].moved += 1
    if walkers.to_x[own] != 0 or walkers.to_y[own] != 0:
        return
    now[FollowSlot.AT] += 1
    if now[FollowSlot.AT] < now[FollowSlot.END]:
        _turn(stride, turns, walkers, walker)
    else:
        end(walkers, lists, walker, ARRIVED)


@inlined
def _turn(stride, turns, walkers, walker):
    """Head for the turn that is next."""
    own = at(walker)
    cell = np.int64(walkers.cells[own])
    there = np.int64(turns[at(walkers.state[walker, FollowSlot.AT])])
    rows = there // stride - cell // stride
    walkers.to_y[own] = rows
    walkers.to_x[own] = there - cell - rows * stride


@kernel
def set_off(mask, veil, stride, turns, patience, walkers, lists, path, used):
    """Give the first walker of the queue the way that it asked for, behind what is used of the pool, and let it take
    the first step; returns what is used then. Without a path it is lost.
    """
    walkers, lists = Walkers(*walkers), Lists(*lists)
    walker = take_first(walkers, lists)
    if path.size < 2:
        end(walkers, lists, walker, LOST)
        return used
    now = walkers.state[walker]
    now[FollowSlot.AT] = used
    used = write_turns(path, turns, used)
    now[FollowSlot.END] = used
    now[FollowSlot.HELD] = now[FollowSlot.DETOUR] = 0
    _turn(stride, turns, walkers, walker)
    _step(mask, veil, stride, turns, patience, walkers, lists, walker)
    return used


@helper
def write_turns(path, turns, used):
    """Write the cells behind the first where a path turns, and its last; returns what is used of the pool then."""
    for i in range(1, path.size):
        if i == path.size - 1 or path[i + 1] - path[i] != path[i] - path[i - 1]:
            turns[used] = path[i]
            used += 1
    return used


@kernel
def drop_first(walkers, lists):
    """Take the first of the queue out of it, who has no way to go any more."""
    return take_first(Walkers(*walkers), Lists(*lists))


@kernel
def pack_turns(turns, status, state, packed):
    """Copy the turns that walkers still have before them to another pool; returns what is used of it."""
    used = np.int64(0)
    for walker in range(status.size):
        if status[walker] & STATUS != MOVING:
            state[walker, FollowSlot.AT] = state[walker, FollowSlot.END] = 0
            continue
        first = np.int64(state[walker, FollowSlot.AT])
        last = np.int64(state[walker, FollowSlot.END])
        state[walker, FollowSlot.AT] = used
        for place in range(first, last):
            packed[used] = turns[place]
            used += 1
        state[walker, FollowSlot.END] = used
    return used


@kernel
def who_stand_otherwise(component, cells, goals, wanted, status, found):
    """Write the places of walkers that stand otherwise than the map now says; returns how many.

    Walled in or on a closed cell, or free again; or on the way to another cell, as near as there was a way to the one
    wanted, where that can be reached again, or the other cannot.
    """
    count = 0
    for walker in range(status.size):
        stands = status[walker] & STATUS
        if stands == NO_AGENT:
            continue
        here = component[cells[walker]]
        if here == 0:
            is_otherwise = stands != ON_WALL
        elif here == component[wanted[walker]]:
            is_otherwise = (stands != MOVING and stands != ARRIVED) or goals[walker] != wanted[walker]
        else:
            goes_near = goals[walker] != wanted[walker] and here == component[goals[walker]]
            is_otherwise = not goes_near and (stands != UNREACHABLE or goals[walker] != wanted[walker])
        if is_otherwise:
            found[count] = walker
            count += 1
    return count
