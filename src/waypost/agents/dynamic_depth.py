"""LRTA* whose depth of lookahead is chosen before each move: LRTA*(DT,G) and LRTA*(ORACLE,G) (Bulitko et al. 2008)."""

from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from waypost.agents.learning import Learning
from waypost.grid import Grid
from waypost.indexes.base import Index
from waypost.indexes.depth_samples import NO_TREE, new_control
from waypost.indexes.depth_tree import DepthTree
from waypost.kernels import depth_control, depth_features

__all__ = ["DynamicDepth"]


class DynamicDepth(Learning):
    """Looks as far ahead as the tree of its index says or, without one, as far as an oracle knows to be enough."""

    kernel = "depth_control.walk"

    def __init__(self, grid: Grid, *, index: DepthTree | None = None, deepest: int = 1, record: bool = False) -> None:
        if index is None:
            control, nodes = new_control(depth_control.ORACLE, deepest), NO_TREE
        else:
            deepest, presearch = index.deepest, index.presearch
            control, nodes = new_control(depth_control.TREE, deepest, presearch, index.history), index.nodes
        # At least 2: one move ahead would be planned by other rules, which know no plies.
        depth, planes = max(deepest, 2), 1 if index is None else 2
        super().__init__(grid, looks="plies", learns="best", depth=depth, planes=planes, record=record)
        self._control = control
        self._sample = np.zeros((1, depth_features.SAMPLE_COLUMNS), np.float32)
        self._walk = partial(depth_control.walk, grid.mask, *nodes, control, self._sample)

    @staticmethod
    def work_of_control(index: Index | None) -> int:
        """Most work of a move beside its lookahead: comparisons in the tree, and a tile added."""
        return cast("DepthTree", index).levels + 1

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """The features by which the depth of the last move was chosen; all 0 if an oracle has chosen it."""
        return self._sample[0, : depth_features.FEATURES].copy()

    @property
    def depth(self) -> int:
        """How far the last move has looked ahead; 0 before the first."""
        return int(self._sample[0, depth_features.FEATURES])

    def _begin(self) -> None:
        self._sample[:] = 0
        super()._begin()

    def _set_out(self) -> None:
        depth_control.begin(self._state, self._control, self.cell, self._target)
