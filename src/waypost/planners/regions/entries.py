"""Catalog lines: hcdps, dba."""

from waypost.planners.entry import Entry, Param
from waypost.planners.regions.index import ClimbRegionPaths, SectorPaths
from waypost.planners.regions.route import RegionRoute
from waypost.planners.walking.agent import Subgoal

__all__ = ["ENTRIES", "PLACE"]

PLACE = 110  # in the table of planners

_HOPS = (1, 2, 3, 4)

ENTRIES = (
    Entry(
        "hcdps",
        "HCDPS",
        Subgoal,
        paper="Lawrence, Bulitko 2010 and 2013",
        revision=1,
        presets={"published": {"spacing": 250, "cutoff": 250, "depth": 2, "ahead": 64, "joints": 1, "direct": 2}},
        settings={"route": RegionRoute},
        params={
            "spacing": Param(16, 2, 10_000, "cells between the seeds of a lattice", offline=True, steps=(32, 16, 8)),
            "cutoff": Param(16, 2, 10_000, "most steps of a climb between a seed and its cells", offline=True),
            "depth": Param(
                3,
                0,
                8,
                "hops to the regions that paths are stored to; 0: paths to all",
                offline=True,
                steps=_HOPS,
                monotone=True,
            ),
            "ahead": Param(
                4, 0, 64, "points of the route that are tried by a climb; 0: none", steps=(0, 4, 16), monotone=True
            ),
            "joints": Param(0, 0, 1, "1: try them by a binary search, and take detours; 0: the farthest first"),
            "limit": Param(250, 1, 100_000, "most steps of such a climb"),
            "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it even if it is a detour"),
        },
        index=ClimbRegionPaths,
        work_bound=RegionRoute.work_bound,
    ),
    Entry(
        "dba",
        "DBA*",
        Subgoal,
        paper="Lee, Lawrence 2013",
        revision=1,
        presets={"published": {"sector": 16, "depth": 2, "ahead": 0, "direct": 0, "entries": 0, "ends": 0}},
        settings={"route": RegionRoute},
        params={
            "sector": Param(
                0,
                0,
                256,
                "cells along the side of a sector; 0: by the size of the map",
                offline=True,
                steps=(32, 16, 8),
            ),
            "depth": Param(
                4,
                0,
                8,
                "hops to the regions that paths are stored to; 0: paths to all",
                offline=True,
                steps=_HOPS,
                monotone=True,
            ),
            "ahead": Param(
                4,
                0,
                16,
                "points of the route that are tried by a climb; 0: none, as published",
                steps=(0, 4, 16),
                monotone=True,
            ),
            "limit": Param(250, 1, 100_000, "most steps of such a climb"),
            "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it even if it is a detour"),
            "entries": Param(1, 0, 1, "1: choose by which of the regions around the goal to come there", steps=(0, 1)),
            "ends": Param(1, 0, 1, "1: climbs may pass over the first and the last representative; 0: visit them"),
        },
        index=SectorPaths,
        work_bound=RegionRoute.work_bound,
    ),
)
