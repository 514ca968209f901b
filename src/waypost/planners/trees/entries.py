"""Catalog lines: trees."""

from waypost.planners.entry import Entry, Param
from waypost.planners.trees.index import SubgoalTrees
from waypost.planners.trees.route import TreeRoute
from waypost.planners.walking.agent import Subgoal

__all__ = ["ENTRIES", "PLACE"]

PLACE = 90  # in the table of planners

ENTRIES = (
    Entry(
        "trees",
        "LRTA* with subgoal trees",
        Subgoal,
        paper="Hernández, Baier 2011",
        revision=1,
        presets={"published": {"tries": 0}},
        settings={"route": TreeRoute},
        params={
            "climb_exits": Param(0, 0, 1, "1: a new subgoal where a climb to the last one fails", offline=True),
            "goals_kept": Param(
                0, 0, 1_000_000, "trees made when a goal is asked for and kept; 0: all, offline", offline=True
            ),
            "tries": Param(
                1000,
                0,
                100_000,
                "climbs that choose the first target; 0: the nearest, as printed",
                steps=(0, 1000),
                monotone=True,
            ),
            "limit": Param(250, 1, 100_000, "most steps of such a climb"),
        },
        learns=True,
        index=SubgoalTrees,
        work_bound=TreeRoute.work_bound,
    ),
)
