"""A decision tree that says how far to look ahead: LRTA*(DT,G) (Bulitko et al. 2008, 5.1; algorithms 4.4).

It is about situations and not about places, so a tree that was trained on one map can be used on any other.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import Index, require
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_within
from waypost.planners.depths.fit import ALPHAS, Fit, fit_tree
from waypost.planners.depths.kernels.control import Tree
from waypost.planners.depths.kernels.features import FEATURES
from waypost.planners.depths.samples import Samples, take_samples
from waypost.world.grid import Grid

__all__ = ["DepthTree", "train"]

_SAMPLING = ("problems", "seed", "deepest", "presearch", "history")


def train(grids: Sequence[Grid], params: Mapping[str, Any], works: Works, alpha: float | None = None) -> Fit:
    """A tree for all these maps, pruned by alpha if one is given; cross-validated by map, by problem if there is one.

    `params` are those of the index.
    """
    sampling = {name: int(params[name]) for name in _SAMPLING}
    taken = [take_samples(grid, works, f"walks, map {i + 1}", **sampling) for i, grid in enumerate(grids)]
    samples = Samples(*(np.concatenate(column) for column in zip(*taken, strict=True)))
    sizes = [of_map.labels.size for of_map in taken]
    groups = samples.problems if len(grids) == 1 else np.repeat(np.arange(len(grids), dtype=np.int32), sizes)
    fitting = {name: int(params[name]) for name in ("deepest", "leaf", "seed")}
    return fit_tree(samples, groups, **fitting, alphas=ALPHAS if alpha is None else (alpha,))


_BYTES = Growth(500.0)
_SECONDS = Growth(0.07, params={"problems": 1.0})


class DepthTree(Index):
    """Nodes of a tree, each before its left part and that before its right part."""

    any_map = True

    def __init__(self, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays)
        self.deepest, self.presearch, self.history = (int(params[name]) for name in _SAMPLING[2:])

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the problems to train with."""
        return Forecast(_BYTES.of(shape), _SECONDS.of(shape, params))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Train a tree on the map itself."""
        return cls.from_arrays(grid, params, train([grid], params, works).arrays)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The tree of these arrays, whatever the grid: every way down it ends at a leaf that says a depth."""
        del grid
        wanted = {"feature": np.int8, "threshold": np.float64, "right": np.int32, "depth": np.uint8}
        require(arrays, {name: (dtype, 1) for name, dtype in wanted.items()})
        feature, right, depth = (arrays[name] for name in ("feature", "right", "depth"))
        nodes = np.arange(feature.size)
        if feature.size == 0 or any(array.size != feature.size for array in arrays.values()):
            raise IndexFileError("a tree needs a node at least, and the same number of entries in each of its arrays")
        check_within("feature", feature, -1, FEATURES)
        leaf = feature < 0
        check_within("depth", depth[leaf], 1, int(params["deepest"]) + 1)
        if (right[leaf] != 0).any() or (depth[~leaf] != 0).any() or not np.isfinite(arrays["threshold"]).all():
            raise IndexFileError("a leaf must have a depth and no child, and every other node a threshold and children")
        if (right[~leaf] <= nodes[~leaf] + 1).any() or (right[~leaf] >= feature.size).any():
            raise IndexFileError("the children of a node must come after it, the left one first")
        return cls(params, arrays)

    @property
    def nodes(self) -> Tree:
        """The nodes, as kernels take them."""
        arrays = self.arrays
        return Tree(
            features=arrays["feature"], thresholds=arrays["threshold"], rights=arrays["right"], depths=arrays["depth"]
        )

    @property
    def states(self) -> int:
        """Nodes of the tree."""
        return int(self.arrays["feature"].size)

    @cached_property
    def levels(self) -> int:
        """Most comparisons on a way from the root to a leaf."""
        feature, right = self.arrays["feature"], self.arrays["right"]
        level = np.zeros(feature.size, np.int64)
        for node in np.flatnonzero(feature >= 0).tolist():
            for child in (node + 1, int(right[node])):
                level[child] = max(level[child], level[node] + 1)
        return int(level.max())
