"""The largest numbers that kernels reckon with."""

COST_LIMIT = (1 << 31) - 1  # of a path: 264,500 diagonal moves of the sqrt 2 metric
NO_LIMIT = 1 << 62  # of steps, work or costs
