"""Lists of entries that grow: labels while they are made.

An entry is a hub's rank, the sides by which the ways arrive, and what they cost.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.copies import longer

RANK_BITS = 20
RANK = (1 << RANK_BITS) - 1
COST_SHIFT = 28
_SIDES = 255


class Growing(NamedTuple):
    """Where each list begins in a pool, its size and its room; the end of the pool, and how many entries there are."""

    firsts: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    rooms: npt.NDArray[np.int64]
    used: npt.NDArray[np.int64]


@inlined
def entry(cost, sides, rank):
    """An entry as one number."""
    return cost << COST_SHIFT | np.int64(sides) << RANK_BITS | rank


@inlined
def rank_of(entry):
    """The rank of its hub."""
    return entry & RANK


@inlined
def cost_of(entry):
    """What its ways cost."""
    return entry >> COST_SHIFT


@inlined
def arrived_of(entry):
    """The sides by which its ways arrive."""
    return entry >> RANK_BITS & _SIDES


def new_lists(count, room):
    """So many empty lists with room for a few entries each, and their pool; made in Python."""
    lists = Growing(
        firsts=np.arange(count) * room,
        sizes=np.zeros(count, np.int64),
        rooms=np.full(count, room),
        used=np.array((count * room, 0)),
    )
    return lists, np.empty(4 * count * room + 16, np.int64)


@helper(allocates=True)
def append(lists, pool, which, new):
    """Put an entry at the end of a list; returns the pool, which may be a larger one."""
    size = lists.sizes[which]
    if size == lists.rooms[which]:
        place = lists.used[0]
        if place + 2 * size > pool.size:
            pool = longer(pool, place + 2 * size)
        first = lists.firsts[which]
        for i in range(size):
            pool[place + i] = pool[first + i]
        lists.firsts[which] = place
        lists.rooms[which] = 2 * size
        lists.used[0] = place + 2 * size
    pool[lists.firsts[which] + size] = new
    lists.sizes[which] = size + 1
    lists.used[1] += 1
    return pool


@helper(allocates=True)
def in_order(lists, pool):
    """Where each list begins, if one follows the other, and all of them so."""
    firsts = np.empty(lists.sizes.size + 1, np.int64)
    firsts[0] = 0
    entries = np.empty(lists.used[1], np.int64)
    made = 0
    for i in range(lists.sizes.size):
        for place in range(lists.firsts[i], lists.firsts[i] + lists.sizes[i]):
            entries[made] = pool[place]
            made += 1
        firsts[i + 1] = made
    return firsts, entries
