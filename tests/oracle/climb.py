"""Hill-climbing by definition, and paths compressed by binary search (algorithms 1.4, 9.1, 9.2)."""

from itertools import pairwise

from tests.oracle.rules import ORDER, heuristic, neighbours

STUCK, ARRIVED = "stuck", "arrived"


def distance(straight, diagonal, dx, dy):
    dx, dy = abs(dx), abs(dy)
    return straight * abs(dx - dy) + diagonal * min(dx, dy)


def steps_by_mask(straight, diagonal, dx, dy):
    """What a climb does under each of the 256 sets of legal moves, with the target dx, dy away."""
    if dx == dy == 0:
        return [ARRIVED] * 256
    here = distance(straight, diagonal, dx, dy)
    ranked = []
    closer = 0
    for order, (x, y) in enumerate(ORDER.values()):
        cost = diagonal if x and y else straight
        there = distance(straight, diagonal, dx - x, dy - y)
        ranked.append((cost + there, -cost, order, (x, y)))
        closer |= (there < here) << order
    ranked.sort()
    steps = []
    for mask in range(256):
        best = next((option for option in ranked if mask >> option[2] & 1), None)
        steps.append(best[3] if mask & closer else STUCK)
        # The authors' short form asks only whether the neighbour of least c + h is closer: the same thing.
        assert bool(mask & closer) == (best is not None and closer >> best[2] & 1 == 1)
    return steps


def climb(is_open, rule, costs, start, target, limit=float("inf")):
    """Whether a climb arrives within so many steps, and the places it goes through."""
    places = [start]
    while places[-1] != target:
        if len(places) - 1 == limit:
            return False, places
        options = list(neighbours(is_open, rule, costs, *places[-1]))
        h = {place: heuristic(rule, costs, place, target) for place, _ in options}
        if heuristic(rule, costs, places[-1], target) <= min(h.values(), default=float("inf")):
            return False, places
        places.append(min(options, key=lambda option: (option[1] + h[option[0]], -option[1]))[0])
    return True, places


def compress(is_open, rule, costs, path, both_ways):
    """Subgoals of a path, and the climb steps it took to find them."""
    spent = 0

    def reachable(a, b):
        nonlocal spent
        arrives, places = climb(is_open, rule, costs, a, b)
        spent += len(places) - 1
        return arrives

    chosen = [0]
    while chosen[-1] != len(path) - 1:
        here = chosen[-1]
        best, low, high = here + 1, here + 2, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            a, b = path[here], path[middle]
            if reachable(a, b) and (not both_ways or reachable(b, a)):
                best, low = middle, middle + 1
            else:
                high = middle - 1
        chosen.append(best)
    return [path[i] for i in chosen], spent


def expand(is_open, rule, costs, subgoals):
    """The places of the climbs from subgoal to subgoal, as far as they come."""
    places = [subgoals[0]]
    for a, b in pairwise(subgoals):
        arrives, leg = climb(is_open, rule, costs, a, b)
        places += leg[1:]
        if not arrives:
            break
    return places
