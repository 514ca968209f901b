"""Maps of which several cells share a pixel."""

import tracemalloc

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from tests.support.worlds import random_open
from waypost.runs import canvas, picture


def mean_colours(pixels, cells):
    """The mean of each square of pixels, or of what there is of it, one by one."""
    height, width, _ = pixels.shape
    return [
        [
            pixels[top : top + cells, left : left + cells].reshape(-1, 3).sum(axis=0, dtype=int)
            // (min(cells, height - top) * min(cells, width - left))
            for left in range(0, width, cells)
        ]
        for top in range(0, height, cells)
    ]


@pytest.mark.parametrize("at_once", [1, 7, 60, 1 << 20])
def test_a_pixel_has_the_mean_colour_of_its_cells(monkeypatch, at_once):
    monkeypatch.setattr(canvas, "CELLS_AT_ONCE", at_once)
    random = seeded(5)
    for _ in range(20):
        grid = wp.Grid(random_open(random, largest=14))
        whole = picture.draw_grid(grid, 1)
        large = picture.draw_grid(grid, 3)
        assert np.array_equal(large, whole.repeat(3, axis=0).repeat(3, axis=1))
        for cells in (2, 3, 5, 20):
            assert np.array_equal(picture.draw_grid(grid, 1 / cells), mean_colours(whole, cells))


def test_regions_and_depths_are_mixed_likewise():
    grid = wp.Grid(seeded(6).random((51, 63)) < 0.7)
    region_of = np.where(grid.component > 0, np.arange(grid.component.size) % 3, -1).astype(np.int32)
    depths = np.where(grid.component > 0, np.arange(grid.component.size) % 9, 0).astype(np.uint16)
    goal = int(np.flatnonzero(grid.component)[0])
    reps = np.full(3, goal, np.int32)
    for draw in (
        lambda scale: picture.draw_regions(grid, region_of, reps, scale=scale),
        lambda scale: picture.draw_depths(grid, goal, depths, 8, scale=scale),
    ):
        small, whole = draw(1 / 2), draw(1)
        assert small.shape == (26, 32, 3)
        assert np.array_equal(small[10:], mean_colours(whole, 2)[10:]), "below the dot, which keeps its size"


def test_runs_traffic_and_agents_show_on_large_maps():
    grid = wp.Grid(np.ones((50, 60), np.bool_))
    start, goal = grid.cell((5, 5)), grid.cell((55, 45))
    run = wp.simulate(wp.build("astar", grid).agent(record=True), wp.Problem(start, goal))
    pixels = picture.draw_run(run, 1 / 4)
    assert pixels.shape == (13, 15, 3)
    pixels = picture.draw_run(run, 1 / 2)
    assert tuple(pixels[2, 2]) == picture.START
    assert tuple(pixels[22, 27]) == picture.GOAL
    assert (pixels == picture.PATH).all(axis=2).any()
    visits = np.zeros(grid.mask.size, np.int64)
    visits[[grid.cell((20, 20)), grid.cell((21, 21))]] = 100, 1
    assert np.array_equal(picture.draw_traffic(grid, visits, 1 / 2)[10, 10], picture.HEAT[-1]), "the busiest cell"
    dots = picture.draw_dots(grid, np.array([(59, 49)]), np.array([(1, 2, 3)], np.uint8), 1 / 7)
    assert tuple(dots[7, 8]) == (1, 2, 3)


def test_scales():
    small, large = (wp.Grid(np.ones(shape, np.bool_)) for shape in ((2, 4096), (2, 4097)))
    assert canvas.checked_scale(small, None) == 1
    assert canvas.checked_scale(large, None) == 1 / 2
    assert picture.draw_grid(large).shape == (1, 2049, 3)
    assert canvas.checked_scale(large, 1 / 3) == 1 / 3 == canvas.checked_scale(large, 0.333333333)
    for odd in (0.4, 0.7, 1e-9, 0.0, -0.5, float("nan"), 1.5, "1/2"):
        with pytest.raises(wp.WaypostError, match="the scale of a picture must be a whole number"):
            picture.draw_grid(small, odd)
    with pytest.raises(wp.WaypostError, match=r"must be a picture of this map at the scale 0\.5"):
        picture.draw_arcs(large, large.cell((0, 0)), np.empty((0, 2), np.int32), 1 / 2, on=picture.draw_grid(large, 1))


def test_a_large_map_is_drawn_and_written_in_little_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(canvas, "CELLS_AT_ONCE", 1 << 13)
    grid = wp.Grid(seeded(7).random((1500, 2000)) < 0.7)
    _ = grid.component_sizes
    tracemalloc.start()
    try:
        picture.write_png(tmp_path / "a.png", picture.draw_grid(grid, 1 / 4))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * grid.cell_count
