"""D LRTA* in plain Python, read from docs/planners/clique-rules.md: LRTA* whose target may change at every move."""

from collections import Counter

from tests.oracle.learning_nodes import Lrta
from tests.oracle.tree_walk import tile_of


class DlrtaWalker:
    """`subgoals` names regions and subgoals (tests/oracle/pair_subgoals.py); `taken` counts how often each rule was.

    What is learned about goals and about subgoals is kept by two walkers, of which the one at a time moves.
    """

    def __init__(self, subgoals, here, *, depth):
        self.subgoals, self.here = subgoals, here
        self.to_goal, self.to_subgoal = (Lrta(*subgoals.world, depth=depth) for _ in range(2))
        self.moving = self.to_goal
        for lrta in (self.to_goal, self.to_subgoal):
            lrta.place(here)
        self.tiles, self.subgoal_tiles = {}, set()
        """Tiles in which anything was noted since the start, by goal and for all subgoals together."""
        self.taken = Counter()

    def set_goal(self, goal):
        """A new trip from here."""
        self.goal, self.target = goal, None
        self.stood_on, self.subgoal = set(), None
        self.to_goal.set_goal(goal)
        self.tiles = {kept: self.tiles.get(kept, set()) for kept in self.to_goal.tables}

    def step(self):
        """One move: where it leads, its expansions, and the tiles that tables grew by."""
        if self.here == self.goal:
            return self.here, 0, 0
        self.moving = self.next_mover()
        self.target = self.moving.goal
        self.stood_on.add(self.here)
        self.moving.here = self.here
        tile, left = tile_of(self.here), self.here
        self.here, expansions = self.moving.step()
        growth = tile not in self.tiles[self.goal]  # where it has stood is noted beside what was learned of the goal
        self.tiles[self.goal].add(tile)
        if self.moving is self.to_subgoal and left in self.moving.learned:
            growth += tile not in self.subgoal_tiles
            self.subgoal_tiles.add(tile)
        return self.here, expansions, growth

    def next_mover(self):
        """The walker with the target for this move."""
        region_of = self.subgoals.region_of
        regions = region_of[self.here], region_of[self.goal]
        if self.here in self.stood_on:
            self.taken["goal, was here before"] += 1
            return self.to_goal
        if regions[0] == regions[1]:
            self.taken["goal, same region"] += 1
            return self.to_goal
        subgoal = self.subgoals.subgoal(*regions)
        if subgoal == self.subgoal:
            self.taken["same subgoal"] += 1
        else:
            self.taken["new subgoal"] += 1
            self.subgoal = subgoal
            self.to_subgoal.tables = {}
            self.to_subgoal.set_goal(subgoal)
        return self.to_subgoal

    @property
    def learned(self):
        """{place: h} of what was raised towards the goal."""
        return self.to_goal.learned

    @property
    def memory(self):
        """(open, closed, learned)."""
        (*goal_peaks, goal_learned), (*subgoal_peaks, subgoal_learned) = self.to_goal.memory, self.to_subgoal.memory
        return *map(max, goal_peaks, subgoal_peaks), goal_learned + subgoal_learned
