"""What ways cost, by labels alone: nothing is walked."""

import numpy as np

from waypost.agents.distances import Cells, Distances, WayCosts
from waypost.errors import IndexFileError
from waypost.planners.hub.index import HubLabels
from waypost.planners.hub.kernels import distances
from waypost.world.grid import Grid

__all__ = ["HubDistances"]


class HubDistances(Distances):
    """Finds the subgoals around each end once, and meets their lists."""

    def __init__(self, grid: Grid, index: HubLabels) -> None:  # noqa: ARG002 - the index has all of it
        self._index = index
        self._known = tuple(index.lines), tuple(index.labels), tuple(index.new_scratch())

    def of_pairs(self, starts: Cells, goals: Cells, costs: WayCosts) -> None:
        """Write what the way from each start to its goal costs."""
        self._write(starts, goals, 0, costs[:, None])

    def of_rows(self, sources: Cells, targets: Cells, costs: WayCosts) -> None:
        """Write what the ways from some sources to many targets cost, a row for each source."""
        self._write(sources, targets, 1, costs)

    def _write(self, starts: Cells, goals: Cells, is_matrix: int, costs: WayCosts) -> None:
        starts, goals = np.ascontiguousarray(starts), np.ascontiguousarray(goals)
        if not distances.of_rows(*self._known, starts, goals, is_matrix, costs):
            raise IndexFileError("the index leads no way between some of the cells; build the index again")
