"""Which cells of an array of any kind are open."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, shown

__all__ = ["open_where", "refuse_masks"]

CELLS_AT_ONCE = 1 << 20  # what is found out of each value takes memory of its own


def open_where(array: npt.ArrayLike, open: Any = None) -> npt.NDArray[np.bool_]:  # noqa: A002
    """Where a (row, column) array of any dtype holds one of the open values."""
    refuse_masks(array)
    try:
        values = np.asarray(array)
    except (ValueError, TypeError, np.ma.MaskError):
        raise MapError("a map is a two-dimensional (row, column) array with rows of equal length") from None
    if values.ndim != 2 or values.dtype.names:
        kind = "records" if values.dtype.names else f"shape {values.shape}"
        raise MapError(f"a map is a two-dimensional (row, column) array of plain values, not one of {kind}")
    bands = _bands(values)
    if values.dtype.kind == "f":
        for rows in bands:
            _refuse_nan(values[rows], rows.start)
    if open is None:
        if values.dtype != np.bool_:
            raise MapError(f"say which value of this {values.dtype} array is open, e.g. open=0")
        return values
    wanted: Any = [open]
    if isinstance(open, np.ndarray):
        wanted = open.ravel()
    elif isinstance(open, Collection) and not isinstance(open, (str, bytes)):
        wanted = list(open)
    if isinstance(open, Mapping) or _has_mask(open) or any(map(_has_mask, wanted)):
        raise MapError(f"open must be a value, or a list or set of values, without any mask, not {shown(open)}")
    is_open = np.empty(values.shape, np.bool_)
    for rows in bands:
        is_open[rows] = np.isin(values[rows], wanted)
    return is_open


def refuse_masks(array: Any) -> None:
    """Refuse a masked array, or rows of which some are masked."""
    rows = array if isinstance(array, (list, tuple)) else ()
    if _has_mask(array) or any(_has_mask(row) or _has_masks(row) for row in rows):
        raise MapError("a masked array does not say what its masked cells are; fill them first, e.g. array.filled(1)")


def _bands(values: npt.NDArray[Any]) -> list[slice]:
    """The rows of an array some at a time: it may be a file larger than memory."""
    height, width = values.shape
    at_once = max(1, CELLS_AT_ONCE // max(1, width))
    return [slice(first, first + at_once) for first in range(0, height, at_once)]


def _refuse_nan(values: npt.NDArray[Any], above: int) -> None:
    """Refuse rows that hold NaN; so many are above them."""
    is_nan = np.isnan(values)
    if is_nan.any():
        row, column = np.argwhere(is_nan)[0]
        raise MapError(f"the map has NaN at row {above + row}, column {column}; every cell must be a wall or open")


def _has_mask(value: Any) -> bool:
    return isinstance(value, np.ma.MaskedArray)


def _has_masks(row: Any) -> bool:
    return isinstance(row, (list, tuple)) and any(map(_has_mask, row))
