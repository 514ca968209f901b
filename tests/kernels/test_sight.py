import itertools

import numpy as np
import pytest

import waypost as wp
from tests.oracle import rules, sight
from tests.support.chance import seeded
from tests.support.worlds import cases, draw, random_open, random_place
from waypost.world.grid import Grid
from waypost.world.waypoints import Paths


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_lines_of_sight(rule):
    random = seeded(61)
    for _ in range(cases(150)):
        is_open = random_open(random, largest=11) | (random.random() < 0.3)
        is_open &= random.random(is_open.shape) < draw(random, (1, 0.97, 0.9))
        is_open[0, 0] = True
        grid = Grid(is_open, diagonals=rule)
        for _ in range(12):
            start, end = random_place(random, is_open), random_place(random, is_open)
            expected = sight.sees(is_open.tolist(), rule, start, end)
            assert grid.sees(start, end) == grid.sees(end, start) == expected, (start, end)


def random_walk(random, is_open, rule, length):
    """Legal moves with a will: mostly on as before, sometimes staying."""
    place, walk, step = random_place(random, is_open), [], (0, 0)
    for _ in range(length):
        walk.append(place)
        if random.random() < 0.3:
            step = draw(random, [*rules.ORDER.values(), (0, 0)])
        if rules.may_move(is_open, rule, *place, *step):
            place = place[0] + step[0], place[1] + step[1]
    return walk


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_paths_shortened_and_by_their_corners(rule):
    random = seeded(62)
    for _ in range(cases(60)):
        is_open = random_open(random, largest=11) | (random.random() < 0.3)
        is_open &= random.random(is_open.shape) < 0.93
        is_open[0, 0] = True
        grid = Grid(is_open, diagonals=rule)
        walks = [random_walk(random, is_open, rule, draw(random, (0, 1, 2, 20))) for _ in range(5)]
        offsets = np.concatenate(([0], np.cumsum([len(walk) for walk in walks])))
        cells = np.array([grid.cell(place) for walk in walks for place in walk], np.int32)
        paths = Paths(grid, cells, offsets)
        smooth, corners = paths.smooth(), paths.corners()
        assert len(paths) == len(smooth) == len(corners) == 5
        for i, walk in enumerate(walks):
            assert [*map(tuple, corners.path(i).tolist())] == sight.turns(walk)
            assert [*map(tuple, smooth.path(i).tolist())] == sight.shortened(is_open.tolist(), rule, walk)
            if walk:
                lines = itertools.pairwise(smooth.path(i).tolist())
                length = sum(((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in lines)
                assert smooth.lengths[i] == pytest.approx(length)
                assert smooth.lengths[i] <= corners.lengths[i] + 1e-9
                assert corners.lengths[i] == pytest.approx(paths.lengths[i])
        assert np.isnan(paths.lengths).tolist() == [not walk for walk in walks]


def test_one_path():
    grid = wp.grid_from_text("......\n.##...\n......")
    path = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2), (4, 1), (5, 0)]
    smooth = grid.smooth(path)
    assert smooth.points.tolist() == [[0, 0], [0, 2], [3, 2], [5, 0]]
    assert smooth.length == pytest.approx(2 + 3 + 8**0.5)
    assert wp.Grid(grid.is_open, diagonals="always").smooth(path).points.tolist() == [[0, 0], [0, 2], [3, 2], [5, 0]]
    assert grid.smooth(smooth.points).points.tolist() == smooth.points.tolist(), "by waypoints as by cells"
    assert grid.smooth([(1, 0)]).points.tolist() == [[1, 0]]
    assert grid.smooth([(1, 0)]).length == 0
    assert len(grid.smooth([]).points) == 0


def test_paths_of_planners():
    grid = wp.load_map("rooms")
    planner = wp.build("jps", grid)
    starts, goals = [(5, 60), (5, 60), (7, 3)], [(80, 10), (5, 60), (60, 60)]
    batch = planner.batch(starts, goals, paths=True)
    for i, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        corners = planner.path(start, goal, corners=True)
        assert corners.tolist() == batch.paths.corners().path(i).tolist()
        assert [*map(tuple, corners.tolist())] == sight.turns([*map(tuple, planner.path(start, goal).tolist())])
        smooth = grid.smooth(planner.path(start, goal))
        assert smooth.points.tolist() == batch.paths.smooth().path(i).tolist()
        assert smooth.length == pytest.approx(batch.paths.smooth().lengths[i])
    assert (batch.paths.smooth().lengths <= batch.lengths).all()


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ([(0, 0), (2, 2)], r"no legal line leads from \(0, 0\) to \(2, 2\), the next point of the path"),
        ([(0, 0), (0, 1), (1, 1)], r"path\[2\] \(1, 1\) is on a wall"),
        ([(0, 0), (0, 1), (0, 3)], r"path\[2\] \(0, 3\) is outside the map"),
        ([(0.5, 0)], "path must be an .n, 2. array of whole numbers"),
    ],
)
def test_what_is_no_path(path, complaint):
    with pytest.raises(wp.WaypostError, match=complaint):
        wp.grid_from_text("...\n.#.\n...").smooth(path)
