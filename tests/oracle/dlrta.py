"""D LRTA* in plain Python, read from docs/planners/clique-rules.md: LRTA* whose target may change at every move."""

from collections import Counter

from tests.oracle.learning_nodes import Lrta


class DlrtaWalker:
    """`subgoals` names regions and subgoals (tests/oracle/pair_subgoals.py); `taken` counts how often each rule was."""

    def __init__(self, subgoals, here, *, depth):
        self.subgoals = subgoals
        self.lrta = Lrta(*subgoals.world, depth=depth)
        self.lrta.place(here)
        self.taken = Counter()

    @property
    def here(self):
        return self.lrta.here

    @property
    def memory(self):
        """(open, closed, learned)."""
        return self.lrta.memory

    def set_goal(self, goal):
        """A new trip from here."""
        self.goal, self.target = goal, None
        self.stood_on, self.subgoal = set(), None
        self.about_goal, self.about_subgoals = {}, {}

    def step(self):
        """One move: where it leads, and how many expansions it took."""
        if self.here == self.goal:
            return self.here, 0
        self.target, table = self.next_target()
        self.stood_on.add(self.here)
        self.lrta.tables = {self.target: table}
        self.lrta.goal = self.target
        return self.lrta.step()

    def next_target(self):
        """Where to go now, and what was learned about it."""
        region_of = self.subgoals.region_of
        regions = region_of[self.here], region_of[self.goal]
        if self.here in self.stood_on:
            self.taken["goal, was here before"] += 1
            return self.goal, self.about_goal
        if regions[0] == regions[1]:
            self.taken["goal, same region"] += 1
            return self.goal, self.about_goal
        subgoal = self.subgoals.subgoal(*regions)
        if subgoal != self.subgoal:
            self.taken["new subgoal"] += 1
            self.subgoal, self.about_subgoals = subgoal, {}
        else:
            self.taken["same subgoal"] += 1
        return subgoal, self.about_subgoals
