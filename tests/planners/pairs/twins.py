"""An agent under dynamic control and its plain-Python twin side by side, and parameters for them."""

from functools import partial

from hypothesis import strategies as st

from tests.oracle.dlrta import DlrtaWalker, FixedDepth
from tests.oracle.pair_depths import StoredDepths
from tests.oracle.pair_subgoals import PairSubgoals
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import JIT_IS_OFF, draw
from waypost.agents.step import WORK_COUNTERS

MOST_STEPS = 60 if JIT_IS_OFF else 400
"""Walkers may wander for long, and what they do then is what they did before."""
LOWEST = 2 if JIT_IS_OFF else 1
"""Level: a search from each region takes long there."""
SUBGOALS = ("by_progress", "last_exit", "straight_first")
PLANNERS = {
    "dlrta": ("level", *SUBGOALS, "depth", "deepest"),
    "lrta-pdb-g": ("level", "cap"),
    "lrta-pdb-pdb": ("level", *SUBGOALS, "cap", "goal_depths", "deepest"),
}
"""What is under dynamic control, and its parameters."""


class Pair(SideBySide):
    """An agent under dynamic control, and its twin."""

    most_steps = MOST_STEPS
    compared = tuple(counter for counter in WORK_COUNTERS if counter != "probes")

    def set_up(self):
        (is_open, rule, costs), params = self.world, self.params
        rules = (params.get(rule, 0) for rule in SUBGOALS)
        self.subgoals = PairSubgoals(is_open.tolist(), rule, costs, params["level"], *rules)
        self.has_stored_depths = "cap" in params
        self.control = {
            "depths": StoredDepths(self.subgoals, params["cap"], params.get("goal_depths", 1))
            if self.has_stored_depths
            else FixedDepth(params["depth"]),
            "deepest": params.get("deepest", 0),
            "is_led": self.planner.entry.name != "lrta-pdb-g",
        }

    def new_walker(self, start):
        return DlrtaWalker(self.subgoals, start, **self.control)

    def check_move(self, cell, work):
        knows_its_target = self.walker.here in self.walker.stood_on or self.walker.is_close
        super().check_move(cell, work)
        assert (work["probes"] == 0) == (knows_its_target and not self.has_stored_depths)


def random_params(name, random):
    """Small and large regions; small depths are likelier, since they make it learn more."""
    params = {
        "level": int(random.integers(LOWEST, 8)),
        "by_progress": int(random.integers(2)),
        "last_exit": int(random.integers(2)),
        "straight_first": int(random.integers(2)),
        "goal_depths": int(random.integers(2)),
        "depth": draw(random, (1, 1, 2, 3, 5)),
        "cap": draw(random, (1, 2, 3, 5, 8)),
        "deepest": draw(random, (0, 0, 2, 4, 8)),
    }
    return {param: params[param] for param in PLANNERS[name]}


DRAWN = {
    "level": st.integers(1, 4),
    "by_progress": st.integers(0, 1),
    "last_exit": st.integers(0, 1),
    "straight_first": st.integers(0, 1),
    "goal_depths": st.integers(0, 1),
    "depth": st.integers(1, 4),
    "cap": st.integers(1, 6),
    "deepest": st.integers(0, 6),
}
TWINS = [
    Twin(
        planner=name,
        pair=Pair,
        random_params=partial(random_params, name),
        drawn_params=st.fixed_dictionaries({param: DRAWN[param] for param in params}),
        drawn=70,
        small=25,
        large=4,
        largest=side(50, 20),
        retargeted=4,
        new_goals=20,
        walked=10,
        most_walked=MOST_STEPS,
    )
    for name, params in PLANNERS.items()
]
