"""Catalog lines: knn, knn-2009."""

from waypost.planners.entry import Entry, Param
from waypost.planners.learning.agent import Learning, expansions_of_plies
from waypost.planners.records.guide import FirstLegGuide
from waypost.planners.records.index import MOST_RECORDS, FirstLegs, Records
from waypost.planners.records.route import RecordRoute
from waypost.planners.walking.agent import Subgoal

__all__ = ["ENTRIES", "PLACE"]

PLACE = 100  # in the table of planners

_RECORDS = (300, 1000, 3000, 10_000, 30_000)

ENTRIES = (
    Entry(
        "knn",
        "kNN LRTA*",
        Subgoal,
        paper="Bulitko, Björnsson, Lawrence 2010",
        revision=2,
        presets={"published": {"spread": 0, "direct": 2, "shortest": 0, "second_limit": 0, "joins": 0, "ahead": 0}},
        settings={"route": RecordRoute},
        params={
            "records": Param(
                10_000, 1, MOST_RECORDS, "solved problems that are stored", offline=True, steps=_RECORDS, monotone=True
            ),
            "seed": Param(0, 0, 2**31 - 1, "seed of the random problems", offline=True),
            "spread": Param(1, 0, 1, "1: problems cover the map evenly; 0: all at random", offline=True),
            "candidates": Param(10, 0, 100_000, "most similar records that are tried; 0: all of them"),
            "limit": Param(250, 1, 100_000, "most steps of a climb that is tried"),
            "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it even if it is a detour"),
            "skip_first": Param(1, 0, 1, "1: try to pass over the start of a record"),
            "skip_last": Param(1, 0, 1, "1: try to pass over its end"),
            "tree": Param(1, 0, 1, "0: look at all records instead of searching the kd-tree"),
            "quota": Param(3.0, 0.0, 100.0, "travel without a record, in distances, before another try; 0: none"),
            "shortest": Param(1, 0, 1, "1: of the records that will do, take that of the shortest way"),
            "second_limit": Param(2000, 0, 100_000, "most steps where no record will do within `limit`; 0: none"),
            "joins": Param(
                16, 0, 100, "records at either end that are joined if that is shorter; 0: none", steps=(0, 16)
            ),
            "ahead": Param(
                4, 0, 16, "points of a record that are tried by a climb; 0: none, as published", steps=(0, 4, 16)
            ),
        },
        learns=True,
        index=Records,
        work_bound=RecordRoute.work_bound,
    ),
    Entry(
        "knn-2009",
        "kNN LRTA* of 2009",
        Learning,
        paper="Bulitko, Björnsson 2009",
        revision=3,
        presets={"published": {"redraw": 0}},
        settings={"looks": "plies", "learns": "best", "guide": FirstLegGuide},
        params={
            "records": Param(
                10_000, 1, 100_000, "solved problems that are stored", offline=True, steps=_RECORDS, monotone=True
            ),
            "seed": Param(0, 0, 2**31 - 1, "seed of the random problems", offline=True),
            "redraw": Param(1, 0, 1, "1: a problem without a subgoal is drawn again; 0: left out", offline=True),
            "depth": Param(3, 1, 100, "moves of lookahead", steps=(1, 3, 5)),
            "limit": Param(25, 1, 100_000, "most steps of a climb that is tried"),
        },
        learns=True,
        index=FirstLegs,
        work_bound=lambda p, index: expansions_of_plies(p["depth"]) + 1 + FirstLegGuide.work_bound(p, index),
    ),
)
