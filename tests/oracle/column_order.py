"""The order of columns: a depth-first walk, made shorter by reversing stretches (algorithms 12.3; Croes 1958)."""

from itertools import pairwise


def depth_first(lists):
    """Regions in preorder, the nearest neighbour first; `lists[i]` is a dict from neighbour to cost."""
    tour = []

    def visit(region):
        tour.append(region)
        for there in sorted(lists[region], key=lists[region].get):  # stable: the first of equals stays first
            if there not in tour:
                visit(there)

    for root in range(len(lists)):
        if root not in tour:
            visit(root)
    return tour


def length(tour, distance):
    return sum(distance(a, b) for a, b in pairwise(tour))


def shortened(tour, distance, lists):
    """Put a region beside each of its neighbours in turn if that makes the tour shorter, until nothing does."""
    changed = True
    while changed:
        changed = False
        for region in range(len(lists)):
            for neighbour in lists[region]:
                low, high = sorted((tour.index(region), tour.index(neighbour)))
                after = tour[: low + 1] + tour[low + 1 : high + 1][::-1] + tour[high + 1 :]
                before = tour[:low] + tour[low:high][::-1] + tour[high:]
                for other in (after, before):
                    if length(other, distance) < length(tour, distance):
                        tour, changed = other, True
                        break
    return tour
