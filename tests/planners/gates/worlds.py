"""Maps of many sectors, small enough for plain Python."""

import numpy as np

from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF

RULES = ("both-open", "one-open", "always", "never")


def random_map(random, most):
    """An array of open cells, of some sectors, with as many walls as there may be."""
    height, width = random.integers(3, most, size=2)
    is_open = random.random((height, width)) > random.choice([0.0, 0.1, 0.25, 0.4, 0.6])
    is_open[0, 0] = True
    return is_open


def random_worlds(seed, count, most):
    """Maps, a rule and costs."""
    random = seeded(seed)
    for number in range(2 if JIT_IS_OFF else count):
        costs = "sqrt2" if number % 3 else "1.4"
        yield random_map(random, 40 if JIT_IS_OFF else most), RULES[number % 4], costs, np.random.default_rng(number)


def long_map(random, width=100):
    """A low map of several blocks, one beside the other, whose ends are joined."""
    is_open = random.random((int(random.integers(17, 21)), int(random.integers(70, width)))) > random.choice(
        [0.1, 0.25]
    )
    is_open[random.integers(is_open.shape[0])] = True
    return is_open
