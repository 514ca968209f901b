from itertools import pairwise

import numpy as np
import pytest

from tests.oracle import region_graph as oracle
from tests.oracle import rules
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.planners.cuts.kernels import graph
from waypost.world.grid import Grid


def lists(starts, members):
    assert starts.dtype == np.int64
    assert members.dtype == np.int32
    return [members[a:b].tolist() for a, b in pairwise(starts)]


def random_regions(random, grid):
    """A region for every open cell, at random or in stripes: regions need not hang together."""
    cells = np.flatnonzero(grid.component)
    most = int(random.integers(1, cells.size + 1))
    names = random.integers(0, most, cells.size) if random.random() < 0.5 else cells * most // grid.component.size
    _, regions = np.unique(names, return_inverse=True)
    region_of = np.full(grid.component.size, -1, np.int32)
    region_of[cells] = regions
    return region_of, int(regions.max()) + 1


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_neighbours_near_and_far_equal_the_oracle(rule):
    random = seeded(1)
    for number in range(cases(200)):
        is_open = random_open(random, largest=24 if number == 0 else 10)
        grid = Grid(is_open, diagonals=rule)
        region_of, count = random_regions(random, grid)
        region_of.setflags(write=False)
        starts, neighbours = graph.adjacency(grid.mask, region_of, grid.stride, count)
        table = {grid.xy(cell): int(region_of[cell]) for cell in np.flatnonzero(grid.component)}
        expected = oracle.adjacency(is_open, rule, table, count)
        assert lists(starts, neighbours) == expected
        starts.setflags(write=False)
        neighbours.setflags(write=False)
        for hops in (0, 1, 2, 3, 4):
            near = graph.neighbourhoods(starts, neighbours, hops)
            assert lists(*near) == oracle.neighbourhoods(expected, hops)


def test_every_cell_its_own_region_makes_room_for_all_pairs():
    is_open = np.ones((12, 12), bool)
    grid = Grid(is_open)
    region_of = np.full(grid.component.size, -1, np.int32)
    region_of[grid.component != 0] = np.arange(144)
    region_of.setflags(write=False)
    starts, neighbours = graph.adjacency(grid.mask, region_of, grid.stride, 144)
    table = {grid.xy(cell): int(region_of[cell]) for cell in np.flatnonzero(grid.component)}
    assert lists(starts, neighbours) == oracle.adjacency(is_open, "both-open", table, 144)
