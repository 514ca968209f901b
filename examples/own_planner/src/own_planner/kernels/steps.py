"""Where moves lead."""

from waypost.kernels.compiling import inlined
from waypost.kernels.moves import DX, DY

__all__ = ["neighbour"]


@inlined
def neighbour(cell, move, stride):
    """The cell that a move leads to."""
    return cell + DY[move] * stride + DX[move]
