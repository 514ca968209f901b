"""Sectors, their regions and what is asked inside one, by definition (algorithms 7.2, 12.2)."""

import heapq

from tests.oracle.rules import move_costs, neighbours


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

    That is nothing if there is only one, else all representatives and the places that the flood went on from.
    """
    if len(representatives) == 1:
        return representatives[0], 0
    if place in representatives:
        return place, len(representatives)
    found = [place]
    for left, here in enumerate(found, start=1):
        for there, _ in inside(is_open, rule, "sqrt2", n, here):
            if there in representatives:
                return there, len(representatives) + left
            if there not in found:
                found.append(there)
    raise AssertionError("every region has a representative")


def path(is_open, rule, costs, n, start, goal):
    """A best path inside the sector, [] if there is none, and the expansions of a search from the goal in buckets."""
    cost = {goal: 0}
    heap = [(0, goal)]
    while heap:
        g, here = heapq.heappop(heap)
        for there, step in inside(is_open, rule, costs, n, here):
            if g + step < cost.get(there, g + step + 1):
                cost[there] = g + step
                heapq.heappush(heap, (g + step, there))
    if start not in cost:
        return [], len(cost) if sector_of(n, start) == sector_of(n, goal) else 0
    bucket = max(2**power for power in range(13) if 2**power <= move_costs(rule, costs)[0])
    expansions = sum(g // bucket < cost[start] // bucket for g in cost.values())
    places = [start]
    while places[-1] != goal:
        here = places[-1]
        best = [(there, step) for there, step in inside(is_open, rule, costs, n, here) if cost[there] + step == cost[here]]
        places.append(max(best, key=lambda option: option[1])[0])  # the first of the costliest
    return places, expansions
