"""PRA* on the clique abstraction in plain Python, read from docs/planners/clique-rules.md and nothing else."""

import heapq
import math
from dataclasses import dataclass

from tests.oracle import cliques, rules

NORTH_FIRST = tuple(rules.ORDER.values())


class World:
    """A map and its abstraction, with costs and distances on every level."""

    def __init__(self, is_open, rule, costs, *, euclid=0):
        self.rule, self.costs, self.euclid = rule, costs, euclid
        self.straight, self.diagonal = rules.move_costs(rule, costs)
        self.levels = cliques.abstraction(is_open, rule)
        self.points = [[cliques.point(places) for places in level.cells] for level in self.levels]
        self.number = {places[0]: node for node, places in enumerate(self.levels[0].cells)}

    def place(self, cell):
        return self.levels[0].cells[cell][0]

    def ancestor(self, cell, level):
        return cliques.ancestor(self.levels, cell, level)

    def neighbours(self, level, node):
        """In order; on the ground in the order of moves."""
        around = self.levels[level].neighbours[node]
        if level:
            return around
        x, y = self.place(node)
        return sorted(around, key=lambda cell: NORTH_FIRST.index((self.place(cell)[0] - x, self.place(cell)[1] - y)))

    def distance(self, a, b):
        """Of two points: a whole number, or a double where it is Euclidean."""
        dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
        if self.euclid:
            return self.straight * math.sqrt(dx * dx + dy * dy)
        return self.straight * max(dx, dy) + (self.diagonal - self.straight) * min(dx, dy)

    def edge_cost(self, level, a, b):
        if level == 0:
            return rules.walk_cost(self.rule, self.costs, [self.place(a), self.place(b)])
        return max(1, math.ceil(self.distance(self.points[level][a], self.points[level][b])))

    def heuristic_to_node(self, level, end):
        """h towards a node of the same level."""
        if level == 0:
            return lambda cell: rules.heuristic(self.rule, self.costs, self.place(cell), self.place(end))
        points = self.points[level]
        return lambda node: math.floor(self.distance(points[node], points[end]))

    def heuristic_to_parent(self, level, last):
        """h towards a node of the level above."""
        points, target = self.points[level], self.points[level + 1][last]
        parts = 1 if level else cliques.SIXTEENTHS  # costs on the ground are of cells
        return lambda node: math.floor(self.distance(points[node], target) / parts)


def find_way(world, level, start, is_end, h, may_enter, oldest=0):
    """A* on one level: the way from the start to the first end that comes, and how many nodes were expanded."""
    cost, came_from, expansions, put = {start: 0}, {start: None}, 0, 0
    waiting = [(h(start), 0, start, 0)]
    while True:
        _, _, node, g = heapq.heappop(waiting)
        if g != cost[node]:
            continue
        if is_end(node):
            break
        expansions += 1
        for there in world.neighbours(level, node):
            new = g + world.edge_cost(level, node, there)
            if may_enter(there) and (there not in cost or new < cost[there]):
                cost[there], came_from[there] = new, node
                put += 1
                turn = put if oldest else -put  # of equal f the last one first, or the first one
                heapq.heappush(waiting, (new + h(there), turn, there, new))
    way = [node]
    while came_from[way[-1]] is not None:
        way.append(came_from[way[-1]])
    return way[::-1], expansions


def common_level(world, start, goal):
    """The lowest level on which two cells have the same ancestor, or neighbours."""
    for level, graph in enumerate(world.levels):
        a, b = world.ancestor(start, level), world.ancestor(goal, level)
        if a == b or b in graph.neighbours[a]:
            return level
    raise AssertionError("the cells are not connected")


def start_level(world, common):
    level = common
    while level > 1 and (2 * level > common or len(world.levels[level].nodes) ** 2 < 4 * len(world.levels[0].nodes)):
        level -= 1
    return level


def corridor(world, level, way, width):
    """The nodes of a way, and those within some edges of it."""
    within = set(way)
    for _ in range(width):
        within |= {there for node in within for there in world.neighbours(level, node)}
    return within


@dataclass
class Plan:
    """The ways as they were found on each level, from the start level down to the map, and what they took."""

    ways: list
    expansions: int = 0
    probes: int = 0
    cuts: int = 0

    @property
    def cells(self):
        return self.ways[-1]


def plan(world, start, goal, *, steps, width):
    """The plan from one cell to another, other one."""
    common = common_level(world, start, goal)
    if common == 0:
        return Plan([[start, goal]])
    highest = start_level(world, common)
    first, last = world.ancestor(start, highest), world.ancestor(goal, highest)
    way, probes = find_way(
        world, highest, first, lambda node: node == last, world.heuristic_to_node(highest, last), lambda _: True
    )
    made = Plan([way], probes=probes)
    for level in reversed(range(highest)):
        if 0 < steps < len(way) - 1:
            way = way[: steps + 1]
            made.cuts += 1
        way, expanded = refine(world, level, start, goal, way, bool(made.cuts), width)
        made.ways.append(way)
        if level:
            made.probes += expanded
        else:
            made.expansions = expanded
    return made


def refine(world, level, start, goal, way, was_cut, width):
    """The way on a level through the corridor of a way on the level above."""
    within = corridor(world, level + 1, way, width)
    parents, last = world.levels[level].parents, way[-1]
    end = world.ancestor(goal, level)
    return find_way(
        world,
        level,
        world.ancestor(start, level),
        (lambda node: parents[node] == last) if was_cut else (lambda node: node == end),
        world.heuristic_to_parent(level, last) if was_cut else world.heuristic_to_node(level, end),
        lambda node: parents[node] in within,
    )


class PraWalker:
    """Walks plan after plan; `plans` are those of this trip."""

    def __init__(self, world, here, *, steps, width):
        self.world, self.here, self.steps, self.width = world, here, steps, width

    def set_goal(self, goal):
        """A new trip from here."""
        self.goal, self.left, self.plans, self.began_at = goal, [], [], set()

    def step(self):
        """One move: where it leads, its expansions and its probes."""
        if self.here == self.goal:
            return self.here, 0, 0
        spent = 0, 0
        if not self.left:
            made = self.next_plan()
            spent = made.expansions, made.probes
            self.left = [self.world.place(cell) for cell in made.cells[1:]]
        self.here = self.left.pop(0)
        return self.here, *spent

    def next_plan(self):
        steps = 0 if self.here in self.began_at else self.steps
        self.began_at.add(self.here)
        start, goal = (self.world.number[place] for place in (self.here, self.goal))
        self.plans.append(plan(self.world, start, goal, steps=steps, width=self.width))
        return self.plans[-1]
