"""PR LRTA* in plain Python, read from docs/planners/prlrta-rules.md and nothing else."""

import heapq
import math
from collections import Counter
from dataclasses import dataclass

from tests.oracle import cliques, pra_clique
from tests.oracle.pair_subgoals import in_hierarchical_order


class Regions:
    """The graph of regions, and the upper regions: lists of places in their order, and which of them a place is in."""

    def __init__(self, is_open, rule, costs, *, level, upper=None, euclid=1):
        self.ground = pra_clique.World(is_open, rule, costs, euclid=euclid)
        levels = self.ground.levels
        level = min(level, len(levels) - 1)
        self.places, self.region_of = self.numbered(level)
        above = level if upper is None else min(max(level, upper), len(levels) - 1)
        upper_places, upper_of_place = self.numbered(above)
        self.upper_of = [upper_of_place[places[0]] for places in self.places]
        self.middles = [self.region_of[cliques.representative(places)] for places in upper_places]
        self.reps = [cliques.representative(places) for places in self.places]
        self.points = [cliques.point(places) for places in self.places]
        touching = [set() for _ in self.places]
        for cell, around in enumerate(levels[0].neighbours):
            here = self.region_of[self.ground.place(cell)]
            touching[here] |= {self.region_of[self.ground.place(other)] for other in around} - {here}
        self.neighbours = [sorted(others) for others in touching]
        self._best = {}

    def numbered(self, level):
        """The nodes of a level in the order of the hierarchy, as lists of places; and the number of each place."""
        levels = self.ground.levels
        in_order = [levels[level].cells[node] for node in in_hierarchical_order(levels, level)]
        return in_order, {place: number for number, places in enumerate(in_order) for place in places}

    def cost(self, a, b):
        return max(1, math.ceil(self.ground.distance(self.points[a], self.points[b])))

    def h0(self, region, target):
        return math.floor(self.ground.distance(self.points[region], self.points[target]))

    def best_costs(self, target):
        """The cost of a best way to the target, for every region that has one."""
        if target not in self._best:
            best, waiting = {}, [(0, target)]
            while waiting:
                cost, here = heapq.heappop(waiting)
                if here not in best:
                    best[here] = cost
                    for there in self.neighbours[here]:
                        heapq.heappush(waiting, (cost + self.cost(here, there), there))
            self._best[target] = best
        return self._best[target]

    def is_on_a_best_way(self, here, there, target):
        best = self.best_costs(target)
        return best[there] + self.cost(here, there) == best[here]

    def subgoal(self, upper, goal_upper, progress):
        """The region to leave an upper region by."""
        best = self.best_costs(self.middles[goal_upper])
        here = self.middles[upper]
        left = best[here]
        while self.upper_of[here] == upper or (progress and best[self.middles[self.upper_of[here]]] >= left):
            here = next(
                there for there in self.neighbours[here] if self.is_on_a_best_way(here, there, self.middles[goal_upper])
            )
        return here

    def optimal_depth(self, region, target, cap):
        for depth in range(1, cap):
            seen = look_ahead(self, region, target, depth, 100, lambda r: self.h0(r, target))
            if self.is_on_a_best_way(region, seen.step, target):
                return depth
        return cap


@dataclass
class Lookahead:
    """What came of one: the region to step to, the f of the best one ahead, and what it took."""

    step: int
    value: int
    expansions: int
    seen: int
    looked: int


def look_ahead(regions, here, target, depth, gamma, h):
    """In plies; gamma in hundredths."""
    order, g, f, first = [here], {here: 0}, {here: h(here)}, {here: None}
    ahead, looked_around = [here], []
    for _ in range(depth):
        now = [(x, g[x], f[x], first[x]) for x in ahead if x != target]
        ahead = []
        for x, g_x, f_x, first_x in now:
            looked_around.append(x)
            for y in regions.neighbours[x]:
                g_y = g_x + math.ceil(gamma * regions.cost(x, y) / 100)
                if y not in g:
                    order.append(y)
                elif g[y] <= g_y:
                    continue
                g[y], f[y], first[y] = g_y, max(f_x, g_y + h(y)), y if first_x is None else first_x
                if y not in ahead:
                    ahead.append(y)
    best = min([*ahead, *({target} & set(order))], key=lambda x: (f[x], -g[x], order.index(x)))
    return Lookahead(first[best], f[best], len(looked_around), len(order), len(set(looked_around)))


