"""Catalog lines: pra-sector."""

from waypost.planners.entry import Entry, Param
from waypost.planners.pra_sector.agent import SectorPlanning
from waypost.planners.pra_sector.index import SectorGraph

__all__ = ["ENTRIES", "PLACE"]

PLACE = 40  # in the table of planners

ENTRIES = (
    Entry(
        "pra-sector",
        "PRA* of Dragon Age",
        SectorPlanning,
        paper="Sturtevant 2007",
        revision=1,
        presets={
            "published": {"trim": 0, "skip_ends": 0, "hops": 1, "restricted": 0, "climbs": 0},
            "trimmed": {"trim": 10, "skip_ends": 0, "hops": 1, "restricted": 0, "climbs": 0},
        },
        params={
            "sector": Param(16, 2, 256, "cells along the side of a sector", offline=True, steps=(64, 32, 16, 8)),
            "trim": Param(
                0, 0, 100, "per cent of each segment cut off its end before the next one is planned", steps=(0, 10)
            ),
            "skip_ends": Param(0, 0, 1, "1: leave out the representatives of the regions of start and goal"),
            "hops": Param(1, 1, 100, "regions that a segment covers", steps=(1, 2, 4), monotone=True),
            "restricted": Param(0, 0, 1, "1: search only in the regions that a segment leads through"),
            "climbs": Param(1, 0, 1, "1: no search where a climb is as short as the octile distance"),
        },
        index=SectorGraph,
    ),
)
