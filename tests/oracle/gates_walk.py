"""A walker by gates, in plain Python, read from docs/planners/gates-rules.md alone."""

import heapq
import math
from collections import Counter
from itertools import pairwise

from tests.oracle.climb import climb
from tests.oracle.gates import SIDE
from tests.oracle.gates_tree import BLOCK
from tests.oracle.rules import heuristic, neighbours

MOST_ARCS = 15
GOAL, BLOCK_OF_GOAL, AWAY = "goal", "block", "away"


class Ascent:
    """What it costs from a place to the gates of each part around it: `costs` is a list of {gate: cost}."""

    def __init__(self, tree, place):
        gates = tree.gates
        self.inside = gates.flood(place)
        sector = place[0] // SIDE, place[1] // SIDE
        doors = {gate: half + self.inside[at] for gate, at, half in gates.doors(*sector) if at in self.inside}
        self.parts, self.costs = [tree.leaves[sector]], [doors]
        while self.parts[-1].parent:
            part, below = self.parts[-1].parent, self.parts[-1]
            known = [gate for gate in below.boundary if gate in self.costs[-1] and gate in part.place]
            costs = {gate: self.costs[-1][gate] for gate in known}
            for i, gate in enumerate(part.separator):
                for other in part.list[i + 1 :] if gate in costs else ():
                    cost = costs[gate] + part.cost.get((gate, other), math.inf)
                    if cost < costs.get(other, math.inf):
                        costs[other] = cost
            self.parts.append(part)
            self.costs.append(costs)

    def back(self, level, gate, last):
        """Arcs (part, nearer gate, gate, cost) back to the level `last`, and the gate there."""
        arcs = []
        while level > last:
            costs, part = self.costs[level], self.parts[level]
            below = self.parts[level - 1]
            if gate in below.boundary and self.costs[level - 1].get(gate) == costs[gate]:
                level -= 1
                continue
            gate = self.step_back(arcs, part, costs, gate)
        return arcs, gate

    def step_back(self, arcs, part, costs, gate):
        earlier = part.separator[: part.place[gate]]
        before = next(g for g in earlier if g in costs and costs[g] + part.cost.get((g, gate), math.inf) == costs[gate])
        arcs.append((part, before, gate, costs[gate] - costs[before]))
        return before


