"""Plazas: a cell of each component of the map that all ways lead by."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import Index, require
from waypost.indexes.building import Works
from waypost.indexes.ranges import check_within
from waypost.world.grid import Grid

__all__ = ["Plazas"]


class Plazas(Index):
    """The plaza of each component by its number; that of number 0, the walls, is cell 0."""

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """One after the other."""

        def make(first: int, last: int) -> tuple[npt.NDArray[np.int32]]:
            return (np.array([_plaza(grid, number, int(params["share"])) for number in range(first, last)], np.int32),)

        parts = works.parts("plazas", grid.component_sizes.size, make)
        return cls.from_arrays(grid, params, {"plazas": np.concatenate([part for (part,) in parts])})

    @classmethod
    def from_arrays(
        cls,
        grid: Grid,
        params: Mapping[str, Any],  # noqa: ARG003 - any cell of a component will do
        arrays: Mapping[str, npt.NDArray[Any]],
    ) -> Self:
        """The index of these arrays, if each component has a plaza in it."""
        require(arrays, {"plazas": (np.int32, 1)})
        plazas, components = arrays["plazas"], grid.component_sizes.size
        if plazas.size != components:
            raise IndexFileError(f"plazas must have {components:,} entries, one for each component and one for walls")
        check_within("plazas", plazas, 0, grid.mask.size)
        if not np.array_equal(grid.component[plazas], np.arange(components)):
            raise IndexFileError("each of the plazas must lie in its component")
        return cls(arrays)

    @property
    def states(self) -> int:
        """Cells that are stored."""
        return self.arrays["plazas"].size - 1


def _plaza(grid: Grid, number: int, share: int) -> int:
    """The cell before which so many percent of a component's cells come."""
    cells = np.flatnonzero(grid.component == number) if number else np.zeros(1, np.int64)
    return int(cells[share * (cells.size - 1) // 100])
