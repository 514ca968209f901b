"""A walker by hub labels: how lists are read, meet and lead on (docs/planners/hub-rules.md, read from it alone)."""

from collections import Counter
from itertools import accumulate
from typing import NamedTuple

from tests.oracle.hub import CORNERS
from tests.oracle.rules import ORDER

STRAIGHT = [move for move in ORDER.values() if move not in CORNERS]
INFINITE = float("inf")


class Entry(NamedTuple):
    """A hub, what it costs to come there, and the list to which the way there begins."""

    hub: int
    cost: int
    leads_to: int | None


class Lists:
    """The lists that are stored in the arrays of an index."""

    def __init__(self, ground, arrays):
        self.ground = ground
        self._entries, self._above = {}, {}
        hubs, codes = iter(arrays["hubs"]), iter(arrays["codes"])
        excess_of = list(accumulate(arrays["gaps"]))
        self._leans, self._stored = {}, {}
        numbers = [which for node in range(len(ground.nodes)) for which in ground.lists_of(node)]
        counts = zip(numbers, arrays["leans"], arrays["direct"], arrays["detours"], strict=True)
        for which, leans, direct, detours in counts:
            here = ground.nodes[which // 2]
            self._leans[which], stored = leans, []
            for number in range(direct + detours):
                hub = next(hubs)
                excess = excess_of[next(codes)] if number >= direct else 0
                stored.append((hub, ground.octile(here, ground.nodes[hub]) + excess))
            self._stored[which] = stored
        assert next(hubs, None) is None
        assert next(codes, None) is None

    def entries(self, which):
        """In the order in which they are read."""
        if which not in self._entries:
            costs, leads_to = {which // 2: 0}, {which // 2: None}
            edges = self.ground.edges_of_list(which)
            costs.update(self._stored[which])
            if self._leans[which]:
                leaned_on, cost = edges[self._leans[which] - 1]
                for hub, rest, _ in self.entries(leaned_on):
                    if cost + rest < costs.get(hub, INFINITE):
                        costs[hub], leads_to[hub] = cost + rest, leaned_on
            self._entries[which] = costs, leads_to
            self._entries[which] = [Entry(hub, costs[hub], leads_to.get(hub)) for hub in costs]
        return self._entries[which]

    def place_of(self, hub, which):
        """Of its entry in a list."""
        return [entry.hub for entry in self.entries(which)].index(hub)

    def next_list(self, which, hub):
        """The list that leads on to a hub."""
        _, cost, leads_to = self.entries(which)[self.place_of(hub, which)]
        if leads_to is not None:
            return leads_to
        steps = self.ground.edges_of_list(which)
        return next(there for there, step in steps if self.costs(there).get(hub) == cost - step)

    def costs(self, which):
        return {entry.hub: entry.cost for entry in self.entries(which)}

    def above(self, hub):
        """By list that has the hub: the list whose entry of it is above the one there; of the hub's first list None."""
        if hub not in self._above:
            lists = [which for which in self._stored if hub in self.costs(which)]
            self._above[hub] = {which: self.next_list(which, hub) for which in lists if which // 2 != hub}
            first, *second = self.ground.lists_of(hub)
            self._above[hub].update({first: None} | dict.fromkeys(second, first))
        return self._above[hub]

    def right_below(self, which, hub):
        """The lists whose entries of a hub are right below that of a list, in their order."""
        return sorted(there for there, above in self.above(hub).items() if above == which)

    def most(self):
        """The most work that any move may take."""
        finds = max((self.work_of_finds(place) for place in self.ground.ways), default=0)
        runs = longest_run(self.ground, STRAIGHT) + longest_run(self.ground, CORNERS)
        longest = max((len(self.entries(which)) for which in self._stored), default=0)
        hubs = {hub for which in self._stored for hub in self.costs(which)}
        counts = [Counter(above for above in self.above(hub).values() if above is not None) for hub in hubs]
        widest = max((max(count.values(), default=0) for count in counts), default=0)
        return max(2 * finds + runs + 2 + longest, 2 * widest) + 1

    def work_of_finds(self, place):
        """Probes of a Connect and all entries that it finds."""
        finds, probes = self.ground.connect(place)
        return probes + sum(len(self.entries(self.ground.list_of_find(find))) for find in finds)


def longest_run(ground, moves):
    """The most moves in one direction that are legal one after the other."""
    longest = 0
    for place in ground.ways:
        for dx, dy in moves:
            (x, y), run = place, 0
            while (dx, dy) in ground.ways[x, y]:
                x, y, run = x + dx, y + dy, run + 1
            longest = max(longest, run)
    return longest


class Way(NamedTuple):
    """What two Connects and their lists tell."""

    cost: int
    first: int
    """The list of the find of the start."""
    hub: int
    last: int
    """The list of the find of the goal."""
    probes: int


def solve(lists, start, goal):
    """The best way between cells whose leg is not free; None if there is none."""
    ground = lists.ground
    finds, probes = ground.connect(start)
    finds_of_goal, probes_of_goal = ground.connect(goal)
    probes += probes_of_goal
    numbers = [ground.list_of_find(find) for find in finds]
    known, best = {}, None
    for i, find in enumerate(finds):
        for hub, cost, _ in lists.entries(numbers[i]):
            probes += 1
            if find.cost + cost < known.get(hub, (INFINITE,))[0]:
                known[hub] = find.cost + cost, i
    for find in finds_of_goal:
        which = ground.list_of_find(find)
        for hub, cost, _ in lists.entries(which):
            probes += 1
            if hub in known:
                total = known[hub][0] + find.cost + cost, known[hub][1]
                if best is None or total < best[0]:
                    best = total, hub, which
    if best is None:
        return None
    (cost, i), hub, which = best
    return Way(cost, numbers[i], hub, which, probes + lists.place_of(hub, numbers[i]) + 1)


def cost_of(lists, start, goal):
    """What a shortest way costs; None if there is none."""
    is_free, _ = lists.ground.try_leg(start, goal)
    if is_free:
        return lists.ground.octile(start, goal)
    way = solve(lists, start, goal)
    return way and way.cost


class HubWalker:
    """Walks from subgoal to subgoal; `taken` counts how often each rule was used."""

    learned, memory = {}, (0, 0, 0)
    """Nothing is learned, and no states are held."""

    def __init__(self, lists, here):
        self.lists, self.ground, self.here = lists, lists.ground, here
        self.taken = Counter()

    def set_goal(self, goal):
        """A new way from here, whatever was before."""
        self.goal, self.target = goal, None
        self.choose_next = self.begin

    def step(self):
        """One move: where it leads, and the work that it took."""
        self.work = Counter()
        if self.here != self.goal:
            while self.target in (None, self.here):
                self.choose_next()
            self.here = self.ground.next_of_leg(self.here, self.target)
            self.work["climbs"] += 1
        return self.here, +self.work

    def node(self, which):
        return self.ground.nodes[which // 2]

    def begin(self):
        is_free, climbs = self.ground.try_leg(self.here, self.goal)
        self.work["climbs"] += climbs
        if is_free:
            self.taken["free"] += 1
            self.target = self.goal
            return
        way = solve(self.lists, self.here, self.goal)
        self.work["probes"] += way.probes
        self.which, self.hub, self.last = way.first, way.hub, way.last
        self.target = self.node(self.which)
        self.choose_next = self.go_on
        self.taken["solved"] += 1

    def go_on(self):
        """By the entries of the hub: down to the last one if it is below, otherwise up."""
        above = self.lists.above(self.hub)
        way_down = [self.last]
        while way_down[-1] not in (None, self.which):
            way_down.append(above[way_down[-1]])
        if self.which == self.last:
            self.target = self.goal
            self.taken["to goal"] += 1
            return
        if way_down[-1] is None:
            self.which = above[self.which]
            self.work["probes"] += 1
            self.taken["to hub"] += 1
        else:
            there = way_down[-2]
            self.work["probes"] += self.lists.right_below(self.which, self.hub).index(there) + 1
            self.which = there
            self.taken["from hub"] += 1
        self.target = self.node(self.which)
