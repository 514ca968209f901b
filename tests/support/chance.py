"""Random numbers of tests: those of one seed, unless `make test SEED=N` or `make test-deep` asks for others."""

import os

import numpy as np

SEED = int(os.environ.get("WAYPOST_TEST_SEED") or 0)


def seeded(number):
    """A generator of a test's own number, or of its numbers."""
    return np.random.default_rng(number if SEED == 0 else (SEED, *np.atleast_1d(number)))
