"""Places as users write them: types with names, which help() and editors show instead of all that they stand for."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

__all__ = ["IntArray", "Point", "Points"]

Point = TypeAliasType("Point", Sequence[int] | npt.NDArray[Any])
"""A place as users write it: (x, y), x to the right and y down, both from 0."""

Points = TypeAliasType("Points", npt.ArrayLike)
"""Many places: an (n, 2) array of x, y, or what numpy makes one of."""

IntArray = TypeAliasType("IntArray", npt.NDArray[np.int32])
