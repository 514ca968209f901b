"""What the benchmark knows of a library: how it is prepared, how it is asked, how its answer is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Open: TypeAlias = npt.NDArray[np.bool_]
Point: TypeAlias = tuple[int, int]
"""A place as (x, y); adapters turn it round where a library counts (row, column)."""

Query: TypeAlias = Callable[[Point, Point], Any]
"""From start to goal, the timed call: the library's own form of a path, or None where it refuses."""

DIAGONAL = 2**0.5


@dataclass(frozen=True)
class Library:
    """One library, or one way to use it, as the benchmark measures it."""

    name: str
    package: str
    """What pip calls it."""
    module: str
    """What is imported first."""
    prepare: Callable[[Open], Query]
    """Build once, outside the timing, all that the library can reuse between queries on one map."""
    read: Callable[[Any, Point], list[Point]]
    """The path as (x, y) points with the start first, outside the timing; empty for a refusal."""
    given: str
    """What was prepared, and what a query then does: a sentence for the report."""
    ours: bool = False


def read_xy(path: Any, _start: Point) -> list[Point]:
    """Points that are already (x, y), start included."""
    return [] if path is None else [(int(x), int(y)) for x, y in path]


def read_row_column(path: Any, _start: Point) -> list[Point]:
    """Points as (row, column), start included."""
    return [] if path is None else [(int(x), int(y)) for y, x in path]
