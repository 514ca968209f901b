"""Agents with a depth by tree or by oracle beside their twins, and random trees for them."""

from collections import Counter

import numpy as np

import waypost as wp
from tests.oracle.depth_tree import Oracle, Tree
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin
from waypost.catalog import CATALOG, check_params
from waypost.planners.depths.index import DepthTree

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


class Pair(SideBySide):
    """An agent with a depth by oracle, and its twin."""

    most_steps = 120
    compared = ("expansions", "probes")

    def set_up(self):
        self.depths = set()
        """That were chosen."""

    def new_walker(self, start):
        return placed(Oracle(*self.world, **self.params), start)

    def move_of_walker(self):
        there, expansions = self.walker.step()
        return there, {"expansions": expansions, "probes": self.walker.probes}

    def check_step(self):
        assert self.agent.control.depth == self.walker.depth
        self.depths.add(self.walker.depth)

    def rules_met(self):
        return Counter({"learned": bool(self.walker.learned), "many depths": len(self.depths) > 1})


class TreePair(Pair):
    """An agent with a depth by a tree that nobody has trained, and its twin."""

    def build(self, name, params):
        entry, self.tree = CATALOG[name], params.pop("tree")
        params = check_params(entry, params)
        index = DepthTree.from_arrays(self.grid, params, arrays_of(self.tree))
        return wp.Planner(entry, self.grid, params, index)

    def new_walker(self, start):
        params = {param: self.params[param] for param in ("deepest", "history", "presearch")}
        return placed(Tree(*self.world, tree=self.tree, **params), start)

    def check_step(self):
        super().check_step()
        assert self.agent.control.features.tolist() == self.walker.features.tolist()


def placed(walker, start):
    walker.place(start)
    return walker


def random_depths(random):
    return {"deepest": int(random.integers(1, 8))}


def random_settings(random):
    """Small ones, so that histories overflow and fronts come to their ends."""
    history, presearch = int(random.integers(1, 12)), int(random.integers(1, 3))
    return random_depths(random) | {"history": history, "presearch": presearch}


def random_params(random):
    params = random_settings(random)
    return params | {"tree": random_tree(random, params["deepest"])}


WALKS = {"drawn": 50, "small": 50, "retargeted": 5, "new_goals": 16, "walked": 10, "most_walked": 200}
TWINS = [
    Twin(planner="lrta-oracle-g", pair=Pair, random_params=random_depths, **WALKS),
    Twin(
        planner="lrta-dt-g", pair=TreePair, random_params=random_params, met_often=("learned", "many depths"), **WALKS
    ),
]
