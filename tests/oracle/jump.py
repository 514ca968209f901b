"""Jump point search without corner cutting, by the definition: one cell at a time, dicts and lists.

Expansion order as the design states it: lowest bucket of f, then last in first out. A cell entered equally well by
several straight moves follows all of them.
"""

from tests.oracle.rules import ORDER, heuristic, may_move, move_costs, standing

RULE = "both-open"
STRAIGHT = ("N", "E", "S", "W")
DIAGONAL = ("NE", "SE", "SW", "NW")


def sides(move):
    """The two straight moves across a straight move."""
    return ("E", "W") if move in "NS" else ("N", "S")


def forced(is_open, place, move):
    """The sides of a cell entered by a straight move that are open while the cell behind them is a wall."""
    (x, y), (dx, dy) = place, ORDER[move]
    found = []
    for side in sides(move):
        sx, sy = ORDER[side]
        if standing(is_open, x + sx, y + sy) and not standing(is_open, x + sx - dx, y + sy - dy):
            found.append(side)
    return found


def scan(is_open, place, move, goal):
    """The next jump point of a straight move, or None."""
    (x, y), (dx, dy) = place, ORDER[move]
    while may_move(is_open, RULE, x, y, dx, dy):
        x, y = x + dx, y + dy
        if (x, y) == goal or forced(is_open, (x, y), move):
            return x, y
    return None


def diagonal_between(a, b):
    return next(d for d in DIAGONAL if set(d) == {a, b})


def ways_on(is_open, place, entered):
    """Moves to follow from a cell, in the order of moves."""
    ways = set()
    for move in entered:
        ways.add(move)
        for side in forced(is_open, place, move):
            ways |= {side, diagonal_between(side, move)}
    return [move for move in ORDER if move in ways]


def jumps(is_open, costs, place, ways, goal):
    """(cell, cost, entering move) of every jump, straight ways first."""
    straight, diagonal = move_costs(RULE, costs)
    for move in ways:
        if move in STRAIGHT:
            there = scan(is_open, place, move, goal)
            if there:
                yield there, straight * max(abs(there[0] - place[0]), abs(there[1] - place[1])), move
            continue
        (x, y), (dx, dy), cost = place, ORDER[move], 0
        while may_move(is_open, RULE, x, y, dx, dy):
            x, y, cost = x + dx, y + dy, cost + diagonal
            if (x, y) == goal:
                yield goal, cost, move[0]
                break
            for turn in move:  # "NE": first N, then E
                there = scan(is_open, (x, y), turn, goal)
                if there:
                    yield there, cost + straight * max(abs(there[0] - x), abs(there[1] - y)), turn


def search(is_open, costs, start, goal, shift):
    """Expansions in order as (cell, g), the cost of each jump point reached, and its parent."""
    buckets, expansions = {}, []
    cost, parent = {start: 0}, {start: None}
    entered, followed = {start: set(STRAIGHT)}, {start: set()}

    def bucket(place):
        return (cost[place] + heuristic(RULE, costs, place, goal)) >> shift

    def push(place):
        buckets.setdefault(bucket(place), []).append((place, cost[place]))

    push(start)
    while buckets:
        lowest = min(buckets)
        if goal in cost and bucket(goal) < lowest:
            break
        place, g = buckets[lowest].pop()
        if not buckets[lowest]:
            del buckets[lowest]
        waiting = entered[place] - followed[place]
        if g != cost[place] or not waiting:
            continue
        expansions.append((place, g))
        followed[place] |= waiting
        ways = list(ORDER) if place == start else ways_on(is_open, place, waiting)
        for there, step, move in list(jumps(is_open, costs, place, ways, goal)):
            if there not in cost or g + step < cost[there]:
                cost[there], parent[there] = g + step, place
                entered[there], followed[there] = {move}, set()
                push(there)
            elif g + step == cost[there] and move not in entered[there]:
                entered[there].add(move)
                push(there)
    return expansions, cost, parent


def path(parent, goal):
    """All cells: between jump points diagonal moves come first."""
    points = [goal]
    while parent[points[-1]] is not None:
        points.append(parent[points[-1]])
    points.reverse()
    cells = [points[0]]
    for x, y in points[1:]:
        while cells[-1] != (x, y):
            u, v = cells[-1]
            cells.append((u + (x > u) - (x < u), v + (y > v) - (y < v)))
    return cells
