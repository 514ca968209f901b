"""D LRTA* in plain Python, read from docs/planners/clique-rules.md: LRTA* whose target may change at every move."""

from collections import Counter

from tests.oracle.learning_nodes import Lrta
from tests.oracle.tree_walk import tile_of


class FixedDepth:
    """The same depth towards everything, in place of those of tests/oracle/pair_depths.py."""

    def __init__(self, depth):
        self.most = depth

    def to_exit(self, _region, _subgoal):
        return self.most

    def to_goal(self, _region, _goal_region, _came_back):
        return self.most


class DeepeningLrta(Lrta):
    """LRTA* that looks further ahead where it has learned much; `least` is set before each move."""

    def __init__(self, *world, most, deepest):
        super().__init__(*world, depth=max(most, deepest))
        self.least, self.deepest = most, deepest

    def plan(self):
        learned = self.h(self.here) - self.h0(self.here)
        self.depth = max(self.least, min(self.least + learned // self.straight, self.deepest))
        return super().plan()


class DlrtaWalker:
    """`subgoals` names regions and subgoals (tests/oracle/pair_subgoals.py); `taken` counts how often each rule was.

    What is learned about goals and about subgoals is kept by two walkers, of which one moves at a time. One that is
    not led always heads for its goal.
    """

    def __init__(self, subgoals, here, *, depths, deepest=0, is_led=True):
        self.subgoals, self.depths, self.is_led, self.here = subgoals, depths, is_led, here
        self.to_goal, self.to_subgoal = (
            DeepeningLrta(*subgoals.world, most=depths.most, deepest=deepest) for _ in range(2)
        )
        self.moving = self.to_goal
        for lrta in (self.to_goal, self.to_subgoal):
            lrta.place(here)
        self.tiles, self.subgoal_tiles = {}, set()
        """Tiles in which anything was noted since the start, by goal and for all subgoals together."""
        self.taken = Counter()

    def set_goal(self, goal):
        """A new trip from here."""
        self.goal, self.target = goal, None
        self.stood_on, self.subgoal, self.subgoal_depth, self.is_close = set(), None, None, False
        self.to_goal.set_goal(goal)
        self.tiles = {kept: self.tiles.get(kept, set()) for kept in self.to_goal.tables}

    def step(self):
        """One move: where it leads, and the work that it took, but for what was looked up."""
        if self.here == self.goal:
            return self.here, Counter()
        self.moving = self.to_subgoal if self.has_a_subgoal() else self.to_goal
        self.target = self.moving.goal
        if self.moving is self.to_subgoal:
            self.moving.least = self.subgoal_depth
        else:
            self.moving.least = self.depths.to_goal(*self.regions, self.came_back)
        left = self.moving.here = self.here
        self.here, expansions = self.moving.step()
        self.taken["deeper"] += self.moving.depth > self.moving.least
        return self.here, +Counter(expansions=expansions, growth=self.note_tiles(left))

    def note_tiles(self, place):
        """By how many tiles what is noted of a place makes the tables grow."""
        tile, growth = tile_of(place), 0
        notes_where_it_stood = self.is_led and not self.subgoals.progress
        if notes_where_it_stood or place in self.to_goal.learned:
            growth += tile not in self.tiles[self.goal]
            self.tiles[self.goal].add(tile)
        if self.moving is self.to_subgoal and place in self.to_subgoal.learned:
            growth += tile not in self.subgoal_tiles
            self.subgoal_tiles.add(tile)
        return growth

    def has_a_subgoal(self):
        """Whether a subgoal is the target of this move; it is then set."""
        self.came_back = False
        if not self.is_led:
            self.taken["goal, never led"] += 1
            return False
        return self.is_led_on() if self.subgoals.progress else self.is_led_out()

    def is_led_out(self):
        """As published."""
        self.came_back = self.here in self.stood_on
        self.stood_on.add(self.here)
        if self.came_back:
            self.taken["goal, was here before"] += 1
            return False
        if self.regions[0] == self.regions[1]:
            self.taken["goal, same region"] += 1
            return False
        self.head_for(self.subgoals.subgoal(*self.regions))
        return True

    def is_led_on(self):
        """By progress."""
        self.is_close |= self.regions[0] == self.regions[1]
        if self.is_close:
            self.taken["goal, same region" if self.regions[0] == self.regions[1] else "goal, left its region"] += 1
            return False
        if self.subgoal is None or self.regions[0] == self.subgoals.region_of[self.subgoal]:
            self.head_for(self.subgoals.subgoal(*self.regions))
        else:
            self.taken["last subgoal"] += 1
        return True

    @property
    def regions(self):
        """That of the agent and that of the goal."""
        return tuple(self.subgoals.region_of[place] for place in (self.here, self.goal))

    def head_for(self, subgoal):
        """Forget about other subgoals; the depth is that of the region, whichever the last subgoal was."""
        depth = self.depths.to_exit(self.regions[0], subgoal)
        self.taken["same subgoal, other depth"] += subgoal == self.subgoal and depth != self.subgoal_depth
        self.subgoal_depth = depth
        if subgoal == self.subgoal:
            self.taken["same subgoal"] += 1
            return
        self.taken["new subgoal"] += 1
        self.subgoal = subgoal
        self.to_subgoal.tables = {}
        self.to_subgoal.set_goal(subgoal)

    @property
    def learned(self):
        """{place: h} of what was raised towards the goal."""
        return self.to_goal.learned

    @property
    def memory(self):
        """(open, closed, learned)."""
        (*goal_peaks, goal_learned), (*subgoal_peaks, subgoal_learned) = self.to_goal.memory, self.to_subgoal.memory
        return *map(max, goal_peaks, subgoal_peaks), goal_learned + subgoal_learned
