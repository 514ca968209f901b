"""An agent that walks by gates and its plain-Python twin side by side."""

from hypothesis import strategies as st

from tests.oracle.gates import Gates
from tests.oracle.gates_tree import Tree
from tests.oracle.gates_walk import GateWalker
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import draw

ONLINE = ("ahead", "limit", "direct")


class Pair(SideBySide):
    """An agent that walks by gates, and its twin, which studies the map by itself."""

    compared = ("expansions", "updates", "climbs", "growth")

    def set_up(self):
        is_open, rule, costs = self.world
        self.tree = Tree(Gates(is_open, rule, costs, self.params["fine"]), self.params["thin"])

    def new_walker(self, start):
        return GateWalker(self.world, self.tree, start, **{name: self.params[name] for name in ONLINE})


def random_params(random):
    """Few and many gates, few and many points, limits that are too small and ones that are not."""
    return {
        "fine": draw(random, (1, 2, 4, 16)),
        "thin": draw(random, (0, 100, 300)),
        "ahead": draw(random, (1, 2, 4, 16)),
        "limit": draw(random, (1, 5, 250)),
        "direct": int(random.integers(3)),
    }


TWINS = [
    Twin(
        planner="gates",
        pair=Pair,
        random_params=random_params,
        drawn_params=st.fixed_dictionaries({"ahead": st.sampled_from([1, 4]), "direct": st.integers(0, 2)}),
        drawn=100,
        small=40,
        large=8,
        largest=side(150, 40),
        retargeted=12,
        walked=20,
        is_asking=lambda walker: walker.target in (None, walker.here),
    )
]
