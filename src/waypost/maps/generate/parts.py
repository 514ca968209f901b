"""One connected part: what every generated map is in the end."""

import numpy as np

from waypost.grid import Grid
from waypost.kernels.tunnels import OUTSIDE, dig_tunnels
from waypost.maps.generate.parameters import Open

_MAIN_PERCENT = 60


def one_part(is_open: Open) -> Open:
    """The largest component of a map; where it holds too little of what is open, all parts are joined by tunnels."""
    height, width = is_open.shape
    if not is_open.any():  # a small map may come out as nothing but walls: give it a hall
        is_open = is_open.copy()
        is_open[height // 4 : height - height // 4, width // 4 : width - width // 4] = True
    grid = Grid(is_open)
    main = int(grid.component_sizes.argmax())
    if 100 * int(grid.component_sizes[main]) >= _MAIN_PERCENT * grid.open_count:
        return grid.component.reshape(-1, grid.stride)[1:-1, 1:-1] == main
    label = grid.component.copy()
    framed = label.reshape(-1, grid.stride)
    framed[[0, -1]] = OUTSIDE
    framed[:, [0, -1]] = OUTSIDE
    is_dug = dig_tunnels(label, grid.stride, grid.component_count).reshape(-1, grid.stride)[1:-1, 1:-1]
    return is_open | is_dug


def rows_at_once(width: int) -> int:
    """How many rows to draw random numbers for at a time, so that large maps take little memory."""
    return max(1, (1 << 20) // width)


def random_words(seed: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """So many random words of 64 bits, the same on every machine."""
    return np.random.PCG64(seed).random_raw(count)
