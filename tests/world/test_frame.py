import copy
import math
import pickle

import numpy as np
import pytest

import waypost as wp

FRAME = wp.Frame(0.05, -3.2, 17.5, 0.3, 60, 40)


def placed(frame, x, y):
    """Where the centre of a cell is, by a complex number."""
    right, up = (x + 0.5) * frame.resolution, (frame.height - y - 0.5) * frame.resolution
    place = complex(frame.origin_x, frame.origin_y) + complex(right, up) * complex(
        math.cos(frame.yaw), math.sin(frame.yaw)
    )
    return place.real, place.imag


def test_a_turned_frame():
    frame = wp.Frame(0.5, 1.0, 2.0, math.pi / 2, 5, 10)
    # Turned left by a right angle: right on the map is up in the world, and up is left.
    assert frame.to_metres((4, 9)) == pytest.approx((1 - 0.25, 2 + 2.25))
    assert frame.to_metres((0, 5)) == pytest.approx((1 - 2.25, 2 + 0.25))
    assert frame.to_cell((0.75, 4.25)).tolist() == [4, 9]


@pytest.mark.parametrize("yaw", [0, 0.3, -1.1, math.pi / 2, math.pi, 5])
def test_metres_and_cells_both_ways(yaw):
    frame = wp.Frame(0.05, -3.2, 17.5, yaw, 60, 40)
    cells = np.array([(x, y) for x in (0, 7, 59) for y in (0, 21, 39)])
    metres = frame.to_metres(cells)
    assert metres == pytest.approx(np.array([placed(frame, *cell) for cell in cells.tolist()]))
    assert frame.to_cell(metres).tolist() == cells.tolist()
    assert frame.to_cell(metres[3]).tolist() == cells[3].tolist()
    assert frame.to_cell([]).shape == frame.to_metres([]).shape == (0, 2)


def test_the_corners_of_the_map_are_on_it_and_what_lies_beyond_is_not():
    frame = wp.Frame(0.5, 1.0, 2.0, 0, 6, 4)
    assert frame.to_cell([(1.0, 2.0), (3.999, 3.999)]).tolist() == [[0, 3], [5, 0]]
    for place in ((0.999, 2.0), (1.0, 1.999), (4.0, 3.0), (3.0, 4.0), (1e308, 0), (-1e308, 1e308)):
        with pytest.raises(wp.WaypostError, match=r"places\[1\] .* is off the map of 6 x 4 cells of 0.5 m"):
            frame.to_cell([(2, 3), place])
    with pytest.raises(wp.WaypostError, match=r"goal \(4, 3\) m is off the map .* corner lies at \(1, 2\) m"):
        frame.to_cell((4, 3), "goal")
    for cell in ((-1, 0), (0, -1), (6, 0), (0, 4), (5.5, 0)):
        with pytest.raises(wp.WaypostError, match=r"cells \(.*\) cells is off the map"):
            frame.to_metres(cell)


@pytest.mark.parametrize(
    "places",
    [
        (math.nan, 0),
        (math.inf, 0),
        (1, 2, 3),
        "12",
        None,
        (True, 1),
        [[1, 2], [3]],
        {1: 2, 3: 4},
        np.ma.array([1, 2], mask=[0, 1]),
        np.ones((1, 1, 2)),
        1 + 2j,
        (1j, 2),
    ],
    ids=repr,
)
def test_what_is_no_place(places):
    for convert in (FRAME.to_cell, FRAME.to_metres, FRAME.poses):
        with pytest.raises(wp.WaypostError, match="must be two finite numbers"):
            convert(places)


def test_places_too_far_away_are_refused():
    with pytest.raises(wp.WaypostError, match="off the map"):
        wp.Frame(1e-300, 0, 0, 0, 10, 10).to_cell((1e308, 0))


def test_poses_look_to_the_next_point():
    frame = wp.Frame(0.5, 0, 0, 0, 9, 9)
    path = [(0, 4), (1, 4), (1, 4), (2, 3), (2, 2), (1, 3), (0, 3), (0, 4)]
    poses = frame.poses(path)
    assert poses[:, :2] == pytest.approx(frame.to_metres(path))
    assert (poses[:, 2] / math.pi * 180).round(9).tolist() == [0, 0, 45, 90, -135, -180, -90, -90]
    turned = wp.Frame(0.5, 0, 0, math.pi / 2, 9, 9).poses(path)
    assert (turned[:, 2] / math.pi * 180).round(9).tolist() == [90, 90, 135, -180, -45, -90, 0, 0]


def test_poses_before_and_without_a_move():
    frame = wp.Frame(0.5, 0, 0, 0.25, 9, 9)
    assert frame.poses([(4, 4), (4, 4), (4, 3)])[:, 2] == pytest.approx([math.pi / 2 + 0.25] * 3)
    assert frame.poses([(4, 4), (4, 4)])[:, 2] == pytest.approx([0.25, 0.25])
    assert frame.poses((4, 4)).shape == (1, 3)
    assert frame.poses([]).shape == (0, 3)
    with pytest.raises(wp.WaypostError, match=r"path\[1\] \(9, 4\) cells is off the map"):
        frame.poses([(8, 4), (9, 4)])


@pytest.mark.parametrize("yaw", [0, 0.7, -2])
def test_frames_of_parts_and_of_enlarged_maps(yaw):
    frame = wp.Frame(0.1, 3, -4, yaw, 30, 20)
    part = frame.cropped(5, 2, 9, 8)
    assert (part.width, part.height) == (9, 8)
    assert part.to_metres((1, 3)) == pytest.approx(frame.to_metres((6, 5)))
    large = part.enlarged(3)
    assert (large.width, large.height) == (27, 24)
    assert large.to_metres((4, 10)) == pytest.approx(part.to_metres((1, 3))), "the middle one of nine cells"


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ((0, 0, 0, 0, 5, 5), "resolution must be more than 0"),
        ((math.nan, 0, 0, 0, 5, 5), "resolution must be a finite number"),
        ((1, None, 0, 0, 5, 5), "origin_x must be a finite number"),
        ((1, 0, 0, math.inf, 5, 5), "yaw must be a finite number"),
        ((1, 0, 0, 0, 0, 5), "width must be a whole number of at least 1"),
        ((1, 0, 0, 0, 5, 2.5), "height must be a whole number of at least 1"),
    ],
)
def test_frames_that_cannot_be(parts, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.Frame(*parts)


def test_a_grid_keeps_its_frame_which_decides_no_path():
    is_open = np.ones((40, 60), bool)
    grid = wp.Grid(is_open, frame=FRAME)
    assert wp.Grid(is_open).frame is None
    assert grid.fingerprint == wp.Grid(is_open).fingerprint
    assert pickle.loads(pickle.dumps(grid)).frame == copy.deepcopy(grid).frame == FRAME  # noqa: S301


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [((0.05, 0, 0, 0), "frame must be a Frame or None"), (FRAME, "the frame is of a map of 60 x 40 cells, and this")],
)
def test_a_frame_of_another_map_is_refused(frame, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.Grid(np.ones((3, 5), bool), frame=frame)
