"""Waypost's own planners, measured by the same code as everyone else."""

from functools import partial
from typing import Any

from benchmarks.peers.library import Library, Open, Point, Query, read_xy

OURS = ("astar", "jps")
"""The planners measured, as far as the catalog has them."""


def our_query(name: str, is_open: Open) -> Query:
    """The public call of a planner: (x, y) in, an array of (x, y) out."""
    import waypost as wp

    planner = wp.build(wp.PlannerName(name), wp.Grid(is_open))

    def query(start: Point, goal: Point) -> Any:
        try:
            return planner.path(start, goal)
        except wp.Unreachable:
            return None

    return query


def our_library(name: str) -> Library:
    """A planner of the catalog as a library."""
    return Library(
        f"waypost {name}",
        "waypost",
        "waypost.planner",
        partial(our_query, name),
        read_xy,
        f"a `Grid` and the planner `{name}`; a query is `planner.path(start, goal)`. Kernels were compiled before, as "
        "they are once per machine.",
        ours=True,
    )


def our_libraries() -> tuple[Library, ...]:
    """The planners of OURS that exist."""
    from waypost.catalog import CATALOG

    return tuple(our_library(name) for name in OURS if name in CATALOG)
