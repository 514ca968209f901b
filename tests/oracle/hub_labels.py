"""The lists of hub, how they lean on each other, and what is stored (docs/planners/hub-rules.md alone)."""

from collections import defaultdict
from itertools import pairwise

from tests.oracle.hub_order import TautSearch, order

INFINITE = float("inf")
MOST_DEEP = 14
"""Of a list that another may lean on."""
LARGEST_GAP = 65_535


def build(ground, trees):
    """The arrays of an index."""
    ranked = order(ground, trees)
    return stored_arrays(ground, Leaning(ground, ranked, Labelling(ground, ranked).lists))


class Labelling:
    """Searches from each hub, by rank; what earlier hubs cover is left out."""

    def __init__(self, ground, order):
        self.ground = ground
        self.plain = plain_labels(ground.edges, order)
        self.cells = [self.cell_label(node) for node in range(len(order))]
        self.entries = [{} for _ in order]
        """Of each node {hub: (cost, sides by which it is left)}."""
        self.lists = {which: {} for node in range(len(order)) for which in ground.lists_of(node)}
        for hub in order:
            self.label_with(hub)

    def cell_label(self, node):
        """{hub: the least cost for who begins on a node}."""
        label = {}
        for place, _, cost in self.ground.finds[node]:
            for hub, rest in self.plain[self.ground.number[place]].items():
                label[hub] = min(label.get(hub, INFINITE), cost + rest)
        return label

    def label_with(self, hub):
        search = TautSearch(self.ground.edges, hub)
        search.settle()
        search.expand(hub)
        while (node := search.settle()) is not None:
            search.pairs[node] = self.uncovered(hub, node, search.cost[node], search.pairs[node])
            if search.pairs[node]:
                sides = {last for _, last in search.pairs[node]}
                self.entries[node][hub] = search.cost[node], sides
                for which in self.ground.lists_of(node):
                    if any(self.ground.leaves_by(which, side) for side in sides):
                        self.lists[which][hub] = search.cost[node]
                search.expand(node)

    def uncovered(self, hub, node, cost, pairs):
        pairs = set(pairs)
        away, leaves = self.entries[hub].get(node, (INFINITE, ()))
        if away < cost or self.is_dear(hub, node, cost):
            return set()
        if away == cost:
            pairs = {(first, last) for first, last in pairs if first not in leaves}
        for earlier, (away, leaves) in self.entries[hub].items():
            rest, enters = self.entries[node].get(earlier, (INFINITE, ()))
            if away + rest < cost:
                return set()
            if away + rest == cost:
                pairs = {(first, last) for first, last in pairs if first not in leaves or last not in enters}
        return pairs

    def is_dear(self, hub, node, cost):
        """Whether some way is shorter, taut or not."""
        if meet(self.cells[hub], self.cells[node]) < cost:
            return True
        ends = self.ground.nodes[hub], self.ground.nodes[node]
        return cost != self.ground.octile(*ends) and self.ground.try_leg(*ends)[0]


def meet(one, other):
    return min((cost + other[hub] for hub, cost in one.items() if hub in other), default=INFINITE)


def plain_labels(edges, order):
    """Pruned landmark labelling, sides ignored: {hub: cost} of each node, itself included."""
    found = [{} for _ in order]
    for hub in order:
        # No taut search: a way may come and go as it likes.
        cost, left = {hub: 0}, {hub}
        while left:
            node = min(left, key=lambda node: (cost[node], node))
            left.remove(node)
            if meet(found[hub], found[node]) <= cost[node]:
                continue
            found[node][hub] = cost[node]
            for edge in edges[node]:
                if cost[node] + edge.cost < cost.get(edge.head, INFINITE):
                    cost[edge.head] = cost[node] + edge.cost
                    left.add(edge.head)
    return found


class Leaning:
    """Which list leans on which by what edge, and what then is stored: all by list."""

    def __init__(self, ground, order, own):
        self.ground, self.own = ground, own
        self.leans = dict.fromkeys(own, 0)
        """1 + the place of an edge."""
        self.depths = {}
        """How many lists stand below."""
        self.sizes = {}
        """Entries by way of all lists below; those that are stored although they are there count twice."""
        self.stored, self.whole = {}, {}
        for node in order:
            for which in ground.lists_of(node):
                self.settle(which)

    def settle(self, which):
        """Its edges lead to other nodes; of these only the better ones are settled."""
        own, edges = self.own[which], self.ground.edges_of_list(which)
        best, most = 0, 1
        for place, (there, cost) in enumerate(edges, start=1):
            if self.depths.get(there, INFINITE) <= MOST_DEEP:
                spared = len(own.items() & self.by_leaning(there, cost).items())
                if spared > most and 2 * (self.sizes[there] + 1 - spared) <= len(own) + 4:
                    best, most = place, spared
        self.depths[which], self.sizes[which] = 0, len(own)
        self.stored[which], self.whole[which] = own, own
        if best:
            there, cost = edges[best - 1]
            offer = self.by_leaning(there, cost)
            self.leans[which] = best
            self.depths[which] = 1 + self.depths[there]
            self.stored[which] = {hub: cost for hub, cost in own.items() if offer.get(hub) != cost}
            self.sizes[which] = len(self.stored[which]) + 1 + self.sizes[there]
            self.whole[which] = offer | {hub: min(cost, offer.get(hub, cost)) for hub, cost in own.items()}
            self.whole[which].pop(which // 2, None)  # it is there already

    def by_leaning(self, there, cost):
        """{hub: cost}: the node of the other list, and all hubs of it."""
        return {hub: cost + rest for hub, rest in [(there // 2, 0), *self.whole[there].items()]}


def stored_arrays(ground, leaning):
    """What the index holds: lists of numbers, by the names of its arrays."""
    arrays = defaultdict(list)
    excesses = []
    for which in sorted(leaning.stored):
        here = ground.nodes[which // 2]
        excess = {hub: cost - ground.octile(here, ground.nodes[hub]) for hub, cost in leaning.stored[which].items()}
        direct = sorted(hub for hub in excess if excess[hub] == 0)
        detours = sorted(hub for hub in excess if excess[hub])
        arrays["leans"].append(leaning.leans[which])
        arrays["direct"].append(len(direct))
        arrays["detours"].append(len(detours))
        arrays["hubs"] += direct + detours
        excesses += [excess[hub] for hub in detours]
    place_of, at = {}, 0
    for before, excess in pairwise([0, *sorted(set(excesses))]):
        gaps = [LARGEST_GAP] * ((excess - before - 1) // LARGEST_GAP)
        gaps.append(excess - before - sum(gaps))
        arrays["gaps"] += gaps
        at += len(gaps)
        place_of[excess] = at - 1
    arrays["codes"] = [place_of[excess] for excess in excesses]
    return {name: arrays[name] for name in ("leans", "direct", "detours", "hubs", "codes", "gaps")}
