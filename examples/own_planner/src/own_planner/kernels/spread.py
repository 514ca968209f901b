"""A breadth-first tree over all open cells: each points to the next cell on the way to its component's beacon."""

from own_planner.kernels.steps import neighbour
from waypost.kernels.compiling import kernel

__all__ = ["spread"]


@kernel
def spread(mask, stride, beacons, toward, depth, queue):
    """Fill in `toward` and `depth`, which are -1 everywhere; `queue` has room for all cells."""
    last = 0
    for i in range(beacons.size):
        toward[beacons[i]] = beacons[i]
        depth[beacons[i]] = 0
        queue[last] = beacons[i]
        last += 1
    first = 0
    while first < last:
        cell = queue[first]
        first += 1
        for move in range(8):
            if mask[cell] >> move & 1:
                other = neighbour(cell, move, stride)
                if depth[other] < 0:
                    toward[other] = cell
                    depth[other] = depth[cell] + 1
                    queue[last] = other
                    last += 1
