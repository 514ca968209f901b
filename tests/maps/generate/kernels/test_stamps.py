import numpy as np
import pytest

from tests.oracle import stamps as oracle
from tests.support.chance import seeded
from tests.support.worlds import cases, random_open
from waypost.maps.generate.kernels import stamps


@pytest.mark.parametrize("value", [True, False])
def test_rectangles(value):
    random = seeded(1)
    for _ in range(cases(100)):
        is_open = random_open(random, largest=14)
        height, width = is_open.shape
        x, y = (np.sort(random.integers(0, side + 1, (4, 2)), axis=1) for side in (width, height))
        rectangles = np.stack((x[:, 0], y[:, 0], x[:, 1], y[:, 1]), axis=1)
        expected = is_open.copy()
        oracle.fill_rectangles(expected, rectangles, value)
        stamps.fill_rectangles(is_open, rectangles, value)
        assert np.array_equal(is_open, expected)


@pytest.mark.parametrize("value", [True, False])
def test_discs_are_cut_off_at_the_edge(value):
    random = seeded(2)
    for _ in range(cases(100)):
        is_open = random_open(random, largest=14)
        discs = np.column_stack((random.integers(-4, 18, (5, 2)), random.integers(0, 5, 5)))
        expected = is_open.copy()
        changed = oracle.fill_discs(expected, discs, value)
        assert stamps.fill_discs(is_open, discs, value) == changed
        assert np.array_equal(is_open, expected)


def test_noise():
    random = seeded(3)
    for _ in range(cases(60)):
        height, width, spacing, weight = (int(number) for number in random.integers(1, 14, 4))
        lattice = random.integers(0, 1 << 16, (height // spacing + 2, width // spacing + 2))
        total = np.full((height, width), 5, np.int32)
        stamps.add_noise(total, lattice, spacing, weight)
        assert np.array_equal(total, 5 + weight * oracle.noise(width, height, lattice, spacing))
