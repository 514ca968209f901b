"""Catalog lines: gates."""

from waypost.planners.entry import Entry, Param
from waypost.planners.gates.index import Gates
from waypost.planners.gates.route import GateRoute
from waypost.planners.walking.agent import Subgoal

__all__ = ["ENTRIES", "PLACE"]

PLACE = 115  # in the table of planners

ENTRIES = (
    Entry(
        "gates",
        "Gates",
        Subgoal,
        paper="our own; after Dibbelt, Strasser, Wagner 2016",
        revision=1,
        settings={"route": GateRoute},
        params={
            "fine": Param(4, 1, 16, "cells on a border that one gate serves, at most", offline=True),
            "thin": Param(100, 0, 1000, "how near a gate is that may stand for another, in percent", offline=True),
            "ahead": Param(4, 1, 16, "points of the route that are tried by a climb"),
            "limit": Param(250, 1, 100_000, "most steps of such a climb"),
            "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it even if it is a detour"),
        },
        index=Gates,
        work_bound=GateRoute.work_bound,
    ),
)
