import builtins
import importlib

import numpy as np
import pytest

import waypost as wp
from tests.support.tiled_files import tmx
from waypost.maps.load import READERS, WRITERS

GRID = wp.Grid(np.random.default_rng(4).random((11, 17)) < 0.7)


@pytest.mark.parametrize("ending", [*WRITERS, ".PNG", ".Map"])
def test_what_is_saved_is_loaded(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    wp.save_map(GRID, path)
    assert wp.load_map(path).fingerprint == GRID.fingerprint
    assert wp.load_map(str(path), diagonals="never", costs="1.4").diagonals == "never"


def test_options_of_another_format_are_refused(tmp_path):
    wp.save_map(GRID, tmp_path / "a.png")
    with pytest.raises(wp.WaypostError, match="has no option 'layer': as a map of its format it takes threshold"):
        wp.load_map(tmp_path / "a.png", layer="Walls")
    with pytest.raises(wp.WaypostError, match="'threshold': as a map of its format it takes none"):
        wp.load_map("caves", threshold=3)
    with pytest.raises(wp.WaypostError, match="'resolution': as a map of its format it takes none"):
        wp.save_map(GRID, tmp_path / "a.npy", resolution=1)
    assert wp.load_map(tmp_path / "a.png", threshold=1).fingerprint == GRID.fingerprint


@pytest.mark.parametrize("name", ["a.bmp", "a", "a.map.gz", "a.tmx", "a.pgm"])
def test_formats_that_cannot_be_written(tmp_path, name):
    with pytest.raises(wp.WaypostError, match=r"not a format that can be written; use one of \.map \.png \.yaml"):
        wp.save_map(GRID, tmp_path / name)
    assert not any(tmp_path.iterdir())
    with pytest.raises(wp.WaypostError, match="save_map takes the path"):
        wp.save_map(GRID, 7)
    with pytest.raises(wp.WaypostError, match="save_map saves a Grid, not ndarray"):
        wp.save_map(GRID.is_open, tmp_path / "a.map")


@pytest.mark.parametrize("ending", [".png", ".yaml"])
def test_images_that_could_not_be_read_back_are_not_written(tmp_path, monkeypatch, ending):
    monkeypatch.setattr("waypost.maps.image.MOST_PIXELS", GRID.cell_count - 1)
    monkeypatch.setattr("waypost.maps.ros.MOST_PLAIN_PIXELS", GRID.cell_count - 1)
    with pytest.raises(wp.WaypostError, match="the map is too large for an image: 17 x 11"):
        wp.save_map(GRID, tmp_path / f"a{ending}")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.bmp", "a", "a.npz"])
def test_formats_that_cannot_be_read(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(wp.WaypostError, match=r"not a format that can be read; use one of \.map \.png \.pgm"):
        wp.load_map(tmp_path / name)


@pytest.mark.parametrize("ending", [".png", ".pgm", ".yaml", ".tmx"])
def test_missing_packages_are_named_in_one_sentence(tmp_path, monkeypatch, ending):
    path = tmp_path / f"a{ending}"
    if ending == ".tmx":
        path.write_text(tmx(3, 2, ""))
    else:
        wp.save_map(GRID, tmp_path / "a.yaml")
        wp.save_map(GRID, tmp_path / "a.png")
    really = importlib.import_module

    def without_extras(name, *rest):
        if name.split(".")[0] in ("PIL", "yaml", "pytiled_parser"):
            raise ImportError(name)
        return really(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without_extras)
    with pytest.raises(wp.WaypostError, match=r'pip install "waypost\[maps\]"$'):
        wp.load_map(path)


def test_optional_packages_are_imported_only_when_needed(monkeypatch, tmp_path):
    wp.save_map(GRID, tmp_path / "a.yaml")  # needs none of them, nor do these
    wp.save_map(GRID, tmp_path / "a.npy")
    really = builtins.__import__

    def without_extras(name, *rest):
        assert name.split(".")[0] not in ("PIL", "yaml", "pytiled_parser")
        return really(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_extras)
    assert wp.load_map("caves").width
    assert wp.load_map(tmp_path / "a.npy").fingerprint == GRID.fingerprint


def test_the_docstring_names_every_format():
    for ending in READERS:
        assert ending in (wp.load_map.__doc__ or "") or ending == ".yml"
    for ending in WRITERS:
        assert ending in (wp.save_map.__doc__ or "") or ending == ".yml"
