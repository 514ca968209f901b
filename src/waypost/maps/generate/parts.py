"""One connected part: what every generated map is in the end."""

import numpy as np
import numpy.typing as npt

from waypost.maps.generate.kernels.tunnels import OUTSIDE, dig_tunnels
from waypost.maps.generate.parameters import Open
from waypost.world.grid import Grid

_LEAST_PERCENT = 60
CELLS_AT_ONCE = 1 << 20  # of what takes more memory than the map while it is made


def one_part(is_open: Open, fill_below_percent: int = 40) -> Open:
    """Fill parts that hold less than this percentage of the open cells, and join those that are left by tunnels.

    Where small parts are most of the map, none is filled: the result keeps 60 % of what was open or more.
    """
    height, width = is_open.shape
    if not is_open.any():  # a small map may come out as nothing but walls: give it a hall
        is_open = is_open.copy()
        is_open[height // 4 : height - height // 4, width // 4 : width - width // 4] = True
    label, count = _large_parts(is_open, fill_below_percent)
    framed = label.reshape(height + 2, width + 2)
    kept = framed[1:-1, 1:-1] > 0
    if count > 1:
        framed[[0, -1]] = OUTSIDE
        framed[:, [0, -1]] = OUTSIDE
        kept |= dig_tunnels(label, width + 2, count).reshape(framed.shape)[1:-1, 1:-1]
    return kept


def _large_parts(is_open: Open, fill_below_percent: int) -> tuple[npt.NDArray[np.int32], int]:
    """The parts that are kept, numbered from 1 in the cells of a grid, and how many they are; 0 is filled."""
    grid = Grid(is_open)
    is_kept = grid.component_sizes * 100 >= fill_below_percent * grid.open_count
    if int(grid.component_sizes[is_kept].sum()) * 100 < _LEAST_PERCENT * grid.open_count:
        is_kept = grid.component_sizes > 0
    number_of = (np.cumsum(is_kept) * is_kept).astype(np.int32)
    label = np.empty_like(grid.component)
    for first in range(0, label.size, CELLS_AT_ONCE):
        label[first : first + CELLS_AT_ONCE] = number_of[grid.component[first : first + CELLS_AT_ONCE]]
    return label, int(np.count_nonzero(is_kept))


def rows_at_once(width: int) -> int:
    """How many rows to draw random numbers for at a time, so that large maps take little memory."""
    return max(1, CELLS_AT_ONCE // width)


def random_words(seed: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """This many random words of 64 bits, the same on every machine."""
    return np.random.PCG64(seed).random_raw(count)
