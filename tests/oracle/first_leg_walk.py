"""kNN LRTA* of 2009 in plain Python, read from docs/planners/knn-2009.md alone: LRTA* from subgoal to subgoal."""

from collections import Counter
from dataclasses import dataclass

from tests.oracle.climb import climb
from tests.oracle.learning_nodes import Lrta
from tests.oracle.rules import heuristic
from tests.oracle.tree_walk import tile_of


@dataclass
class FirstLeg:
    """A record: where its path begins and ends, and the subgoal on it."""

    start: tuple[int, int]
    end: tuple[int, int]
    subgoal: tuple[int, int]


class FirstLegWalker:
    """`taken` counts how often each rule was used; `work` is that of the last move."""

    def __init__(self, world, records, here, *, depth, limit):
        self.world, self.records, self.limit = world, records, limit
        self.lrta = Lrta(*world, depth=depth)
        self.lrta.place(here)
        self.work, self.taken = Counter(), Counter()

    @property
    def here(self):
        return self.lrta.here

    @property
    def learned(self):
        """{place: h} of what was raised towards the target."""
        return {} if self.target is None else self.lrta.learned

    @property
    def memory(self):
        """(open, closed, learned)."""
        return self.lrta.memory

    def set_goal(self, goal):
        """A new trip from here; what was learned about places stays."""
        self.goal, self.target, self.used = goal, None, set()

    def step(self):
        """One move: where it leads, and the work that it took."""
        self.work = Counter()
        if self.here != self.goal:
            if self.target in (None, self.here):
                self.target = self.next_target()
                self.lrta.set_goal(self.target)
            tiles = self.tiles()
            _, self.work["expansions"] = self.lrta.step()
            self.work["growth"] = len(self.tiles() - tiles)
        return self.here, +self.work

    def tiles(self):
        """Tiles in which something was learned about the target."""
        return {tile_of(place) for place in self.lrta.learned}

    def arrives(self, start, end):
        arrived, places = climb(*self.world, start, end, self.limit)
        self.work["climbs"] += len(places) - 1
        return arrived

    def next_target(self):
        if self.arrives(self.here, self.goal):
            self.taken["goal by a climb"] += 1
            return self.goal
        self.work["probes"] += len(self.records)
        for record in sorted(self.records, key=self.unlike):
            if record.subgoal in self.used or record.subgoal == self.here:
                self.taken["subgoal used" if record.subgoal in self.used else "subgoal is here"] += 1
            elif not self.arrives(self.here, record.start):
                self.taken["start fails"] += 1
            elif not self.arrives(self.goal, record.end):
                self.taken["end fails"] += 1
            else:
                self.taken["subgoal"] += 1
                self.used.add(record.subgoal)
                return record.subgoal
        self.taken["no record"] += 1
        return self.goal

    def unlike(self, record):
        rules = self.world[1:]
        return heuristic(*rules, self.here, record.start) + heuristic(*rules, self.goal, record.end)
