import numpy as np
import pytest

from tests.oracle import flood, rules
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open, random_place
from waypost.world.grid import Grid


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_components(rule):
    random = seeded(2)
    for _ in range(cases(200)):
        is_open = random_open(random, largest=14)
        grid = Grid(is_open, diagonals=rule)
        expected, count = flood.components(is_open, rule)
        labels = grid.component.reshape(-1, grid.stride)
        assert grid.component_count == count
        assert {(x - 1, y - 1): labels[y, x] for y, x in np.argwhere(labels)} == expected
        assert grid.component_sizes.tolist() == [0, *np.bincount([*expected.values()])[1:].tolist()]


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_nearest_reachable_cell(rule, costs):
    random = seeded(3)
    for _ in range(cases(200)):
        is_open = random_open(random, largest=12)
        grid = Grid(is_open, diagonals=rule, costs=costs)
        label, _ = flood.components(is_open, rule)
        start = random_place(random, is_open)
        target = int(random.integers(grid.width)), int(random.integers(grid.height))
        found = grid.nearest_connected(grid.cell(start), grid.cell(target))
        assert grid.xy(found) == flood.nearest(label, rule, costs, label[start], target)
