"""Catalog lines: lrta, lrta-cost, rta, lrta-k, plrta, lss, rtaa, lrts."""

from waypost.planners.entry import Entry, Param
from waypost.planners.learning.agent import Learning, expansions_of_plies, expansions_within_cost

__all__ = ["ENTRIES", "PLACE"]

PLACE = 20  # in the table of planners

_PLANS = (8, 16, 32, 64, 128, 256, 512)

ENTRIES = (
    Entry(
        "lrta",
        "LRTA*",
        Learning,
        paper="Korf 1990; Bulitko et al. 2008, lookahead to a depth",
        revision=2,
        settings={"looks": "plies", "learns": "best"},
        params={
            "depth": Param(1, 1, 100, "moves of lookahead", steps=(1, 3, 5, 10), monotone=True),
        },
        learns=True,
        work_bound=lambda p, _: expansions_of_plies(p["depth"]) + 1,
        after_edit="repairs",
    ),
    Entry(
        "lrta-cost",
        "LRTA* to a cost",
        Learning,
        paper="Bulitko, Björnsson, Lawrence 2010, lookahead to a cost",
        revision=1,
        settings={"looks": "cost", "learns": "best"},
        params={
            "horizon": Param(
                1.5,
                1.5,
                100.0,
                "cost of lookahead in cells; 1.5 takes in the neighbours",
                steps=(1.5, 5.0),
                monotone=True,
            ),
        },
        learns=True,
        work_bound=lambda p, _: expansions_within_cost(p["horizon"]) + 1,
        after_edit="repairs",
    ),
    Entry(
        "rta",
        "RTA*",
        Learning,
        paper="Korf 1990",
        revision=1,
        settings={"looks": "neighbours", "learns": "second best"},
        learns=True,
        work_bound=lambda _p, _i: 2,
        after_edit="repairs",
    ),
    Entry(
        "lrta-k",
        "LRTA*(k)",
        Learning,
        paper="Hernández, Meseguer 2005",
        revision=1,
        settings={"looks": "neighbours", "learns": "trail"},
        params={
            "k": Param(16, 1, 10_000, "cells looked around to learn, per move", steps=(4, 16, 64, 256), monotone=True),
        },
        learns=True,
        work_bound=lambda p, _: 2 * p["k"] + 2,
        after_edit="repairs",
    ),
    Entry(
        "plrta",
        "P LRTA*",
        Learning,
        paper="Rayner et al. 2007; Bulitko et al. 2008",
        revision=1,
        settings={"looks": "neighbours", "learns": "queue"},
        params={
            "queue": Param(
                32,
                1,
                10_000,
                "cells kept to learn about, and looked around per move",
                steps=(8, 32, 128, 512),
                monotone=True,
            ),
        },
        learns=True,
        work_bound=lambda p, _: 2 * p["queue"] + 3,
        after_edit="repairs",
    ),
    Entry(
        "lss",
        "LSS-LRTA* (K LRTA*)",
        Learning,
        paper="Koenig 2004; Koenig, Sun 2009; Bulitko et al. 2008",
        revision=1,
        aliases=("klrta",),
        settings={"looks": "astar", "learns": "inward"},
        params={
            "lookahead": Param(32, 1, 1000, "cells expanded in a plan", steps=_PLANS, monotone=True),
            "moves_per_plan": Param(0, 0, 1000, "moves before planning again; 0 is the whole way to the target"),
        },
        learns=True,
        work_bound=lambda p, _: 18 * p["lookahead"] + 1,
        after_edit="repairs",
    ),
    Entry(
        "rtaa",
        "RTAA*",
        Learning,
        paper="Koenig, Likhachev 2006",
        revision=1,
        settings={"looks": "astar", "learns": "from target"},
        params={
            "lookahead": Param(32, 1, 1000, "cells expanded in a plan", steps=_PLANS, monotone=True),
            "moves_per_plan": Param(0, 0, 1000, "moves before planning again; 0 is the whole way to the target"),
        },
        learns=True,
        work_bound=lambda p, _: 3 * p["lookahead"],
        after_edit="repairs",
    ),
    Entry(
        "lrts",
        "LRTS",
        Learning,
        paper="Bulitko, Lee 2006",
        revision=1,
        settings={"looks": "plies", "learns": "max of mins"},
        params={
            "depth": Param(3, 1, 100, "moves of lookahead", steps=(1, 3, 5, 10), monotone=True),
            "gamma": Param(1.0, 0.1, 1.0, "weight of g; smaller learns less and walks worse"),
            "quota": Param(1e9, 0.0, 1e9, "cells that may be learned in all before the agent backtracks"),
        },
        learns=True,
        work_bound=lambda p, _: expansions_of_plies(p["depth"]) + 1,
        after_edit="repairs",
    ),
)
