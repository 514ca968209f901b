"""A tree that leads from every cell to a beacon: go down to where the goal's branch begins, then up to the goal."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

import waypost as wp
from own_planner.kernels import spread
from waypost.errors import IndexFileError
from waypost.indexes.base import Index, require
from waypost.indexes.building import Works
from waypost.indexes.ranges import check_within

__all__ = ["Beacons", "Follow"]


class Beacons(Index):
    """For each cell the next one on the way to its beacon, and how many moves that is."""

    @classmethod
    def build(cls, grid: wp.Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Spread from the beacons of all components."""
        components = grid.component_sizes.size

        def make(first: int, last: int) -> tuple[npt.NDArray[np.int32]]:
            beacons = [_beacon(grid, label, params["shift"]) for label in range(first, last)]
            return (np.array([cell for cell in beacons if cell >= 0], np.int32),)

        beacons = np.concatenate([part for (part,) in works.parts("beacons", components, make)])
        toward, depth, queue = (np.full(grid.mask.size, -1, np.int32) for _ in range(3))
        spread.spread(grid.mask, grid.stride, beacons, toward, depth, queue)
        return cls.from_arrays(grid, params, {"toward": toward, "depth": depth})

    @classmethod
    def from_arrays(
        cls,
        grid: wp.Grid,
        params: Mapping[str, Any],  # noqa: ARG003 - whichever the beacon is, the tree must be one
        arrays: Mapping[str, npt.NDArray[Any]],
    ) -> Self:
        """Refuse what is no such tree."""
        require(arrays, {"toward": (np.int32, 1), "depth": (np.int32, 1)})
        toward, depth, is_open = arrays["toward"], arrays["depth"], grid.component > 0
        if not toward.size == depth.size == grid.mask.size:
            raise IndexFileError(f"toward and depth must have {grid.mask.size:,} entries, one for each cell")
        check_within("toward", toward, -1, grid.mask.size)
        check_within("depth", depth, -1, grid.mask.size)
        if not (np.array_equal(toward >= 0, is_open) and np.array_equal(depth >= 0, is_open)):
            raise IndexFileError("toward and depth must be -1 on walls, and only there")
        inner = np.flatnonzero(depth > 0)
        if (depth[toward[inner]] != depth[inner] - 1).any() or not _are_moves(grid, toward[inner], inner):
            raise IndexFileError("each cell must lead by a legal move to one that is nearer to the beacon")
        roots = np.flatnonzero(depth == 0)
        if np.unique(grid.component[roots]).size != roots.size or (toward[roots] != roots).any():
            raise IndexFileError("each component must have one beacon, which leads to itself")
        return cls(arrays)

    @property
    def states(self) -> int:
        """Cells that lead somewhere."""
        return int(np.count_nonzero(self.arrays["depth"] > 0))


def _beacon(grid: wp.Grid, label: int, shift: int) -> int:
    cells = np.flatnonzero(grid.component == label) if label else np.empty(0, np.int64)
    return int(cells[shift % cells.size]) if cells.size else -1


def _are_moves(grid: wp.Grid, cells: npt.NDArray[Any], others: npt.NDArray[Any]) -> bool:
    """Whether a legal move leads from each of these cells to its other one."""
    north, south = -grid.stride, grid.stride
    offsets = (north, 1, south, -1, north + 1, south + 1, south - 1, north - 1)
    is_move = np.zeros(cells.size, bool)
    for move, offset in enumerate(offsets):
        is_move |= (others - cells == offset) & (grid.mask[cells] >> move & 1 > 0)
    return bool(is_move.all())


class Follow(wp.Agent):
    """Goes towards the beacon until it stands on the goal's branch, then out along it."""

    def __init__(self, grid: wp.Grid, *, index: Beacons, record: bool = False) -> None:
        super().__init__(grid, record=record)
        self._toward, self._depth = index.arrays["toward"], index.arrays["depth"]

    def _begin(self) -> None:
        self._branch: dict[int, int] = {}  # from each cell of the goal's branch the next one towards the goal

    def _retarget(self) -> None:
        self._branch = {}

    def _advance(self) -> wp.Step:
        probes = 1 if self._branch else self._look_up_branch()
        cell = self._branch.get(self.cell) or int(self._toward[self.cell])
        status = wp.RunStatus.ARRIVED if cell == self.goal else wp.RunStatus.MOVING
        return wp.Step(cell, status, probes=probes)

    def _look_up_branch(self) -> int:
        """From the goal down to the beacon; returns the look-ups that it took."""
        cell = self.goal
        self._branch = {cell: cell}
        while self._depth[cell]:
            cell, before = int(self._toward[cell]), cell
            self._branch[cell] = before
        return len(self._branch)
