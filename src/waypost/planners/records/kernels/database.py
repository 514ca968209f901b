"""What routes by records know, what they were set to and what they work with, by name."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Database(NamedTuple):
    """The records: their points (see `kdtree.py`), where the legs of each begin, and all legs."""

    points: npt.NDArray[np.int32]
    first_legs: npt.NDArray[np.int32]
    legs: npt.NDArray[np.int32]


class Settings(NamedTuple):
    """What a planner was set to; `direct`, `skips_first` to `by_tree` and `quota` are the enhancements of 2010."""

    ahead: int
    limit: int
    direct: int
    skips_first: int
    skips_last: int
    candidates: int
    by_tree: int
    quota: int
    """In hundredths of the distance."""
    shortest: int
    second_limit: int
    joins: int


class Scratch(NamedTuple):
    """The records found, and how unlike each is; without a tree there are keys for all records."""

    keys: npt.NDArray[np.int64]
    found: npt.NDArray[np.int32]
