"""The one table of planners: what each is called, how it is made, what it promises and where it comes from."""

import difflib
from collections.abc import Mapping
from typing import Any

from waypost.agents.abstract import Abstract
from waypost.agents.clique_plan import CliquePlan
from waypost.agents.depth_control import DepthControl
from waypost.agents.first_leg_guide import FirstLegGuide
from waypost.agents.learning import Learning, expansions_of_plies
from waypost.agents.pair_control import PairControl
from waypost.agents.record_route import RecordRoute
from waypost.agents.region_route import RegionRoute
from waypost.agents.subgoal import Subgoal
from waypost.agents.tree_route import TreeRoute
from waypost.entry import Entry, Param
from waypost.errors import ParameterError, shown
from waypost.indexes.clique_hierarchy import CliqueHierarchy
from waypost.indexes.depth_tree import DepthTree
from waypost.indexes.pair_depths import PairDepths, SubgoalDepths
from waypost.indexes.pair_subgoals import PairSubgoals
from waypost.indexes.records import MOST_RECORDS, FirstLegs, Records
from waypost.indexes.regions import ClimbRegionPaths, SectorPaths
from waypost.indexes.sectors import SectorGraph
from waypost.indexes.trees import SubgoalTrees
from waypost.online_planners import ONLINE
from waypost.refining_planners import REFINING

__all__ = ["CATALOG", "DEFAULT", "PRESET", "Entry", "Param", "check_params", "find", "with_preset"]

DEFAULT = "dba"
"""The planner that most users should get, where none is named."""
PRESET = "preset"
"""Stands for several parameters at once: the name of one of a planner's presets."""


