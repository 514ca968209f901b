import io

import numpy as np
import pytest
from PIL import Image

import waypost as wp
from waypost.maps import generate
from waypost.runs import picture


def read(path):
    return np.asarray(Image.open(io.BytesIO(path.read_bytes())).convert("RGB"))


def test_png_files_are_read_back_by_others(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 256, (7, 11, 3), np.uint8)
    picture.write_png(tmp_path / "a.png", pixels)
    assert np.array_equal(read(tmp_path / "a.png"), pixels)


def test_a_map_shows_walls_floor_and_what_is_cut_off():
    pixels = picture.draw_grid(wp.grid_from_text("..#."), scale=2)
    assert pixels.shape == (2, 8, 3)
    assert [tuple(pixels[0, x]) for x in (0, 2, 4, 6)] == [
        picture.FLOOR, picture.FLOOR, picture.WALL, picture.SIDE_FLOOR,
    ]  # fmt: skip


def test_a_run_shows_search_walk_start_and_goal():
    grid = wp.Grid(generate.rooms(50, 40, 1))
    planner = wp.build("astar", grid)
    (problem,) = wp.sample_problems(grid, 1, 2, min_length=30)
    pixels = picture.draw_run(wp.simulate(planner.agent(record=True), problem), scale=8)
    assert pixels.shape == (320, 400, 3)

    def centre(cell):
        x, y = grid.xy(cell)
        return tuple(pixels[8 * y + 4, 8 * x + 4])

    assert centre(problem.start) == picture.START
    assert centre(problem.goal) == picture.GOAL
    path = planner.path(grid.xy(problem.start), grid.xy(problem.goal))
    assert centre(grid.cell(path[len(path) // 2])) == picture.PATH
    standing = wp.simulate(planner.agent(record=True), wp.Problem(problem.start, problem.start))
    assert picture.draw_run(standing).shape[2] == 3


def test_subgoals_are_dots_with_lines_to_where_they_lead():
    grid = wp.grid_from_text(".........\n.........\n.........")
    a, b, goal = (grid.cell(place) for place in ((0, 0), (4, 0), (8, 2)))
    pixels = picture.draw_arcs(grid, goal, np.array([[a, b], [b, goal]], np.int32), scale=9)

    def at(x, y):
        return tuple(pixels[int(9 * y) + 4, int(9 * x) + 4])

    assert at(0, 0) == at(4, 0) == picture.PATH
    assert at(8, 2) == picture.GOAL
    assert [at(x, 0) for x in (1, 2, 3)] == [picture.ARC] * 3
    assert at(6, 1) == picture.ARC
    assert at(6, 0) == at(2, 1) == picture.FLOOR
    alone = picture.draw_arcs(grid, goal, np.empty((0, 2), np.int32), scale=9)
    assert tuple(alone[22, 76]) == picture.GOAL
    assert tuple(alone[4, 4]) == picture.FLOOR


def test_cells_entered_again_stand_out():
    grid = wp.grid_from_text("........")
    cells = np.array([grid.cell((x, 0)) for x in (0, 1, 2, 3, 2, 3, 2, 3, 4, 5, 6, 7)], np.int32)
    still = wp.simulate(wp.build("astar", grid).agent(), wp.Problem(cells[0], cells[-1]))
    pixels = picture.draw_run(wp.Trace(**{**vars(still), "cells": cells}), scale=9)
    once, thrice = 5, 3
    assert tuple(pixels[4, 9 * once + 4]) == picture.PATH
    assert tuple(pixels[0, 9 * once + 4]) == picture.FLOOR, "a walk is a line"
    assert tuple(pixels[0, 9 * thrice]) == tuple(picture.colour_of_visits(np.array([3]))[0]), "scrubbing fills cells"


def test_more_visits_are_lighter():
    colours = picture.colour_of_visits(np.arange(2, 40)).astype(int)
    assert tuple(colours[0]) == picture.PATH
    luminance = colours @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(luminance[:31]) >= 0).all()
    assert luminance[30] > luminance[0] + 100
    assert (colours[30:] == colours[30]).all(), "32 times and more look the same"


@pytest.mark.parametrize("scale", [1, 3, 49, 64])
def test_any_scale(scale):
    grid = wp.grid_from_text("......")
    trace = wp.simulate(wp.build("astar", grid).agent(), wp.Problem(grid.cell((0, 0)), grid.cell((5, 0))))
    assert picture.draw_run(trace, scale).shape == (scale, 6 * scale, 3)


@pytest.mark.parametrize("shape", [(1, 50_000), (50_000, 1), (3, 4)])
def test_the_default_scale_fits_any_map(shape):
    grid = wp.Grid(np.ones(shape, bool))
    assert picture.draw_grid(grid).size <= 3 * 640 * 50_000


def test_pictures_in_rows():
    sheet = picture.tiled([np.full((4, 5, 3), shade, np.uint8) for shade in (0, 1, 2)], columns=2, gap=2)
    assert sheet.shape == (10, 12, 3)
    assert [sheet[0, 0, 0], sheet[0, 11, 0], sheet[9, 0, 0], sheet[9, 11, 0], sheet[4, 0, 0]] == [0, 1, 2, 255, 255]


def test_pictures_too_large_are_refused():
    grid = wp.grid_from_text("..")
    for scale in (0, 100_000):
        with pytest.raises(wp.WaypostError, match="scale"):
            picture.draw_grid(grid, scale)


def test_regions_have_colours_representatives_and_edges():
    grid = wp.grid_from_text("....#\n....#\n....#\n.####")
    region_of = np.full(grid.component.size, -1, np.int32)
    region_of[[grid.cell((x, y)) for y in range(3) for x in range(4)]] = [0, 0, 1, 1] * 3
    reps = np.array([grid.cell((0, 1)), grid.cell((3, 1))], np.int32)
    pixels = picture.draw_regions(grid, region_of, reps, np.array([[0, 1]], np.int32), scale=9)

    def at(x, y):
        return tuple(pixels[9 * y + 4, 9 * x + 4])

    assert at(0, 0) == at(1, 2) != at(2, 0) == at(3, 2)
    assert {at(0, 0), at(2, 0)} <= {tuple(colour) for colour in picture.REGIONS}
    assert at(0, 1) == at(3, 1) == at(4, 0) == picture.WALL
    assert at(1, 1) == at(2, 1) == picture.EDGE
    assert at(0, 3) == picture.FLOOR, "a cell of no region"
    alone = picture.draw_regions(grid, region_of, reps, scale=9)
    assert tuple(alone[13, 22]) != picture.EDGE


def test_more_neighbours_than_colours():
    edges = np.array([(a, b) for b in range(9) for a in range(b)], np.int32)
    assert sorted(set(picture.colouring(9, edges).tolist())) == list(range(len(picture.REGIONS)))


def test_a_run_on_regions_shows_its_targets():
    grid = wp.Grid(generate.caves(50, 40, 1))
    planner = wp.build("pra-sector", grid, sector=10)
    (problem,) = wp.sample_problems(grid, 1, 2, min_length=40)
    below = picture.draw_regions(grid, *planner.index.regions(), scale=8)
    before = below.copy()
    run = wp.simulate(planner.agent(record=True), problem)
    pixels = picture.draw_run(run, 8, on=below)
    assert np.array_equal(below, before), "the picture below is left as it is"
    assert (pixels == picture.ROUTE).all(axis=2).any()
    assert not (picture.draw_run(run, 8) == picture.ROUTE).all(axis=2).any()


def test_an_animation_is_played_by_others(tmp_path):
    random = np.random.default_rng(1)
    pictures = [random.integers(0, 256, (5, 6, 3), np.uint8) for _ in range(3)]
    picture.write_animation(tmp_path / "a.png", pictures, frames_per_second=5)
    with Image.open(tmp_path / "a.png") as played:
        assert played.n_frames == 3
        assert played.info["duration"] == 200
        for i, pixels in enumerate(pictures):
            played.seek(i)
            assert np.array_equal(np.asarray(played.convert("RGB")), pixels)


def test_traffic_is_darker_where_there_was_more():
    grid = wp.grid_from_text(".....")
    visits = np.zeros(grid.mask.size, np.int64)
    assert np.array_equal(picture.draw_traffic(grid, visits, 1), picture.draw_grid(grid, 1))
    visits[[grid.cell((x, 0)) for x in range(4)]] = [1, 10, 100, 1000]
    brightness = picture.draw_traffic(grid, visits, 1)[0].sum(axis=1, dtype=np.int64)
    assert (np.diff(brightness[:4]) < 0).all()
    assert tuple(picture.draw_traffic(grid, visits, 1)[0, 4]) == picture.FLOOR


def test_deeper_is_darker():
    grid = wp.grid_from_text(".......")
    depths = np.zeros(grid.mask.size, np.uint16)
    depths[[grid.cell((x, 0)) for x in range(2, 7)]] = [1, 2, 3, 5, 20]
    pixels = picture.draw_depths(grid, grid.cell((0, 0)), depths, 20, 9)[4, 4::9]
    assert tuple(pixels[0]) == picture.PATH  # as far as the next cell
    assert tuple(pixels[2]) == picture.FLOOR
    assert (np.diff(pixels[2:].sum(axis=1, dtype=np.int64)) < 0).all()
    assert tuple(pixels[6]) == tuple(picture.HEAT[-1])


def test_agents_are_dots_of_their_colours():
    colours = np.array([(1, 2, 3), (4, 5, 6)], np.uint8)
    pixels = picture.draw_dots(wp.grid_from_text("..#"), np.array([(1, 0), (0, 0)], np.int32), colours, scale=1)
    assert pixels[0].tolist() == [[4, 5, 6], [1, 2, 3], list(picture.WALL)]
