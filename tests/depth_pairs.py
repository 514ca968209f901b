"""Agents with a depth by tree or by oracle beside their twins, and random trees for them."""

import numpy as np

import waypost as wp
from tests.oracle.depth_tree import Oracle, Tree
from waypost.catalog import CATALOG, check_params
from waypost.indexes.depth_tree import DepthTree

THRESHOLDS = {0: 30.0, 1: 12.0, 2: 20.0, 3: 20.0, 4: 1.0, 5: 1.0, 6: 0.5, 7: 0.5, 8: 1.2, 9: 0.5, 10: 0.5}
"""A number that feature i is hardly ever above."""


def random_tree(random, deepest, levels=4):
    """Rows of (feature, threshold, right child, depth); whole numbers are likely, to be met exactly."""

    def part(number, level):
        if level == 0 or random.random() < 0.15:
            return [(-1, 0.0, 0, int(random.integers(1, deepest + 1)))]
        feature = int(random.integers(11))
        threshold = random.random() * THRESHOLDS[feature]
        if feature < 4 and random.integers(2):
            threshold = float(round(threshold))
        left = part(number + 1, level - 1)
        right = number + 1 + len(left)
        return [(feature, threshold, right, 0), *left, *part(right, level - 1)]

    return part(0, levels)


def arrays_of(tree):
    """A tree as an index stores it."""
    names, dtypes = ("feature", "threshold", "right", "depth"), (np.int8, np.float64, np.int32, np.uint8)
    columns = zip(*tree, strict=True)
    return {name: np.array(column, dtype) for name, dtype, column in zip(names, dtypes, columns, strict=True)}


class Pair:
    """An agent and a walker that must do the same."""

    def __init__(self, is_open, rule, costs, start, goal, *, tree=None, **params):
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        entry = CATALOG["lrta-dt-g" if tree else "lrta-oracle-g"]
        all_params, index = check_params(entry, params), None
        if tree:
            index = DepthTree.from_arrays(self.grid, all_params, arrays_of(tree))
            self.walker = Tree(is_open, rule, costs, tree=tree, **params)
        else:
            self.walker = Oracle(is_open, rule, costs, **params)
        self.planner = wp.Planner(entry, self.grid, all_params, index)
        self.agent = self.planner.agent()
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker.place(start)
        self.walker.set_goal(goal)
        self.control = self.agent._control
        self.depths = set()

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        step = self.agent.step()
        assert (self.grid.xy(step.cell), step.expansions) == self.walker.step()
        assert (self.control.depth, step.probes) == (self.walker.depth, self.walker.probes)
        assert step.work <= self.planner.work_bound
        if hasattr(self.walker, "features"):
            assert self.control.features.tolist() == self.walker.features.tolist()
        self.depths.add(self.control.depth)

    def follow(self, most):
        """Walk side by side; compare what was learned at the end."""
        for _ in range(most):
            if self.arrived:
                break
            self.step()
        cells, values = self.agent.learned()
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        assert tuple(self.agent.memory) == self.walker.memory

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.walker.set_goal(goal)
