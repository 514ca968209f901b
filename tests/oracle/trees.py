"""The subgoal tree of a goal, in plain Python, read from docs/planners/trees.md and nothing else."""

from typing import NamedTuple

from tests.oracle.climb import climb
from tests.oracle.rules import heuristic, move_costs, neighbours


class Tree(NamedTuple):
    """What a search from the goal says of every place that it comes to."""

    parent: dict
    """Parent node of each node, by rising cell: rows, then columns. The root is its own."""
    g: dict
    """Least cost from each place to the goal."""
    subgoal: dict
    """Subgoal of each place."""


class _Buckets:
    """An open list: the lowest bucket first, and in it what was put in last."""

    def __init__(self, shift):
        self.shift = shift
        self.entries = {}

    def __bool__(self):
        return bool(self.entries)

    def put(self, g, place):
        self.entries.setdefault(g >> self.shift, []).append((g, place))

    def take(self):
        lowest = min(self.entries)
        entry = self.entries[lowest].pop()
        if not self.entries[lowest]:
            del self.entries[lowest]
        return entry


def tree(is_open, rule, costs, goal, climb_exits):
    """The nodes of a goal's tree (Hernandez, Baier 2011, algorithm 2)."""
    climbs_to = {}

    def passes(t, cost, subgoal):
        """Whether t may be left to the subgoal without another one between."""
        if not climb_exits:
            return cost - g[subgoal] == heuristic(rule, costs, t, subgoal)
        if (t, subgoal) not in climbs_to:
            climbs_to[t, subgoal] = climb(is_open, rule, costs, t, subgoal)[0]
        return climbs_to[t, subgoal]

    g, parent_cell, subgoal, parent = {goal: 0}, {goal: goal}, {goal: goal}, {goal: goal}
    straight, _ = move_costs(rule, costs)
    to_do = _Buckets(11 if straight == 5741 else 0)
    to_do.put(0, goal)
    while to_do:
        entry_g, s = to_do.take()
        if entry_g != g[s]:
            continue
        nearest = subgoal[parent_cell[s]]
        is_exit = False
        for t, cost in neighbours(is_open, rule, costs, *s):
            if t in g and g[t] <= g[s] + cost:
                continue
            g[t] = g[s] + cost
            parent_cell[t] = s
            to_do.put(g[t], t)
            is_exit = is_exit or not passes(t, g[t], nearest)
        subgoal[s] = s if is_exit else nearest
        if is_exit:
            parent[s] = nearest
    by_cell = sorted(parent, key=lambda place: place[::-1])
    return Tree({node: parent[node] for node in by_cell}, g, subgoal)
