"""Index files for several sizes of units: one file whose arrays are whole index files, one of each size."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from waypost.errors import IndexFileError, ParameterError, shown
from waypost.indexes.store import StoredIndex, decode_index, index_bytes
from waypost.system.checks import whole_number
from waypost.world.grid import Grid
from waypost.world.sizes import MOST_SIDE

__all__ = ["checked_sizes", "files_of_sizes", "has_sizes", "together"]

_SIZES = "sizes"
_ARRAY = "size_{}"
_LIST = re.compile(r"[1-9]\d{0,2}(,[1-9]\d{0,2})*")


def checked_sizes(sizes: Iterable[int]) -> tuple[int, ...]:
    """Different sizes of units, the smallest first."""
    try:
        given = [] if isinstance(sizes, (str, bytes, Mapping)) else list(sizes)
    except TypeError:
        given = []
    wanted = tuple(sorted(whole_number("a size", size, lowest=1, highest=MOST_SIDE) for size in given))
    if not wanted or len(set(wanted)) < len(wanted):
        raise ParameterError(f"sizes must be a list of different whole numbers, such as (1, 2), not {shown(sizes)}")
    return wanted


def together(grid: Grid, stored: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """What one file of a map holds, by what the files of all sizes would hold."""
    first = next(iter(stored.values()))
    files = {_ARRAY.format(size): np.frombuffer(index_bytes(**each), np.uint8) for size, each in stored.items()}
    return {**first, "grid": grid, "params": {**first["params"], _SIZES: ",".join(map(str, stored))}, "arrays": files}


def has_sizes(stored: StoredIndex) -> bool:
    """Whether a file is one of several sizes."""
    return _SIZES in stored.params


def files_of_sizes(path: str | os.PathLike[str], stored: StoredIndex) -> Iterator[tuple[int, str, StoredIndex]]:
    """Each size, what its part is called in messages, and what is stored for it; the smallest first."""
    listed = stored.params[_SIZES]
    sizes = list(map(int, listed.split(","))) if isinstance(listed, str) and _LIST.fullmatch(listed) else []
    parts = {_ARRAY.format(size): size for size in sizes}
    if sizes != sorted(set(sizes)) or set(parts) != set(stored.arrays) or max(sizes, default=256) > MOST_SIDE:
        raise IndexFileError(f"{path} is damaged: it does not hold the sizes that it names; build the index again")
    for name, size in parts.items():
        what = f"{path} (units of {size} x {size} cells)"
        array = stored.arrays[name]
        if array.dtype != np.uint8 or array.ndim != 1:
            raise IndexFileError(f"{what} is damaged: it is not a file of bytes; build the index again")
        part = decode_index(what, array.data)
        if part.planner != stored.planner or has_sizes(part):
            raise IndexFileError(f"{what} is damaged: it is not the index of one size; build the index again")
        yield size, what, part
