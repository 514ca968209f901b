"""The learning real-time planners in plain Python, read from docs/planners/learning-rules.md and nothing else."""

from tests.oracle.learning_local import Lss, Rtaa
from tests.oracle.learning_nodes import Lrta, LrtaCost, Lrts
from tests.oracle.learning_steps import LrtaK, Plrta, Rta

WALKERS = {
    "lrta": Lrta,
    "lrta-cost": LrtaCost,
    "rta": Rta,
    "lrta-k": LrtaK,
    "plrta": Plrta,
    "lss": Lss,
    "rtaa": Rtaa,
    "lrts": Lrts,
}


def walker(name, is_open, rule, costs, start, goal, **params):
    """A walker on its start with a goal; `is_open[y][x]` is a plain table."""
    made = WALKERS[name](is_open, rule, costs, **params)
    made.place(start)
    made.set_goal(goal)
    return made
