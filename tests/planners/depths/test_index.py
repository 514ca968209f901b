"""Trees of lookahead depths: what they are trained to, which are refused, and that they go from map to map."""

import sys

import numpy as np
import pytest

import waypost as wp
from waypost.errors import IndexFileError, WaypostError
from waypost.indexes.building import Works
from waypost.planners.depths.fit import fit_tree
from waypost.planners.depths.index import DepthTree, train
from waypost.planners.depths.samples import Samples

PARAMS = {"deepest": 5, "presearch": 1, "history": 60, "problems": 20, "seed": 1, "leaf": 20}
LEAF = {"feature": [-1], "threshold": [0.0], "right": [0], "depth": [2]}
STUMP = {"feature": [3, -1, -1], "threshold": [1.5, 0.0, 0.0], "right": [2, 0, 0], "depth": [0, 1, 5]}
DTYPES = {"feature": np.int8, "threshold": np.float64, "right": np.int32, "depth": np.uint8}


def tree_of(**columns):
    arrays = {name: np.array(columns[name], dtype) for name, dtype in DTYPES.items()}
    return DepthTree.from_arrays(wp.grid_from_text(".."), PARAMS, arrays)


def samples_of(features, labels, problems):
    return Samples(np.array(features, np.float32), np.array(labels, np.uint8), np.array(problems, np.int32))


def test_trees_that_are_none_are_refused():
    assert tree_of(**LEAF).levels == 0
    assert tree_of(**STUMP).levels == 1
    for change in (
        {"depth": [0, 1, 6]},
        {"depth": [0, 0, 5]},
        {"depth": [1, 1, 5]},
        {"feature": [11, -1, -1]},
        {"feature": [-2, -1, -1]},
        {"feature": [3, 3, -1]},
        {"right": [1, 0, 0]},
        {"right": [3, 0, 0]},
        {"right": [2, 1, 0]},
        {"threshold": [np.nan, 0.0, 0.0]},
        {"threshold": [1.5, 0.0]},
    ):
        with pytest.raises(IndexFileError):
            tree_of(**(STUMP | change))


def test_what_can_be_told_apart_is_learned():
    random = np.random.default_rng(3)
    features = random.random((600, 11))
    labels = np.where(features[:, 2] < 0.4, 1, np.where(features[:, 9] < 0.5, 3, 5))
    fit = fit_tree(
        samples_of(features, labels, np.arange(600) // 20),
        np.arange(600, dtype=np.int32) // 20,
        deepest=5,
        leaf=20,
        seed=0,
    )
    assert fit.accuracy > 0.95
    assert fit.confusion.shape == (5, 5)
    assert fit.confusion.sum() == 600
    assert fit.confusion[[1, 3]].sum() == 0
    assert set(fit.arrays["feature"].tolist()) == {-1, 2, 9}
    assert fit.arrays["depth"].tolist() == [0, 1, 0, 3, 5]


def test_one_problem_is_not_cross_validated():
    fit = fit_tree(samples_of([[0] * 11], [4], [0]), np.zeros(1, np.int32), deepest=5, leaf=1, seed=0)
    assert np.isnan(fit.accuracy)
    assert fit.arrays["depth"].tolist() == [4]


def test_without_samples_it_looks_as_far_as_it_may():
    (depth,) = train([wp.grid_from_text(".#.")], PARAMS, Works(1)).arrays["depth"]
    assert depth == PARAMS["deepest"]


def test_training_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.tree", None)
    with pytest.raises(WaypostError, match=r'trained trees need an optional package; .*"waypost\[learn\]"'):
        wp.build("lrta-dt-g", wp.grid_from_text("...."))


def test_a_tree_of_many_maps_is_used_on_another(waypost, tmp_path):
    file = tmp_path / "tree.waypost"
    options = ("--problems", 8, "--deepest", 6, "--leaf", 20, "--seed", 3)
    status, out, _ = waypost("train-depth", "caves", "rooms", "-o", file, *options)
    assert status == 0
    assert "cross-validated by map" in out
    assert f"Wrote {file}: " in out
    content = file.read_bytes()
    assert waypost("train-depth", "caves", "rooms", "-o", file, *options, "--threads", 1)[0] == 0
    assert file.read_bytes() == content
    status, out, _ = waypost("info", file)
    for words in ("lrta-dt-g", "accuracy", "caves, rooms"):
        assert words in out
    assert waypost("run", "city", "--index", file, "--problems", 3)[0] == 0
    planner = wp.load(file, wp.load_map("outdoor", diagonals="never"))
    assert len(planner.path((5, 5), (60, 60), nearest=True)) > 1


def test_one_map_is_split_by_problem_and_pruning_can_be_given(waypost, tmp_path):
    file = tmp_path / "tree.waypost"
    status, out, _ = waypost("train-depth", "rooms", "-o", file, "--problems", 5, "--deepest", 4, "--pruning", 0.5)
    assert status == 0
    assert "cross-validated by problem" in out
    assert " 1 nodes" in out
    assert wp.load(file, wp.load_map("rooms")).facts["pruning"] == 0.5


def test_bad_options_are_refused(refused, tmp_path):
    assert "deepest of lrta-dt-g must be from 1 to 50" in refused(
        "train-depth", "rooms", "-o", tmp_path / "a.waypost", "--deepest", 51
    )
