"""Nodes of a lookahead, and walkers that look ahead by plies or by cost: lrta, lrts and lrta-cost."""

from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.learning_walker import Walker

MOVES_REMEMBERED = 65_536


@dataclass(eq=False)
class Node:
    """A cell seen: a dict of nodes is kept in the order of their numbers."""

    place: tuple
    number: int
    ply: int
    g: int
    f: int
    parent: "Node | None"
    expanded: bool = False
    first: tuple | None = None  # in plies: where the way that g and f are about goes first


def times_straight(decimal, straight):
    """floor(decimal * straight), exact for the number as it is written."""
    return int(Fraction(repr(decimal)) * straight)


def way_to(node):
    """The places from the first move to this node along the parents."""
    places = []
    while node.parent is not None:
        places.append(node.place)
        node = node.parent
    return places[::-1]


class Lookahead(Walker):
    """A walker that makes a tree of nodes, then turns to one of them."""

    def root(self):
        """The nodes at the start: s alone."""
        return {self.here: Node(self.here, 0, 0, 0, self.h(self.here), None)}

    def relax(self, nodes, place, ply, g, f, parent):
        """Whether this is the first or a cheaper way to a place; if so it is the node's way from now on."""
        if place in nodes and nodes[place].g <= g:
            return False
        node = nodes.setdefault(place, Node(place, len(nodes), ply, g, f, parent))
        node.g, node.f, node.parent = g, max(f, g + self.h(place)), parent
        return True

    def plies(self, nodes, depth):
        """Look ahead one ply after the other; stops after each and says what its front was."""
        changed = [self.here]
        for ply in range(1, depth + 1):
            # what the last ply left: changes made during this ply count from the next one on
            left = [nodes[place] for place in changed if place != self.goal]
            changed = []
            for node, g, f, first in [(node, node.g, node.f, node.first) for node in left]:
                node.expanded = True
                for there, cost in self.look_around(node.place):
                    if self.relax(nodes, there, ply, g + cost, f, node):
                        nodes[there].first = first or there
                        changed += [there] * (there not in changed)
            yield [nodes[place] for place in changed]

    def note_nodes(self, nodes):
        expanded = sum(node.expanded for node in nodes.values())
        self.note_memory(open_nodes=len(nodes) - expanded, closed_nodes=expanded)

    def turn(self, nodes, frontier):
        """Turn to the frontier node of least f, then largest g, then lowest number."""
        self.note_nodes(nodes)
        target = min(frontier, key=lambda node: (node.f, -node.g, node.number))
        self.raise_h(self.here, target.f)
        self.target = target.place
        return target


class Lrta(Lookahead):
    """Looks `depth` plies ahead and makes one move."""

    def __init__(self, *world, depth):
        super().__init__(*world)
        self.depth = depth

    def plan(self):
        nodes = self.root()
        *_, frontier = self.plies(nodes, self.depth)
        if self.depth == 1:
            self.note_memory(open_nodes=8, closed_nodes=1)
        return [self.turn(nodes, frontier + [nodes[place] for place in [self.goal] if place in nodes]).first]


class LrtaCost(Lookahead):
    """Looks ahead as far as `horizon` straight moves cost and makes one move."""

    def __init__(self, *world, horizon):
        super().__init__(*world)
        self.horizon = times_straight(horizon, self.straight)

    def plan(self):
        nodes, taken = self.root(), set()
        while len(taken) < len(nodes):
            waiting = (node for node in nodes.values() if node not in taken)
            node = min(waiting, key=lambda node: (node.g, node.number))
            taken.add(node)
            if not self.is_inner(node):
                continue
            node.expanded = True
            for there, cost in self.look_around(node.place):
                if node.g + cost <= self.horizon:
                    self.relax(nodes, there, node.ply + 1, node.g + cost, node.f, node)
        frontier = [node for node in nodes.values() if not self.is_inner(node) or self.leads_out(nodes, node)]
        return way_to(self.turn(nodes, frontier))[:1]

    def is_inner(self, node):
        within = [node.g + cost <= self.horizon for _, cost in self.neighbours(node.place)]
        return node.place != self.goal and any(within)

    def leads_out(self, nodes, node):
        return any(there not in nodes for there, _ in self.neighbours(node.place))


class Lrts(Lookahead):
    """Looks `depth` plies ahead, walks there, and walks back when it has learned more than its quota."""

    def __init__(self, *world, depth, gamma, quota):
        super().__init__(*world)
        self.depth = depth
        self.hundredths = round(100 * gamma)
        self.quota = times_straight(quota, self.straight)

    def begin(self):
        self.learning = 0
        self.decisions = []
        """Places passed by each remembered decision, from where it was made to where it led."""

    def value(self, node):
        return -(-self.hundredths * node.g // 100) + self.h(node.place)

    def plan(self):
        nodes = self.root()
        least = []
        for front in self.plies(nodes, self.depth):
            least.append(min(self.value(node) for node in front))
            if self.goal in nodes:
                break
        self.note_nodes(nodes)
        reached = [nodes[self.goal]] if self.goal in nodes else front
        target = min(reached, key=lambda node: (self.value(node), -node.g, node.number))
        promised = max(least)
        self.learning += max(0, promised - self.h(self.here))
        self.raise_h(self.here, promised)
        if self.learning <= self.quota or not self.decisions:
            self.target = target.place
            self.remember([self.here, *way_to(target)])
            return way_to(target)
        self.target = None
        self.learning = self.quota
        return self.decisions.pop()[-2::-1]

    def remember(self, decision):
        self.decisions.append(decision)
        while sum(len(passed) - 1 for passed in self.decisions) > MOVES_REMEMBERED:
            self.decisions.pop(0)