CATALOG: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        *ONLINE,
        Entry(
            "pra-sector",
            "PRA* of Dragon Age",
            Abstract,
            paper="Sturtevant 2007",
            revision=1,
            presets={
                "published": {"trim": 0, "skip_ends": 0, "hops": 1, "restricted": 0, "climbs": 0},
                "trimmed": {"trim": 10, "skip_ends": 0, "hops": 1, "restricted": 0, "climbs": 0},
            },
            params={
                "sector": Param(16, 2, 256, "cells along the side of a sector", offline=True),
                "trim": Param(0, 0, 100, "per cent of each segment cut off its end before the next one is planned"),
                "skip_ends": Param(0, 0, 1, "1: leave out the representatives of the regions of start and goal"),
                "hops": Param(1, 1, 100, "regions that a segment leads on"),
                "restricted": Param(0, 0, 1, "1: search only in the regions that a segment leads through"),
                "climbs": Param(1, 0, 1, "1: no search where a climb is as short as the octile distance"),
            },
            index=SectorGraph,
        ),
        Entry(
            "pra-clique",
            "PRA* on cliques",
            CliquePlan,
            paper="Sturtevant, Buro 2005",
            revision=1,
            params={
                "steps": Param(0, 0, 1_000_000, "steps of a way that are refined, before planning again; 0: all"),
                "width": Param(1, 0, 100, "nodes beside a way that the search below it may use"),
                "euclid": Param(0, 0, 1, "1: nodes are apart as the crow flies, instead of by the octile distance"),
            },
            index=CliqueHierarchy,
        ),
        Entry(
            "dlrta",
            "D LRTA*",
            Learning,
            paper="Bulitko et al. 2008, LRTA*(F,PDB)",
            revision=2,
            presets={"published": {"progress": 0, "deepest": 0}},
            settings={"looks": "plies", "learns": "best", "control": PairControl},
            params={
                "level": Param(5, 1, 30, "of the clique abstraction, whose nodes are the regions", offline=True),
                "progress": Param(
                    1, 0, 1, "1: subgoals lead ever nearer to the goal; 0: where regions are left", offline=True
                ),
                "depth": Param(3, 1, 100, "moves of lookahead"),
                "deepest": Param(10, 0, 100, "moves of lookahead where much was learned; 0: no more than elsewhere"),
            },
            learns=True,
            index=PairSubgoals,
            work_bound=lambda p, index: (
                expansions_of_plies(max(p["depth"], p["deepest"])) + PairControl.work_bound(index)
            ),
        ),
        Entry(
            "lrta-pdb-g",
            "LRTA* of stored depths",
            Learning,
            paper="Bulitko et al. 2008, LRTA*(PDB,G)",
            revision=2,
            settings={"looks": "plies", "learns": "best", "control": PairControl, "depth": 0, "subgoals": False},
            params={
                "level": Param(5, 1, 30, "of the clique abstraction, whose nodes are the regions", offline=True),
                "cap": Param(20, 1, 10_000, "most moves of lookahead", offline=True),
            },
            learns=True,
            index=PairDepths,
            work_bound=lambda p, index: expansions_of_plies(p["cap"]) + PairControl.work_bound(index),
        ),
        Entry(
            "lrta-pdb-pdb",
            "D LRTA* of stored depths",
            Learning,
            paper="Bulitko et al. 2008, LRTA*(PDB,PDB)",
            revision=2,
            presets={"published": {"progress": 0, "deepest": 0}},
            settings={"looks": "plies", "learns": "best", "control": PairControl, "depth": 0},
            params={
                "level": Param(5, 1, 30, "of the clique abstraction, whose nodes are the regions", offline=True),
                "progress": Param(
                    1, 0, 1, "1: subgoals lead ever nearer to the goal; 0: where regions are left", offline=True
                ),
                "cap": Param(20, 1, 10_000, "most moves of lookahead", offline=True),
                "deepest": Param(10, 0, 100, "moves of lookahead where much was learned; 0: as stored"),
            },
            learns=True,
            index=SubgoalDepths,
            work_bound=lambda p, index: (
                expansions_of_plies(max(p["cap"], p["deepest"])) + PairControl.work_bound(index)
            ),
        ),
        *REFINING,
        Entry(
            "lrta-dt-g",
            "LRTA* of depths by a decision tree",
            Learning,
            paper="Bulitko et al. 2008, LRTA*(DT,G)",
            revision=1,
            settings={"looks": "plies", "learns": "best", "control": DepthControl},
            params={
                "deepest": Param(10, 1, 50, "most moves of lookahead", offline=True),
                "history": Param(60, 1, 1000, "moves that are remembered for the tree to ask about", offline=True),
                "presearch": Param(1, 1, 2, "moves of lookahead before the tree is asked", offline=True),
                "problems": Param(100, 1, 1000, "random problems to train with", offline=True),
                "seed": Param(0, 0, 2**31 - 1, "of the random problems", offline=True),
                "leaf": Param(100, 1, 100_000, "fewest samples in a leaf of the tree", offline=True),
            },
            learns=True,
            index=DepthTree,
            work_bound=lambda p, index: (
                expansions_of_plies(max(p["deepest"], p["presearch"])) + DepthControl.work_bound(index)
            ),
        ),
        Entry(
            "lrta-oracle-g",
            "LRTA* of depths by an oracle",
            Learning,
            paper="Bulitko et al. 2008, LRTA*(ORACLE,G)",
            revision=1,
            settings={"looks": "plies", "learns": "best", "control": DepthControl},
            params={"deepest": Param(10, 1, 50, "most moves of lookahead, and what the oracle looks at")},
            learns=True,
            work_bound=lambda p, index: expansions_of_plies(p["deepest"]) + DepthControl.work_bound(index),
        ),
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
                "tries": Param(1000, 0, 100_000, "climbs that choose the first target; 0: the nearest, as printed"),
                "limit": Param(250, 1, 100_000, "most steps of such a climb"),
            },
            learns=True,
            index=SubgoalTrees,
            work_bound=TreeRoute.work_bound,
        ),
        Entry(
            "knn",
            "kNN LRTA*",
            Subgoal,
            paper="Bulitko, Björnsson, Lawrence 2010",
            revision=2,
            presets={"published": {"spread": 0, "direct": 2, "shortest": 0, "second_limit": 0, "joins": 0, "ahead": 0}},
            settings={"route": RecordRoute},
            params={
                "records": Param(10_000, 1, MOST_RECORDS, "solved problems that are stored", offline=True),
                "seed": Param(0, 0, 2**31 - 1, "of the random problems", offline=True),
                "spread": Param(1, 0, 1, "1: problems cover the map evenly; 0: all at random", offline=True),
                "candidates": Param(10, 0, 100_000, "most similar records that are tried; 0: all of them"),
                "limit": Param(250, 1, 100_000, "most steps of a climb that is tried"),
                "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it though it be a detour"),
                "skip_first": Param(1, 0, 1, "1: try to pass over the start of a record"),
                "skip_last": Param(1, 0, 1, "1: try to pass over its end"),
                "tree": Param(1, 0, 1, "0: look at all records instead of searching the kd-tree"),
                "quota": Param(3.0, 0.0, 100.0, "travel without a record, in distances, before another try; 0: none"),
                "shortest": Param(1, 0, 1, "1: of the records that will do, take that of the shortest way"),
                "second_limit": Param(2000, 0, 100_000, "most steps where no record will do within `limit`; 0: none"),
                "joins": Param(16, 0, 100, "records at either end that are joined if that is shorter; 0: none"),
                "ahead": Param(4, 0, 16, "points of a record that are tried by a climb; 0: none, as published"),
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
            revision=2,
            settings={"looks": "plies", "learns": "best", "guide": FirstLegGuide},
            params={
                "records": Param(10_000, 1, 100_000, "solved problems that are stored", offline=True),
                "seed": Param(0, 0, 2**31 - 1, "of the random problems", offline=True),
                "depth": Param(3, 1, 100, "moves of lookahead"),
                "limit": Param(25, 1, 100_000, "most steps of a climb that is tried"),
            },
            learns=True,
            index=FirstLegs,
            work_bound=lambda p, index: expansions_of_plies(p["depth"]) + 1 + FirstLegGuide.work_bound(p, index),
        ),
        Entry(
            "hcdps",
            "HCDPS",
            Subgoal,
            paper="Lawrence, Bulitko 2010 and 2013",
            revision=1,
            presets={"published": {"spacing": 250, "cutoff": 250, "depth": 2, "ahead": 0, "direct": 2}},
            settings={"route": RegionRoute},
            params={
                "spacing": Param(16, 2, 10_000, "cells between the seeds of a lattice", offline=True),
                "cutoff": Param(16, 2, 10_000, "most steps of a climb between a seed and its cells", offline=True),
                "depth": Param(3, 0, 8, "hops to the regions that paths are stored to; 0: paths to all", offline=True),
                "ahead": Param(4, 0, 16, "points of the route that are tried by a climb; 0: none, as published"),
                "limit": Param(250, 1, 100_000, "most steps of such a climb"),
                "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it though it be a detour"),
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
            presets={"published": {"sector": 16, "depth": 2, "ahead": 0, "direct": 0, "entries": 0}},
            settings={"route": RegionRoute},
            params={
                "sector": Param(0, 0, 256, "cells along the side of a sector; 0: by the size of the map", offline=True),
                "depth": Param(4, 0, 8, "hops to the regions that paths are stored to; 0: paths to all", offline=True),
                "ahead": Param(4, 0, 16, "points of the route that are tried by a climb; 0: none, as published"),
                "limit": Param(250, 1, 100_000, "most steps of such a climb"),
                "direct": Param(1, 0, 2, "1: try a climb to the goal first; 2: take it though it be a detour"),
                "entries": Param(1, 0, 1, "1: choose by which of the regions around the goal to come there"),
            },
            index=SectorPaths,
            work_bound=RegionRoute.work_bound,
        ),
    )
}


