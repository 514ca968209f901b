"""The learning planners and their plain-Python twins side by side."""

from collections import Counter
from functools import partial

from tests.oracle.learning import WALKERS
from tests.support.learning_worlds import params_of, random_params
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin

MOST_STEPS = 250


class Pair(SideBySide):
    """An agent that learns, and its twin."""

    most_steps = MOST_STEPS
    compared = ("expansions",)

    def new_walker(self, start):
        walker = WALKERS[self.planner.entry.name](*self.world, **self.params)
        walker.place(start)
        return walker

    def move_of_walker(self):
        there, expansions = self.walker.step()
        return there, {"expansions": expansions}

    def check_move(self, cell, work):
        """Only a move that plans works, and nobody here climbs or probes."""
        super().check_move(cell, work)
        assert work["expansions"] or not any(work.values())
        assert not work["climbs"]
        assert not work["probes"]

    def check_step(self):
        """What a plan is made for is told by events alone."""

    def rules_met(self):
        return Counter({"learned": bool(self.walker.learned)})


TWINS = [
    Twin(
        planner=name,
        pair=Pair,
        random_params=partial(random_params, name=name),
        drawn_params=params_of(name),
        drawn=100,
        small=32,
        met_often=("learned",),
        retargeted=8,
        new_goals=40,
        walked=12,
        most_walked=MOST_STEPS,
    )
    for name in WALKERS
]
