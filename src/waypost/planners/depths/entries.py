"""Catalog lines: lrta-dt-g, lrta-oracle-g."""

from waypost.planners.depths.control import DepthControl
from waypost.planners.depths.index import DepthTree
from waypost.planners.entry import Entry, Param
from waypost.planners.learning.agent import Learning, expansions_of_plies

__all__ = ["ENTRIES", "PLACE"]

PLACE = 80  # in the table of planners

ENTRIES = (
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
            "seed": Param(0, 0, 2**31 - 1, "seed of the random problems", offline=True),
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
        params={"deepest": Param(10, 1, 50, "most moves of lookahead, and what the oracle looks at", steps=(5, 10))},
        learns=True,
        work_bound=lambda p, index: expansions_of_plies(p["deepest"]) + DepthControl.work_bound(index),
    ),
)
