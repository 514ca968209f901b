"""Exact costs from one cell to all others: textbook Dijkstra with a heap."""

import heapq
from typing import Any

from waypost.testing.oracle.rules import Place, neighbours

__all__ = ["all_costs"]


def all_costs(is_open: Any, rule: str, costs: str, start: Place) -> dict[Place, int]:
    """The least cost from a place to each that can be reached."""
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
