"""Samples to train a tree of depths by: what an agent that looks as far as it may has met on the way (2008, 5.1).

The exact rules are in docs/planners/depth-tree-rules.md, under "Training".
"""

from collections.abc import Callable, Sequence
from threading import local
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import read_only
from waypost.indexes.building import Works
from waypost.kernels import depth_control, depth_features, learning, rooms, tiles
from waypost.problem import Problem, sample_problems

__all__ = ["NO_TREE", "Samples", "new_control", "take_samples"]

_MOST_MOVES = 1000  # of one problem: a few hard ones should not outweigh all others

_PLANES = 2  # of the table: learned values, and the last move made in a cell

NO_TREE = read_only(np.full(1, -1, np.int8), np.zeros(1), np.zeros(1, np.int32), np.ones(1, np.uint8))
"""Features, thresholds, right children and depths of a tree that nobody asks."""
_walk: Callable[..., int] = depth_control.walk


class Samples(NamedTuple):
    """One sample per move."""

    features: npt.NDArray[np.float32]
    """A row of eleven for each."""
    labels: npt.NDArray[np.uint8]
    problems: npt.NDArray[np.int32]
    """The number of the problem that a sample is from."""


def new_control(rule: int, deepest: int, presearch: int = 0, history: int = 1) -> npt.NDArray[np.int64]:
    """The control array of an agent with such settings."""
    control = np.zeros(depth_features.control_size(history, max(deepest, presearch)), np.int64)
    control[depth_features.RULE] = rule
    control[depth_features.DEEPEST] = deepest
    control[depth_features.PRESEARCH] = presearch
    control[depth_features.HISTORY] = history
    return control


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

    parts = works.parts(title, len(drawn), make)
    rows, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    features, labels = rows[:, : depth_features.FEATURES], rows[:, depth_features.FEATURES]
    numbers = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    return Samples(np.ascontiguousarray(features), labels.astype(np.uint8), numbers)


class _Driver:
    """Walks by the greatest depth, one problem after the other, each as if it were the first."""

    def __init__(self, grid: Grid, deepest: int, presearch: int, history: int) -> None:
        self._mask = grid.mask
        across = tiles.tiles_across(grid.stride)
        self._tile_count = across * tiles.tiles_across(grid.height + 2)
        settings = {
            "stride": grid.stride,
            "straight": grid.costs.straight,
            "diagonal": grid.costs.diagonal,
            "across": across,
            "tile_count": self._tile_count,
            "planes": _PLANES,
            "extent": max(deepest, presearch),
        }
        self._state = rooms.state_of(settings, "plies", "best", (grid.width, grid.height))
        self._table = np.zeros(tiles.table_size(self._tile_count, _PLANES), np.int32)
        self._control = new_control(depth_control.ALWAYS_DEEPEST, deepest, presearch, history)
        self._events = np.empty((0, 5), np.int64)
        self._samples = np.zeros((_MOST_MOVES, depth_features.SAMPLE_COLUMNS), np.float32)
        self._log = np.empty(_MOST_MOVES * (1 + learning.COUNTERS), np.int32)

    def drive(self, problems: Sequence[Problem]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """The samples of some problems, and how many each has."""
        rows = [self._samples[:0].copy()]
        for problem in problems:
            tiles.clear(self._table, self._tile_count, _PLANES)
            depth_control.begin(self._control, self._state, problem.start, problem.goal)
            made = _walk(
                self._mask,
                *NO_TREE,
                self._control,
                self._samples,
                self._table,
                self._state,
                self._events,
                self._log,
            )
            rows.append(self._samples[:made].copy())
        counts = [len(of_problem) for of_problem in rows[1:]]
        return np.concatenate(rows), np.array(counts, np.int32)
