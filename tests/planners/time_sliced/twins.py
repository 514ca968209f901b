"""TBA* and its plain-Python twin side by side, and parameters for them."""

from fractions import Fraction

from tests.oracle import time_sliced as oracle
from tests.oracle.rules import SHIFTS
from tests.support.side_by_side import SideBySide, WalkInOne
from tests.support.twins import Twin

SWITCHES = ("wait", "shortcut", "drop_trace")


def random_params(random):
    """Mostly small slices, in which everything stretches over several moves."""
    return {
        "slice": int(random.choice([2, 3, 4, 5, 7, 10, 20, 50, 1000])),
        "share": float(random.choice([0, 0.1, 0.5, 0.7, 0.9, 1])),
        "ratio": int(random.choice([1, 2, 3, 10])),
        "wait": int(random.integers(2)),
        "shortcut": int(random.integers(2)),
        "drop_trace": int(random.integers(2)),
    }


def shares_of(slice, share, ratio, **_):  # noqa: A002
    expansions = min(max(int(Fraction(str(share)) * slice), 1), slice - 1)
    return expansions, ratio * (slice - expansions)


def told(grid, start, goal, settings):
    """What the oracle says about a problem: moves, tips and the search."""
    switches = {name: settings[name] for name in SWITCHES}
    world = grid.is_open.tolist(), grid.diagonals, grid.costs_name
    return oracle.walk(*world, start, goal, shift=SHIFTS[grid.costs.straight], shares=shares_of(**settings), **switches)


class Pair(SideBySide):
    """An agent of TBA*, and its twin."""

    def new_walker(self, start):
        return WalkInOne(start, self.moves_to)

    def moves_to(self, start, goal):
        moves, _, _ = told(self.grid, start, goal, self.params)
        return [(place, {"expansions": expansions, "probes": probes}) for place, expansions, probes in moves]

    def check_step(self):
        """It has no target but the goal."""


TWINS = [
    Twin(planner="tba", pair=Pair, random_params=random_params, drawn=100, small=30, retargeted=6, walked=12),
]
