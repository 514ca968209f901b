"""An agent that walks by hub labels and its plain-Python twin side by side, and parameters for them."""

from hypothesis import strategies as st

from tests.oracle.hub import Ground
from tests.oracle.hub_walk import HubWalker, Lists
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import JIT_IS_OFF, draw


class Pair(SideBySide):
    """An agent that walks by hub labels, and its twin, which reads the stored lists by itself."""

    def set_up(self):
        is_open, rule, costs = self.world
        arrays = {name: array.tolist() for name, array in self.planner.index.arrays.items()}
        self.lists = Lists(Ground(is_open.tolist(), rule, costs), arrays)

    def new_walker(self, start):
        return HubWalker(self.lists, start)


def random_params(random):
    """One tree makes a bad order, and long lists."""
    return {"trees": draw(random, (1, 2, 5, 512))}


TWINS = [
    Twin(
        planner="hub",
        pair=Pair,
        random_params=random_params,
        drawn_params=st.fixed_dictionaries({"trees": st.sampled_from([1, 512])}),
        drawn=160,
        small=40,
        met_often=("to hub", "to goal" if JIT_IS_OFF else "from hub"),
        large=8,
        largest=side(40, 14),
        retargeted=12,
        walked=20,
        is_asking=lambda walker: walker.target in (None, walker.here),
    )
]
