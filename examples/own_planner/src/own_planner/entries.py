"""What Waypost is told of the planners."""

import waypost as wp
from own_planner.beacons import Beacons, Follow
from own_planner.breadth_first import BreadthFirst

__all__ = ["ENTRIES"]

ENTRIES = (
    wp.Entry("bfs", "Breadth-first search", BreadthFirst, paper="Moore 1959"),
    wp.Entry(
        "beacons",
        "Down to a beacon and up to the goal",
        Follow,
        params={"shift": wp.Param(0, 0, 7, "which open cell is the beacon of its component", offline=True)},
        index=Beacons,
    ),
)
