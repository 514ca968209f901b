"""SectorHashes: a fingerprint of a map that changes, by a tree of hashes over its sectors (Merkle)."""

import hashlib

import numpy as np
import numpy.typing as npt

from waypost.world.grid import Grid

__all__ = ["SectorHashes"]

_SIDE = 64  # cells of a sector: the more, the fewer hashes, and the more cells behind each
_FANOUT = 8  # along both sides
_BYTES = 16


class SectorHashes:
    """Hashes of sectors, of blocks of sectors and so on up to one; those of sectors that changed are made when asked.

    What comes out depends on the map alone and not on how it came to be so.
    """

    def __init__(self, grid: Grid) -> None:
        down, across = -(-grid.height // _SIDE), -(-grid.width // _SIDE)
        self._stride = grid.stride
        self._is_stale = np.ones((down, across), np.bool_)
        self._levels = [np.zeros((down, across, _BYTES), np.uint8)]
        while self._levels[-1].shape[:2] != (1, 1):
            down, across = -(-down // _FANOUT), -(-across // _FANOUT)
            self._levels.append(np.zeros((down, across, _BYTES), np.uint8))

    def note(self, cells: npt.NDArray[np.int32]) -> None:
        """These cells have changed."""
        rows, columns = np.divmod(cells, self._stride)
        self._is_stale[(rows - 1) // _SIDE, (columns - 1) // _SIDE] = True

    def root(self, grid: Grid) -> str:
        """The hash of all that decides paths on this grid, whose changes were noted."""
        stale = set(zip(*(places.tolist() for places in self._is_stale.nonzero()), strict=True))
        self._is_stale[:] = False
        component = grid.component.reshape(-1, self._stride)[1:-1, 1:-1]
        for row, column in stale:
            part = component[row * _SIDE : (row + 1) * _SIDE, column * _SIDE : (column + 1) * _SIDE]
            self._levels[0][row, column] = _hash(np.packbits(part != 0).tobytes())
        for below, level in zip(self._levels, self._levels[1:], strict=False):
            stale = {(row // _FANOUT, column // _FANOUT) for row, column in stale}
            for row, column in stale:
                rows, columns = (slice(place * _FANOUT, (place + 1) * _FANOUT) for place in (row, column))
                level[row, column] = _hash(below[rows, columns].tobytes())
        straight, diagonal, _ = grid.costs
        rules = f"world {grid.width} {grid.height} {grid.diagonals} {straight} {diagonal}"
        return _hash(rules.encode() + self._levels[-1].tobytes()).tobytes().hex()

    @property
    def bytes(self) -> int:
        """Of all hashes."""
        return sum(level.nbytes for level in self._levels)


def _hash(data: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(hashlib.blake2b(data, digest_size=_BYTES).digest(), np.uint8)
