"""The order of columns in the matrix of next hops: regions that lie together should stand together (algorithms 12.3).

Runs end where neighbouring columns are reached by different hops, so a short tour through all regions has few of
them. It starts as a depth-first walk and is shortened by reversing stretches of it (2-opt, Croes 1958): on ten Dragon
Age maps this leaves a fifth fewer runs than a depth-first walk in plain order.
"""

import numpy as np

from waypost.kernels.compiling import helper, kernel

MOST_REGIONS = 2048  # whose tours are shortened: distances and hops of all of them take 64 MB
_MOST_SWEEPS = 100


@kernel(allocates=True)
def depth_first(starts, neighbours, costs):
    """The column of every region: preorder of a depth-first walk that goes to the nearest neighbour first."""
    regions = starts.size - 1
    order = np.full(regions, -1, np.int32)
    stack = np.empty(regions, np.int32)
    column = 0
    for root in range(regions):
        if order[root] >= 0:
            continue
        there = root
        depth = 0
        while there >= 0 or depth:
            if there >= 0:
                order[there] = column
                column += 1
                stack[depth] = there
                depth += 1
            there = _nearest(starts, neighbours, costs, order, stack[depth - 1])
            if there < 0:
                depth -= 1
    return order


@helper
def _nearest(starts, neighbours, costs, order, region):
    """The nearest neighbour without a column, the first of equals; -1 if there is none."""
    nearest = -1
    for index in range(starts[region], starts[region + 1]):
        if costs[index] >= 0 and order[neighbours[index]] < 0 and (nearest < 0 or costs[index] < costs[nearest]):
            nearest = index
    return neighbours[nearest] if nearest >= 0 else -1


@kernel(allocates=True)
def shortened(order, distance, starts, neighbours):
    """The columns of a shorter tour: neighbours are put side by side wherever reversing a stretch makes it shorter.

    Sweeps over all lists of neighbours until nothing changes. `distance` is that of all regions by
    `hop_sets.hop_sets`.
    """
    regions = order.size
    column_of = order.copy()
    tour = np.empty(regions, np.int32)
    for region in range(regions):
        tour[order[region]] = region
    changed = True
    sweeps = 0
    while changed and sweeps < _MOST_SWEEPS:
        changed = False
        sweeps += 1
        for region in range(regions):
            for index in range(starts[region], starts[region + 1]):
                here = column_of[region]
                there = column_of[neighbours[index]]
                low = min(here, there)
                high = max(here, there)
                if _gain(tour, distance, low, low + 1, high, high + 1) > 0:
                    _reverse(tour, column_of, low + 1, high)
                    changed = True
                elif _gain(tour, distance, high, high - 1, low, low - 1) > 0:
                    _reverse(tour, column_of, low, high - 1)
                    changed = True
    return column_of


@helper
def _gain(tour, distance, a, after_a, b, after_b):
    """What it saves to go from a to b and on between what came after them, if anything comes after b."""
    gain = distance[tour[a], tour[after_a]] - distance[tour[a], tour[b]]
    if 0 <= after_b < tour.size:
        gain += distance[tour[b], tour[after_b]] - distance[tour[after_a], tour[after_b]]
    return gain


@helper
def _reverse(tour, column_of, low, high):
    """Reverse a stretch of the tour."""
    while low <= high:
        first = tour[low]
        tour[low] = tour[high]
        tour[high] = first
        column_of[tour[low]] = low
        column_of[first] = high
        low += 1
        high -= 1
