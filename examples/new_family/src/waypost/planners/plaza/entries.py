"""Catalog lines: plaza."""

from waypost.planners.entry import Entry, Param
from waypost.planners.plaza.index import Plazas
from waypost.planners.plaza.route import PlazaRoute
from waypost.planners.walking.agent import Subgoal

__all__ = ["ENTRIES", "PLACE"]

PLACE = 200  # in the table of planners

ENTRIES = (
    Entry(
        "plaza",
        "LRTA* by way of a plaza",
        Subgoal,
        paper="an example",
        revision=1,
        presets={"corner": {"share": 0}},
        settings={"route": PlazaRoute},
        params={"share": Param(50, 0, 100, "which cell is the plaza: percent of its cells before it", offline=True)},
        learns=True,
        index=Plazas,
        work_bound=PlazaRoute.work_bound,
    ),
)
