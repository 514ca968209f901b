"""Sectors, their regions and what is asked inside one, by definition (algorithms 7.2, 12.2)."""

import heapq

from tests.oracle.rules import heuristic, neighbours


def sector_of(n, place):
    return place[0] // n, place[1] // n


def inside(is_open, rule, costs, n, place):
    """Neighbours of a place in its own sector, with costs, in the order of moves."""
    for there, cost in neighbours(is_open, rule, costs, *place):
        if sector_of(n, there) == sector_of(n, place):
            yield there, cost


def flood(is_open, rule, n, place):
    """All places that hang together with this one in its sector, breadth first."""
    found = [place]
    for here in found:
        found += [there for there, _ in inside(is_open, rule, "sqrt2", n, here) if there not in found]
    return found


def partition(is_open, rule, n):
    """Regions (lists of places) by sector, all in the order of rows, and the representative of each."""
    height, width = len(is_open), len(is_open[0])
    sectors = []
    for top in range(0, height, n):
        for left in range(0, width, n):
            regions = []
            for y in range(top, min(top + n, height)):
                for x in range(left, min(left + n, width)):
                    if is_open[y][x] and not any((x, y) in region for region in regions):
                        regions.append(sorted(flood(is_open, rule, n, (x, y)), key=lambda place: place[::-1]))
            sectors.append(regions)
    return sectors, [[representative(region) for region in regions] for regions in sectors]


def representative(region):
    mean_x = sum(x for x, _ in region) // len(region)
    mean_y = sum(y for _, y in region) // len(region)
    return min(region, key=lambda place: ((place[0] - mean_x) ** 2 + (place[1] - mean_y) ** 2, place[1], place[0]))


def look_up(is_open, rule, n, place, representatives):
    """The representative that a flood from this place meets first, and what it looked at.

    That is nothing if there is only one, else all representatives and the places that the flood went on from: always
    from the one nearest to the representative that is nearest to the first place, then from the upper, then the left.
    """

    def squared(a, b):
        return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2

    if len(representatives) == 1:
        return representatives[0], 0
    if place in representatives:
        return place, len(representatives)
    aim = min(representatives, key=lambda representative: squared(place, representative))
    found = {place}
    left = []
    while True:
        here = min(found - set(left), key=lambda p: (squared(p, aim), p[1], p[0]))
        left.append(here)
        for there, _ in inside(is_open, rule, "sqrt2", n, here):
            if there in representatives:
                return there, len(representatives) + len(left)
            found.add(there)


def path(is_open, rule, costs, n, start, goal):
    """A best path inside the sector, [] if there is none, and the expansions of A* from the goal.

    Order: least f, then nearest to the start by the larger of dx and dy, then the upper, then the left place.
    """
    if sector_of(n, start) != sector_of(n, goal):
        return [], 0

    def entry(place):
        away = max(abs(place[0] - start[0]), abs(place[1] - start[1]))
        return cost[place] + heuristic(rule, costs, place, start), away, place[1], place[0]

    cost = {goal: 0}
    next_place = {}
    expanded = set()
    heap = [entry(goal)]
    while heap:
        *_, y, x = heapq.heappop(heap)
        here = x, y
        if here == start:
            places = [start]
            while places[-1] != goal:
                places.append(next_place[places[-1]])
            return places, len(expanded)
        if here in expanded:
            continue
        expanded.add(here)
        for there, step in inside(is_open, rule, costs, n, here):
            if cost[here] + step < cost.get(there, cost[here] + step + 1):
                cost[there] = cost[here] + step
                next_place[there] = here
                heapq.heappush(heap, entry(there))
    return [], len(expanded)
