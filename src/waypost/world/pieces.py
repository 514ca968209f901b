"""Large maps taken some cells at a time: what counts or chooses cells needs more memory for each than the map has."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

__all__ = ["cells_of", "open_bands", "sizes_of"]

CELLS_AT_ONCE = 1 << 20

Labels = npt.NDArray[np.int32]


def open_bands(labels: Labels) -> Iterator[npt.NDArray[np.bool_]]:
    """Where the rows of a (height, width) array are no walls; all bands but the last are a multiple of eight rows."""
    height, width = labels.shape
    at_once = max(8, CELLS_AT_ONCE // width & -8)
    for first in range(0, height, at_once):
        yield labels[first : first + at_once] != 0


def sizes_of(component: Labels, count: int) -> npt.NDArray[np.int64]:
    """How many cells have each label up to the largest; of 0 none."""
    sizes = np.zeros(count + 1, np.int64)
    for first in range(0, component.size, CELLS_AT_ONCE):
        sizes += np.bincount(component[first : first + CELLS_AT_ONCE], minlength=sizes.size)
    sizes[0] = 0
    return sizes


def cells_of(component: Labels, is_chosen: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.int32]:
    """The cells whose labels are chosen, of which there are so many, in the order of the map."""
    cells = np.empty(count, np.int32)
    found = 0
    for first in range(0, component.size, CELLS_AT_ONCE):
        some = np.flatnonzero(is_chosen[component[first : first + CELLS_AT_ONCE]])
        cells[found : found + some.size] = some + first
        found += some.size
    return cells
