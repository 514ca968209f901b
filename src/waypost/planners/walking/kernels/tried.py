"""What walkers of a fleet have tried is kept, so that others at the same place need not try it again.

Which point of a route is the farthest that a climb will do for (`points.farthest`) follows from where a walker is
and from the points it knows. Many walkers stand on the same places with the same points ahead, the more the fewer goals
they have. A table keeps what came out, one entry for each hash: the whole question, then the answer. So it is never
wrong, and whoever asks something else overwrites it.
"""

import numpy as np

from waypost.kernels.compiling import inlined
from waypost.kernels.numbers import at
from waypost.planners.walking.kernels.points import RouteSlot, farthest
from waypost.planners.walking.kernels.walker import Slot

_MOST_POINTS = 4  # that a question may have
_CELL, _POINT, _COUNT, _ANSWER, _POINTS = range(5)
_MIX, _LOW = 0x45D9F3B3, (1 << 31) - 1  # no product leaves 64 bits
ENTRY = _POINTS + _MOST_POINTS  # numbers of an entry


def table_size(entries):
    """Numbers (int32, 0 at first: no walker is on cell 0) of a table of so many entries, a power of two."""
    return ENTRY * entries


@inlined
def farthest_known(ground, settings, now, tried):
    """`farthest`, tried or looked up; a table of no size keeps nothing."""
    count = np.int64(now[RouteSlot.KNOWN])
    if tried.size == 0 or count > _MOST_POINTS:
        return farthest(ground, settings, now)
    cell = np.int64(now[Slot.CELL])
    point = np.int64(now[RouteSlot.POINT])
    # With the goal as the only point it matters whether it is the goal.
    kind = count << 1 | np.int64(now[RouteSlot.IS_COMPLETE])
    mixed = cell << 5 | kind
    for i in range(count):
        mixed = (mixed & _LOW) * _MIX + np.int64(now[RouteSlot.POINTS + i]) ^ mixed >> 29
    entry = ENTRY * ((mixed ^ mixed >> 29) & tried.size // ENTRY - 1)
    same = (tried[at(entry + _CELL)] == cell) & (tried[at(entry + _POINT)] == point)
    same &= tried[at(entry + _COUNT)] == kind
    for i in range(count):
        same &= tried[at(entry + _POINTS + i)] == now[RouteSlot.POINTS + i]
    if same:
        return np.int64(tried[at(entry + _ANSWER)]), 0
    chosen, climbs = farthest(ground, settings, now)
    tried[at(entry + _CELL)] = cell
    tried[at(entry + _POINT)] = point
    tried[at(entry + _COUNT)] = kind
    tried[at(entry + _ANSWER)] = chosen
    for i in range(count):
        tried[at(entry + _POINTS + i)] = now[RouteSlot.POINTS + i]
    return np.int64(chosen), climbs
