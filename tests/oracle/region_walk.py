"""A walker by regions, in plain Python, read from docs/planners/region-rules.md alone."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.oracle import sectors
from tests.oracle.climb import climb
from tests.oracle.rules import heuristic, move_costs, walk_cost

INFINITE = float("inf")
MOST_HOPS_OF_A_WAY = 6

AT_FIRST, BY_POINTS, TO_REPRESENTATIVE, TO_GOAL, STRAIGHT = "at first", "by points", "to rep", "to goal", "straight"
GOAL = "goal"
"""What the last point is called, since a representative may stand on the goal."""


@dataclass
class Regions:
    """A map cut into regions and the hops between them, as plain data."""

    representatives: list[tuple[int, int]]
    look_up: Any
    """From a place to its region and the probes that took."""
    hop: Any
    """From two regions to the legs of the first hop between them and the probes to find it."""
    known_at: list[int]
    """Probes to know a region, where a hop ends on its representative."""
    side: int = 0
    by_sector: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """The regions of each sector (column, row), where there are sectors of this side."""


class RegionWalker:
    """`taken` counts how often each rule was used; `work` is that of the last move."""

    def __init__(self, world, regions, here, *, ahead, limit, direct, entries=0, joints=0, ends=1, depth=1):
        self.world, self.regions, self.here = world, regions, here
        self.ahead, self.limit, self.direct, self.entries, self.depth = ahead, limit, direct, entries, depth
        self.joints, self.ends = joints, ends
        self.work, self.taken = Counter(), Counter()
        self.learned, self.memory = {}, (8, 1, 0)  # it looks around a cell, and never learns

    def set_goal(self, goal):
        """A new route from here, whatever was before."""
        self.goal, self.target, self.state = goal, None, AT_FIRST

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

    # What is asked.

    def octile(self, a, b):
        return heuristic(*self.world[1:], a, b)

    def straight_moves(self, count):
        return count * move_costs(*self.world[1:])[0]

    def climb_cost(self, start, end, limit):
        """What a climb costs; infinite if it does not arrive."""
        arrives, places = climb(*self.world, start, end, limit)
        self.work["climbs"] += len(places) - 1
        return walk_cost(*self.world[1:], places) if arrives else INFINITE

    def arrives(self, start, end):
        return self.climb_cost(start, end, self.limit) < INFINITE

    def take_hop(self, region, to):
        """The ends of the legs, and the region where they end."""
        legs, probes = self.regions.hop(region, to)
        places = [self.regions.representatives[region]]
        for dx, dy in legs:
            places.append((places[-1][0] + dx, places[-1][1] + dy))
        end = self.regions.representatives.index(places[-1])
        self.work["probes"] += probes + len(legs) + self.regions.known_at[end]
        return places[1:], end

    # Choosing a target.

    def choose(self):
        if self.state == AT_FIRST:
            self.choose_at_first()
        elif self.state == TO_REPRESENTATIVE and self.here == self.point:
            self.state = BY_POINTS
            self.choose_by_points()
        elif self.state in (TO_REPRESENTATIVE, TO_GOAL):
            self.choose_inside()
        else:
            self.choose_by_points()

    def choose_at_first(self):
        if self.direct:
            cost = self.climb_cost(self.here, self.goal, self.limit)
            if cost < INFINITE and (self.direct == 2 or cost == self.octile(self.here, self.goal)):
                self.taken["direct"] += 1
                self.go_to_goal()
                return
            self.taken["direct not taken" if cost < INFINITE else "direct fails"] += 1
        self.region, probes = self.regions.look_up(self.here)
        self.goal_region, more = self.regions.look_up(self.goal)
        self.work["probes"] += probes + more
        self.point = self.regions.representatives[self.region]
        self.points, self.unread = [], []
        """Known points, and those of the last hop that are not known yet."""
        self.end = self.region
        """The region on whose representative the route ends as far as it was looked up."""
        self.entry_is_settled = self.entry_is_another = False
        self.state = BY_POINTS
        self.choose_by_points()

    def make_known(self):
        while len(self.points) < max(self.ahead, 2) and GOAL not in self.points:
            if not self.unread:
                if self.entries and not self.entry_is_settled and self.end != self.goal_region:
                    self.settle_entry(self.end)
                if self.end == self.goal_region:
                    self.points.append(GOAL)
                    continue
                self.unread, self.end = self.take_hop(self.end, self.goal_region)
            self.points.append(self.unread.pop(0))

    def place(self, point):
        return self.goal if point == GOAL else point

    def choose_by_points(self, is_again=False):
        self.make_known()
        is_there = self.here == self.point
        tries_ahead = self.ahead and not is_again
        if tries_ahead and not self.joints:
            taken = self.choose_ahead(is_there)
        else:
            taken = self.choose_next(is_there, self.last_joint() if tries_ahead else 0)
        if taken is not None:
            self.take(taken)
            if self.target == self.here:
                assert not is_again
                self.taken["again"] += 1
                self.choose_by_points(is_again=True)
        elif is_there:
            if not self.regions.side or self.arrives(self.here, self.goal):
                self.taken["rep to goal"] += 1
                self.go_to_goal()
            else:
                self.go_inside(TO_GOAL)
        elif self.ends and self.regions.side and self.points == [GOAL] and not self.entry_is_another:
            self.go_inside(TO_GOAL)
        elif not self.regions.side or self.arrives(self.here, self.point):
            self.taken["climb to rep"] += 1
            self.target = self.point
        else:
            self.go_inside(TO_REPRESENTATIVE)

    def choose_ahead(self, is_there):
        """The place of a known point, or None."""
        places = [self.place(point) for point in self.points]
        lengths = [self.octile(a, b) for a, b in zip([self.point, *places], places, strict=False)]
        for last in range(len(places) - 1, 0 if is_there else -1, -1):
            most = self.octile(self.here, self.point) + sum(lengths[: last + 1])
            cost = self.climb_cost(self.here, places[last], self.limit)
            if cost <= most:
                self.taken[f"ahead {last}"] += 1
                return last
            self.taken["ahead too long" if cost < INFINITE else "ahead fails"] += 1
        if is_there and self.points != [GOAL]:
            self.taken["next untried"] += 1
            return 0
        return None

    def last_joint(self):
        """Which known point a binary search from the point finds; the first if there is none but the goal."""
        best, low, high = 0, 1, len(self.points) - 1 - (GOAL in self.points)
        while low <= high:
            middle = (low + high) // 2
            if self.arrives(self.point, self.points[middle]):
                best, low = middle, middle + 1
            else:
                high = middle - 1
                self.taken["joint out of reach"] += 1
        self.taken["joints passed over"] += best > 0
        return best

    def choose_next(self, is_there, first):
        if self.points == [GOAL]:
            return None
        if not is_there:
            if not self.ends:
                self.taken["start visited"] += 1
                return None
            self.taken["next tried"] += 1
            return first if self.arrives(self.here, self.points[first]) else None
        if len(self.points) == first + 2 and self.points[-1] == GOAL:
            if self.ends:
                self.taken["goal past the end"] += 1
                return first + 1 if self.arrives(self.here, self.goal) else first
            self.taken["end visited"] += 1
            return first
        self.taken["next of many"] += 1
        return first

    def take(self, known):
        if self.points[known] == GOAL:
            self.taken["goal among points"] += 1
            self.go_to_goal()
        else:
            self.point = self.target = self.points[known]
            self.points = self.points[known + 1 :]

    def go_to_goal(self):
        self.target, self.state = self.goal, STRAIGHT

    def go_inside(self, state):
        self.state = state
        self.taken[state] += 1
        self.choose_inside()

    def choose_inside(self):
        end = self.goal if self.state == TO_GOAL else self.point
        path, expansions = sectors.path(*self.world, self.regions.side, self.here, end)
        self.work["expansions"] += expansions
        if self.climb_cost(self.here, end, INFINITE) < INFINITE:
            self.taken["inside at once"] += 1
            self.target = end
            return
        best, low, high = 1, 2, len(path) - 2
        while low <= high:
            middle = (low + high) // 2
            if self.climb_cost(self.here, path[middle], INFINITE) < INFINITE:
                best, low = middle, middle + 1
            else:
                high = middle - 1
        self.taken["inside in parts"] += 1
        self.target = path[best]

    # Settling the entry.

    def way(self, region, to):
        """The octile lengths of the legs of a few hops; infinite if they are not enough."""
        length = 0
        for _ in range(MOST_HOPS_OF_A_WAY):
            if region == to:
                break
            here = self.regions.representatives[region]
            places, region = self.take_hop(region, to)
            length += sum(self.octile(a, b) for a, b in zip([here, *places], places, strict=False))
        return length if region == to else INFINITE

    def settle_entry(self, region):
        representatives = self.regions.representatives
        farthest = self.straight_moves(3 * self.depth * self.regions.side) if self.depth else INFINITE
        if self.octile(representatives[region], self.goal) > farthest:
            self.taken["entry far"] += 1
            return
        length = self.way(region, self.goal_region)
        if length == INFINITE:
            self.taken["entry many hops"] += 1
            return
        self.entry_is_settled = True
        before = self.goal_region
        cost = self.climb_cost(representatives[before], self.goal, self.limit)
        best = length + (cost if cost < INFINITE else self.octile(representatives[before], self.goal))
        for other in self.regions_around(self.goal):
            self.work["probes"] += 1
            away = self.octile(representatives[other], self.goal)
            if other == before or 2 * away >= self.straight_moves(3 * self.regions.side):
                continue
            cost = self.climb_cost(representatives[other], self.goal, self.limit)
            if cost >= best:
                self.taken["entry passed over"] += 1
                continue
            length = self.way(region, other) + cost
            if length < best:
                best, self.goal_region = length, other
        self.entry_is_another = self.goal_region != before
        self.taken["entry changed" if self.entry_is_another else "entry kept"] += 1
        self.taken["entry is here"] += self.entry_is_another and self.goal_region == region

    def regions_around(self, place):
        column, row = sectors.sector_of(self.regions.side, place)
        for y in (row - 1, row, row + 1):
            for x in (column - 1, column, column + 1):
                yield from self.regions.by_sector.get((x, y), [])
