"""TBA* as algorithms 8 writes it: real lists, real reversal, dicts of parents. Buckets and order as the design states.

A slice expands a number of cells, then traces a number of steps; superseded entries taken off the open list count as
such steps, whether the search drops them or the choice of the best open cell does.
"""

from tests.oracle.rules import heuristic, neighbours


class ResumableAStar:
    """Lowest bucket, then last in first out; the goal is found when its bucket is finished."""

    def __init__(self, is_open, rule, costs, start, goal, shift):
        self.world, self.goal, self.shift = (is_open, rule, costs), goal, shift
        self.cost, self.parent, self.buckets = {start: 0}, {start: None}, {}
        self.expansions, self.peak_open = [], 0
        self._push(start)

    def _key(self, place):
        _, rule, costs = self.world
        return (self.cost[place] + heuristic(rule, costs, place, self.goal)) >> self.shift

    def _push(self, place):
        self.buckets.setdefault(self._key(place), []).append((place, self.cost[place]))

    @property
    def is_over(self):
        if not self.buckets:
            return True
        return self.goal in self.cost and self._key(self.goal) < min(self.buckets)

    def head(self):
        return self.buckets[min(self.buckets)][-1]

    def head_is_superseded(self):
        place, g = self.head()
        return g != self.cost[place]

    def take(self):
        """Take the head; returns whether it was expanded."""
        self.peak_open = max(self.peak_open, sum(map(len, self.buckets.values())))
        was_current = not self.head_is_superseded()
        lowest = min(self.buckets)
        place, g = self.buckets[lowest].pop()
        if not self.buckets[lowest]:
            del self.buckets[lowest]
        if was_current:
            self.expansions.append(place)
            for there, step in neighbours(*self.world, *place):
                if there not in self.cost or g + step < self.cost[there]:
                    self.cost[there], self.parent[there] = g + step, place
                    self._push(there)
        return was_current


def walk(is_open, rule, costs, start, goal, *, shift, shares, wait, shortcut, drop_trace):
    """The moves as (place, expansions, probes), the tips traced from, and the search."""
    search_share, trace_share = shares
    search = ResumableAStar(is_open, rule, costs, start, goal, shift)
    loc, last, found, traced_goal = start, None, False, False
    trace_done, tip, cursor, path_new, path_follow = True, None, None, [], []
    moves, tips = [], []
    while loc != goal:
        expansions = probes = 0
        left = trace_share
        while expansions < search_share and left and not (found or search.is_over):
            if search.take():
                expansions += 1
            else:
                left -= 1
        found = found or search.is_over
        if not (found and traced_goal):
            if found and drop_trace and not trace_done and tip != goal:
                trace_done = True
            if trace_done:
                while left and not found and search.head_is_superseded():
                    search.take()
                    left -= 1
                    found = search.is_over
                if found or not search.head_is_superseded():
                    tip = goal if found else search.head()[0]
                    tips.append(tip)
                    path_new, cursor, trace_done = [], tip, False
            while left and not trace_done:
                left -= 1
                path_new.append(cursor)
                if cursor in (loc, start):
                    trace_done = True
                    path_follow = path_new[::-1]
                    traced_goal = tip == goal
                else:
                    cursor = search.parent[cursor]
        probes += trace_share - left
        if path_follow and loc == path_follow[-1]:
            path_follow = []  # used up
        if loc in path_follow:
            last, loc = loc, path_follow[path_follow.index(loc) + 1]
        elif loc != start:
            ahead = []
            if shortcut and found and traced_goal:
                around = [place for place, _ in neighbours(is_open, rule, costs, *loc)]
                probes += len(around)
                ahead = [place for place in around if place in path_follow]
            last, loc = loc, max(ahead, key=search.cost.get) if ahead else search.parent[loc]
        elif last is not None and not wait:
            loc = last
        moves.append((loc, expansions, probes))
    return moves, tips, search
