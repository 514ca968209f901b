"""Index: what was computed offline for one grid; the contract that every kind keeps (docs/add-an-index.md)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, WaypostError
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, MapShape
from waypost.world.grid import Grid

__all__ = ["SMALLEST", "Index", "Regions", "read_only", "require", "smallest"]

SMALLEST = "the smallest unsigned dtype that holds its numbers"
"""What `require` may be told to want; see `smallest`."""


class Regions(NamedTuple):
    """How an index cuts its map, as `picture.draw_regions` takes it."""

    region_of: npt.NDArray[np.int32]
    """The region of each cell, -1 where there is none."""
    reps: npt.NDArray[np.int32]
    """The representative of each region, a cell."""
    edges: npt.NDArray[np.int32]
    """Pairs of regions that the index knows to touch, the lower one first."""


class Index(ABC):
    """What was computed offline for one grid: read-only arrays, shared by all agents and threads."""

    arrays: dict[str, npt.NDArray[Any]]
    """Exactly what is stored."""
    _grid: Grid | None = None
    _params: dict[str, Any] | None = None
    any_map: ClassVar[bool] = False
    """Whether it can be used on other maps than the one that it was built for: it holds nothing about places."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]], grid: Grid | None = None) -> None:
        self.arrays = dict(arrays)
        self._grid = grid
        for array in self.arrays.values():
            array.setflags(write=False)  # as those of a file are: another type to compiled code

    def check_fits(self, grid: Grid, params: Mapping[str, Any]) -> None:
        """Refuse another grid, or other offline parameters, than this was made for: kernels would read past its arrays.

        An index belongs to the parameters of its first planner, and to its grid, if it was not told that.
        """
        if self._params is None:
            self._params = dict(params)
        if self._params != params:
            raise WaypostError(
                f"the index was made with {_spelled(self._params)}, and not with {_spelled(params)}; "
                "build an index with these parameters"
            )
        if self.any_map:
            return
        own = self._grid = self._grid or grid
        if own is not grid and own.fingerprint != grid.fingerprint:
            raise WaypostError(
                f"the index was made for another map, of {own.width} x {own.height} cells, and not for this one "
                f"of {grid.width} x {grid.height}; build an index for this map"
            )

    def __copy__(self) -> Self:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        raise WaypostError("an index cannot be pickled; pickle its planner, which is checked where it is restored")

    @classmethod
    @abstractmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Compute the index; the arrays depend on the grid and the offline parameters alone."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index that these arrays are, or `IndexFileError`: nothing in them may point outside."""

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast | None:  # noqa: ARG003 - some have none
        """What an index of such a map would take, by a formula; None if there is none."""
        return None

    @property
    @abstractmethod
    def states(self) -> int:
        """States stored, as the papers count them."""

    @property
    def is_whole(self) -> bool:
        """Whether all of it is there; otherwise parts are made when they are asked for, and its size says nothing."""
        return True

    def regions(self) -> Regions | None:
        """How the index cuts its map, for pictures; None if it does not."""
        return None

    @property
    def bytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays.values())

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """The ways to a goal as pictures show them, in rows of two cells: a subgoal and the one that it leads to."""
        raise WaypostError(f"an index without subgoals has no picture of the ways to cell {goal}")

    def depths_to(self, goal: int) -> npt.NDArray[np.uint16]:
        """How many moves to look ahead in each cell on the way to a goal, for pictures; 0 where nothing is stored."""
        raise WaypostError(f"an index without lookahead depths has no picture of those towards cell {goal}")

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """The ways that are stored from a cell or its region, in the same rows."""
        raise WaypostError(f"an index without paths between regions has no picture of the ways from cell {cell}")


def read_only(*arrays: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """These arrays, which nobody may write to any more: as those of a file, another type to compiled code."""
    for array in arrays:
        array.setflags(write=False)
    return arrays


def smallest(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers from 0 to 2^32 - 1 in as few bytes each as hold them all."""
    return numbers.astype(np.min_scalar_type(min(int(numbers.max(initial=0)), np.iinfo(np.uint32).max)))


def require(arrays: Mapping[str, npt.NDArray[Any]], wanted: Mapping[str, tuple[npt.DTypeLike, int]]) -> None:
    """Refuse arrays unless they have just these names, each of this dtype and number of dimensions, in C order."""
    for name in (*arrays, *wanted):
        if name not in wanted or name not in arrays:
            raise IndexFileError(f"the arrays must be {', '.join(sorted(wanted))}, not {', '.join(sorted(arrays))}")
    for name, (wanted_dtype, ndim) in wanted.items():
        array = arrays[name]
        dtype = _dtype(wanted_dtype, array)
        if array.dtype != dtype or array.ndim != ndim or not array.flags.c_contiguous:
            raise IndexFileError(
                f"array {name} must be {ndim}-dimensional {dtype} in C order, "
                f"not {array.ndim}-dimensional {array.dtype}"
            )


def _spelled(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in params.items()) or "no parameters"


def _dtype(wanted: npt.DTypeLike, array: npt.NDArray[Any]) -> np.dtype[Any]:
    """The dtype that an array must have."""
    if wanted is not SMALLEST:
        return np.dtype(wanted)
    return smallest(array).dtype if array.dtype.kind == "u" else np.dtype(np.uint8)
