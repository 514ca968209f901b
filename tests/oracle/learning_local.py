"""Walkers that search a local space by A* and learn in all of it: lss and rtaa."""

import math
from abc import abstractmethod

from tests.oracle.learning_nodes import Lookahead, way_to


class LocalSearch(Lookahead):
    """A* for a while, then a lesson for all closed nodes, then the way to the best open node."""

    def __init__(self, *world, lookahead, moves_per_plan):
        super().__init__(*world)
        self.lookahead, self.moves_per_plan = lookahead, moves_per_plan

    def plan(self):
        nodes = self.root()
        for _ in range(self.lookahead):
            node = self.first_open(nodes)
            if node.place == self.goal:
                break
            node.expanded = True
            for there, cost in self.look_around(node.place):
                if there not in nodes or not nodes[there].expanded:
                    self.relax(nodes, there, node.ply + 1, node.g + cost, 0, node)
        self.note_nodes(nodes)
        target = self.first_open(nodes)
        self.target = target.place
        for place, value in self.lesson(nodes, target).items():
            self.learn(place, value)
        return way_to(target)[: self.moves_per_plan or None]

    def closed(self, nodes):
        return [node for node in nodes.values() if node.expanded]

    def first_open(self, nodes):
        waiting = [node for node in nodes.values() if not node.expanded]
        return min(waiting, key=lambda node: (node.g + self.h(node.place), -node.g, node.number))

    @abstractmethod
    def lesson(self, nodes, target):
        """{place: its new h} of all closed nodes."""


class Lss(LocalSearch):
    """Learns the cheapest way out: through closed nodes to an open one, and from there by its h."""

    def lesson(self, nodes, target):
        del target
        value = {p: math.inf if node.expanded else self.h(p) for p, node in nodes.items()}
        news = True
        while news:  # Bellman and Ford: again and again until nothing changes
            news = False
            for node in reversed(self.closed(nodes)):
                best = min(cost + value[there] for there, cost in self.neighbours(node.place))
                news |= best < value[node.place]
                value[node.place] = min(value[node.place], best)
        return {node.place: value[node.place] for node in self.closed(nodes)}


class Rtaa(LocalSearch):
    """Learns from the target alone."""

    def lesson(self, nodes, target):
        f = target.g + self.h(target.place)
        return {node.place: f - node.g for node in self.closed(nodes)}
