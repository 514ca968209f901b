"""Trees of depths fitted to samples, by scikit-learn: needed to train a tree, never to use one (2008, 5.1)."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.planners.depths.samples import Samples
from waypost.system.extras import need

__all__ = ["ALPHAS", "Fit", "fit_tree"]

ALPHAS = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2)
"""Of minimal cost-complexity pruning: those among which cross-validation chooses."""
_FOLDS = 5
_MOST_LEVELS = 64  # so that a walk down a tree is bounded
_LEAF = -1

_Node = tuple[int, float, int, int]  # feature, threshold, right child counted from here, depth
_Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Fit:
    """A tree, and what cross-validation says of trees like it."""

    arrays: _Arrays
    alpha: float
    """By which the tree was pruned."""
    confusion: npt.NDArray[np.int64]
    """How often a sample of label i + 1 was given depth j + 1 by a tree that had not seen it; empty without folds."""

    @property
    def accuracy(self) -> float:
        """The share of right answers in cross-validation; NaN without folds."""
        total = self.confusion.sum()
        return float(np.trace(self.confusion) / total) if total else float("nan")


def fit_tree(
    samples: Samples,
    groups: npt.NDArray[np.int32],
    *,
    deepest: int,
    leaf: int,
    seed: int,
    alphas: Sequence[float] = ALPHAS,
) -> Fit:
    """A pruned tree for these samples; cross-validation never has samples of one group on both sides."""
    none = np.zeros((deepest, deepest), np.int64)
    if samples.labels.size == 0:
        return Fit(_arrays([(_LEAF, 0.0, 0, deepest)]), 0.0, none)
    trees = need("sklearn.tree", "trained trees", "learn")

    def trained(chosen: npt.NDArray[np.bool_] | slice, alpha: float) -> Any:
        tree = trees.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=leaf, ccp_alpha=alpha, max_depth=_MOST_LEVELS, random_state=seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that there are many classes for so few samples
            return tree.fit(samples.features[chosen], samples.labels[chosen])

    alpha, confusion = alphas[0], none
    folds = min(_FOLDS, int(groups.max()) + 1)
    if folds > 1:
        for candidate in alphas:
            tried = none.copy()
            for fold in range(folds):
                held_out = groups % folds == fold
                said = trained(~held_out, candidate).predict(samples.features[held_out])
                np.add.at(tried, (samples.labels[held_out].astype(int) - 1, said.astype(int) - 1), 1)
            if np.trace(tried) >= np.trace(confusion):
                alpha, confusion = candidate, tried
    return Fit(_arrays(_nodes(trained(slice(None), alpha))), alpha, confusion)


def _nodes(tree: Any) -> list[_Node]:
    """The nodes of a fitted tree, each before its left part and that before its right part."""
    inner, classes = tree.tree_, tree.classes_

    def from_node(node: int) -> list[_Node]:
        if inner.children_left[node] < 0:
            return [(_LEAF, 0.0, 0, int(classes[inner.value[node][0].argmax()]))]
        left, right = from_node(inner.children_left[node]), from_node(inner.children_right[node])
        if len(left) == 1 and left == right:  # both say the same: there is nothing to ask
            return left
        return [(int(inner.feature[node]), float(inner.threshold[node]), 1 + len(left), 0), *left, *right]

    return from_node(0)


def _arrays(nodes: list[_Node]) -> _Arrays:
    """Nodes as arrays, as an index stores them."""
    features, thresholds, rights, depths = zip(*nodes, strict=True)
    here = np.arange(len(nodes), dtype=np.int32)
    return {
        "feature": np.array(features, np.int8),
        "threshold": np.array(thresholds, np.float64),
        "right": np.where(np.array(features) == _LEAF, 0, here + np.array(rights)).astype(np.int32),
        "depth": np.array(depths, np.uint8),
    }
