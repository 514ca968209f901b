import numpy as np
import pytest

import waypost as wp
from waypost.maps import generate
from waypost.maps.movingai import read_map

BUNDLED = {"caves": (160, 100, 7), "maze": (100, 70, 1), "rooms": (99, 69, 1)}
"""How the maps that come with Waypost were made: width, height, seed."""


@pytest.mark.parametrize("kind", generate.GENERATORS)
def test_generated_maps_are_seeded_and_connected(kind):
    make = generate.GENERATORS[kind]
    for seed in range(5):
        is_open = make(50, 40, seed)
        assert is_open.shape == (40, 50)
        assert np.array_equal(is_open, make(50, 40, seed))
        assert not np.array_equal(is_open, make(50, 40, seed + 1))
        assert wp.Grid(is_open).component_count == 1
        assert is_open.mean() > 0.25
    with pytest.raises(wp.WaypostError, match="at least 8 x 8"):
        make(3, 40)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_maps_are_what_their_generator_makes(name):
    assert sorted(BUNDLED) == wp.bundled_maps()
    assert np.array_equal(wp.load_map(name).is_open, generate.GENERATORS[name](*BUNDLED[name]))


def test_a_file_goes_before_a_bundled_map(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "caves.map").write_text("type octile\nheight 1\nwidth 2\nmap\n..\n")
    assert read_map("caves.map").shape == (1, 2)
    assert wp.load_map("caves.map").width == 2
    assert wp.load_map("caves").width == 160
