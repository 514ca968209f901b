"""Clique abstraction level by level in plain Python, read from docs/planners/clique-rules.md and nothing else.

A node is its number on its level; a place is (x, y); `levels[0]` is the map and `levels[-1]` the top.
"""

from dataclasses import dataclass, field
from itertools import combinations

from tests.oracle.rules import ORDER, may_move

AROUND = ("N", "W", "NW", "NE", "E", "SW", "S", "SE")
"""A cell's neighbours: first those before it, then those after it."""
SIXTEENTHS = 16
"""Points count in these parts of a cell."""


@dataclass
class Level:
    """One graph of the abstraction; parents are known once the level above is made, and stay empty on the top."""

    cells: list
    """The places that a node stands for, in order of rows."""
    neighbours: list
    """In the order in which edges were added."""
    capacities: dict = field(default_factory=dict)
    """How many edges of the level below an edge stands for, by (node, neighbour)."""
    parents: list = field(default_factory=list)

    @property
    def nodes(self):
        return range(len(self.cells))

    def are_neighbours(self, *nodes):
        """Whether every two of them are."""
        return all(b in self.neighbours[a] for a, b in combinations(nodes, 2))


def abstraction(is_open, rule):
    """All levels, the map first: at least one above it."""
    levels = [ground(is_open, rule)]
    while len(levels) == 1 or any(levels[-1].neighbours):
        below = levels[-1]
        below.parents = parents_of(below)
        levels.append(level_above(below))
    return levels


def ground(is_open, rule):
    """Level 0: the open cells and the legal moves."""
    places = [(x, y) for y, row in enumerate(is_open) for x, cell in enumerate(row) if cell]
    number = {place: node for node, place in enumerate(places)}
    neighbours = [
        [number[x + dx, y + dy] for dx, dy in map(ORDER.get, AROUND) if may_move(is_open, rule, x, y, dx, dy)]
        for x, y in places
    ]
    edges = {(a, b): 1 for a in range(len(places)) for b in neighbours[a]}
    return Level([[place] for place in places], neighbours, edges)


def parents_of(level):
    """The group of every node: cliques first, then what was left waiting, the last first."""
    group, groups, waiting = {}, 0, []

    def gather(*members):
        nonlocal groups
        group.update(dict.fromkeys(members, groups))
        groups += 1

    for v in level.nodes:
        if v in group:
            continue
        clique = clique_around(level, v, group) if len(level.neighbours[v]) != 1 else None
        if clique:
            gather(v, *clique)
        else:
            waiting.append(v)
    for v in reversed(waiting):
        if v in group:
            continue
        free = [u for u in level.neighbours[v] if u not in group]
        if free:
            gather(v, free[0])
        elif len(level.neighbours[v]) == 1:
            group[v] = group[level.neighbours[v][0]]
        else:
            gather(v)
    return [group[v] for v in level.nodes]


def clique_around(level, v, group):
    """The first three neighbours, or two, that are in no group and are neighbours of each other."""
    for size in (3, 2):
        for found in combinations(level.neighbours[v], size):
            if not any(u in group for u in found) and level.are_neighbours(*found):
                return found
    return None


def level_above(below):
    """The groups of a level as nodes, and an edge wherever one leads from group to group."""
    count = max(below.parents) + 1
    cells = [[] for _ in range(count)]
    for v in below.nodes:
        cells[below.parents[v]] += below.cells[v]
    neighbours, capacities = [[] for _ in range(count)], {}
    for v in below.nodes:
        for u in below.neighbours[v]:
            a, b = below.parents[v], below.parents[u]
            if u > v or a == b:
                continue
            if b not in neighbours[a]:
                neighbours[a].append(b)
                neighbours[b].append(a)
            for edge in ((a, b), (b, a)):
                capacities[edge] = capacities.get(edge, 0) + 1
    return Level([in_order(places) for places in cells], neighbours, capacities)


def in_order(places):
    """Row by row."""
    return sorted(places, key=lambda place: place[::-1])


def ancestor(levels, node, level, below=0):
    """The node of a level that a node of a level below it is in."""
    for at in range(below, level):
        node = levels[at].parents[node]
    return node


def sums(places):
    """How many cells there are, and the sums of their columns and rows in the padded grid."""
    return len(places), sum(x + 1 for x, _ in places), sum(y + 1 for _, y in places)


def representative(places):
    """The cell nearest to the mean, the first of several."""
    n, sum_x, sum_y = sums(places)

    def farness(place):
        x, y = place[0] + 1, place[1] + 1
        return n * (x * x + y * y) - 2 * (x * sum_x + y * sum_y)

    return min(places, key=farness)


def point(places):
    """The mean in sixteenths of a cell, rounded to the nearest."""
    n, *both = sums(places)
    return tuple((SIXTEENTHS * coordinate + n // 2) // n for coordinate in both)
