"""The route of subgoal trees: from node to parent (Hernández, Baier 2011; algorithms 10.2)."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import Index
from waypost.indexes.trees import SubgoalTrees
from waypost.kernels import tiles, tree_walk, walk

__all__ = ["TreeRoute"]

_NODES_PER_SLOT = 32
_walk = tree_walk.walk  # found at once, for it is called at every step


class TreeRoute:
    """Walks towards the parent of each node it comes to; `tries` climbs choose the first target, 0 for the nearest.

    A climb that chooses may take `limit` steps.
    """

    kernel = "tree_walk.walk"
    slots = tree_walk.VISITS - walk.SLOTS

    def __init__(self, grid: Grid, index: SubgoalTrees, *, tries: int = 10, limit: int = 250) -> None:
        self._grid, self._index = grid, index
        self._mask, self._climb_table = grid.mask, grid.climb_table
        straight, diagonal, _ = grid.costs
        rule = tree_walk.CLIMBED if tries else tree_walk.NEAREST
        across = tiles.tiles_across(grid.stride)
        self._settings = np.array([grid.stride, across, straight, diagonal, 0, rule, tries, limit], np.int64)

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int | None:
        """Most work of one move, the first: a look at every node, the climbs, a node looked up and a move."""
        largest = cast("SubgoalTrees", index).largest
        return None if largest is None else largest + params["tries"] * params["limit"] + 3

    def begin(self, state: npt.NDArray[np.int32], walker: int, goal: int) -> npt.NDArray[np.int32]:
        """Look the goal's tree up; its nodes count as not stood on."""
        self._nodes, first, end, shift = self._index.tree(goal)
        slots = tree_walk.VISITS + -(-(end - first) // _NODES_PER_SLOT)
        if slots > len(state):
            state = np.concatenate([state, np.zeros((slots - len(state), state.shape[1]), np.int32)])
        state[tree_walk.FIRST_NODE, walker] = first
        state[tree_walk.END_NODE, walker] = end
        state[tree_walk.VISITS : slots, walker] = 0
        self._settings[tree_walk.SHIFT] = shift
        return state

    def walk(self, pool: npt.NDArray[np.int32], state: npt.NDArray[np.int32], log: npt.NDArray[np.int32]) -> int:
        """Make moves of the one walker."""
        made: int = _walk(self._mask, self._climb_table, self._nodes, pool, state, self._settings, log)
        return made

    def expanded(self, cell: int, target: int) -> list[tuple[int, int, int]]:
        """A walker that is stuck looks around its cell."""
        return [(cell, 0, self._grid.octile(cell, target))]
