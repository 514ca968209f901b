"""LRTA* under dynamic control: a database of pairs of regions names nearer targets (Bulitko et al. 2008)."""

from functools import partial
from typing import cast

from waypost.agents.learning import Learning
from waypost.grid import Grid
from waypost.indexes import cell_map
from waypost.indexes.base import Index
from waypost.indexes.pair_subgoals import PairSubgoals
from waypost.kernels import dynamic_control, learned, tiles
from waypost.lookahead import new_table

__all__ = ["Dynamic"]

_MOST_GROWTH = 2  # tiles added by a move: one of each table


class Dynamic(Learning):
    """D LRTA*: looks `depth` moves ahead towards the subgoal of its region and the goal's (algorithms 6).

    Up to `deepest` moves, where much was learned.
    What `learned` returns is about the goal; what is learned about a subgoal is soon forgotten.
    """

    kernel = "dynamic_control.walk"

    def __init__(
        self, grid: Grid, *, index: PairSubgoals, depth: int = 3, deepest: int = 10, record: bool = False
    ) -> None:
        super().__init__(grid, looks="plies", learns="best", depth=max(depth, deepest), planes=2, record=record)
        self._state[learned.DEPTH], self._state[learned.DEEPEST] = depth, deepest
        self._state[learned.PROGRESS] = index.progress
        self._near_table = new_table(grid, self._planes)
        database = *index.cell_map, *index.rows, self._near_table
        self._walk = partial(dynamic_control.walk, grid.mask, *database)

    @staticmethod
    def work_of_control(index: Index | None) -> int:
        """Most work of a move beside its lookahead: three regions and a subgoal looked up, and tiles added."""
        return 3 * cell_map.MOST_PROBES + cast("PairSubgoals", index).most_probes + _MOST_GROWTH

    @property
    def target(self) -> tuple[int, int] | None:
        """Where the last move was to lead, as (x, y)."""
        aim = int(self._state[learned.AIM])
        return None if aim < 0 else self.grid.xy(aim)

    def _begin(self) -> None:
        tiles.clear(self._near_table, self._tile_count, self._planes)
        super()._begin()

    def _set_out(self) -> None:
        dynamic_control.begin(self._state, self.cell, self._target)
