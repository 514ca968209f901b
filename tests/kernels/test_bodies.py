from fractions import Fraction

import numpy as np
import pytest

from tests.oracle import bodies, rules
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, cases, draw, random_open
from waypost.errors import MapError
from waypost.world.frame import Frame
from waypost.world.grid import Grid

RADII = [0, 0.3, 0.5, 0.6, 0.75, 1, 1.5, 1.6, 2, 2.5, 3, 4.2]  # some just touch a wall


def inflated(grid, radius):
    """Where a robot of this radius can be, though it be nowhere."""
    try:
        return grid.inflate(radius).is_open.tolist()
    except MapError:
        return np.zeros((grid.height, grid.width), bool).tolist()


def test_discs_that_overlap_no_wall():
    random = seeded(51)
    for _ in range(cases(120)):
        is_open = random_open(random, largest=14) | (random.random() < 0.3)
        is_open &= random.random(is_open.shape) < draw(random, (1, 0.97, 0.9))
        is_open[0, 0] = True
        radius = draw(random, RADII) if random.random() < 0.7 else round(5 * random.random(), 3)
        expected = bodies.disc_places(is_open.tolist(), Fraction(str(radius)))
        assert inflated(Grid(is_open), radius) == expected, radius


def test_a_wall_in_the_middle_closes_a_disc_of_cells():
    is_open = np.ones((11, 11), bool)
    is_open[5, 5] = False
    closed = ~Grid(is_open).inflate(2).is_open[2:-2, 2:-2]
    assert closed.astype(int).tolist() == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 1, 0, 0],
        [0, 1, 1, 1, 1, 1, 0],
        [0, 1, 1, 1, 1, 1, 0],
        [0, 1, 1, 1, 1, 1, 0],
        [0, 0, 1, 1, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_whole_paths_are_clear_of_walls_where_both_sides_of_a_diagonal_move_must_be_open():
    random = seeded(52)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=9) | (random.random((1, 1)) < 0.5)
        is_open &= random.random(is_open.shape) < 0.95
        is_open[0, 0] = True
        radius = draw(random, RADII[2:9])
        around = bodies.walls(is_open.tolist())
        places = np.array(inflated(Grid(is_open), radius))
        for y, x in np.argwhere(places).tolist():
            for dx, dy in rules.ORDER.values():
                if rules.may_move(places, "both-open", x, y, dx, dy):
                    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)):
                        place = x + share * dx, y + share * dy
                        assert bodies.disc_fits(around, place, Fraction(str(radius)))


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_units_move_by_the_rule_of_the_corners_that_they_sweep(rule):
    random = seeded(53)
    for _ in range(cases(80)):
        is_open = random_open(random, largest=9) | (random.random() < 0.3)
        is_open &= random.random(is_open.shape) < draw(random, (1, 0.95, 0.85))
        is_open[0, 0] = True
        grid = Grid(is_open, diagonals=rule)
        table = is_open.tolist()
        expected = [[bodies.largest_square(table, x, y) for x in range(grid.width)] for y in range(grid.height)]
        assert grid.clearance.tolist() == expected
        for size in range(1, min(int(grid.clearance.max()), 4) + 1):
            masks = grid.for_size(size).mask.reshape(-1, grid.stride)
            for y in range(grid.height):
                for x in range(grid.width):
                    moves = rules.ORDER.values()
                    legal = [bodies.may_move_square(table, rule, size, x, y, *step) for step in moves]
                    assert masks[y + 1, x + 1] == sum(1 << i for i, yes in enumerate(legal) if yes)


@pytest.mark.skipif(JIT_IS_OFF, reason="takes seconds in plain Python")
def test_clearance_is_a_byte():
    clearance = Grid(np.ones((258, 259), bool)).clearance
    assert clearance[0, 0] == clearance[3, 4] == 255
    assert clearance[4, 4] == clearance[3, 5] == 254
    assert Grid(np.ones((258, 259), bool)).for_size(255).open_count == 4 * 5


def test_a_radius_is_in_metres_where_the_grid_has_a_frame():
    is_open = np.ones((9, 30), bool)
    is_open[4, 4] = False
    for resolution, radius, cells in ((0.05, 0.15, 3), (0.1, 0.3, 3), (0.2, 0.6, 3), (0.1, 0.05, 0.5), (5, 5, 1)):
        framed = Grid(is_open, frame=Frame(resolution, 1, 2, 3, 30, 9)).inflate(radius)
        assert framed.frame == Frame(resolution, 1, 2, 3, 30, 9), "its place is its centre, as before"
        assert framed.is_open.tolist() == Grid(is_open).inflate(cells).is_open.tolist()


@pytest.mark.parametrize("yaw", [0, 0.7])
def test_units_are_in_metres_where_their_centre_is(yaw):
    frame = Frame(0.5, -3, 4, yaw, 30, 9)
    grid = Grid(np.ones((9, 30), bool), frame=frame)
    assert grid.for_size(1) is grid
    for size in (2, 3):
        corners = frame.to_metres([(7, 2), (7 + size - 1, 2 + size - 1)])
        assert grid.for_size(size).frame.to_metres((7, 2)) == pytest.approx(corners.mean(axis=0))
        assert grid.for_size(size).frame.to_cell(corners.mean(axis=0)).tolist() == [7, 2]


@pytest.mark.parametrize(
    ("radius", "complaint"),
    [
        (-1, "radius must be a number of at least 0, not -1"),
        ("1", "radius must be a number of at least 0, not '1'"),
        (float("nan"), "radius must be a finite number"),
        (None, "radius must be a finite number"),
        (5, "the map for a robot of radius 5 has no open cell"),
        (1e300, "the map for a robot of radius 1e.300 has no open cell"),
    ],
)
def test_robots_that_fit_nowhere(radius, complaint):
    with pytest.raises(ValueError, match=complaint):
        Grid(np.ones((9, 30), bool)).inflate(radius)


@pytest.mark.parametrize(
    ("size", "complaint"),
    [
        (0, "size must be a whole number of at least 1"),
        (1.5, "size must be a whole number of at least 1"),
        (256, "size must be a whole number of at most 255"),
        (10, "the map for units of 10 x 10 cells has no open cell"),
    ],
)
def test_units_that_fit_nowhere(size, complaint):
    with pytest.raises(ValueError, match=complaint):
        Grid(np.ones((9, 30), bool)).for_size(size)