class GateWalker:
    """`taken` counts how often each rule was used; `work` is that of the last move, but for probes."""

    def __init__(self, world, tree, here, *, ahead, limit, direct):
        self.world, self.tree, self.gates, self.here = world, tree, tree.gates, here
        self.ahead, self.limit, self.direct = ahead, limit, direct
        self.work, self.taken = Counter(), Counter()
        self.learned, self.memory = {}, (8, 1, 0)

    def set_goal(self, goal):
        """A new route from here, whatever was before."""
        self.goal, self.target, self.is_new = goal, None, True

    def step(self):
        """One move: where it leads, and the work that it took."""
        self.work = Counter()
        if self.here != self.goal:
            if self.target in (None, self.here):
                self.choose()
            _, places = climb(*self.world, self.here, self.target, limit=1)
            assert len(places) == 2, f"stuck at {self.here} on the way to {self.target}"
            self.here = places[1]
            self.work["climbs"] += 1
        return self.here, +self.work

    def cost_of(self, places):
        """What a walk costs by the rules of gates."""
        straight = sum(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(places))
        return straight * self.gates.straight + (len(places) - 1 - straight) * self.gates.diagonal

    def climb_cost(self, target, limit):
        arrives, places = climb(*self.world, self.here, target, limit)
        self.work["climbs"] += len(places) - 1
        return self.cost_of(places) if arrives else math.inf

    def is_direct(self):
        """Whether it heads for the goal at once."""
        if not self.direct:
            return False
        arrives, places = climb(*self.world, self.here, self.goal, self.limit)
        self.work["climbs"] += len(places) - 1
        _, rule, costs = self.world
        steps = (heuristic(rule, costs, a, b) for a, b in pairwise(places))
        return arrives and (self.direct == 2 or sum(steps) == heuristic(rule, costs, self.here, self.goal))

    def choose(self):
        if self.is_new:
            self.is_new = False
            if self.is_direct():
                self.taken["direct"] += 1
                self.target, self.points = self.goal, []
                return
            self.points, self.arcs, self.leads, self.rest, self.is_complete = [], [], AWAY, math.inf, False
        while True:
            self.extend()
            if not self.points:
                self.look()
                self.extend()
            self.choose_point()
            if self.target != self.here:
                return
            self.taken["again"] += 1

    def look(self):
        """Find the way to the goal, as arcs."""
        start, goal = Ascent(self.tree, self.here), Ascent(self.tree, self.goal)
        self.walked, self.reached, self.arcs = 0, 0, []
        inside = start.inside.get(self.goal, math.inf)
        best, where = inside, None
        for level, part in enumerate(start.parts):
            if part in goal.parts:
                other = goal.costs[goal.parts.index(part)]
                for gate in part.separator:
                    cost = start.costs[level].get(gate, math.inf) + other.get(gate, math.inf)
                    if cost < best:
                        best, where = cost, (level, goal.parts.index(part), gate)
        assert best < self.rest
        self.rest = best
        if where is None:
            self.taken["inside"] += 1
            self.leads, self.from_gate = GOAL, inside
            return
        level, goal_level, gate = where
        if start.parts[level] in self.tree.parts[: self.tree.near_count]:
            self.taken["within a block"] += 1
            self.add_arcs_to_goal(goal, goal_level, gate)
        else:
            self.taken["over blocks"] += 1
            self.leads = BLOCK_OF_GOAL
            arcs, _ = goal.back(goal_level, gate, self.block_level(goal))
            for part, before, after, cost in reversed(arcs):
                self.push(part, False, after, before, cost)
            level_of_block = self.block_level(start)
            arcs, gate = start.back(level, gate, level_of_block)
            for part, before, after, cost in arcs:
                self.push(part, False, before, after, cost)
            level = level_of_block
            gate = self.leave(start.parts[level], gate, start.costs[level])
        arcs, gate = start.back(level, gate, 0)
        for part, before, after, cost in arcs:
            self.push(part, True, before, after, cost)
        self.add_gate(start.parts[0], gate, start.costs[0][gate])

    def block_level(self, ascent):
        return next(i for i, part in enumerate(ascent.parts) if part in self.tree.blocks.values())

    def add_arcs_to_goal(self, goal, level, gate):
        arcs, last = goal.back(level, gate, 0)
        self.leads, self.from_gate = GOAL, goal.costs[0][last]
        for part, before, after, cost in reversed(arcs):
            self.push(part, True, after, before, cost)

    def push(self, *arc):
        """Arcs stand with the first one of the way last."""
        if len(self.arcs) == MOST_ARCS:
            self.taken["too many arcs"] += 1
            self.arcs = self.arcs[MOST_ARCS // 2 :]
            self.leads = AWAY
        self.arcs.append(arc)

    def unfold(self, is_end):
        """Unfold the first arc until it lies in a part that is an end; returns it."""
        while not is_end(self.arcs[-1][0]):
            part, is_fixed, a, b, cost = self.arcs.pop()
            way = int(a not in part.children[0].place) if a == b else part.way[a, b]
            if way < 2:
                self.push(part.children[way], is_fixed, a, b, cost)
            else:
                gate = part.separator[way - 2]
                self.push(part, is_fixed, gate, b, part.cost[gate, b])
                self.push(part, is_fixed, a, gate, part.cost[a, gate])
        return self.arcs[-1]

    def leave(self, block, gate, reach):
        """The gate by which to leave a block over the line that one of its gates is on."""
        x, y, kind, _ = gate
        column, row = block.box[0] // BLOCK, block.box[1] // BLOCK
        is_ahead = (x // BLOCK, y // BLOCK) == (column, row)
        step = 1 if is_ahead else -1
        other = self.tree.blocks[(column + step, row) if kind == 0 else (column, row + step)]
        both = [g for g in block.boundary if g in other.boundary]
        if not self.arcs and self.leads == AWAY:
            return gate
        if self.arcs:
            part, _, _, end, _ = self.unfold(lambda part: part in self.tree.blocks.values())
            assert part is other
            onward = {g: self.gates.straight if g == end else part.cost.get((g, end), math.inf) for g in both}
        else:
            goal = Ascent(self.tree, self.goal)
            level = self.block_level(goal)
            assert goal.parts[level] is other
            onward = goal.costs[level]
        best = min(both, key=lambda g: reach.get(g, math.inf) + onward.get(g, math.inf))
        self.taken["another gate"] += best != gate
        if self.arcs:
            self.arcs.pop()
            self.push(other, False, best, end, 0)
        else:
            self.add_arcs_to_goal(goal, level, best)
        return best

    def extend(self):
        """Make points known."""
        while len(self.points) < self.ahead and not self.is_complete:
            if not self.arcs:
                if self.leads == GOAL:
                    self.points.append((self.goal, self.reached + self.from_gate, self.goal))
                    self.is_complete = True
                return
            if self.arcs[-1][1]:
                part, _, _, gate, cost = self.unfold(lambda part: not part.children)
                self.arcs.pop()
                self.add_gate(part, gate, cost)
            else:
                part, _, a, b, _ = self.unfold(lambda part: part in self.tree.blocks.values())
                self.arcs.pop()
                reach = {g: part.cost.get((a, g), math.inf) for g in part.boundary} | {a: self.gates.straight}
                gate = self.leave(part, b, reach)
                self.push(part, True, a, gate, reach[gate])

    def add_gate(self, part, gate, cost):
        """Make the point behind a gate known."""
        ends, halves = self.gates.borders[gate[:3]][gate[3]]
        own = int(part.box[:2] != gate[:2])
        self.reached += cost
        if halves[1 - own]:
            self.points.append((ends[1 - own], self.reached + halves[1 - own], ends[own]))

    def choose_point(self):
        first, cost, before = self.points[0]
        climbed = self.climb_cost(first, self.limit)
        spared = cost - self.walked - climbed
        for i in range(len(self.points) - 1, 0, -1):
            place, known, _ = self.points[i]
            if self.climb_cost(place, self.limit) <= known - self.walked - max(spared, 0):
                self.taken[f"ahead {i}"] += 1
                return self.head_for(i)
        if spared >= 0:
            self.taken["next"] += 1
            return self.head_for(0)
        self.taken["in sector"] += 1
        return self.go_inside(before)

    def head_for(self, which):
        self.target, self.walked, _ = self.points[which]
        self.points = self.points[which + 1 :]

    def go_inside(self, end):
        """Head for a far place of a best way inside the sector."""
        way, expansions = self.way_inside(end)
        self.work["expansions"] += expansions
        best, low, high = 1, 2, len(way) - 2
        if self.is_as_short(way, len(way) - 1):
            best, low = len(way) - 1, high + 1
        while low <= high:
            middle = (low + high) // 2
            if self.is_as_short(way, middle):
                best, low = middle, middle + 1
            else:
                high = middle - 1
        self.target = way[best]
        self.walked += self.cost_of(way[: best + 1])

    def is_as_short(self, way, place):
        return self.climb_cost(way[place], math.inf) == self.cost_of(way[: place + 1])

    def way_inside(self, end):
        """A* from the end; least f first, then nearest by the larger of dx and dy, then the upper, then the left."""
        x, y = self.here
        straight, diagonal = self.gates.straight, self.gates.diagonal

        def entry(place):
            dx, dy = abs(place[0] - x), abs(place[1] - y)
            octile = straight * max(dx, dy) + (diagonal - straight) * min(dx, dy)
            return cost[place] + octile, max(dx, dy), place[1], place[0]

        cost, onward, done, heap = {end: 0}, {}, set(), []
        heapq.heappush(heap, entry(end))
        while True:
            *_, there_y, there_x = heapq.heappop(heap)
            here = there_x, there_y
            if here == self.here:
                way = [here]
                while way[-1] != end:
                    way.append(onward[way[-1]])
                return way, len(done)
            if here in done:
                continue
            done.add(here)
            for there, _ in neighbours(*self.world, *here):
                more = cost[here] + self.cost_of([here, there])
                is_inside = (there[0] // SIDE, there[1] // SIDE) == (x // SIDE, y // SIDE)
                if is_inside and more < cost.get(there, math.inf):
                    cost[there], onward[there] = more, here
                    heapq.heappush(heap, entry(there))
