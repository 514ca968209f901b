"""An agent on subgoal trees and its plain-Python twin side by side, and worlds for them."""

from tests.learning_worlds import random_world
from tests.oracle.tree_walk import TreeWalker
from tests.oracle.trees import tree
from tests.side_by_side import SideBySide


def tree_of(index, grid, goal):
    """{node: parent} of a goal, read from the index's words."""
    nodes, first, end, shift = index.tree(grid.cell(goal))
    words = nodes[first:end].tolist()
    places = [grid.xy(word >> shift) for word in words]
    return {place: places[word & (1 << shift) - 1] for place, word in zip(places, words, strict=True)}


class Pair(SideBySide):
    """An agent on subgoal trees, and its twin."""

    most_steps = 250
    is_bounded = False  # trees are made on line

    def __init__(self, is_open, rule, costs, start, goal, *, climb_exits=0, goals_kept=3, record=False, **params):
        kept = {"climb_exits": climb_exits, "goals_kept": goals_kept}
        super().__init__("trees", (is_open, rule, costs), record=record, **kept, **params)
        self.index, self.climb_exits, self.params = self.planner.index, climb_exits, params
        self.reset(start, goal)

    def new_walker(self, start):
        return TreeWalker(*self.world, start, **self.params)

    def set_goal(self, goal):
        parent = tree(*self.world, goal, self.climb_exits).parent
        found = tree_of(self.index, self.grid, goal)
        assert found == parent
        assert list(found) == list(parent)
        self.walker.set_goal(parent)


def random_pair(random, rule, costs, goals_kept, most_cells, **params):
    """A pair in a world with a detour; with trees of all goals only where that is not too much to make."""
    is_open, start, goal = random_world(random, rule, costs)
    kept = goals_kept or (0 if is_open.sum() <= most_cells else 3)
    return Pair(is_open, rule, costs, start, goal, goals_kept=kept, **params)


def random_params(random):
    """Both exit tests, both rules for the first target, limits that are too small and ones that are not."""
    return {
        "climb_exits": int(random.integers(2)),
        "tries": (0, 1, 2, 10, 1000)[random.integers(5)],
        "limit": (1, 2, 4, 250)[random.integers(4)],
    }