class PrlrtaWalker:
    """`plans` are the targets and the steps of this trip; `taken` counts how often each rule was.

    Depths are stored if there is a cap, and subgoals if `by_progress` is not None.
    """

    def __init__(self, regions, here, *, depth=None, cap=None, by_progress=None, gamma=1.0, first=0, oldest=0):
        self.regions, self.here, self.oldest = regions, here, oldest
        self.depth, self.cap, self.by_progress, self.first = depth, cap, by_progress, first
        self.gamma = round(100 * gamma)
        self.goal = None
        self.about_goal, self.about_subgoal = {}, {}
        self.most_closed = self.ever_learned = 0
        self.taken = Counter()

    def set_goal(self, goal):
        """A new trip from here."""
        if self.goal is None or self.regions.region_of[self.goal] != self.regions.region_of[goal]:
            self.about_goal = {}
        self.goal, self.left = goal, []
        self.began_in, self.subgoal, self.is_close, self.plans = [], None, False, []

    def step(self):
        """One move: where it leads, and its expansions."""
        if self.here == self.goal:
            return self.here, 0
        expansions = 0
        if not self.left:
            expansions = self.plan()
        self.here = self.left.pop(0)
        return self.here, expansions

    @property
    def learned(self):
        """{representative: h} of what was raised towards the goal."""
        goal = self.regions.region_of[self.goal]
        return {
            self.regions.reps[region]: (self.regions.h0(region, goal) + raised) // cliques.SIXTEENTHS
            for region, raised in self.about_goal.items()
        }

    def plan(self):
        """Plan the way that is walked next; returns the expansions it took."""
        regions = self.regions
        here, goal = (regions.region_of[place] for place in (self.here, self.goal))
        if here == goal:
            self.plans.append((goal, None))
            self.taken["in the goal's region"] += 1
            return self.find_way({here}, to=self.goal)
        target, depth = self.name_target(here, goal)
        self.began_in.append(here)
        table = self.about_goal if target == goal else self.about_subgoal
        if target == goal and self.has_subgoal:
            table = self.about_subgoal  # a subgoal, like any other
        seen = look_ahead(regions, here, target, depth, self.gamma, lambda r: regions.h0(r, target) + table.get(r, 0))
        self.most_closed = max(self.most_closed, seen.looked)
        if seen.value > regions.h0(here, target) + table.get(here, 0):
            self.ever_learned += here not in table
            table[here] = seen.value - regions.h0(here, target)
            self.taken["learned"] += 1
        self.plans.append((target, seen.step))
        corridor = {here, seen.step}
        if seen.step == goal:
            return seen.expansions + self.find_way(corridor, to=self.goal)
        if self.first:
            return seen.expansions + self.find_way(corridor, into=seen.step)
        return seen.expansions + self.find_way(corridor, to=regions.reps[seen.step])

    def name_target(self, here, goal):
        """The region to head for, and the depth."""
        upper, goal_upper = self.regions.upper_of[here], self.regions.upper_of[goal]
        came_back = here in self.began_in
        self.taken["came back"] += came_back
        if self.by_progress is None:
            self.has_subgoal = False
        elif self.by_progress:
            self.is_close = self.is_close or upper == goal_upper
            self.has_subgoal = not self.is_close
            if self.has_subgoal and (self.subgoal is None or upper == self.regions.upper_of[self.subgoal]):
                self.head_for(upper, goal_upper)
        else:
            self.has_subgoal = not came_back and upper != goal_upper
            if self.has_subgoal:
                self.head_for(upper, goal_upper)
        if self.cap is None:
            depth = self.depth
        elif self.has_subgoal:
            depth = self.regions.optimal_depth(self.regions.middles[self.chosen_in], self.subgoal, self.cap)
        elif self.by_progress is None:
            depth = self.stored_depth(upper, goal_upper)
        else:
            depth = 1 if upper == goal_upper and not came_back else self.cap
            self.taken["cap" if depth == self.cap else "depth 1"] += 1
        self.taken["subgoal" if self.has_subgoal else "goal"] += 1
        return (self.subgoal if self.has_subgoal else goal), depth

    def stored_depth(self, upper, goal_upper):
        if upper == goal_upper:
            return 1
        middles = self.regions.middles
        return self.regions.optimal_depth(middles[upper], middles[goal_upper], self.cap)

    def head_for(self, upper, goal_upper):
        """Forget about other subgoals."""
        self.chosen_in = upper
        subgoal = self.regions.subgoal(upper, goal_upper, self.by_progress)
        if subgoal != self.subgoal:
            self.subgoal = subgoal
            self.about_subgoal = {}

    def find_way(self, corridor, to=None, into=None):
        """A* on the ground, from here to a place or into a region; returns expansions."""
        ground, region_of = self.regions.ground, self.regions.region_of
        start = ground.number[self.here]
        if to is not None:
            end = ground.number[to]
            h = ground.heuristic_to_node(0, end)
        else:
            end = None
            h = self.octile_to_point(self.regions.points[into])
        way, expansions = pra_clique.find_way(
            ground,
            0,
            start,
            lambda cell: cell == end or (into is not None and region_of[ground.place(cell)] == into),
            h,
            lambda cell: region_of[ground.place(cell)] in corridor,
            self.oldest,
        )
        self.most_closed = max(self.most_closed, expansions)
        self.left = [ground.place(cell) for cell in way[1:]]
        return expansions

    def octile_to_point(self, point):
        """h towards a point, which is in sixteenths of a cell."""
        ground = self.regions.ground

        def h(cell):
            dx, dy = (abs(a - b) for a, b in zip(cliques.point([ground.place(cell)]), point, strict=True))
            whole = ground.straight * max(dx, dy) + (ground.diagonal - ground.straight) * min(dx, dy)
            return whole // cliques.SIXTEENTHS

        return h
