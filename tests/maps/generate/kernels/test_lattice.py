import numpy as np
import pytest

from tests.oracle import lattice as oracle
from tests.support.chance import seeded
from tests.support.worlds import cases
from waypost.maps import generate
from waypost.maps.generate.kernels import lattice
from waypost.maps.generate.parts import random_words


def test_mazes():
    random = seeded(1)
    for seed in range(cases(100)):
        width, height = (int(side) for side in random.integers(8, 40, 2))
        corridor = int(random.integers(1, 7))
        expected = oracle.maze(width, height, seed, corridor)
        assert np.array_equal(generate.maze(width, height, seed, corridor=corridor), expected)


@pytest.mark.parametrize("most_doors", [1, 2, 3])
@pytest.mark.parametrize("chance", [0.3, 0.85, 1.0])
def test_doors(most_doors, chance):
    random = seeded(2)
    for seed in range(cases(40)):
        width, height = random.integers(8, 40, 2)
        size = int(random.integers(1, 12))
        is_open = np.ones((height, width), bool)
        is_open[size :: size + 1, :] = False
        is_open[:, size :: size + 1] = False
        expected = is_open.copy()
        oracle.cut_doors(expected, seed, size, most_doors, chance)
        lattice.cut_doors(is_open, random_words(seed, 4 * is_open.size), size, most_doors, chance)
        assert np.array_equal(is_open, expected)
