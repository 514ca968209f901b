"""Catalog line: hub."""

from waypost.planners.entry import Entry, Param
from waypost.planners.hub.agent import HubAgent
from waypost.planners.hub.distances import HubDistances
from waypost.planners.hub.index import HubLabels
from waypost.planners.hub.route import HubRoute

__all__ = ["ENTRIES", "PLACE"]

PLACE = 120  # in the table of planners

ENTRIES = (
    Entry(
        "hub",
        "Hub labels",
        HubAgent,
        paper="Waypost; labels after Akiba, Iwata, Yoshida 2013, subgoals after Uras, Koenig, Hernández 2013",
        revision=1,
        settings={"route": HubRoute},
        params={
            "trees": Param(512, 1, 100_000, "shortest-path trees by which hubs are chosen", offline=True),
            "budget": Param(2_000_000, 100_000, 1_000_000_000, "most entries of labels, refused beyond", offline=True),
        },
        optimal=True,
        index=HubLabels,
        work_bound=HubRoute.work_bound,
        cost_bound=lambda _: 1.0,
        distances=HubDistances,
    ),
)
