"""LRTA* under dynamic control: a database of pairs of regions names nearer targets (Bulitko et al. 2008)."""

from functools import partial
from typing import cast

from waypost.agents.learning import Learning
from waypost.grid import Grid
from waypost.indexes import cell_map
from waypost.indexes.base import Index
from waypost.indexes.region_pairs import RegionPairs
from waypost.kernels import dynamic_control, learned, tiles

__all__ = ["Dynamic"]

_MOST_GROWTH = 2  # tiles added by a move: one of each table


class Dynamic(Learning):
    """LRTA*(X, Y): looks `depth` moves ahead, 0 by the index, towards the subgoal of its region and the goal's.

    Without `subgoals`, towards the goal. Up to `deepest` moves, where much was learned.
    What `learned` returns is about the goal; what is learned about a subgoal is soon forgotten.
    """

    kernel = "dynamic_control.walk"

    def __init__(
        self,
        grid: Grid,
        *,
        index: RegionPairs,
        subgoals: bool = True,
        depth: int = 0,
        deepest: int = 0,
        record: bool = False,
    ) -> None:
        most = max(depth, deepest, index.cap)
        super().__init__(grid, looks="plies", learns="best", depth=most, planes=2, record=record)
        settings = {
            learned.HEADS: subgoals,
            learned.PROGRESS: index.progress,
            learned.DEPTH: depth,
            learned.DEEPEST: deepest,
            learned.CAP: index.cap,
            learned.REGIONS: index.region_count,
        }
        self._state[list(settings)] = list(settings.values())
        self._near_table = self._new_table()
        database = *index.cell_map, *index.rows, index.run_depths, index.pair_depths
        self._walk = partial(dynamic_control.walk, grid.mask, *database, self._near_table)

    @staticmethod
    def work_of_control(index: Index | None) -> int:
        """Most work of a move beside its lookahead: regions, a subgoal and a depth looked up, and tiles added."""
        return 5 * cell_map.MOST_PROBES + 1 + cast("RegionPairs", index).most_probes + _MOST_GROWTH

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
