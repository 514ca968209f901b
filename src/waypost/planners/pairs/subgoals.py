"""Subgoals of all pairs of clique regions: the database of D LRTA* (Bulitko et al. 2008; algorithms 6)."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import read_only, require
from waypost.indexes.building import Arrays, Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_fit
from waypost.planners.cuts import cell_map
from waypost.planners.pairs import exit_rows
from waypost.planners.pairs.kernels import subgoals
from waypost.planners.pairs.kernels.control import Rows
from waypost.planners.pairs.regions import FieldScratch, RegionPairs, ground_of, regions_of_level
from waypost.world.grid import Grid

__all__ = ["PairSubgoals", "subgoal_arrays"]


_BYTES = Growth(23.0, open_cells=0.98, corners=0.06, params={"level": -0.34})
_SECONDS = Growth(1.07e-6, open_cells=1.63, params={"level": -3.42})


class PairSubgoals(RegionPairs):
    """The region of every cell at one level of the clique abstraction, and where to leave it for any other."""

    required: ClassVar[dict[str, tuple[npt.DTypeLike, int]]] = cell_map.CELL_MAP | exit_rows.ROWS
    """What is stored: names, dtypes and numbers of dimensions."""

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(grid, params, arrays, int(arrays["exit_counts"].size))
        self.rows = self._read_rows()

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the cells, each with its region: there is a search over all of them from every region."""
        return Forecast(_BYTES.of(shape, params), _SECONDS.of(shape, params))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Abstract the map, and search from every region's representative."""
        arrays, _ = subgoal_arrays(grid, params, works)
        return cls.from_arrays(grid, params, arrays)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        require(arrays, cls.required)
        return cls(grid, params, arrays)

    def subgoal(self, region: int, goal_region: int) -> int:
        """Where to leave a region for another of its component; -1 if there is no other."""
        subgoal, _ = subgoals.look_up(tuple(self.rows), region, goal_region)
        return int(subgoal)

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """From the representative of every region to its subgoal towards a goal's."""
        goal = self.grid.checked_cell(goal)
        part, own = self.grid.component, int(self.region_of[goal])
        others = np.flatnonzero(part[self.reps] == part[goal])
        rows = [(int(self.reps[region]), self.subgoal(region, own)) for region in others.tolist() if region != own]
        return np.array([*rows, (int(self.reps[own]), goal)], np.int32)

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """From the representative of a cell's region to all its exits."""
        region = int(self.region_of[self.grid.checked_cell(cell)])
        first, last = self.rows.row_starts[region : region + 2]
        exits = np.unique(self.rows.subgoals[first:last])
        return np.stack([np.full_like(exits, self.reps[region]), exits], axis=1)

    def _read_rows(self) -> Rows:
        """The rows spread out, after a check that whatever can be asked for leads to an open cell."""
        rows, exits = exit_rows.unpacked(self.arrays, self.parts), self.arrays["exits"]
        part = self.grid.component
        check_fit(bool((exits < part.size).all()), "exits")
        check_fit(bool((part[exits] == self.parts[rows.owners]).all()), "exits")
        check_fit(bool((self.region_of[exits] != rows.owners).all()), "exits")
        (of_runs,) = read_only(exits[rows.exit_of_run].astype(np.int32))
        self.exit_of_run = rows.exit_of_run
        return Rows(row_starts=rows.starts, columns=rows.columns, subgoals=of_runs)


def subgoal_arrays(
    grid: Grid, params: Mapping[str, Any], works: Works
) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.int32]]:
    """What is stored of regions and subgoals; and the representatives of the regions."""
    region_of, reps = regions_of_level(grid, int(params["level"]))
    by_goal = _subgoals(grid, region_of, reps, _rules(params), works)
    return cell_map.packed(grid, region_of) | exit_rows.packed(by_goal), reps


def _rules(params: Mapping[str, Any]) -> tuple[int, int]:
    """Which cell is the subgoal, and which of several best ways counts."""
    exits = subgoals.LAST_EXIT if params.get("last_exit") else subgoals.FIRST_EXIT
    moves = subgoals.STRAIGHTS_FIRST if params.get("straight_first") else subgoals.DIAGONALS_FIRST
    return subgoals.NEARER if params["by_progress"] else exits, moves


def _subgoals(
    grid: Grid, region_of: npt.NDArray[np.int32], reps: npt.NDArray[np.int32], rules: tuple[int, int], works: Works
) -> npt.NDArray[np.int32]:
    """The subgoal of every region, in a row for each goal region; one search on the whole map for each."""
    scratch = FieldScratch(grid)
    world = ground_of(grid), *rules, region_of, reps

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        return (subgoals.subgoals(*world, first, last, scratch.field),)

    def fits(first: int, last: int, found: Arrays) -> bool:
        return exit_rows.are_exits(found, last - first, grid.component[reps], grid.component)

    return read_only(np.concatenate([part for (part,) in works.parts("subgoals", reps.size, make, fits=fits)]))[0]
