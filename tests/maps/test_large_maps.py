"""Large maps: read from memory maps, and written, without copies of them."""

import tracemalloc

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from tests.support.pictures import pgm
from waypost.maps import image
from waypost.maps.array import read_array
from waypost.world import pieces
from waypost.world.arrays import open_where

SHAPE = 1000, 1200
CELLS = SHAPE[0] * SHAPE[1]


def traced(work):
    """Most bytes that were held at a time."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_memory_map_is_not_copied(tmp_path, order):
    is_open = seeded(1).random(SHAPE) < 0.7
    np.save(tmp_path / "a.npy", np.asarray(is_open, order=order))
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    assert np.shares_memory(open_where(mapped), mapped)
    expected = wp.Grid(is_open).fingerprint
    assert wp.grid_from_array(mapped).fingerprint == wp.load_map(tmp_path / "a.npy").fingerprint == expected
    assert traced(lambda: read_array(tmp_path / "a.npy")) < CELLS / 2


def test_numbers_are_looked_at_where_they_lie(tmp_path):
    costs = seeded(2).integers(0, 3, SHAPE).astype(np.float64)
    np.save(tmp_path / "a.npy", costs)
    found = []
    assert traced(lambda: found.append(read_array(tmp_path / "a.npy", open=[1, 2]))) < 8 * CELLS, "the file's size"
    assert np.array_equal(found[0], costs > 0)


@pytest.mark.parametrize("name", ["a.map", "a.npy", "a.yaml"])
def test_saving_takes_a_part_of_the_map(tmp_path, monkeypatch, name):
    world = wp.Grid(seeded(3).random(SHAPE) < 0.7)
    monkeypatch.setattr(pieces, "CELLS_AT_ONCE", 1 << 14)
    assert traced(lambda: wp.save_map(world, tmp_path / name)) < CELLS / 4
    assert wp.load_map(tmp_path / name).fingerprint == world.fingerprint


def test_sampling_takes_a_few_bytes_per_cell(monkeypatch):
    world = wp.Grid(seeded(4).random(SHAPE) < 0.6)
    _ = world.component_sizes
    monkeypatch.setattr(pieces, "CELLS_AT_ONCE", 1 << 14)
    monkeypatch.setattr("waypost.world.problem.SORTED_AT_ONCE", 1 << 14)
    sizes = world.component_sizes.nbytes
    assert traced(lambda: wp.sample_problems(world, 5)) < 9 * CELLS + 6 * sizes


def test_plain_pgm_may_be_larger_than_what_is_packed(tmp_path, monkeypatch):
    monkeypatch.setattr(image, "MOST_PIXELS", 11)
    is_open = np.array([[True, False, True, True]] * 3)
    (tmp_path / "plain.pgm").write_bytes(pgm(np.where(is_open, 255, 0), 255))
    assert np.array_equal(image.read_image(tmp_path / "plain.pgm"), is_open)
    (tmp_path / "deep.pgm").write_bytes(pgm(np.where(is_open, 999, 0), 999))
    (tmp_path / "text.pgm").write_text("P2 4 3 255\n" + " 255" * 12)
    for name in ("deep.pgm", "text.pgm"):
        with pytest.raises(wp.WaypostError, match="too large for an image: 4 x 3 is more than 11 pixels"):
            image.read_image(tmp_path / name)
    monkeypatch.setattr(image, "MOST_PLAIN_PIXELS", 11)
    with pytest.raises(wp.WaypostError, match="too large for an image"):
        image.read_image(tmp_path / "plain.pgm")


def test_no_guard_of_pillow_stops_a_plain_image(tmp_path, monkeypatch):
    pillow = pytest.importorskip("PIL.Image")
    monkeypatch.setattr(pillow, "MAX_IMAGE_PIXELS", 1)
    (tmp_path / "a.pgm").write_bytes(pgm(np.full((3, 4), 255), 255))
    assert image.read_image(tmp_path / "a.pgm").all()
