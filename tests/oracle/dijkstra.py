"""Exact costs from one cell to all others: textbook Dijkstra with a heap."""

import heapq

from tests.oracle.rules import neighbours


def all_costs(is_open, rule, costs, start):
    cost = {start: 0}
    heap = [(0, start)]
    while heap:
        g, place = heapq.heappop(heap)
        if g > cost[place]:
            continue
        for there, step in neighbours(is_open, rule, costs, *place):
            if g + step < cost.get(there, g + step + 1):
                cost[there] = g + step
                heapq.heappush(heap, (g + step, there))
    return cost
