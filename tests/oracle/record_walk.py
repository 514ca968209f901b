"""A walker by records, in plain Python, read from docs/planners/knn-rules.md alone."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, product
from operator import itemgetter
from typing import Any

from tests.oracle.climb import climb
from tests.oracle.rules import heuristic, walk_cost
from tests.oracle.tree_walk import Walker

INFINITE = float("inf")
GOAL = "goal"
"""What the last point is called, since a record may end on the goal."""


def at_start(there, _on):
    return there


def at_end(_there, on):
    return on


@dataclass
class Record:
    """The places of a record, from its start to its end, a leg apart."""

    places: list[tuple[int, int]]

    @property
    def start(self):
        return self.places[0]

    @property
    def end(self):
        return self.places[-1]


@dataclass
class Settings:
    """The parameters of the walk, by the names that users know."""

    candidates: int
    limit: int
    direct: int
    skip_first: int
    skip_last: int
    tree: int
    quota: float
    shortest: int
    second_limit: int
    joins: int
    ahead: int


class RecordWalker(Walker):
    """`taken` counts how often each rule was used; `looked_at` says what a search of the kd-tree takes."""

    def __init__(self, world, records, looked_at: Any, here, **settings):
        super().__init__(*world, here)
        self.records, self.looked_at = records, looked_at
        self.settings = Settings(**settings)

    def set_goal(self, goal):
        """A new route from here, whatever was before."""
        self.goal, self.target, self.added = goal, None, {}
        self.failures = 0
        self.points = None
        """Of the route that are known; None without a record."""
        self.quota_left = INFINITE

    def step(self):
        """One move: where it leads, and the work that it took."""
        self.work = Counter()
        if self.here != self.goal:
            if self.target is None or self.quota_left <= 0:
                self.select()
            elif self.target == self.here:
                self.choose_by_points()
            before = self.here
            self.move()
            self.quota_left -= 100 * self.cost([before, self.here])
        return self.here, +self.work

    # What is asked.

    def octile(self, a, b):
        return heuristic(*self.world[1:], a, b)

    def cost(self, places):
        return walk_cost(*self.world[1:], places)

    def length(self, places):
        return sum(self.octile(a, b) for a, b in pairwise(places))

    def climb_cost(self, start, end, limit=None):
        """What a climb costs; infinite if it does not arrive."""
        arrives, places = climb(*self.world, start, end, self.settings.limit if limit is None else limit)
        self.work["climbs"] += len(places) - 1
        return self.cost(places) if arrives else INFINITE

    def arrives(self, start, end):
        return self.climb_cost(start, end) < INFINITE

    # Selecting a record.

    def select(self):
        self.quota_left = INFINITE
        if self.goes_directly():
            return
        record, way = self.best_record(self.settings.limit)
        route = record.places if record else None
        if self.settings.joins and (self.settings.shortest or record is None):
            joined = self.joined(way)
            self.taken[("joined" if record is None else "joined, shorter") if joined else "not joined"] += 1
            route = joined or route
        if route is None and self.settings.second_limit:
            record, _ = self.best_record(self.settings.second_limit)
            self.taken["second limit fails" if record is None else "second limit"] += 1
            route = record.places if record else None
        if route is None:
            self.fail()
        else:
            self.taken["record after a failure" if self.failures else "record"] += 1
            self.point, *self.unread = route
            self.points = []
            self.choose_by_points()

    def goes_directly(self):
        if not self.settings.direct:
            return False
        cost = self.climb_cost(self.here, self.goal)
        if cost == INFINITE or (self.settings.direct == 1 and cost != self.octile(self.here, self.goal)):
            self.taken["direct fails" if cost == INFINITE else "direct not taken"] += 1
            return False
        self.taken["direct after a failure" if self.failures else "direct"] += 1
        self.go_to(self.goal)
        return True

    def most_similar(self, most, by):
        """The first records by a measure of the distances at the start and at the end."""
        by_tree = self.settings.tree
        self.work["probes"] += self.looked_at(self.here, self.goal, by, most) if by_tree else len(self.records)

        def unlike(record):
            return by(self.octile(self.here, record.start), self.octile(record.end, self.goal))

        return sorted(self.records, key=unlike)[:most]

    def best_record(self, limit):
        """The record to take and its way, or None and infinity if none will do."""
        candidates = self.most_similar(self.settings.candidates or len(self.records), max)
        if not self.settings.shortest:
            return next((r for r in candidates if self.will_do(r, limit) < INFINITE), None), INFINITE

        def bound(record):
            return self.length([self.here, *record.places, self.goal])

        self.work["probes"] += sum(len(record.places) - 1 for record in candidates)
        best, least = None, INFINITE
        for record in sorted(candidates, key=bound):
            if bound(record) >= least:
                self.taken["bound"] += 1
                break
            way = self.will_do(record, limit) + self.length(record.places)
            if way < least:
                self.taken["shorter"] += best is not None
                best, least = record, way
        return best, least

    def will_do(self, record, limit):
        """The costs of both climbs; infinite if one does not arrive."""
        there = self.climb_cost(self.here, record.start, limit)
        if there == INFINITE:
            self.taken["start fails"] += 1
            return INFINITE
        on = self.climb_cost(record.end, self.goal, limit)
        self.taken["end fails"] += on == INFINITE
        return there + on

    # Joining two records.

    def joined(self, least):
        """The places of two records joined by a way shorter than the least, or None."""
        many = min(self.settings.joins, len(self.records))
        firsts = self.listed(many, at_start, least)
        seconds = self.listed(many, at_end, least)
        for weight in (6, 24):
            self.work["probes"] += sum(len(listed) for _, listed in firsts) * sum(len(listed) for _, listed in seconds)
            ranked = [
                min(self.gaps(first, second, weight, least), key=itemgetter(0))
                for first, second in product(firsts, seconds)
                if any(self.gaps(first, second, weight, least))
            ]
            for _, (one, i, cost), (other, j, rest) in sorted(ranked, key=itemgetter(0))[:many]:
                gap = self.climb_cost(one.places[i], other.places[j])
                if cost + gap + rest < least:
                    self.taken["crossing"] += one.places[i] == other.places[j]
                    self.taken["larger weight"] += weight > 6
                    return one.places[: i + 1] + other.places[j + (one.places[i] == other.places[j]) :]
                self.taken["gap fails" if gap == INFINITE else "gap too long"] += 1
            if least < INFINITE:
                return None
        return None

    def listed(self, many, by, least):
        """Records that will do at one end, with the numbers and costs of their points."""
        listed = []
        for record in self.most_similar(many, by):
            if sum(len(points) for _, points in listed) + len(record.places) > 8 * many:
                self.taken["list is full"] += 1
                break
            ends = (self.here, record.start) if by is at_start else (record.end, self.goal)
            climb = self.climb_cost(*ends)
            points = []
            for number, place in enumerate(record.places):
                walked, left = record.places[: number + 1], record.places[number:]
                cost = climb + self.length(walked if by is at_start else left)
                if cost + (self.octile(place, self.goal) if by is at_start else self.octile(self.here, place)) < least:
                    points.append((number, cost))
            if climb < INFINITE:
                listed.append((record, points))
        self.work["probes"] += sum(len(points) for _, points in listed)
        return listed

    def gaps(self, first, second, weight, least):
        """What pairs of points amount to, and the points: record, number, cost."""
        (one, ways), (other, rests) = first, second
        for (i, cost), (j, rest) in product(ways, rests):
            p, q = one.places[i], other.places[j]
            gap = self.octile(p, q)
            is_near = max(abs(p[0] - q[0]), abs(p[1] - q[1])) <= self.settings.limit
            if is_near and cost + gap + rest < least:
                yield cost + weight * gap + rest, (one, i, cost), (other, j, rest)

    def fail(self):
        self.failures += 1
        hundredths = int(100 * Decimal(str(self.settings.quota)))
        if self.failures == 1:
            self.go_to(self.goal)
            if hundredths:
                self.taken["quota"] += 1
                self.quota_left = hundredths * self.octile(self.here, self.goal)
            else:
                self.taken["goal without quota"] += 1
        else:
            self.taken["goal, still climbing" if self.is_climbing else "goal, still learning"] += 1

    # Going on by points.

    def place(self, point):
        return self.goal if point == GOAL else point

    def choose_by_points(self, is_again=False):
        while len(self.points) < max(self.settings.ahead, 2) and GOAL not in self.points:
            self.points.append(self.unread.pop(0) if self.unread else GOAL)
        is_there = self.here == self.point
        taken = self.far_point(is_there) if self.settings.ahead and not is_again else self.next_point(is_there)
        if taken is None:
            self.taken["goal untried" if is_there else "start untried"] += 1
            self.go_to(self.goal if is_there else self.point)
        elif self.points[taken] == GOAL:
            self.taken["goal among points"] += 1
            self.go_to(self.goal)
        else:
            self.point, self.points = self.points[taken], self.points[taken + 1 :]
            self.go_to(self.point)
            if self.target == self.here:
                assert not is_again
                self.taken["again"] += 1
                self.choose_by_points(is_again=True)

    def far_point(self, is_there):
        """The number of a known point, or None."""
        places = [self.here, self.point, *map(self.place, self.points)]
        for number in range(len(self.points) - 1, 0 if is_there else -1, -1):
            cost = self.climb_cost(self.here, places[number + 2])
            if cost <= self.length(places[: number + 3]):
                self.taken[f"ahead {number}"] += 1
                return number
            self.taken["ahead fails" if cost == INFINITE else "ahead too long"] += 1
        if is_there and self.points != [GOAL]:
            self.taken["next untried"] += 1
            return 0
        return None

    def next_point(self, is_there):
        if self.points == [GOAL]:
            self.taken["only the goal"] += 1
            return None
        if not is_there:
            if self.settings.skip_first and self.arrives(self.here, self.points[0]):
                self.taken["start skipped"] += 1
                return 0
            return None
        if self.points[1:] == [GOAL] and self.settings.skip_last:
            skips = self.arrives(self.here, self.goal)
            self.taken["end skipped" if skips else "end not skipped"] += 1
            return int(skips)
        self.taken["next of many"] += 1
        return 0
