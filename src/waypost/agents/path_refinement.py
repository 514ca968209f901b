"""Agents that step from region to region by LRTA*, and refine each step on the ground: PR LRTA* (algorithms 7.3)."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.agents.base import LOG_COLUMNS
from waypost.agents.corridor import CorridorPlanned
from waypost.grid import Grid
from waypost.indexes.base import Index
from waypost.indexes.upper_pairs import UpperPairs, new_lookahead
from waypost.kernels import best_first, corridor_search, region_lookahead
from waypost.kernels import path_refinement as kernels
from waypost.step import Memory

__all__ = ["PathRefinement"]

_FIRST_ROOM = 1024  # for cells to look at, and for events
_CELLS_AT_ONCE = 1 << 12  # of a walk; more would only leave the cache


class PathRefinement(CorridorPlanned):
    """PR LRTA*(X, Y): looks `depth` regions ahead, 0 by the index, with `gamma` times the costs of edges.

    It heads for the subgoals of the index, where that has any. With `first` of 1 a way ends in the first cell of the
    region ahead, instead of in its representative.
    """

    kernel = "path_refinement.walk"

    def __init__(
        self,
        grid: Grid,
        *,
        index: UpperPairs,
        depth: int = 0,
        gamma: float = 1.0,
        first: int = 0,
        record: bool = False,
    ) -> None:
        super().__init__(grid, room=_FIRST_ROOM, record=record)
        graph = self._graph = index.graph
        regions = graph.reps.size
        self._region_of = index.region_of
        self._world = (
            grid.mask,
            index.region_of,
            *graph.edges,
            graph.reps,
            *index.rows,
            index.run_depths,
            index.pair_depths,
        )
        euclid = int(index.params["euclid"])
        self._values, seen, self._state = new_lookahead(grid, regions, euclid=euclid, gamma=gamma)
        settings = {
            kernels.DEPTH: depth,
            kernels.CAP: index.cap,
            kernels.PROGRESS: index.progress,
            kernels.HEADS: index.has_subgoals,
            kernels.FIRST_CELL: first,
            kernels.UPPERS: graph.upper_count,
            kernels.WAY_ROOM: graph.most_in_corridor,
        }
        self._state[list(settings)] = list(settings.values())
        self._scratch = (
            self._values,
            seen,
            np.zeros(grid.mask.size, np.int64),
            np.empty(grid.mask.size, np.int32),
            np.zeros(regions, np.int32),
        )
        self._way = np.empty(max(_CELLS_AT_ONCE, graph.most_in_corridor), np.int32)
        self._cells = self._way[1:]  # what is planned begins behind the cell that the agent stands on
        self._log = np.zeros((self._way.size, LOG_COLUMNS), np.int32)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of a move: a lookahead, a search in the largest corridor, and look-ups."""
        tables = cast("UpperPairs", index)
        depth = max(params.get("depth", 0), tables.cap)
        return tables.graph.most_expansions(depth) + tables.graph.most_in_corridor + tables.most_probes + 2

    @property
    def target(self) -> tuple[int, int] | None:
        """The representative of the region that the last plan was to lead to at last, as (x, y)."""
        target = int(self._state[kernels.TARGET])
        return None if self._state[kernels.PLANS] == 0 else self.grid.xy(int(self._graph.reps[target]))

    @property
    def memory(self) -> Memory:
        """The most that one search or lookahead since `reset` has held, and every region learned."""
        slots = (kernels.MOST_OPEN, kernels.MOST_CLOSED, kernels.LEARNED_REGIONS)
        return Memory(*(int(self._state[slot]) for slot in slots))

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Representatives of regions whose heuristic towards the goal's was raised, in rising order, and its values."""
        self._require_reset()
        about, raised = self._values[:, region_lookahead.ABOUT_GOAL], self._values[:, region_lookahead.ABOUT_GOAL + 1]
        regions = np.flatnonzero(about == self._state[kernels.GOAL_NUMBER])
        regions = regions[np.argsort(self._graph.reps[regions])]
        values = kernels.estimates(self._graph.nodes, self._state, regions) + raised[regions]
        return self._graph.reps[regions], values >> corridor_search.POINT_SHIFT

    def _begin(self) -> None:
        self._take_rows()
        forgotten = (kernels.MOST_OPEN, kernels.MOST_CLOSED, kernels.LEARNED_REGIONS)
        self._state[list(forgotten)] = 0
        self._state[kernels.GOAL_REGION] = kernels.NONE  # so that whatever goal comes is a new one
        self._retarget()

    def _retarget(self) -> None:
        self._at = self._end = 0
        kernels.begin(self._region_of, self._state, self.cell, self.goal)

    def _plan(self, moves: int) -> None:
        """Plan so many moves, or as many as there is room for."""
        state = self._state
        state[kernels.PLANNED] = state[kernels.PLANS] = 0
        while (
            status := kernels.walk(
                *self._world, *self._scratch, self._heap, self._pushed, self._way, self._log, self._events, state, moves
            )
        ) != best_first.FOUND:
            self._make_room(status)
        self._at, self._end, self._rows = 0, int(state[kernels.PLANNED]), int(state[kernels.PLANS])
