"""What jump point search scans by, for a whole map."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.kernels import bits

__all__ = ["JumpTables", "new_jump_tables"]


class JumpTables(NamedTuple):
    """What jump point search scans by: where straight scans stop, as bits by rows and by columns, and which hit."""

    rows: npt.NDArray[np.uint64]
    columns: npt.NDArray[np.uint64]
    cells: npt.NDArray[np.uint16]


def new_jump_tables(component: npt.NDArray[np.int32], mask: npt.NDArray[np.uint8], stride: int) -> JumpTables:
    """Tables of a padded map that has these components and legal moves, nowhere kept."""
    height = component.size // stride
    rows = bits.stop_bits(component, height, stride, stride, 1)
    columns = bits.stop_bits(component, stride, height, 1, stride)
    return JumpTables(rows, columns, bits.moves_and_hits(component, mask, rows, columns, stride))
