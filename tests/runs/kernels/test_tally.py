import numpy as np

from tests.oracle import tally as oracle
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.runs.kernels.tally import tally_run
from waypost.world.grid import Grid


def test_runs_of_one_map_share_their_scratch():
    random = seeded(6)
    grid = Grid(np.ones((5, 4), bool))
    for case in range(cases(100)):
        walks = [random_walk(random, grid) for _ in range(random.integers(1, 6))]
        rows = np.zeros((len(walks), 24), np.int64)
        entered = np.zeros(grid.component.size, np.int32)
        for run, walk in enumerate(walks):
            moves = len(walk) - 1
            move_ns = random.integers(0, 1000, moves if case % 3 else 0)
            work = random.integers(0, 9, (moves, 5)).astype(np.int32)
            cells = np.array([grid.cell(point) for point in walk], np.int32)
            given = random.integers(0, 99, 5).tolist()
            tally_run(rows, run, cells, move_ns, work, entered, grid.stride, *grid.costs[:2], *given)
            expected = oracle.tally_run(walk, move_ns.tolist(), work.tolist(), *grid.costs[:2], *given)
            assert rows[run].tolist() == expected


def random_walk(random, grid):
    """Up to 250 moves, some of them on the spot."""
    x, y = int(random.integers(grid.width)), int(random.integers(grid.height))
    walk = [(x, y)]
    for _ in range(int(250 * random.random() ** 3)):
        dx, dy = random.integers(-1, 2, 2).tolist()
        x, y = min(max(x + dx, 0), grid.width - 1), min(max(y + dy, 0), grid.height - 1)
        walk.append((x, y))
    return walk
