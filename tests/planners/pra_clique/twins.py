"""PRA* on cliques and its plain-Python twin side by side, and parameters for them."""

from collections import Counter

from hypothesis import strategies as st

from tests.oracle import pra_clique as oracle
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import draw


class Pair(SideBySide):
    """An agent of PRA* on cliques, and its twin."""

    def set_up(self):
        is_open, rule, costs = self.world
        self.levels = oracle.World(is_open.tolist(), rule, costs, euclid=self.params["euclid"])

    def new_walker(self, start):
        return oracle.PraWalker(self.levels, start, steps=self.params["steps"], width=self.params["width"])

    def move_of_walker(self):
        there, expansions, probes = self.walker.step()
        return there, {"expansions": expansions, "probes": probes}

    def check_step(self):
        """It has no target but the goal."""

    def check_learned(self):
        assert not self.agent.learned()[0].size

    def rules_met(self):
        plans = self.walker.plans
        return Counter(
            {
                "neighbours": sum(len(plan.ways) == 1 for plan in plans),
                "one level": sum(len(plan.ways) == 2 for plan in plans),
                "more levels": sum(len(plan.ways) > 2 for plan in plans),
                "cut": sum(plan.cuts == 1 for plan in plans),
                "cut on several levels": sum(plan.cuts > 1 for plan in plans),
            }
        )


def random_params(random):
    return {
        "steps": draw(random, (0, 0, 1, 2, 3, 8)),
        "width": draw(random, (0, 1, 1, 2)),
        "euclid": int(random.integers(2)),
    }


DRAWN = {"steps": st.integers(0, 4), "width": st.integers(0, 2), "euclid": st.integers(0, 1)}
TWINS = [
    Twin(
        planner="pra-clique",
        pair=Pair,
        random_params=random_params,
        drawn_params=st.fixed_dictionaries(DRAWN),
        drawn=300,
        small=60,
        large=8,
        largest=side(70, 20),
        retargeted=6,
        new_goals=8,
        walked=10,
    )
]
