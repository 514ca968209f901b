"""Nearer targets and lookahead depths by pairs of regions, for every move (dynamic control; Bulitko et al. 2008)."""

from collections.abc import Callable
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels import tiles
from waypost.kernels.compiling import address_of
from waypost.kernels.named import new_record
from waypost.planners.cuts import cell_map
from waypost.planners.learning.kernels import state
from waypost.planners.pairs.kernels import many, walk
from waypost.planners.pairs.kernels.control import CONTROL, Database, Settings
from waypost.planners.pairs.regions import RegionPairs
from waypost.world.grid import Grid

__all__ = ["PairControl"]

_MOST_GROWTH = 2  # tiles added by a move: one of each table


class PairControl:
    """LRTA*(X, Y): looks `depth` moves ahead, 0 by the index, towards the subgoal of the cell's region and the goal's.

    Without `subgoals`, towards the goal. Up to `deepest` moves, where much was learned.
    """

    planes = 2
    """Of tables: learned values, and where the agent has stood or which subgoal a tile is about."""

    def __init__(
        self, grid: Grid, index: RegionPairs, *, depth: int = 0, deepest: int = 0, subgoals: bool = True
    ) -> None:
        self.most_depth = max(depth, deepest, index.cap)
        settings = Settings(
            heads=subgoals,
            progress=index.by_progress,
            depth=depth,
            deepest=deepest,
            cap=index.cap,
            region_count=index.region_count,
        )
        self.numbers = new_record(CONTROL, settings)
        self.begin = partial(walk.begin, self.numbers)
        database = Database(
            **index.cell_map._asdict(),
            **index.rows._asdict(),
            run_depths=index.run_depths,
            pair_depths=index.pair_depths,
        )
        self._world = grid.mask, tuple(database)

    def set_up(self, settings: state.Settings, new_table: Callable[[], npt.NDArray[np.int32]]) -> Callable[..., int]:
        """What makes an agent's moves, given a table, the agent's words, events and a log."""
        self._near_table = new_table()  # of the subgoal
        self._tile_count = settings.tile_count
        return partial(walk.walk, *self._world, self.numbers, self._near_table)

    def solver(
        self, table: npt.NDArray[np.int32], words: npt.NDArray[np.int64], events: npt.NDArray[np.int64]
    ) -> Callable[..., int]:
        """A kernel that solves many problems of an agent with these arrays."""
        mine = *self._world, self.numbers, self._near_table, table, words, events
        return partial(many.solve, *mine, address_of(walk.walk, *mine, new_log(1)))

    def aim(self, goal: int) -> int:  # noqa: ARG002
        """The goal or a subgoal, whatever the last move was made towards; -1 before the first."""
        return int(self.numbers["aim"][0])

    def clear(self) -> None:
        """Forget what was learned about subgoals."""
        tiles.clear(self._near_table, self._tile_count, self.planes)

    @staticmethod
    def work_bound(index: Index | None) -> int:
        """Most work of a move beside its lookahead: regions, a subgoal and a depth looked up, and tiles added."""
        return 5 * cell_map.MOST_PROBES + 1 + cast("RegionPairs", index).most_probes + _MOST_GROWTH
