"""The order of the nodes of hub by which hubs are chosen (docs/planners/hub-rules.md, read from that page alone)."""

import heapq
from collections import Counter
from itertools import combinations

from tests.oracle.hub import SIDES, Edge, is_taut, other

MOST_PAIRS, MOST_EXPANDED = 10_000, 21
MOST_OF_TREES, FEWEST_TREES = 2**22, 64
"""Nodes of all trees together, unless these are too few."""


def order(ground, trees):
    """Nodes by rank: the core, then the others, the last contracted one first."""
    lower = Contraction(ground.edges)
    return [*upper_part(lower.core, lower.edges, trees), *reversed(lower.contracted)]


class TautSearch:
    """From a node, over ways that pass all others tautly.

    Of each node it holds the least cost and, at that, pairs: a side by which the start is left, one by which the node
    is entered.
    """

    def __init__(self, edges, start, most=float("inf")):
        self.edges, self.most = edges, most
        self.cost = {start: 0}
        self.pairs = {start: {(side, other(side)) for side in SIDES}}
        self.settled = set()
        self.heap = [(0, start)]

    def settle(self):
        """The next node in order, or None."""
        while self.heap:
            _, node = heapq.heappop(self.heap)
            if node not in self.settled:
                self.settled.add(node)
                return node
        return None

    def expand(self, node):
        """Go on by the other sides of the corners by which the node was entered."""
        for edge in self.edges[node]:
            goes_on = {first for first, last in self.pairs[node] if other(last) in edge.tail_sides}
            cost = self.cost[node] + edge.cost
            if not goes_on or cost > min(self.most, self.cost.get(edge.head, cost)):
                continue
            if cost < self.cost.get(edge.head, cost + 1):
                self.cost[edge.head], self.pairs[edge.head] = cost, set()
                heapq.heappush(self.heap, (cost, edge.head))
            self.pairs[edge.head] |= {(first, last) for first in goes_on for last in edge.head_sides}


class Contraction:
    """What is contracted, in order, and the core with its edges."""

    def __init__(self, edges):
        self.edges = [list(of_node) for of_node in edges]
        self.levels = [0] * len(edges)
        self.contracted = []
        keys = {node: self.key(node) for node in range(len(edges))}
        while len(keys) > len(edges) // 4:
            node = min(keys, key=lambda node: (keys[node], node))
            if len(self.pairs(node)) > MOST_PAIRS:
                break
            del keys[node]
            for neighbour in self.contract(node):
                keys[neighbour] = self.key(neighbour)
        self.core = sorted(keys)

    def pairs(self, node):
        """Of edges that a way may pass one after the other."""
        return [
            (one, another)
            for one, another in combinations(self.edges[node], 2)
            if is_taut(one.tail_sides, another.tail_sides)
        ]

    def key(self, node):
        return len(self.pairs(node)) - len(self.edges[node]) + self.levels[node]

    def contract(self, node):
        """Returns its neighbours."""
        pairs = [(one, another) for one, another in self.pairs(node) if one.head != another.head]
        around, self.edges[node] = self.edges[node], []
        for edge in around:
            self.levels[edge.head] = max(self.levels[edge.head], self.levels[node] + 1)
            self.edges[edge.head] = [back for back in self.edges[edge.head] if back.head != node]
        for one in around:
            others = [second for first, second in pairs if first is one]
            if others:
                search = self.search(one, others)
                for another in others:
                    if self.needs_shortcut(search, one, another):
                        self.join(one, another)
        self.contracted.append(node)
        return {edge.head for edge in around}

    def search(self, one, others):
        search = TautSearch(self.edges, one.head, one.cost + max(another.cost for another in others))
        for _ in range(MOST_EXPANDED):
            node = search.settle()
            if node is None:
                break
            search.expand(node)
        return search

    def needs_shortcut(self, search, one, another):
        cost = search.cost.get(another.head, float("inf"))
        if cost != one.cost + another.cost:
            return cost > one.cost + another.cost
        wanted = {(first, last) for first in one.head_sides for last in another.head_sides}
        return not wanted <= search.pairs[another.head]

    def join(self, one, another):
        cost = one.cost + another.cost
        self.edges[one.head].append(Edge(another.head, cost, one.head_sides, another.head_sides))
        self.edges[another.head].append(Edge(one.head, cost, another.head_sides, one.head_sides))


def upper_part(core, edges, trees):
    """The core by the nodes at and below each of them in sampled shortest-path trees."""
    size = len(core)
    count = min(trees, size, max(FEWEST_TREES, MOST_OF_TREES // max(size, 1)))
    roots = range(size) if count == size else [i * 2654435769 % 2**32 * size >> 32 for i in range(count)]
    parents = [parents_from(core[root], edges) for root in roots]
    left, ordered = list(core), []
    while left:
        scores = Counter(above for tree in parents for node in tree for above in upwards(tree, node))
        best = max(left, key=lambda node: (scores[node], -node))
        ordered.append(best)
        left.remove(best)
        parents = [{node: tree[node] for node in tree if best not in upwards(tree, node)} for tree in parents]
    return ordered


def parents_from(root, edges):
    """{node: the one above it}, the root's None."""
    cost, above, settled = {root: 0}, {root: None}, set()
    queue = [(0, root)]
    while queue:
        away, node = heapq.heappop(queue)
        if node in settled:
            continue
        settled.add(node)
        for edge in edges[node]:
            if away + edge.cost < cost.get(edge.head, float("inf")):
                cost[edge.head], above[edge.head] = away + edge.cost, node
                heapq.heappush(queue, (away + edge.cost, edge.head))
    return above


def upwards(tree, node):
    """A node and all above it."""
    found = []
    while node is not None:
        found.append(node)
        node = tree[node]
    return found
