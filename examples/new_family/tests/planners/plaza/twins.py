"""An agent by way of a plaza and its plain-Python twin side by side."""

from tests.oracle.plaza import PlazaWalker
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin


class Pair(SideBySide):
    """Both of them."""

    most_steps = 250

    def new_walker(self, start):
        return PlazaWalker(*self.world, start, self.params["share"])


TWINS = [
    Twin(
        planner="plaza",
        pair=Pair,
        random_params=lambda random: {"share": int(random.integers(101))},
        drawn=30,
        small=20,
        retargeted=10,
        walked=10,
        most_walked=500,
        is_asking=lambda walker: walker.target is None,
    )
]
