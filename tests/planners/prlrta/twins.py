"""PR LRTA* and its plain-Python twin side by side, and parameters for them."""

from functools import partial

from tests.oracle.prlrta import PrlrtaWalker, Regions
from tests.support.side_by_side import SideBySide
from tests.support.twins import Twin, side
from tests.support.worlds import JIT_IS_OFF, draw
from waypost.agents.step import WORK_COUNTERS

MOST_STEPS = 150 if JIT_IS_OFF else 1000
PLANNERS = ("prlrta", "prlrta-f-pdb", "prlrta-pdb-g", "prlrta-pdb-pdb")
OF_REGIONS = ("level", "upper", "euclid")


class Pair(SideBySide):
    """An agent of PR LRTA*, and its twin."""

    most_steps = MOST_STEPS
    compared = tuple(counter for counter in WORK_COUNTERS if counter != "probes")

    def set_up(self):
        of_regions = {key: value for key, value in self.params.items() if key in OF_REGIONS}
        is_open, rule, costs = self.world
        self.regions = Regions(is_open.tolist(), rule, costs, **of_regions)
        self.online = {key: value for key, value in self.params.items() if key not in OF_REGIONS}

    def new_walker(self, start):
        return PrlrtaWalker(self.regions, start, **self.online)

    def goals_like_this(self):
        """In the same region."""
        return self.regions.places[self.regions.region_of[self.walker.goal]][:4]

    def move_of_walker(self):
        there, expansions = self.walker.step()
        return there, {"expansions": expansions}

    def check_move(self, cell, work):
        is_planned = not self.walker.left
        super().check_move(cell, work)
        assert (work["probes"] > 0) == is_planned

    def check_step(self):
        assert self.agent.target == self.regions.reps[self.walker.plans[-1][0]]

    def check_memory(self):
        _, closed, ever_learned = self.agent.memory
        assert (closed, ever_learned) == (self.walker.most_closed, self.walker.ever_learned)


def random_params(name, random):
    params = {"level": draw(random, (1, 1, 2, 2, 3, 4)), "euclid": int(random.integers(2))}
    params |= {"gamma": draw(random, (1.0, 1.0, 0.67, 0.2)), "first": int(random.integers(2))}
    params["oldest"] = int(random.integers(2))
    if name != "prlrta":
        params["upper"] = draw(random, (1, 2, 3, 4, 5, 5))
    if "f-pdb" in name or name == "prlrta":
        params["depth"] = draw(random, (1, 1, 2, 3, 6))
    else:
        params["cap"] = draw(random, (1, 2, 4, 30))
    if name.endswith("pdb") and name != "prlrta-pdb-g":
        params["by_progress"] = int(random.integers(2))
    return params


TWINS = [
    Twin(
        planner=name,
        pair=Pair,
        random_params=partial(random_params, name),
        drawn=50,
        small=40,
        large=4,
        largest=side(60, 20),
        retargeted=4,
        new_goals=8,
        walked=6,
        most_walked=MOST_STEPS,
    )
    for name in PLANNERS
]
