import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

import waypost as wp
from waypost.errors import ParameterError
from waypost.maps import generate
from waypost.maps.generate.noise import noise_levels, quantile
from waypost.maps.generate.parts import one_part
from waypost.maps.movingai import read_map

BUNDLED = {
    "caves": (160, 100, 7),
    "city": (160, 120, 5),
    "maze": (100, 70, 1),
    "outdoor": (160, 120, 6),
    "rooms": (99, 69, 1),
}
"""How the maps that come with Waypost were made: width, height, seed."""

DIGESTS = {
    "blobs": "741dbe14cd025c6d",
    "caves": "7c40745f64386a7e",
    "city": "94a8e1fe00a241d2",
    "maze": "69c3e851e2aeb379",
    "outdoor": "875840bb97c6c42a",
    "rooms": "a1fa31fa16353aac",
}
"""The maps of 61 x 47 cells with seed 11 are these on every machine."""

each_kind = pytest.mark.parametrize("kind", generate.GENERATORS)


@each_kind
def test_generated_maps_are_seeded_and_connected(kind):
    make = generate.GENERATORS[kind]
    for seed in range(5):
        is_open = make(50, 40, seed)
        assert is_open.shape == (40, 50)
        assert is_open.dtype == np.bool_
        assert np.array_equal(is_open, make(50, 40, seed))
        assert not np.array_equal(is_open, make(50, 40, seed + 1))
        assert wp.Grid(is_open).component_count == 1
        assert is_open.mean() > 0.25
    with pytest.raises(wp.WaypostError, match="at least 8 x 8"):
        make(3, 40)


@each_kind
def test_generated_maps_are_the_same_on_every_machine(kind):
    is_open = generate.GENERATORS[kind](61, 47, 11)
    assert hashlib.sha256(np.packbits(is_open).tobytes()).hexdigest()[:16] == DIGESTS[kind]


def extremes(kind):
    """Every parameter of a kind at the ends of its range, the others left alone."""
    for name, (_, known) in generate.parameters(generate.GENERATORS[kind]).items():
        for value in (known.lowest, known.highest):
            yield {name: value}


@each_kind
@pytest.mark.parametrize("shape", [(8, 8), (9, 120), (120, 9), (33, 34)])
def test_every_shape_and_range_gives_one_part(kind, shape):
    for params in [{}, *extremes(kind)]:
        for seed in range(6):
            is_open = generate.generate(kind, *shape, seed, **params)
            assert is_open.shape == shape[::-1]
            assert wp.Grid(is_open).component_count == 1, (params, seed)


@each_kind
def test_parameters_matter_and_text_is_taken(kind):
    make = generate.GENERATORS[kind]
    usual = make(200, 170, 3)
    for name, (default, known) in generate.parameters(make).items():
        assert known.lowest <= default <= known.highest
        assert np.array_equal(make(200, 170, 3, **{name: str(default)}), usual)
        assert any(not np.array_equal(make(200, 170, 3, **{name: v}), usual) for v in (known.lowest, known.highest))


@pytest.mark.parametrize(
    ("kind", "params", "complaint"),
    [
        ("caves", {"walls": 0.9}, "walls of caves must be from 0.3 to 0.55, not 0.9"),
        ("caves", {"walls": float("nan")}, "walls of caves must be a number, not nan"),
        ("rooms", {"size": 2.5}, "size of rooms must be a whole number, not 2.5"),
        ("rooms", {"size": True}, "size of rooms must be a whole number, not True"),
        ("rooms", {"size": "many"}, "size of rooms must be a whole number, not 'many'"),
        ("city", {"blok": 20}, "city has no parameter called 'blok'; did you mean 'block'?"),
        ("maze", {"colour": 1}, "maze has no parameter called 'colour'; it takes corridor"),
        ("maze", {"width": 9}, "maze takes width, height and seed once each"),
        ("citty", {}, "there is no kind of map called 'citty'; did you mean 'city'?"),
        ("sea", {}, "there are blobs, caves, city, maze, outdoor, rooms"),
        (7, {}, "there is no kind of map called 7"),
    ],
)
def test_refusals(kind, params, complaint):
    with pytest.raises(ParameterError, match=re.escape(complaint)):
        generate.generate(kind, 40, 30, 1, **params)


def test_sizes_and_seeds_are_checked():
    for arguments in ((40.5, 30), ("40", 30), (40, 30, -1), (40, 30, None), (40, True)):
        with pytest.raises(ParameterError, match="whole number of at least 0"):
            generate.caves(*arguments)
    with pytest.raises(wp.WaypostError, match="too large"):
        generate.blobs(10**6, 10**6)
    with pytest.raises(ParameterError, match="all else by name"):
        generate.caves(40, 30, 1, 0.4)
    with pytest.raises(TypeError, match="a width and a height"):
        generate.caves(40)
    assert generate.caves(height=30, width=np.int32(40)).shape == (30, 40)


def test_one_part_keeps_most_of_what_is_open():
    random = np.random.default_rng(5)
    for _ in range(100):
        is_open = random.random(random.integers(8, 40, 2)) < random.random()
        for percent in (1, 40):
            kept = one_part(is_open, percent)
            assert wp.Grid(kept).component_count == 1
            assert np.count_nonzero(kept & is_open) >= 0.6 * np.count_nonzero(is_open)
    halves = np.ones((20, 30), bool)
    halves[:, 12] = False
    assert np.count_nonzero(one_part(halves)[:, 12]) == 1, "one door between the halves"
    assert one_part(np.zeros((20, 30), bool)).any()


def test_both_banks_of_a_river_stay():
    for seed in range(20):
        banks = generate.outdoor(120, 90, seed, forests=0, lakes=0, rivers=1, bridges=1000)
        assert banks.mean() > 0.85


def test_blobs_cover_their_share():
    for walls in (0.05, 0.3, 0.5):
        for radius in (1, 5, 12):
            is_open = generate.blobs(200, 200, 1, walls=walls, radius=radius)
            assert is_open.mean() == pytest.approx(1 - walls, abs=0.05)


def test_quantiles_of_noise():
    levels = noise_levels(np.random.default_rng(1), 150, 130, 20, 3)
    assert levels.std() > 20
    assert quantile(levels, 0) == 0
    for share in (0.1, 0.5, 0.9):
        assert np.mean(levels < quantile(levels, share)) == pytest.approx(share, abs=0.03)


def test_the_documentation_lists_every_parameter():
    page = (Path(__file__).parents[3] / "docs" / "generators.md").read_text()
    for kind, make in generate.GENERATORS.items():
        for name, (default, known) in generate.parameters(make).items():
            row = f"| `{kind}` | `{name}` | {default:g} | {known.lowest:g} to {known.highest:g} | {known.about} |"
            assert row in page, row


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
