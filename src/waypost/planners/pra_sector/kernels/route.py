"""A* over the regions of a map: the abstract search of PRA* (Sturtevant 2007; algorithms 7.2).

From region to region it costs the octile distance between their representatives, and the heuristic is the octile
distance to the goal's representative, which is consistent.
"""

import numpy as np

from waypost.kernels.compiling import helper
from waypost.kernels.moves import octile
from waypost.kernels.numbers import at
from waypost.kernels.queues import pop, push
from waypost.kernels.ways import write_back

# A mark is `stamp << 32 | closed << 31 | _MOST_COST - g`, the stamp being that of the search that wrote it: as in
# `best_first`, larger is newer or cheaper, and nothing is cleared from one search to the next.
_MOST_COST = (1 << 31) - 1
_CLOSED = 1 << 31
_STAMP_SHIFT = 32
LAST_STAMP = (1 << 31) - 1

# A key is `f << 32 | distance << 24 | region`: which of equally good regions comes first is up to a rough distance.
REGION_BITS = 24
_DISTANCE_SHIFT = 4  # counted in 16 cells, and up to 255 of those
_MOST_DISTANCE = 255


@helper
def find_route(regions, straight, diagonal, first, last, stamp, scratch):
    """Write the regions of a best way, both ends included; returns how many, expansions, most open ones and the stamp.

    First comes the region of least f, then the one less far from the goal by the larger of dx and dy in units of 16
    cells (255 at most), then the lower one. Each is reached from the one that first did so most cheaply. There are none
    if no way leads there, or only one whose cost does not fit into 31 bits.
    """
    starts, neighbours, points = regions.starts, regions.neighbours, regions.points
    marks, parents, heap = scratch.marks, scratch.parents, scratch.heap
    stamp += 1
    if stamp > LAST_STAMP:  # after two thousand million searches
        marks[:] = 0
        stamp = 1
    base = np.int64(stamp) << _STAMP_SHIFT
    goal_x = np.int64(points[at(last), 0])
    goal_y = np.int64(points[at(last), 1])
    marks[at(first)] = base | _MOST_COST
    heap[0] = first
    size = 1
    peak = 1
    expanded = 0
    while size > 0:
        here = heap[0] & ((1 << REGION_BITS) - 1)
        size = pop(heap, size)
        mark = marks[at(here)]
        if here == last:
            return write_back(parents, first, last, scratch.route), expanded, peak, stamp
        if mark & _CLOSED:
            continue  # it came before, when it was reached more cheaply
        marks[at(here)] = mark | _CLOSED
        expanded += 1
        left = mark & _MOST_COST
        x = np.int64(points[at(here), 0])
        y = np.int64(points[at(here), 1])
        for i in range(starts[at(here)], starts[at(here + 1)]):
            there = np.int64(neighbours[at(i)])
            there_x = np.int64(points[at(there), 0])
            there_y = np.int64(points[at(there), 1])
            left_there = left - octile(there_x - x, there_y - y, straight, diagonal)
            if (base | left_there) <= marks[at(there)]:
                continue
            dx = abs(there_x - goal_x)
            dy = abs(there_y - goal_y)
            f = _MOST_COST - left_there + octile(dx, dy, straight, diagonal)
            if f > _MOST_COST:
                continue
            marks[at(there)] = base | left_there
            parents[at(there)] = here
            distance = min(max(dx, dy) >> _DISTANCE_SHIFT, _MOST_DISTANCE)
            size = push(heap, size, f << 32 | distance << REGION_BITS | there)
            peak = max(peak, size)
    return 0, expanded, peak, stamp
