"""PRA* of Dragon Age and its plain-Python twin side by side, and parameters for them."""

from tests.oracle import pra as oracle
from tests.oracle.rules import SHIFTS
from tests.support.side_by_side import SideBySide, WalkInOne
from tests.support.twins import Twin, side

SETTINGS = ("trim", "skip_ends", "hops", "restricted", "climbs")


class Pair(SideBySide):
    """An agent of PRA* on sectors, and its twin."""

    def set_up(self):
        is_open, rule, costs = self.world
        self.regions = oracle.World(is_open.tolist(), rule, costs, self.params["sector"])
        self.settings = {name: self.params[name] for name in SETTINGS}

    def new_walker(self, start):
        return WalkInOne(start, self.moves_to)

    def moves_to(self, start, goal):
        moves, _, _, _ = oracle.walk(self.regions, start, goal, shift=SHIFTS[self.grid.costs.straight], **self.settings)
        return [
            (place, {"expansions": expansions, "climbs": climbs, "probes": probes})
            for place, expansions, climbs, probes in moves
        ]

    def check_step(self):
        """Its targets are told by events alone."""


def random_settings(random):
    return {
        "trim": int(random.choice([0, 0, 10, 25, 50, 90, 100])),
        "skip_ends": int(random.integers(2)),
        "hops": int(random.choice([1, 1, 2, 3, 100])),
        "restricted": int(random.integers(2)),
        "climbs": int(random.integers(2)),
    }


def random_params(random):
    return random_settings(random) | {"sector": int(random.choice([2, 3, 4, 5, 7, 16]))}


TWINS = [
    Twin(
        planner="pra-sector",
        pair=Pair,
        random_params=random_params,
        drawn=100,
        small=30,
        large=6,
        largest=side(50, 20),
        retargeted=6,
        walked=12,
    ),
]
