"""Catalog lines: tba."""

from waypost.planners.entry import Entry, Param
from waypost.planners.time_sliced.agent import TimeSliced

__all__ = ["ENTRIES", "PLACE"]

PLACE = 30  # in the table of planners

ENTRIES = (
    Entry(
        "tba",
        "TBA*",
        TimeSliced,
        paper="Björnsson, Bulitko, Sturtevant 2009",
        revision=1,
        params={
            "slice": Param(
                50, 2, 1_000_000, "planning per move, in expansions", steps=(10, 50, 250, 1000), monotone=True
            ),
            "share": Param(0.9, 0.0, 1.0, "part of the slice for the search, the rest traces paths"),
            "ratio": Param(10, 1, 1000, "steps of a trace that cost as much as one expansion"),
            "wait": Param(0, 0, 1, "1: stay at the start with nothing to follow, instead of going back and forth"),
            "shortcut": Param(0, 0, 1, "1: join the path to the goal from a neighbouring cell", steps=(0, 1)),
            "drop_trace": Param(0, 0, 1, "1: when the goal is found, give up the trace under way"),
        },
        work_bound=lambda p, _: TimeSliced.work_bound(p),
        after_edit="repairs",
    ),
)
