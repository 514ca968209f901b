"""Catalog lines: pra-clique."""

from waypost.planners.entry import Entry, Param
from waypost.planners.pra_clique.agent import CliquePlan
from waypost.planners.pra_clique.index import CliqueHierarchy

__all__ = ["ENTRIES", "PLACE"]

PLACE = 50  # in the table of planners

ENTRIES = (
    Entry(
        "pra-clique",
        "PRA* on cliques",
        CliquePlan,
        paper="Sturtevant, Buro 2005",
        revision=1,
        params={
            "steps": Param(0, 0, 1_000_000, "steps of a way that are refined, before planning again; 0: all"),
            "width": Param(
                1, 0, 100, "nodes beside a way that the search below it may use", steps=(0, 1, 2), monotone=True
            ),
            "euclid": Param(0, 0, 1, "1: distances of nodes are Euclidean instead of octile"),
        },
        index=CliqueHierarchy,
    ),
)
