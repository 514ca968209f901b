import numpy as np

from tests.oracle import flood
from tests.oracle.tunnels import tunnels
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.maps.generate.kernels.tunnels import OUTSIDE, dig_tunnels
from waypost.world.grid import Grid


def test_tunnels_join_all_parts():
    random = seeded(4)
    for _ in range(cases(200)):
        is_open = random_open(random, largest=16)
        is_open &= random.random(is_open.shape) < 0.5  # walls of some thickness
        is_open[0, 0] = True
        height, width = is_open.shape
        grid = Grid(is_open)
        framed = grid.component.reshape(-1, grid.stride).copy()
        framed[[0, -1]] = framed[:, [0, -1]] = OUTSIDE
        found = dig_tunnels(framed.ravel(), grid.stride, grid.component_count).reshape(framed.shape)[1:-1, 1:-1]
        label, _ = flood.components(is_open, "both-open")
        assert {(int(x), int(y)) for y, x in np.argwhere(found)} == tunnels(label, width, height)
        assert flood.components(is_open | found, "both-open")[1] == 1
        assert not (found & is_open).any()
