from array import array

import numpy as np
import pytest

import waypost as wp

DATA = [0, 1, 100, -1, 0, 50]  # the lower row first
FIELDS = (3, 2, 0.5, (1.0, 2.0, 0.0))


@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda data: array("b", data), lambda d: np.array(d, np.int8)])
def test_a_live_map(kind):
    grid = wp.grid_from_occupancy(kind(DATA), *FIELDS)
    assert grid.is_open.tolist() == [[False, True, False], [True, False, False]]
    assert grid.frame == wp.Frame(0.5, 1.0, 2.0, 0.0, 3, 2)
    assert grid.frame.to_cell((1.1, 2.1)).tolist() == [0, 1]


def test_what_counts_as_open():
    def is_open(**options):
        return wp.grid_from_occupancy(DATA, *FIELDS, **options).is_open.tolist()

    assert is_open(unknown="open") == [[True, True, False], [True, False, False]]
    assert is_open(open_up_to=50) == [[False, True, True], [True, True, False]]
    assert is_open(open_up_to=100, unknown="open") == [[True] * 3] * 2
    grid = wp.grid_from_occupancy(DATA, *FIELDS, diagonals="never", costs="1.4")
    assert (grid.diagonals, grid.costs_name) == ("never", "1.4")


def test_it_is_the_map_of_a_file(tmp_path):
    """A map_server publishes what we read from its file."""
    grid = wp.load_map("rooms")
    wp.save_map(grid, tmp_path / "a.yaml", resolution=0.05, origin=(-1, 2, 0.5))
    published = np.where(grid.is_open[::-1], 0, 100).astype(np.int8).ravel()
    live = wp.grid_from_occupancy(published, grid.width, grid.height, np.float32(0.05), (-1, 2, 0.5))
    assert live.fingerprint == grid.fingerprint
    assert live.frame == wp.load_map(tmp_path / "a.yaml").frame


@pytest.mark.parametrize(
    ("given", "taken"),
    [(0.05, 0.05), (float(np.float32(0.05)), 0.05), (float(np.float32(0.7)), 0.7), (1 / 3, 1 / 3), (1e300, 1e300)],
)
def test_resolutions_of_messages_are_decimals(given, taken):
    assert wp.grid_from_occupancy([0], 1, 1, given).frame.resolution == taken


@pytest.mark.parametrize(
    ("fields", "options", "complaint"),
    [
        ((DATA, 3, 3, 0.5), {}, "data holds 6 numbers, but 3 x 3 cells are 9"),
        (([0, 101], 2, 1, 0.5), {}, r"data\[1\] is 101; an occupancy is from 0 to 100"),
        (([-2, 1], 2, 1, 0.5), {}, r"data\[0\] is -2"),
        (([0.5], 1, 1, 0.5), {}, "data must be a list or array of whole numbers"),
        ((np.zeros((2, 3), int), 3, 2, 0.5), {}, "data must be a list or array of whole numbers"),
        ((array("d", [0]), 1, 1, 0.5), {}, "data must be a list or array of whole numbers"),
        ((b"\0", 1, 1, 0.5), {}, "data must be a list or array of whole numbers"),
        (([100], 1, 1, 0.5), {}, "the occupancy grid has no open cell"),
        (([], 0, 0, 0.5), {}, "width must be a whole number of at least 1"),
        (([], 1 << 20, 1 << 20, 0.5), {}, "the occupancy grid is too large"),
        (([0], 1, 1, 0), {}, "resolution must be more than 0"),
        (([0], 1, 1, 0.5, (1, 2)), {}, "origin must be three numbers"),
        (([0], 1, 1, 0.5), {"unknown": True}, "unknown must be 'wall' or 'open', not True"),
        (([0], 1, 1, 0.5), {"open_up_to": 101}, "open_up_to must be a whole number of at most 100"),
    ],
)
def test_bad_fields(fields, options, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.grid_from_occupancy(*fields, **options)
