"""Ways from node to node: those that a search leaves behind as parents, and hops that go round in a circle.

*Circles* are noticed in constant work for each hop (Brent 1980). Which region follows on the way to a goal depends on a
region and the goal alone, and in a sound index it is nearer to the goal: no region comes twice. In a forged one hops
may lead round forever. So each region is compared with one that was passed, the last one of a number that is a power of
two: as soon as that number is beyond the way into the circle and the length of the circle, the region comes again
before another one is marked.
"""

import numpy as np

from waypost.kernels.compiling import helper, inlined
from waypost.kernels.numbers import at

NOWHERE = -1  # what is marked at first
NO_WAY = 2  # of a walker or an agent that is given up: what its slot TOO_FAR says then


@helper
def write_back(parents, first, last, way):
    """Write the nodes from the first to the last, both included, going back from the last; returns how many."""
    count = 1
    here = last
    while here != first:
        here = np.int64(parents[at(here)])
        count += 1
    here = last
    for i in range(count - 1, -1, -1):
        way[at(i)] = here
        here = np.int64(parents[at(here)])
    return count


@inlined
def count_hop(hops, marked, here):
    """Count the hop from a region; returns their number, the region marked, and whether it is that one again."""
    if here == marked:
        return hops, marked, True
    hops += 1
    return hops, here if hops & (hops - 1) == 0 else marked, False
