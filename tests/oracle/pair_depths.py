"""How far LRTA* must look ahead to move well from region to region (docs/planners/clique-rules.md, "Depths")."""

from tests.oracle.learning_nodes import Lrta


class StoredDepths:
    """Optimal depths in the representatives of regions, at most `cap`; `subgoals` is a twin of pair_subgoals.py."""

    def __init__(self, subgoals, cap, goal_depths=1):
        self.subgoals, self.cap = subgoals, cap
        self.goal_depths = goal_depths and not subgoals.progress
        self.lrta = Lrta(*subgoals.world, depth=1)
        self._known = {}

    @property
    def most(self):
        """The most moves of lookahead."""
        return self.cap

    def to_exit(self, region, subgoal):
        """From a region's representative to one of its subgoals."""
        return self.optimal(self.subgoals.reps[region], subgoal)

    def to_region(self, region, goal_region):
        """From representative to representative."""
        here, target = (self.subgoals.reps[one] for one in (region, goal_region))
        if here == target or here not in self.subgoals.costs_to(target):
            return 1
        return self.optimal(here, target)

    def to_goal(self, region, goal_region, came_back):
        """What an agent in a region takes towards the goal itself."""
        if came_back and not self.goal_depths:
            return self.cap
        if region == goal_region:
            return 1
        return self.to_region(region, goal_region) if self.goal_depths else self.cap

    def optimal(self, here, target):
        """The least depth whose first move lies on a best way, found by one look ahead after the other."""
        if (here, target) not in self._known:
            good = (depth for depth in range(1, self.cap) if self.moves_well(here, target, depth))
            self._known[here, target] = next(good, self.cap)
        return self._known[here, target]

    def moves_well(self, here, target, depth):
        """Whether LRTA* that has learned nothing makes a move of a best way."""
        left = self.subgoals.costs_to(target)
        self.lrta.depth = depth
        self.lrta.place(here)
        self.lrta.set_goal(target)
        there, _ = self.lrta.step()
        return dict(self.lrta.neighbours(here))[there] + left[there] == left[here]
