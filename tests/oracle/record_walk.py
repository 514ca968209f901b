"""A walker by records, in plain Python, read from docs/planners/knn-rules.md alone."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from tests.oracle.climb import climb
from tests.oracle.rules import heuristic, walk_cost
from tests.oracle.tree_walk import Walker

INFINITE = float("inf")
GOAL = "goal"
"""What the last point is called, since a record may end on the goal."""


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
    ahead: int


class RecordWalker(Walker):
    """`taken` counts how often each rule was used; `looked_at` says what a search of the kd-tree takes."""

    def __init__(self, world, records, looked_at: Any, here, **settings):
        super().__init__(*world, here)
        self.records, self.looked_at = records, looked_at
        self.settings = Settings(**settings)
        self.taken = Counter()

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
        candidates = self.candidates()
        record = self.best_of(candidates, self.settings.limit)
        if record is None and self.settings.second_limit:
            record = self.best_of(candidates, self.settings.second_limit)
            self.taken["second limit fails" if record is None else "second limit"] += 1
        if record is None:
            self.fail()
        else:
            self.taken["record after a failure" if self.failures else "record"] += 1
            self.point = record.start
            self.points, self.unread = [], record.places[1:]
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

    def candidates(self):
        self.work["probes"] += self.looked_at(self.here, self.goal) if self.settings.tree else len(self.records)

        def unlike(record):
            return max(self.octile(self.here, record.start), self.octile(record.end, self.goal))

        return sorted(self.records, key=unlike)[: self.settings.candidates or None]

    def best_of(self, candidates, limit):
        """The record to take, or None if none will do."""
        best, least = None, INFINITE
        for record in candidates:
            there = self.climb_cost(self.here, record.start, limit)
            if there == INFINITE:
                self.taken["start fails"] += 1
                continue
            on = self.climb_cost(record.end, self.goal, limit)
            if on == INFINITE:
                self.taken["end fails"] += 1
                continue
            if not self.settings.shortest:
                return record
            self.work["probes"] += len(record.places) - 1
            way = there + self.length(record.places) + on
            if way < least:
                self.taken["shorter"] += best is not None
                best, least = record, way
        return best

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
