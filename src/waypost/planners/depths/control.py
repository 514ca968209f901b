"""Lookahead depths by a decision tree or by an oracle, for every move (dynamic control; Bulitko et al. 2008)."""

from collections.abc import Callable
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.planners.depths.index import DepthTree
from waypost.planners.depths.kernels import many, walk
from waypost.planners.depths.kernels.control import ORACLE, TREE, Settings, new_control
from waypost.planners.depths.kernels.features import FEATURES, SAMPLE_COLUMNS
from waypost.planners.depths.samples import NO_TREE
from waypost.planners.learning.kernels import state
from waypost.world.grid import Grid

__all__ = ["DepthControl"]

_MOST_GROWTH = 1  # tiles added by a move


class DepthControl:
    """LRTA*(DT,G): looks as far as the tree of the index says. Without one LRTA*(ORACLE,G), `deepest` moves at most."""

    planes = 2
    """Of tables: learned values, and the last move made in a cell."""

    def __init__(self, grid: Grid, index: DepthTree | None = None, *, depth: int, deepest: int = 1) -> None:
        del depth  # it is chosen
        settings, nodes = Settings(rule=ORACLE, deepest=deepest), NO_TREE
        if index is not None:
            settings = Settings(rule=TREE, deepest=index.deepest, presearch=index.presearch, history=index.history)
            nodes = index.nodes
        self._control = new_control(settings)
        self.most_depth = max(settings.deepest, 2)  # a single move ahead would be planned without plies
        self.begin = partial(walk.begin, self._control)
        self._sample = np.zeros((1, SAMPLE_COLUMNS), np.float32)
        self._walk: partial[int] = partial(walk.walk, grid.mask, tuple(nodes), self._control, self._sample)

    def set_up(self, settings: state.Settings, new_table: Callable[[], npt.NDArray[np.int32]]) -> Callable[..., int]:
        """What makes the agent's moves, given a table, the agent's words, events and a log."""
        del settings, new_table
        return self._walk

    def solver(
        self, table: npt.NDArray[np.int32], words: npt.NDArray[np.int64], events: npt.NDArray[np.int64]
    ) -> Callable[..., int]:
        """A kernel that solves many problems of an agent with these arrays."""
        mine = *self._walk.args, table, words, events
        begin_at, walk_at = address_of(self.begin, words, 0, 0), address_of(walk.walk, *mine, new_log(1))
        return partial(many.solve, *mine, begin_at, walk_at)

    def aim(self, goal: int) -> int:
        """The goal itself."""
        return goal

    def clear(self) -> None:
        """Forget the last move."""
        self._sample[:] = 0

    @staticmethod
    def work_bound(index: Index | None) -> int:
        """Most work of a move beside its lookahead: comparisons in the tree, and a tile added."""
        return _MOST_GROWTH + (0 if index is None else cast("DepthTree", index).levels)

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """The features by which the depth of the last move was chosen; all 0 if an oracle has chosen it."""
        return self._sample[0, :FEATURES].copy()

    @property
    def depth(self) -> int:
        """How far the last move has looked ahead; 0 before the first."""
        return int(self._sample[0, FEATURES])
