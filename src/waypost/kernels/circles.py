"""Hops that go round in a circle are noticed, in constant work for each (Brent 1980).

Which region follows on the way to a goal depends on a region and the goal alone, and in a sound index it is nearer to
the goal: no region comes twice. In a forged one hops may lead round forever. So each region is compared with one that
was passed, the last one of a number that is a power of two: as soon as that number is beyond the way into the circle
and the length of the circle, the region comes again before another one is marked.
"""

from waypost.kernels.compiling import inlined

NOWHERE = -1  # what is marked at first
NO_WAY = 2  # of a walker or an agent that is given up: what its slot TOO_FAR says then


@inlined
def count_hop(hops, marked, here):
    """Count the hop from a region; returns their number, the region marked, and whether it is that one again."""
    if here == marked:
        return hops, marked, True
    hops += 1
    return hops, here if hops & (hops - 1) == 0 else marked, False
