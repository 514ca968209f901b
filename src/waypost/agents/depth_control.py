"""Lookahead depths by a decision tree or by an oracle, for every move (dynamic control; Bulitko et al. 2008)."""

from collections.abc import Callable
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import Index
from waypost.indexes.depth_samples import NO_TREE, new_control
from waypost.indexes.depth_tree import DepthTree
from waypost.kernels import depth_control, depth_features

__all__ = ["DepthControl"]

_MOST_GROWTH = 1  # tiles added by a move


class DepthControl:
    """LRTA*(DT,G): looks as far as the tree of the index says. Without one LRTA*(ORACLE,G), `deepest` moves at most."""

    kernel = "depth_control.walk"
    planes = 2
    """Of tables: learned values, and the last move made in a cell."""

    def __init__(self, grid: Grid, index: DepthTree | None, *, depth: int, deepest: int = 1) -> None:
        del depth  # it is chosen
        if index is None:
            self._control, nodes = new_control(depth_control.ORACLE, deepest), NO_TREE
        else:
            deepest, presearch = index.deepest, index.presearch
            self._control, nodes = new_control(depth_control.TREE, deepest, presearch, index.history), index.nodes
        self.most_depth = max(deepest, 2)  # a single move ahead would be planned without plies
        self.begin = partial(depth_control.begin, self._control)
        self._sample = np.zeros((1, depth_features.SAMPLE_COLUMNS), np.float32)
        walk: Callable[..., int] = depth_control.walk
        self._walk = partial(walk, grid.mask, *nodes, self._control, self._sample)

    def set_up(
        self, state: npt.NDArray[np.int64], new_table: Callable[[], npt.NDArray[np.int32]]
    ) -> Callable[..., int]:
        """What makes the agent's moves, given a table, the state, events and a log."""
        del state, new_table
        return self._walk

    def clear(self, state: npt.NDArray[np.int64]) -> None:
        """Forget the last move."""
        del state
        self._sample[:] = 0

    @staticmethod
    def work_bound(index: Index | None) -> int:
        """Most work of a move beside its lookahead: comparisons in the tree, and a tile added."""
        return _MOST_GROWTH + (0 if index is None else cast("DepthTree", index).levels)

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """The features by which the depth of the last move was chosen; all 0 if an oracle has chosen it."""
        return self._sample[0, : depth_features.FEATURES].copy()

    @property
    def depth(self) -> int:
        """How far the last move has looked ahead; 0 before the first."""
        return int(self._sample[0, depth_features.FEATURES])
