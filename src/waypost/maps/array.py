"""Numpy .npy files as maps: a (row, column) array, never anything pickled."""

import io
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError
from waypost.system.files import map_file, write_atomically
from waypost.world.arrays import open_where
from waypost.world.grid import Grid, check_size

__all__ = ["read_array", "write_array"]

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_PLAIN_KINDS = "biuf"
_LONGEST_HEADER = 1 << 16


def read_array(path: str | os.PathLike[str], *, open: Any = None) -> npt.NDArray[np.bool_]:  # noqa: A002
    """The open cells of a .npy file: True of a boolean array; of any other, the value or values given as `open`."""
    values = _values(path)
    try:
        return open_where(values, open)
    except MapError as error:
        raise MapError(f"{path}: {error}") from None


def write_array(path: str | os.PathLike[str], grid: Grid) -> None:
    """Write a grid as a .npy file: a boolean (height, width) array, True where it is open."""
    write_atomically(path, _pieces(grid))


def _pieces(grid: Grid) -> Iterator[bytes]:
    """The content of a .npy file, some rows at a time."""
    header = io.BytesIO()
    shape = {"descr": "|b1", "fortran_order": False, "shape": (grid.height, grid.width)}
    np.lib.format.write_array_header_1_0(header, shape)
    yield header.getvalue()
    for band in grid.open_bands():
        yield band.tobytes()


def _values(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """The array of a file as it lies there: mapped, not read, for the file may be larger than memory.

    Refused by its header is what is no plain two-dimensional array, or promises more than the file holds.
    """
    content = map_file(path, ".npy file")
    file = io.BytesIO(content[:_LONGEST_HEADER])
    try:
        shape, is_by_columns, dtype = _HEADERS[np.lib.format.read_magic(file)](file)
    except Exception:  # the header is Python text, and numpy's parser of it raises many things
        raise MapError(f"{path} is not a .npy file, or its header is damaged") from None
    if dtype.hasobject:
        raise MapError(f"{path} holds pickled Python objects, which are never loaded; save a boolean array")
    if len(shape) != 2 or dtype.kind not in _PLAIN_KINDS:
        raise MapError(f"{path} must hold a two-dimensional array of numbers or booleans, not {shape} of {dtype}")
    height, width = shape
    check_size(width, height, str(path))
    if len(content) - file.tell() < width * height * dtype.itemsize:
        raise MapError(
            f"{path} is cut off: its header promises {height} rows of {width} cells, "
            f"but the file has only {len(content):,} bytes"
        )
    return np.ndarray(shape, dtype, content, file.tell(), order="F" if is_by_columns else "C")
