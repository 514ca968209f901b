"""What is stored of each part of a map, and where it stands (gates rules, "What is stored").

Of two gates in the list of a part there is a cost, at (row, column) of a triangle, row < column: those of the rows of
the separator, and all of them where the part is a block. And there is a *way*: which child, or which gate of the
separator, the way between the two leads by.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels.compiling import inlined
from waypost.kernels.numbers import at

BY_GATE = 2
"""Ways from here on lead by a gate of the separator: this one, or the ones after it."""


class Costs(NamedTuple):
    """Costs and ways of all parts."""

    costs: npt.NDArray[np.int32]
    cost_firsts: npt.NDArray[np.int64]
    """Where those of each part begin."""
    near_ways: npt.NDArray[np.uint8]
    far_ways: npt.NDArray[np.uint16]
    """Of parts up to blocks, and of larger ones."""
    way_firsts: npt.NDArray[np.int64]
    """Where those of each part begin, in its array."""


@inlined
def in_triangle(size, row, column):
    """The place of (row, column) in a triangle of so many rows without its diagonal."""
    return row * (2 * size - row - 1) // 2 + column - row - 1


@inlined
def cost_at(tree, known, part, row, column):
    """What it costs between two places of a part's list, of which the row is one of its separator, or it is a block."""
    size = np.int64(tree.sizes[at(part)])
    return np.int64(known.costs[at(known.cost_firsts[at(part)] + in_triangle(size, row, column))])


@inlined
def way_at(tree, known, part, row, column):
    """By which child (0 or 1) or gate of the separator (its place + 2) the way between two places leads."""
    place = at(known.way_firsts[at(part)] + in_triangle(np.int64(tree.sizes[at(part)]), row, column))
    if part < tree.near_parts:
        return np.int64(known.near_ways[place])
    return np.int64(known.far_ways[place])
