"""The numbers that kernels reckon with: the largest, and how arrays are indexed."""

import numpy as np

COST_LIMIT = (1 << 31) - 1  # of a path: 264,500 diagonal moves of the sqrt 2 metric
NO_LIMIT = 1 << 62  # of steps, work or costs

at = np.uintp
"""How hot loops index arrays, `array[at(place)]` where a place is never negative.

An unsigned index spares the test for a negative one: 10 % of a best-first search.
"""
