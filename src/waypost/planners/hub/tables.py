"""What a map is to kernels of hubs: its subgoals, and lines of bits in which scans find them."""

import numpy as np

from waypost.errors import WaypostError
from waypost.indexes.base import read_only
from waypost.planners.hub.kernels import lines
from waypost.planners.hub.kernels.corners import CORNERS
from waypost.planners.hub.kernels.graph import MOST_NODES
from waypost.planners.hub.kernels.lines import Lines
from waypost.world.grid import Grid

__all__ = ["lines_of"]

_GUARDS = 2  # words before and after each line
_KINDS = 2
_DIAGONALS = 4
_NO_CORNERS = 15  # stands for several corners, which a way may leave by any side


def lines_of(grid: Grid) -> Lines:
    """The subgoals of a map; under diagonal rules for which there are no taut ways, every cell is one."""
    is_dense = int(grid.diagonals != "both-open")
    cells, places = lines.subgoals(grid.mask, is_dense)
    if cells.size >= MOST_NODES:
        raise WaypostError(f"hub has no room for the {cells.size:,} subgoals of this map; take jps, which stores none")
    stride, height = grid.stride, grid.height + 2
    row_words, column_words = (-(-places_of_line // 64) + _GUARDS for places_of_line in (stride, height))
    columns = _KINDS * height * row_words
    diagonals = columns + _KINDS * stride * column_words
    size = 0 if is_dense else diagonals + _DIAGONALS * stride * column_words
    bits = np.zeros(size, np.uint64)
    bits[:diagonals] = ~np.uint64(0)
    corners = np.full(cells.size, _NO_CORNERS, np.uint8) if is_dense else CORNERS[grid.mask[cells]]
    straight, diagonal, _ = grid.costs
    cells, places, corners = read_only(cells, places, corners)
    made = Lines(
        mask=grid.mask,
        bits=bits,
        places=places,
        cells=cells,
        corners=corners,
        stride=stride,
        row_words=row_words,
        column_words=column_words,
        columns=columns,
        diagonals=diagonals,
        straight=straight,
        diagonal=diagonal,
        is_dense=is_dense,
    )
    if not is_dense:
        lines.write_lines(tuple(made), bits, np.empty((3, _KINDS, stride), np.int64))
    read_only(bits)
    return made
