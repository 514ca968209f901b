import numpy as np
import pytest

from tests.oracle import rules
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.kernels import moves
from waypost.world.grid import Grid


def test_the_order_of_moves_is_the_contract():
    assert list(zip(moves.DX, moves.DY, strict=True)) == list(rules.ORDER.values())
    assert [getattr(moves, name) for name in rules.ORDER] == list(range(8))


@pytest.mark.parametrize("rule", rules.DIAGONALS)
def test_masks_say_which_moves_are_legal(rule):
    random = seeded(1)
    for _ in range(cases(100)):
        is_open = random_open(random)
        grid = Grid(is_open, diagonals=rule)
        masks = grid.mask.reshape(-1, grid.stride)
        for y in range(-1, grid.height + 1):
            for x in range(-1, grid.width + 1):
                legal = [rules.may_move(is_open, rule, x, y, *step) for step in rules.ORDER.values()]
                assert masks[y + 1, x + 1] == sum(1 << i for i, yes in enumerate(legal) if yes)


@pytest.mark.parametrize("rule", rules.DIAGONALS)
@pytest.mark.parametrize("costs", rules.COSTS)
def test_octile_distance(rule, costs):
    grid = Grid(np.ones((12, 12), bool), diagonals=rule, costs=costs)
    for x in range(12):
        for y in range(12):
            expected = rules.heuristic(rule, costs, (5, 6), (x, y))
            assert grid.octile(grid.cell((5, 6)), grid.cell((x, y))) == expected
            assert moves.octile(x - 5, y - 6, grid.costs.straight, grid.costs.diagonal) == expected


def test_integer_sqrt2_orders_paths_like_the_real_one():
    """5741*a + 8119*b compares as a + b*sqrt 2 while the diagonal counts differ by at most 5740 (decision 0002)."""
    # a straight moves weigh against b diagonal ones: the sign of a - b*sqrt 2 is that of a*a - 2*b*b, in whole numbers.
    for b in range(1, 5741):
        a = int((2 * b * b) ** 0.5)
        for straight in (a - 1, a, a + 1, a + 2):
            exact = straight * straight - 2 * b * b
            assert (5741 * straight > 8119 * b) == (exact > 0)
            assert (5741 * straight < 8119 * b) == (exact < 0)
