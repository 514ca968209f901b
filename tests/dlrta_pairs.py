"""An agent under dynamic control and its plain-Python twin side by side, and parameters for them."""

import waypost as wp
from tests.learning_worlds import random_world
from tests.oracle.dlrta import DlrtaWalker, FixedDepth
from tests.oracle.pair_depths import StoredDepths
from tests.oracle.pair_subgoals import PairSubgoals
from tests.region_pairs import draw
from tests.worlds import JIT_IS_OFF

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


class Pair:
    """An agent and a walker that must do the same."""

    def __init__(self, name, world, start, goal, *, record=False, **params):
        is_open, rule, costs = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.planner = wp.build(name, self.grid, threads=1, **params)
        self.agent = self.planner.agent(record=record)
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

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = DlrtaWalker(self.subgoals, start, **self.control)
        self.walker.set_goal(goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.walker.set_goal(goal)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def step(self):
        """One move of both: the same place, the same work, the same target."""
        step = self.agent.step()
        knows_its_target = self.walker.here in self.walker.stood_on or self.walker.is_close
        there, expansions, growth = self.walker.step()
        assert self.grid.xy(step.cell) == self.agent.position == there
        assert self.agent.target == self.walker.target
        assert (step.expansions, step.updates, step.climbs, step.growth) == (expansions, 0, 0, growth)
        assert (step.probes == 0) == (knows_its_target and not self.has_stored_depths)
        assert step.work <= self.planner.work_bound
        assert step.status is (wp.Status.ARRIVED if self.arrived else wp.Status.MOVING)

    def follow(self, most=MOST_STEPS):
        """Walk side by side; compare what was learned now and then, and at the end."""
        for moves in range(most):
            if self.arrived:
                break
            self.step()
            if moves % 5 == 4:
                self.check_learned()
        self.check_learned()
        return self.walker.taken

    def check_learned(self):
        cells, values = self.agent.learned()
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        if self.walker.memory != (0, 0, 0):  # else it has not moved yet
            assert tuple(self.agent.memory) == self.walker.memory


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
