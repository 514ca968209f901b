"""Gates of a map and what it costs to walk by them, in plain Python, read from docs/planners/gates-rules.md alone."""

import heapq
import itertools
import math

from tests.oracle.rules import neighbours

SIDE = 16
UNITS = {"sqrt2": (12, 17), "1.4": (10, 14)}
FOUR_CONNECTED = 2, 4


def units(rule, costs):
    """What a straight and a diagonal move cost by the rules of gates."""
    return FOUR_CONNECTED if rule == "never" else UNITS[costs]


class Gates:
    """The gates of a map: of each border (sector, kind) a list of (two places, two halves), kind 0 east and 1 south."""

    def __init__(self, is_open, rule, costs, fine):
        self.is_open, self.rule, self.costs, self.fine = is_open, rule, costs, fine
        self.height, self.width = is_open.shape
        self._around = {}
        self.straight, self.diagonal = units(rule, costs)
        self.across, self.down = math.ceil(self.width / SIDE), math.ceil(self.height / SIDE)
        self.borders = {(x, y, kind): [] for y in range(self.down) for x in range(self.across) for kind in (0, 1)}
        for (x, y, kind), gates in self.borders.items():
            if kind == 0 and x + 1 < self.across:
                self._fill(gates, x * SIDE + SIDE - 1, y * SIDE, 0)
            elif kind == 1 and y + 1 < self.down:
                self._fill(gates, x * SIDE, y * SIDE + SIDE - 1, 1)

    def around(self, place):
        """Where moves lead from a place, looked up once."""
        if place not in self._around:
            self._around[place] = [there for there, _ in neighbours(self.is_open, self.rule, self.costs, *place)]
        return self._around[place]

    def is_free(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height and bool(self.is_open[y, x])

    def _leads(self, place, other):
        """Whether one move leads from a place to another."""
        return self.is_free(*place) and other in self.around(place)

    def _slips(self, place, other):
        """Whether a diagonal move leads between two walls."""
        (x, y), (there_x, there_y) = place, other
        return self._leads(place, other) and not self.is_free(x, there_y) and not self.is_free(there_x, y)

    def _fill(self, gates, left, top, kind):
        """Gates of the border whose first place on the upper or left side is this one."""
        length = min(SIDE, (self.height - top) if kind == 0 else (self.width - left))
        here = [(left, top + i) if kind == 0 else (left + i, top) for i in range(length)]
        there = [(x + 1, y) if kind == 0 else (x, y + 1) for x, y in here]
        half, upper, lower = self.straight // 2, self.diagonal // 2, self.diagonal - self.diagonal // 2
        for run in _runs([self._leads(a, b) for a, b in zip(here, there, strict=True)]):
            gates += [((here[i], there[i]), (half, half)) for i in self._middles(run)]
        for i in range(length):
            for j in (i + 1, i - 1):
                if 0 <= j < length and self._slips(here[i], there[j]):
                    gates.append(((here[i], there[j]), (upper, lower)))
        if kind == 0 and length == SIDE:
            a, b = here[-1], there[-1]
            c, d = (a[0], a[1] + 1), (b[0], b[1] + 1)
            if self._slips(a, d):
                gates.append(((a, d), (upper, 0)))
            if self._slips(b, c):
                gates.append(((c, b), (0, upper)))
        elif kind == 1:
            (x, y), (end, _) = here[0], here[-1]
            if x > 0 and self._slips((x - 1, y), (x, y + 1)):
                gates.append((((x - 1, y), (x, y + 1)), (0, lower)))
            if length == SIDE and self._slips((end + 1, y), (end, y + 1)):
                gates.append((((end + 1, y), (end, y + 1)), (0, lower)))

    def _middles(self, run):
        """Where on a run its gates stand."""
        first, end = run
        parts = math.ceil((end - first) / self.fine)
        if parts == 1:
            return [min(max(SIDE // 2, first), end - 1)]
        cuts = [first + (end - first) * part // parts for part in range(parts + 1)]
        return [(a + b) // 2 for a, b in itertools.pairwise(cuts)]

    def doors(self, x, y):
        """The gates of a sector by its sides N, W, E, S: their names, the place in the sector (None), the half move."""
        found = []
        for border, side in (((x, y - 1, 1), 1), ((x - 1, y, 0), 1), ((x, y, 0), 0), ((x, y, 1), 0)):
            for i, (places, halves) in enumerate(self.borders.get(border, ())):
                found.append(((*border, i), places[side] if halves[side] else None, halves[side]))
        return found

    def flood(self, start):
        """What it costs from a place to those of its sector, by ways that stay inside it."""
        sector = start[0] // SIDE, start[1] // SIDE
        cost, heap = {start: 0}, [(0, start)]
        while heap:
            here_cost, here = heapq.heappop(heap)
            for there in self.around(here) if here_cost == cost[here] else ():
                step = self.straight if here[0] == there[0] or here[1] == there[1] else self.diagonal
                is_inside = (there[0] // SIDE, there[1] // SIDE) == sector
                if is_inside and here_cost + step < cost.get(there, math.inf):
                    cost[there] = here_cost + step
                    heapq.heappush(heap, (cost[there], there))
        return cost

    def sector_costs(self, x, y):
        """{(gate, gate): cost} inside a sector, each way."""
        found, doors = {}, self.doors(x, y)
        for gate, place, half in doors:
            reached = self.flood(place) if place else {}
            for other, there, other_half in doors:
                if gate != other and place and there in reached:
                    found[gate, other] = half + reached[there] + other_half
                elif gate != other and place is None and there is None and self._is_one_move(gate, other):
                    found[gate, other] = 0
        return found

    def _is_one_move(self, gate, other):
        ends = [self.borders[name[:3]][name[3]][0] for name in (gate, other)]
        return set(ends[0]) == set(ends[1])

    def graph(self):
        """{gate: {gate: least cost}} over all sectors."""
        edges = {}
        for y in range(self.down):
            for x in range(self.across):
                for (a, b), cost in self.sector_costs(x, y).items():
                    known = edges.setdefault(a, {})
                    known[b] = min(cost, known.get(b, math.inf))
        return edges

    def cost(self, start, goal, edges):
        """The least cost of a way from place to place, by gates or inside one sector."""
        first, last = self.flood(start), self.flood(goal)
        best = first.get(goal, math.inf)
        sector, end = ((x // SIDE, y // SIDE) for x, y in (start, goal))
        ends = {gate: half + last[at] for gate, at, half in self.doors(*end) if at in last}
        heap = [(half + first[at], gate) for gate, at, half in self.doors(*sector) if at in first]
        heapq.heapify(heap)
        done = set()
        while heap:
            cost, gate = heapq.heappop(heap)
            if gate in done:
                continue
            done.add(gate)
            best = min(best, cost + ends.get(gate, math.inf))
            for other, more in edges.get(gate, {}).items():
                heapq.heappush(heap, (cost + more, other))
        return best


def _runs(legal):
    """First and end of each run of pairs that a move leads over."""
    runs, first = [], None
    for i, is_legal in enumerate([*legal, False]):
        if is_legal and first is None:
            first = i
        elif not is_legal and first is not None:
            runs.append((first, i))
            first = None
    return runs
