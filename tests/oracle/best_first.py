"""Best-first search with buckets, as the design states it: lowest bucket, then last in first out.

A* and Dijkstra (h_weight 0) may expand a cell again inside its bucket; weighted A* closes it at its first expansion.
"""

from tests.oracle.rules import heuristic, neighbours


def search(is_open, rule, costs, start, goal, *, g_weight, h_weight, shift, within=None):
    """Expansions in order as (cell, g), the cost of each reached cell and its parent; `within` some cells, if given."""
    weighted = h_weight > g_weight
    buckets = {}
    cost, parent, closed = {start: 0}, {start: None}, set()
    expansions = []

    def key(place, g):
        return (g_weight * g + h_weight * heuristic(rule, costs, place, goal if h_weight else place)) >> shift

    def push(place):
        buckets.setdefault(key(place, cost[place]), []).append((place, cost[place]))

    push(start)
    while buckets:
        lowest = min(buckets)
        if goal in cost and key(goal, cost[goal]) < lowest:
            break
        place, g = buckets[lowest].pop()
        if not buckets[lowest]:
            del buckets[lowest]
        if g != cost[place]:
            continue
        closed.add(place)
        expansions.append((place, g))
        for there, step in neighbours(is_open, rule, costs, *place):
            if (weighted and there in closed) or (within is not None and there not in within):
                continue
            if there not in cost or g + step < cost[there]:
                cost[there] = g + step
                parent[there] = place
                push(there)
    return expansions, cost, parent


def path(parent, goal):
    points = [goal]
    while parent[points[-1]] is not None:
        points.append(parent[points[-1]])
    return points[::-1]
