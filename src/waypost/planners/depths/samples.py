"""Samples to train a tree of depths by: what an agent that looks as far as it may has met on the way (2008, 5.1).

The exact rules are in docs/planners/depth-tree-rules.md, under "Training".
"""

from collections.abc import Callable, Sequence
from threading import local
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.indexes.base import read_only
from waypost.indexes.building import Arrays, Works, are_just
from waypost.kernels import tiles
from waypost.kernels.events import EVENT_COLUMNS
from waypost.planners.depths.kernels import walk
from waypost.planners.depths.kernels.control import ALWAYS_DEEPEST, Settings, Tree, new_control
from waypost.planners.depths.kernels.features import FEATURES, SAMPLE_COLUMNS
from waypost.planners.learning.kernels.sizes import new_words
from waypost.planners.learning.settings import settings_on
from waypost.world.grid import Grid
from waypost.world.problem import Problem, sample_problems

__all__ = ["NO_TREE", "Samples", "take_samples"]

_MOST_MOVES = 1000  # of one problem: a few hard ones should not outweigh all others

_PLANES = 2  # of the table: learned values, and the last move made in a cell

NO_TREE = Tree(np.full(1, -1, np.int8), np.zeros(1), np.zeros(1, np.int32), np.ones(1, np.uint8))
"""A tree that nobody asks."""
read_only(*NO_TREE)
_walk: Callable[..., int] = walk.walk


class Samples(NamedTuple):
    """One sample per move."""

    features: npt.NDArray[np.float32]
    """A row of eleven for each."""
    labels: npt.NDArray[np.uint8]
    problems: npt.NDArray[np.int32]
    """The number of the problem that a sample is from."""


def take_samples(
    grid: Grid, works: Works, title: str, *, problems: int, seed: int, deepest: int, presearch: int, history: int
) -> Samples:
    """Walk on random problems of a map and note what each move was decided by; none where nothing is connected."""
    connected = grid.component_sizes.max(initial=0) > 1
    drawn = sample_problems(grid, problems, seed) if connected else []
    own = local()  # scratch belongs to a thread

    def make(first: int, last: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        if not hasattr(own, "driver"):
            own.driver = _Driver(grid, deepest, presearch, history)
        rows, counts = own.driver.drive(drawn[first:last])
        return rows, counts

    def fits(first: int, last: int, found: Arrays) -> bool:
        rows, counts = found
        expected = (int(counts.sum()), SAMPLE_COLUMNS)
        if not are_just(found, (np.float32, expected), (np.int32, (last - first,))) or counts.min() < 0:
            return False
        labels = rows[:, FEATURES]
        return bool(np.isfinite(rows).all() and ((labels >= 1) & (labels <= deepest)).all())

    parts = works.parts(title, len(drawn), make, fits=fits)
    rows, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    features, labels = rows[:, :FEATURES], rows[:, FEATURES]
    numbers = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    return Samples(np.ascontiguousarray(features), labels.astype(np.uint8), numbers)


class _Driver:
    """Walks by the greatest depth, one problem after the other, each as if it were the first."""

    def __init__(self, grid: Grid, deepest: int, presearch: int, history: int) -> None:
        settings = settings_on(grid, looks="plies", learns="best", extent=max(deepest, presearch), planes=_PLANES)
        self._tile_count = settings.tile_count
        self._words = new_words(settings, grid.width, grid.height)
        self._table = np.zeros(tiles.table_size(self._tile_count, _PLANES), np.int32)
        rule = Settings(rule=ALWAYS_DEEPEST, deepest=deepest, presearch=presearch, history=history)
        self._control = new_control(rule)
        self._world = grid.mask, tuple(NO_TREE)
        self._events = np.empty((0, EVENT_COLUMNS), np.int64)
        self._samples = np.zeros((_MOST_MOVES, SAMPLE_COLUMNS), np.float32)
        self._log = new_log(_MOST_MOVES)

    def drive(self, problems: Sequence[Problem]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """The samples of some problems, and how many each has."""
        rows = [self._samples[:0].copy()]
        for problem in problems:
            tiles.clear(self._table, self._tile_count, _PLANES)
            walk.begin(self._control, self._words, problem.start, problem.goal)
            made = _walk(*self._world, self._control, self._samples, self._table, self._words, self._events, self._log)
            rows.append(self._samples[:made].copy())
        counts = [len(of_problem) for of_problem in rows[1:]]
        return np.concatenate(rows), np.array(counts, np.int32)
