"""LRTA* with a depth by tree and by oracle, read from docs/planners/depth-tree-rules.md and nothing else."""

import numpy as np

from tests.oracle.learning_nodes import Lookahead
from tests.oracle.rules import heuristic


class Shown:
    """What LRTA*(d) in s would do, and how much was seen by then."""

    def __init__(self, target, frontier, looked):
        self.value, self.target = target.f, target.place
        self.there = target.first
        self.frontier = [node.place for node in frontier]
        self.looked = looked


class DynamicDepth(Lookahead):
    """A lookahead of several plies, each of which says what it would do."""

    def __init__(self, *world, deepest, history=1, presearch=1):
        super().__init__(*world)
        self.deepest, self.history, self.presearch = deepest, history, presearch
        self.last_moves = {}  # of each goal: {place: where the last move from there led}

    def begin(self):
        self.passed = []  # (place, where the move led, rise) of every move to this goal
        self.last_moves = {goal: self.last_moves.get(goal, {}) for goal in self.tables}

    def place(self, start):
        super().place(start)
        self.last_moves = {}

    def show(self):
        """LRTA*(1), LRTA*(2), ... one after the other, and the nodes."""
        nodes = self.root()
        self.nodes = nodes
        for front in self.plies(nodes, max(self.deepest, self.presearch)):
            frontier = list(front)
            if self.goal in nodes and nodes[self.goal] not in frontier:
                frontier.append(nodes[self.goal])
            target = min(frontier, key=lambda node: (node.f, -node.g, node.number))
            yield Shown(target, frontier, len(self.looked_at))

    def label(self, shown):
        """Of LRTA*(1) to LRTA*(D): the least d from which on all make the same move."""
        moves = [one.there for one in shown[: self.deepest]]
        return min(d for d in range(1, self.deepest + 1) if len(set(moves[d - 1 :])) == 1)

    def go(self, chosen):
        """Do what LRTA* of the chosen depth does."""
        self.note_nodes(self.nodes)
        before = self.h(self.here)
        self.raise_h(self.here, chosen.value)
        self.target = chosen.target
        self.last_moves[self.goal][self.here] = chosen.there
        self.passed.append((self.here, chosen.there, self.h(self.here) - before))
        return [chosen.there]

    def features_by(self, pre):
        """The eleven features, given what LRTA*(presearch) would do."""
        s, there, c = self.here, pre.there, self.straight
        past = self.passed[::-1][: self.history]

        def is_raised(place):
            return self.h(place) > self.h0(place)

        def direction(start, end):
            return end[0] - start[0], end[1] - start[1]

        each_ply = 4 if self.rule == "never" else 8
        return np.array(
            [
                self.h0(s) / c,
                heuristic(self.rule, self.costs, s, past[-1][0]) / c if past else 0,
                len({place for place, _, _ in past}),
                sum(rise for _, _, rise in past) / c,
                len(pre.frontier) / (each_ply * self.presearch),
                sum(map(is_raised, pre.frontier)) / len(pre.frontier),
                self.last_moves[self.goal].get(s) == there,
                bool(past) and direction(past[0][0], s) == direction(s, there),
                self.h(s) / max(self.h(there), c),
                is_raised(there),
                self.h(s) > self.h(there),
            ],
            np.float32,
        )


class Oracle(DynamicDepth):
    """Knows the label of where it stands."""

    def plan(self):
        shown = list(self.show())
        self.depth = self.label(shown)
        self.probes = shown[-1].looked - shown[self.depth - 1].looked
        del self.looked_at[shown[self.depth - 1].looked :]
        return self.go(shown[self.depth - 1])


class Tree(DynamicDepth):
    """Asks a tree: rows of (feature, threshold, right child, depth), feature -1 in a leaf."""

    def __init__(self, *world, tree, **params):
        super().__init__(*world, **params)
        self.tree = tree

    def plan(self):
        lookahead = self.show()
        shown = [next(lookahead) for _ in range(self.presearch)]
        self.features = self.features_by(shown[-1])
        self.depth, self.probes = self.ask(self.features)
        while len(shown) < self.depth:
            shown.append(next(lookahead))
        return self.go(shown[self.depth - 1])

    def ask(self, features):
        """The depth that the tree says, and the comparisons it took."""
        number, comparisons = 0, 0
        while self.tree[number][0] >= 0:
            feature, threshold, right, _ = self.tree[number]
            number = number + 1 if features[feature] <= threshold else right
            comparisons += 1
        return self.tree[number][3], comparisons


class Sampler(DynamicDepth):
    """Walks by LRTA*(D) and keeps a sample of each move: features, then the label."""

    def plan(self):
        shown = list(self.show())
        self.sample = [*self.features_by(shown[self.presearch - 1]).tolist(), self.label(shown)]
        return self.go(shown[self.deepest - 1])
