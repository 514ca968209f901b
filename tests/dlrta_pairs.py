"""An agent under dynamic control and its plain-Python twin side by side, and parameters for them."""

from tests.learning_worlds import random_world
from tests.oracle.dlrta import DlrtaWalker, FixedDepth
from tests.oracle.pair_depths import StoredDepths
from tests.oracle.pair_subgoals import PairSubgoals
from tests.region_pairs import draw
from tests.side_by_side import SideBySide
from tests.worlds import JIT_IS_OFF
from waypost.step import WORK_COUNTERS

MOST_STEPS = 60 if JIT_IS_OFF else 400
"""Walkers may wander for long, and what they do then is what they did before."""
LOWEST = 2 if JIT_IS_OFF else 1
"""Level: a search from each region takes long there."""
PLANNERS = {
    "dlrta": ("level", "progress", "depth", "deepest"),
    "lrta-pdb-g": ("level", "cap"),
    "lrta-pdb-pdb": ("level", "progress", "cap", "deepest"),
}
"""What is under dynamic control, and its parameters."""


class Pair(SideBySide):
    """An agent under dynamic control, and its twin."""

    most_steps = MOST_STEPS
    compared = tuple(counter for counter in WORK_COUNTERS if counter != "probes")

    def __init__(self, name, world, start, goal, *, record=False, **params):
        super().__init__(name, world, record=record, **params)
        is_open, rule, costs = world
        self.subgoals = PairSubgoals(is_open.tolist(), rule, costs, params["level"], params.get("progress", 0))
        self.has_stored_depths = "cap" in params
        self.control = {
            "depths": StoredDepths(self.subgoals, params["cap"])
            if self.has_stored_depths
            else FixedDepth(params["depth"]),
            "deepest": params.get("deepest", 0),
            "is_led": name != "lrta-pdb-g",
        }
        self.reset(start, goal)

    def new_walker(self, start):
        return DlrtaWalker(self.subgoals, start, **self.control)

    def check_move(self, cell, work):
        knows_its_target = self.walker.here in self.walker.stood_on or self.walker.is_close
        super().check_move(cell, work)
        assert (work["probes"] == 0) == (knows_its_target and not self.has_stored_depths)


def random_params(random, name):
    """Small and large regions; small depths are likelier, since they make it learn more."""
    params = {
        "level": int(random.integers(LOWEST, 8)),
        "progress": int(random.integers(2)),
        "depth": draw(random, (1, 1, 2, 3, 5)),
        "cap": draw(random, (1, 2, 3, 5, 8)),
        "deepest": draw(random, (0, 0, 2, 4, 8)),
    }
    return {param: params[param] for param in PLANNERS[name]}


def small_pair(random, name, rule, costs, **params):
    """A pair in a world with a detour."""
    is_open, start, goal = random_world(random, rule, costs)
    return Pair(name, (is_open, rule, costs), start, goal, **random_params(random, name) | params)
