"""Ways that a search leaves behind as parents: for each node the one before it."""

import numpy as np

from waypost.kernels.compiling import helper
from waypost.kernels.indexing import at as _at


@helper
def write_back(parents, first, last, way):
    """Write the nodes from the first to the last, both included, going back from the last; returns how many."""
    count = 1
    here = last
    while here != first:
        here = np.int64(parents[_at(here)])
        count += 1
    here = last
    for i in range(count - 1, -1, -1):
        way[_at(i)] = here
        here = np.int64(parents[_at(here)])
    return count
