"""Catalog lines: astar, jps, wastar, dijkstra."""

from waypost.planners.entry import Entry, Param
from waypost.planners.exact.agent import PlanFirst

__all__ = ["ENTRIES", "PLACE"]

PLACE = 10  # in the table of planners

ENTRIES = (
    Entry(
        "astar",
        "A*",
        PlanFirst,
        paper="Hart, Nilsson, Raphael 1968",
        revision=1,
        optimal=True,
        cost_bound=lambda _: 1.0,
        after_edit="repairs",
    ),
    Entry(
        "jps",
        "Jump point search",
        PlanFirst,
        paper="Harabor, Grastien 2011 and 2014 (A* unless diagonals are both-open)",
        revision=1,
        settings={"jumps": True},
        optimal=True,
        cost_bound=lambda _: 1.0,
        after_edit="repairs",
    ),
    Entry(
        "wastar",
        "Weighted A*",
        PlanFirst,
        paper="Bulitko et al. 2008, f = gamma * g + h",
        revision=1,
        params={
            "gamma": Param(
                0.5,
                0.01,
                1.0,
                "weight of g; smaller is greedier, cost is at most optimum / gamma",
                steps=(0.2, 0.35, 0.5, 0.65, 0.8, 0.9),
                monotone=True,
            )
        },
        cost_bound=lambda params: 1 / params["gamma"],
        after_edit="repairs",
    ),
    Entry(
        "dijkstra",
        "Dijkstra",
        PlanFirst,
        paper="Dijkstra 1959",
        revision=1,
        settings={"informed": False},
        optimal=True,
        cost_bound=lambda _: 1.0,
        after_edit="repairs",
    ),
)
