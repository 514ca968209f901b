"""Checks of what an index holds: kernels run without bounds checks, so nothing may point outside."""

from typing import Any

import numpy.typing as npt

from waypost.errors import IndexFileError

__all__ = ["check_fit", "check_offsets", "check_within"]

AT_ONCE = 1 << 15  # values: few enough to stay in the cache between two passes


def check_within(what: str, values: npt.NDArray[Any], low: int, high: int) -> None:
    """Refuse values outside low <= value < high."""
    flat = values.reshape(-1)
    for first in range(0, flat.size, AT_ONCE):
        some = flat[first : first + AT_ONCE]
        least, most = some.min(), some.max()
        if not (low <= least and most < high):
            raise IndexFileError(
                f"{what} must be from {low:,} to below {high:,}, not {most if low <= least else least}"
            )


def check_offsets(what: str, offsets: npt.NDArray[Any], end: int) -> None:
    """Refuse offsets that do not rise from 0 to `end`; equal ones, of empty parts, are fine."""
    if offsets.ndim != 1 or offsets.size == 0 or offsets[0] != 0 or offsets[-1] != end:
        raise IndexFileError(f"{what} must be a row of numbers from 0 to {end:,}")
    for first in range(0, offsets.size - 1, AT_ONCE):
        some = offsets[first : first + AT_ONCE + 1]
        if not (some[:-1] <= some[1:]).all():
            raise IndexFileError(f"{what} must never fall, and do so behind entry {first:,}")


def check_fit(holds: bool, name: str) -> None:
    """Refuse an array of which something does not hold."""
    if not holds:
        raise IndexFileError(f"{name} of the index do not fit the map and the other arrays; build the index again")
