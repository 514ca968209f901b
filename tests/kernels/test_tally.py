import numpy as np

from tests.oracle.tally import tally_run
from tests.worlds import cases
from waypost.grid import Grid
from waypost.kernels.tally import tally_runs


def test_runs_end_to_end_equal_runs_one_by_one():
    random = np.random.default_rng(6)
    grid = Grid(np.ones((5, 4), bool))
    for case in range(cases(100)):
        is_timed = case % 3 > 0
        walks = [random_walk(random, grid) for _ in range(random.integers(1, 6))]
        sizes = np.array([len(walk) for walk in walks])
        move_ns = random.integers(0, 1000, int((sizes - 1).sum()) if is_timed else 0)
        work = random.integers(0, 9, (int((sizes - 1).sum()), 5)).astype(np.int32)
        cells = np.array([grid.cell(point) for walk in walks for point in walk], np.int32)
        entered = np.zeros(grid.component.size, np.int32)
        found = tally_runs(cells, move_ns, work, sizes, entered, grid.stride, *grid.costs[:2])
        first = 0
        for row, walk in zip(found.tolist(), walks, strict=True):
            last = first + len(walk) - 1
            own = move_ns[first:last].tolist(), work[first:last].tolist()
            assert row == tally_run(walk, *own, *grid.costs[:2])
            first = last


def random_walk(random, grid):
    """Up to 250 moves, some of them on the spot."""
    x, y = int(random.integers(grid.width)), int(random.integers(grid.height))
    walk = [(x, y)]
    for _ in range(int(250 * random.random() ** 3)):
        dx, dy = random.integers(-1, 2, 2).tolist()
        x, y = min(max(x + dx, 0), grid.width - 1), min(max(y + dy, 0), grid.height - 1)
        walk.append((x, y))
    return walk
