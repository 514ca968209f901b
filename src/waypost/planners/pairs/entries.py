"""Catalog lines: dlrta, lrta-pdb-g, lrta-pdb-pdb."""

from waypost.planners.entry import Entry, Param
from waypost.planners.learning.agent import Learning, expansions_of_plies
from waypost.planners.pairs.control import PairControl
from waypost.planners.pairs.depths import PairDepths, SubgoalDepths
from waypost.planners.pairs.subgoals import PairSubgoals

__all__ = ["ENTRIES", "PLACE"]

PLACE = 60  # in the table of planners

_LEVEL = {
    "level": Param(
        5, 1, 30, "level of the clique abstraction whose nodes are the regions", offline=True, steps=(7, 6, 5)
    )
}
_SUBGOALS = {
    "by_progress": Param(1, 0, 1, "1: subgoals lead ever nearer to the goal; 0: where regions are left", offline=True),
    "last_exit": Param(0, 0, 1, "1: where regions are left for the last time; 0: for the first", offline=True),
    "straight_first": Param(0, 0, 1, "1: of best ways that with straight moves first; 0: diagonal ones", offline=True),
}
_PUBLISHED = {"by_progress": 0, "last_exit": 1, "straight_first": 1, "deepest": 0}

ENTRIES = (
    Entry(
        "dlrta",
        "D LRTA*",
        Learning,
        paper="Bulitko et al. 2008, LRTA*(F,PDB)",
        revision=2,
        presets={"published": _PUBLISHED},
        settings={"looks": "plies", "learns": "best", "control": PairControl},
        params={
            **_LEVEL,
            **_SUBGOALS,
            "depth": Param(3, 1, 100, "moves of lookahead", steps=(1, 3, 10)),
            "deepest": Param(10, 0, 100, "moves of lookahead where much was learned; 0: no more than elsewhere"),
        },
        learns=True,
        index=PairSubgoals,
        work_bound=lambda p, index: expansions_of_plies(max(p["depth"], p["deepest"])) + PairControl.work_bound(index),
    ),
    Entry(
        "lrta-pdb-g",
        "LRTA* of stored depths",
        Learning,
        paper="Bulitko et al. 2008, LRTA*(PDB,G)",
        revision=2,
        settings={"looks": "plies", "learns": "best", "control": PairControl, "depth": 0, "subgoals": False},
        params={
            **_LEVEL,
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
        revision=3,
        presets={"published": _PUBLISHED},
        settings={"looks": "plies", "learns": "best", "control": PairControl, "depth": 0},
        params={
            **_LEVEL,
            **_SUBGOALS,
            "cap": Param(20, 1, 10_000, "most moves of lookahead", offline=True),
            "goal_depths": Param(0, 0, 1, "1: depths towards goals are stored, for re-visits; 0: `cap`", offline=True),
            "deepest": Param(10, 0, 100, "moves of lookahead where much was learned; 0: as stored"),
        },
        learns=True,
        index=SubgoalDepths,
        work_bound=lambda p, index: expansions_of_plies(max(p["cap"], p["deepest"])) + PairControl.work_bound(index),
    ),
)
