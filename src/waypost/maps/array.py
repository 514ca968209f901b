"""Numpy .npy files as maps: a (row, column) array, never anything pickled."""

import io
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, shown
from waypost.system.files import read_bytes, write_atomically
from waypost.world.arrays import open_where
from waypost.world.grid import Grid, check_size

__all__ = ["read_array", "write_array"]

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_PLAIN_KINDS = "biuf"


def read_array(path: str | os.PathLike[str], *, open: Any = None) -> npt.NDArray[np.bool_]:  # noqa: A002
    """The open cells of a .npy file: True of a boolean array; of any other, the value or values given as `open`."""
    content = read_bytes(path, ".npy file")
    _check_header(content, path)
    try:
        return open_where(np.load(io.BytesIO(content), allow_pickle=False), open)
    except MapError as error:
        raise MapError(f"{path}: {error}") from None
    except ValueError as error:
        raise MapError(f"{path} cannot be read as a .npy file: {shown(str(error))}") from None


def write_array(path: str | os.PathLike[str], grid: Grid) -> None:
    """Write a grid as a .npy file: a boolean (height, width) array, True where it is open."""
    content = io.BytesIO()
    np.save(content, grid.is_open, allow_pickle=False)
    write_atomically(path, content.getvalue())


def _check_header(content: bytes, path: str | os.PathLike[str]) -> None:
    """Refuse by its header what is no plain two-dimensional array, or promises more than the file holds."""
    file = io.BytesIO(content)
    try:
        shape, _, dtype = _HEADERS[np.lib.format.read_magic(file)](file)
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
