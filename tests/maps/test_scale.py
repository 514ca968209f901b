import tracemalloc

import numpy as np
import pytest

import waypost as wp
from waypost.maps.scale import crop, enlarge

GRID = wp.grid_from_text("..#\n#..", diagonals="always", costs="1.4")


@pytest.mark.parametrize("factor", [1, 2, 5, np.int64(3)])
def test_every_cell_becomes_a_square(factor):
    large = enlarge(GRID, factor)
    assert (large.width, large.height) == (3 * factor, 2 * factor)
    for y in range(large.height):
        for x in range(large.width):
            assert large.is_open[y, x] == GRID.is_open[y // factor, x // factor]
    assert (large.diagonals, large.costs_name) == ("always", "1.4")


def test_crop():
    part = crop(GRID, 1, 0, 2, 2)
    assert part.is_open.tolist() == [[True, False], [True, True]]
    assert (part.diagonals, part.costs_name) == ("always", "1.4")
    assert crop(GRID, 0, 0, 3, 2).fingerprint == GRID.fingerprint


@pytest.mark.parametrize("rectangle", [(-1, 0, 2, 2), (0, 0, 4, 1), (0, 1, 1, 2), (0, 0, 0, 1), (3, 0, 1, 1)])
def test_rectangles_off_the_map(rectangle):
    with pytest.raises(wp.WaypostError, match="not within the map of 3 x 2 cells"):
        crop(GRID, *rectangle)


def test_other_refusals():
    with pytest.raises(wp.WaypostError, match="no open cell"):
        crop(GRID, 2, 0, 1, 1)
    with pytest.raises(wp.WaypostError, match="whole cells"):
        crop(GRID, 0.5, 0, 1, 1)
    for factor in (0, -2, 1.5, "2", None):
        with pytest.raises(wp.WaypostError, match="whole number of at least 1"):
            enlarge(GRID, factor)


def test_size_is_checked_before_memory_is_taken():
    tracemalloc.start()
    try:
        for factor in (10**6, 10**30):
            with pytest.raises(wp.WaypostError, match="the enlarged map is too large"):
                enlarge(GRID, factor)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
