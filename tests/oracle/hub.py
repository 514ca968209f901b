"""Subgoals at corners, the sides of them, what a cell finds, and the graph (docs/planners/hub-rules.md).

Read from that page alone.
"""

from typing import NamedTuple

from tests.oracle.rules import ORDER, heuristic, may_move

NE, SE, SW, NW = CORNERS = (1, -1), (1, 1), (-1, 1), (-1, -1)
SIDES = range(2 * len(CORNERS))
"""Of corner k the vertical one is 2k, the horizontal one 2k + 1."""
VERTICAL, HORIZONTAL = 0, 1
RAYS = {"E": (NW, SW), "W": (NE, SE), "N": (SW, SE), "S": (NW, NE)}
"""Straight looks in their order, and the corners behind each."""


class Find(NamedTuple):
    """A node, the side by which ways go on that leave it, and the octile cost to it."""

    node: tuple[int, int]
    leaves: int
    cost: int


class Edge(NamedTuple):
    """From one node to another: the sides of the one towards the other, and of the other towards the one."""

    head: int
    cost: int
    tail_sides: frozenset
    head_sides: frozenset


def other(side):
    """Of the same corner."""
    return side ^ 1


def is_taut(arrives, leaves):
    """Whether a way may come by one of these sides and go on by one of those."""
    return any(other(side) in leaves for side in arrives)


