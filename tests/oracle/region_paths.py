"""The optimal path between two places that is stored, and its legs, by definition (algorithms 9.2, 12.1)."""

from itertools import pairwise

from tests.oracle.climb import climb
from tests.oracle.dijkstra import all_costs
from tests.oracle.rules import ORDER, may_move, move_costs, walk_cost

SPAN = 127


def path(is_open, rule, costs, start, target):
    """Walked back from the target: at each place the first optimal move of the order. None if there is no path."""
    straight, diagonal = move_costs(rule, costs)
    cost = all_costs(is_open, rule, costs, start)
    if target not in cost:
        return None
    places = [target]
    while places[-1] != start:
        x, y = places[-1]
        for dx, dy in ORDER.values():
            before = x - dx, y - dy
            step = diagonal if dx and dy else straight
            if cost.get(before) == cost[x, y] - step and may_move(is_open, rule, *before, dx, dy):
                places.append(before)
                break
    return places[::-1]


def legs(is_open, rule, costs, places, exact, span=SPAN):
    """Vectors from subgoal to subgoal: the end if a climb makes it, else a far place found by binary search."""

    def leads(here, there):
        (x, y), (u, v) = places[here], places[there]
        if max(abs(u - x), abs(v - y)) > span:
            return False
        arrives, walk = climb(is_open, rule, costs, places[here], places[there])
        part = places[here : there + 1]
        return arrives and (not exact or walk_cost(rule, costs, walk) == walk_cost(rule, costs, part))

    chosen = [0]
    end = len(places) - 1
    while chosen[-1] != end:
        here = chosen[-1]
        best, low, high = here + 1, here + 2, end - 1
        if leads(here, end):
            best, high = end, -1
        while low <= high:
            middle = (low + high) // 2
            if leads(here, middle):
                best, low = middle, middle + 1
            else:
                high = middle - 1
        chosen.append(best)
    subgoals = [places[i] for i in chosen]
    return [(u - x, v - y) for (x, y), (u, v) in pairwise(subgoals)]
