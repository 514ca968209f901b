"""Nearer targets and lookahead depths by pairs of regions, for every move (dynamic control; Bulitko et al. 2008)."""

from collections.abc import Callable
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes import cell_map
from waypost.indexes.base import Index
from waypost.indexes.region_pairs import RegionPairs
from waypost.kernels import dynamic_control, learned, tiles

__all__ = ["PairControl"]

_MOST_GROWTH = 2  # tiles added by a move: one of each table


class PairControl:
    """LRTA*(X, Y): looks `depth` moves ahead, 0 by the index, towards the subgoal of the cell's region and the goal's.

    Without `subgoals`, towards the goal. Up to `deepest` moves, where much was learned.
    """

    kernel = "dynamic_control.walk"
    planes = 2
    """Of tables: learned values, and where the agent has stood or which subgoal a tile is about."""
    begin = staticmethod(dynamic_control.begin)

    def __init__(
        self, grid: Grid, index: RegionPairs, *, depth: int = 0, deepest: int = 0, subgoals: bool = True
    ) -> None:
        self.most_depth = max(depth, deepest, index.cap)
        self._settings = {
            learned.HEADS: subgoals,
            learned.PROGRESS: index.progress,
            learned.DEPTH: depth,
            learned.DEEPEST: deepest,
            learned.CAP: index.cap,
            learned.REGIONS: index.region_count,
        }
        self._database = grid.mask, *index.cell_map, *index.rows, index.run_depths, index.pair_depths

    def set_up(
        self, state: npt.NDArray[np.int64], new_table: Callable[[], npt.NDArray[np.int32]]
    ) -> Callable[..., int]:
        """Settings into an agent's state; returns what makes its moves, given a table, the state, events and a log."""
        state[list(self._settings)] = list(self._settings.values())
        self._near_table = new_table()  # of the subgoal
        return partial(dynamic_control.walk, *self._database, self._near_table)

    def clear(self, state: npt.NDArray[np.int64]) -> None:
        """Forget what was learned about subgoals."""
        tiles.clear(self._near_table, int(state[learned.TILE_COUNT]), self.planes)

    @staticmethod
    def work_bound(index: Index | None) -> int:
        """Most work of a move beside its lookahead: regions, a subgoal and a depth looked up, and tiles added."""
        return 5 * cell_map.MOST_PROBES + 1 + cast("RegionPairs", index).most_probes + _MOST_GROWTH