class Ground:
    """A map as hub sees it; a cell without any legal move counts as a wall."""

    def __init__(self, is_open, rule, costs):
        is_open = [[bool(cell) for cell in row] for row in is_open]
        self.world = is_open, rule, costs
        self.is_dense = rule != "both-open"
        self.ways = {}
        for y, row in enumerate(is_open):
            for x in range(len(row)):
                legal = [move for move in ORDER.values() if may_move(is_open, rule, x, y, *move)]
                if legal:
                    self.ways[x, y] = legal
        self.corners = {place: self._corners_of(*place) for place in self.ways}
        self.nodes = [place for place in self.ways if self.is_dense or self.corners[place]]
        self.number = {place: number for number, place in enumerate(self.nodes)}
        self.finds = [self.connect(place)[0] for place in self.nodes]
        self.edges = [self._edges_of(node) for node in range(len(self.nodes))]

    def _corners_of(self, x, y):
        return {
            (cx, cy)
            for cx, cy in CORNERS
            if (x + cx, y) in self.ways and (x, y + cy) in self.ways and (x + cx, y + cy) not in self.ways
        }

    def octile(self, a, b):
        return heuristic(*self.world[1:], a, b)

    # Sides and lists.

    def sides_towards(self, place, there):
        """The sides of a subgoal on which another place lies."""
        if self.is_dense:
            return frozenset(SIDES)
        found = set()
        for cx, cy in self.corners[place]:
            along, down = (there[0] - place[0]) * cx, (there[1] - place[1]) * cy
            if down > 0 >= along:
                found.add(2 * CORNERS.index((cx, cy)) + VERTICAL)
            if along > 0 >= down:
                found.add(2 * CORNERS.index((cx, cy)) + HORIZONTAL)
        return frozenset(found)

    def has_two_lists(self, node):
        return not self.is_dense and len(self.corners[self.nodes[node]]) == 1

    def lists_of(self, node):
        return [2 * node, 2 * node + 1] if self.has_two_lists(node) else [2 * node]

    def list_of(self, node, leaves):
        return 2 * node + (leaves if self.has_two_lists(node) else 0)

    def list_of_find(self, find):
        return self.list_of(self.number[find.node], find.leaves)

    def leaves_by(self, which, side):
        """Whether ways of a list may leave its node by a side of it."""
        return not self.has_two_lists(which // 2) or side % 2 == which % 2

    def edges_of_list(self, which):
        """(list that it leads to, cost) of each."""
        found = []
        for edge in self.edges[which // 2]:
            if any(self.leaves_by(which, side) for side in edge.tail_sides):
                arrives_vertically = any(side % 2 == VERTICAL for side in edge.head_sides)
                found.append((self.list_of(edge.head, HORIZONTAL if arrives_vertically else VERTICAL), edge.cost))
        return found

    def _edges_of(self, node):
        found = []
        for place, _, cost in self.finds[node]:
            tail_sides = self.sides_towards(self.nodes[node], place)
            head_sides = self.sides_towards(place, self.nodes[node])
            if tail_sides and head_sides:
                found.append(Edge(self.number[place], cost, tail_sides, head_sides))
        return found

    # Legs.

    def next_of_leg(self, place, end):
        """Where the leg goes on, whether or not it may: diagonally as long as it has to."""
        return place[0] + sign(end[0] - place[0]), place[1] + sign(end[1] - place[1])

    def try_leg(self, place, end):
        """Whether it is free, and the moves that were looked at."""
        climbs = 0
        while place != end:
            there = self.next_of_leg(place, end)
            climbs += 1
            if (there[0] - place[0], there[1] - place[1]) not in self.ways.get(place, ()):
                return False, climbs
            place = there
        return True, climbs

    # Connect.

    def connect(self, place):
        """What a cell finds, in order, and the probes that it takes."""
        if self.is_dense:
            found = [(place[0] + dx, place[1] + dy) for dx, dy in self.ways.get(place, ())]
            return [Find(there, VERTICAL, self.octile(place, there)) for there in found], len(ORDER)
        look = Look(self, place)
        return look.finds, look.probes


class Look:
    """One Connect: what was found, and the limits of the octants that are left to look at."""

    def __init__(self, ground, place):
        self.ground, self.place = ground, place
        self.finds, self.probes = [], 0
        self.row_limits, self.column_limits = {}, {}
        for name, behind in RAYS.items():
            self.look_straight(ORDER[name], behind)
        for direction in (NE, SE, SW, NW):
            if direction in ground.ways.get(place, ()):
                self.look_diagonally(direction)

    def scan(self, place, step, corners):
        """Steps to the next cell with one of these corners or to the wall, and that cell, None for the wall."""
        steps, (dx, dy) = 0, step
        while True:
            steps, place = steps + 1, (place[0] + dx, place[1] + dy)
            if place not in self.ground.ways:
                return steps, None
            if self.ground.corners[place] & set(corners):
                return steps, place

    def find(self, place, leaves):
        self.finds.append(Find(place, leaves, self.ground.octile(self.place, place)))

    def look_straight(self, step, behind):
        firsts = {}
        at, away = self.place, 0
        while at is not None:
            steps, at = self.scan(at, step, CORNERS)
            self.probes += 1
            away += steps
            found = self.ground.corners[at] & set(behind) if at else set(behind)
            for corner in found:
                firsts.setdefault(corner, away - 1)
            if at and found:
                self.find(at, VERTICAL if step[1] == 0 else HORIZONTAL)
        (dx, dy), limits = step, self.row_limits if step[1] == 0 else self.column_limits
        for cx, cy in behind:
            octant = (dx, cy) if dy == 0 else (cx, dy)
            limits[octant] = firsts[cx, cy]

    def look_diagonally(self, direction):
        ground, (dx, dy) = self.ground, direction
        of_row, of_column = (dx, -dy), (-dx, dy)
        limits = [self.row_limits[direction], self.column_limits[direction]]
        at, is_last, is_first = self.place, False, True
        while not is_last:
            before, at = at, (at[0] + dx, at[1] + dy)
            turns = ground.corners[at] & {of_row, of_column}
            is_last = bool(turns) or direction not in ground.ways[at]
            if is_first or is_last or self.is_fresh(before, at, direction):
                self.probes += 1
                if turns:
                    self.find(at, HORIZONTAL if of_row in turns else VERTICAL)
                limits[0] = self.look_beside(at, (dx, 0), limits[0], of_row, of_column, HORIZONTAL)
                limits[1] = self.look_beside(at, (0, dy), limits[1], of_column, of_row, VERTICAL)
            is_first = False

    def look_beside(self, at, step, limit, ends, passes, leaves):
        """Along a row or a column; returns its new limit."""
        if limit <= 0 or ends in self.ground.corners[at]:
            return limit
        away, at = self.scan(at, step, (ends, passes))
        self.probes += 1
        if away > limit:
            return limit
        first = away
        while at is not None and away <= limit:
            has_end = ends in self.ground.corners[at]
            self.find(at, leaves if has_end else 1 - leaves)
            if has_end:
                break
            steps, at = self.scan(at, step, (ends, passes))
            self.probes += 1
            away += steps
        return first - 1

    def is_fresh(self, before, at, direction):
        dx, dy = direction
        for step in ((dx, 0), (0, dy)):
            corners = (dx, -dy), (-dx, dy)
            steps, stop = self.scan(at, step, corners)
            steps_before, stop_before = self.scan(before, step, corners)
            if stop and (stop_before is None or steps_before > steps):
                return True
        return False


def sign(number):
    return (number > 0) - (number < 0)