_BY_ANY_NAME = {name: entry for entry in CATALOG.values() for name in (entry.name, *entry.aliases)}


def find(name: str) -> Entry:
    """The catalog entry of this name."""
    if isinstance(name, str) and name in _BY_ANY_NAME:
        return _BY_ANY_NAME[name]
    close = difflib.get_close_matches(str(name), _BY_ANY_NAME, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(CATALOG)}"
    raise ParameterError(f"there is no planner called {shown(name)}; {hint}")


def check_params(entry: Entry, given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a planner: the given ones checked, then those of the preset, the others by default."""
    given = with_preset(entry, given)
    for name in given:
        if name not in entry.params:
            known = ", ".join(entry.params) or "none"
            raise ParameterError(f"{entry.name} has no parameter called {shown(name)}; its parameters: {known}")
    return {name: param.check(entry.name, name, given.get(name, param.default)) for name, param in entry.params.items()}


def with_preset(entry: Entry, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given parameters with those of the preset in place of its name; what is given besides goes before."""
    others = {name: value for name, value in given.items() if name != PRESET}
    return others if PRESET not in given else {**_preset(entry, given[PRESET]), **others}


def _preset(entry: Entry, name: Any) -> Mapping[str, Any]:
    if isinstance(name, str) and name in entry.presets:
        return entry.presets[name]
    raise ParameterError(
        f"{entry.name} has no preset called {shown(name)}; its presets: {', '.join(entry.presets) or 'none'}"
    )
