"""What the worst sector of a map takes to look at, for the promise about work (gates rules, "Work")."""

import numpy as np

from waypost.kernels.compiling import kernel
from waypost.planners.gates.kernels.tree import Tree


@kernel
def most(tree):
    """Of all sectors the most costs that a search from there reads, and the most gates on separators and in lists."""
    tree = Tree(*tree)
    most_probes = most_height = most_lists = np.int64(0)
    for leaf in tree.leaves:
        probes = height = lists = np.int64(0)
        part = np.int64(leaf)
        while part >= 0:
            rows, size = np.int64(tree.separators[part]), np.int64(tree.sizes[part])
            probes += rows * (2 * size - rows - 1) // 2 + 2 * size
            height += rows + 1
            lists += size
            part = np.int64(tree.parents[part])
        most_probes, most_height = max(most_probes, probes), max(most_height, height)
        most_lists = max(most_lists, lists)
    return most_probes, most_height, most_lists
