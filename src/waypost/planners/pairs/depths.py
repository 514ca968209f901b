"""How far to look ahead, by pairs of clique regions: databases of lookahead depths (2008; algorithms 4.2)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import SMALLEST, read_only, require, smallest
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_fit
from waypost.kernels import tiles
from waypost.kernels.events import EVENT_COLUMNS
from waypost.planners.cuts import cell_map
from waypost.planners.learning.kernels.sizes import new_words
from waypost.planners.learning.settings import settings_on
from waypost.planners.pairs import exit_rows
from waypost.planners.pairs.kernels.control import Lookahead
from waypost.planners.pairs.kernels.depths import towards_exits, towards_goals
from waypost.planners.pairs.regions import FieldScratch, RegionPairs, ground_of, regions_of_level
from waypost.planners.pairs.subgoals import PairSubgoals, subgoal_arrays
from waypost.world.grid import Grid

__all__ = ["PairDepths", "SubgoalDepths", "optimal_depths"]


_PAIR_BYTES = Growth(15.6, open_cells=1.26, params={"level": -1.48})
_PAIR_SECONDS = Growth(2.76e-5, open_cells=1.82, params={"level": -5.84})
_EXIT_BYTES = Growth(21.1, open_cells=1.1, params={"level": -0.73})
_EXIT_SECONDS = Growth(5.77e-7, open_cells=1.64, params={"level": -3.05})


class PairDepths(RegionPairs):
    """For every region and goal region the depth at the one's representative towards the other's: LRTA*(PDB,G)."""

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(grid, params, arrays, len(arrays["pair_depths"]))
        self.pair_depths = read_pair_depths(self)

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the cells: there is a lookahead for every two regions."""
        return Forecast(_PAIR_BYTES.of(shape, params), _PAIR_SECONDS.of(shape, params))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Abstract the map, search from every region's representative, and look ahead from all others."""
        region_of, reps = regions_of_level(grid, int(params["level"]))
        depths = _depths_of_goals(grid, reps, int(params["cap"]), works)
        return cls.from_arrays(grid, params, cell_map.packed(grid, region_of) | {"pair_depths": smallest(depths)})

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        require(arrays, cell_map.CELL_MAP | {"pair_depths": (SMALLEST, 2)})
        return cls(grid, params, arrays)

    def depths_to(self, goal: int) -> npt.NDArray[np.uint16]:
        """Those of each cell's region towards the goal's."""
        goal = self.grid.checked_cell(goal)
        return _in_cells(self, goal, self.pair_depths.reshape(self.region_count, -1)[:, self.region_of[goal]])


class SubgoalDepths(PairSubgoals):
    """Subgoals of pairs of regions, and the depth towards each: LRTA*(PDB,PDB).

    As published, the goal itself can be the target in any region: then depths towards goals can be stored, too.
    """

    required = PairSubgoals.required | {"exit_depths": (SMALLEST, 1), "pair_depths": (SMALLEST, 2)}

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(grid, params, arrays)
        depths = self.arrays["exit_depths"]
        check_fit(depths.size == self.arrays["exits"].size and _within(depths, self.cap), "exit_depths")
        (self.run_depths,) = read_only(depths[self.exit_of_run].astype(np.uint16))
        if _has_goal_depths(params):
            self.pair_depths = read_pair_depths(self)
        else:
            check_fit(self.arrays["pair_depths"].size == 0, "pair_depths")

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the cells: there is a lookahead for every exit of a region."""
        return Forecast(_EXIT_BYTES.of(shape, params), _EXIT_SECONDS.of(shape, params))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Subgoals first; then, for each exit of a region, a search from there to the representative."""
        arrays, reps = subgoal_arrays(grid, params, works)
        cap = int(params["cap"])
        arrays["exit_depths"] = smallest(_depths_of_exits(grid, reps, arrays, cap, works))
        goals = _depths_of_goals(grid, reps, cap, works) if _has_goal_depths(params) else np.empty((0, 0), np.uint8)
        return cls.from_arrays(grid, params, arrays | {"pair_depths": smallest(goals)})

    def depths_to(self, goal: int) -> npt.NDArray[np.uint16]:
        """Those of each cell's region towards its subgoal on the way to the goal's; in that one, of one move."""
        goal = self.grid.checked_cell(goal)
        own = int(self.region_of[goal])
        starts, columns = self.rows.row_starts, self.rows.columns
        of_regions = np.ones(self.region_count, np.uint16)
        for region in np.flatnonzero(self.parts == self.parts[own]).tolist():
            first, last = starts[region : region + 2]
            if region != own:
                run = first + np.searchsorted(columns[first:last], own, side="right") - 1
                of_regions[region] = self.run_depths[run]
        return _in_cells(self, goal, of_regions)


def _has_goal_depths(params: Mapping[str, Any]) -> bool:
    """Whether depths towards goals are stored, for where the agent has stood before (2008, appendix D)."""
    return bool(params.get("goal_depths")) and not params["by_progress"]


def _in_cells(index: RegionPairs, goal: int, of_regions: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """What regions have, in each of their cells in the goal's part of the map; 0 in others."""
    part = index.grid.component
    return np.where(part == part[goal], of_regions[index.region_of], np.uint16(0))


def optimal_depths(grid: Grid, goal: int, cap: int) -> npt.NDArray[np.uint16]:
    """The optimal depth in every cell towards a goal, at most the cap; 0 where there is no way (2008, figure 2)."""
    goal = grid.checked_cell(goal)
    (cells,) = read_only(np.flatnonzero(grid.component == grid.component[goal]).astype(np.int32))
    place = int(np.searchsorted(cells, goal))
    depths = np.zeros(grid.mask.size, np.uint16)
    look: Callable[..., npt.NDArray[np.uint16]] = towards_goals
    scratch = _Scratch(grid, cap)
    depths[cells] = look(ground_of(grid), cap, cells, place, place + 1, scratch.field, scratch.lookahead)[0]
    return depths


def read_pair_depths(index: RegionPairs) -> npt.NDArray[np.uint16]:
    """Depths by region and goal region, flat, after a check."""
    depths = index.arrays["pair_depths"]
    check_fit(depths.shape == (index.region_count, index.region_count), "pair_depths")
    check_fit(_within(depths, index.cap), "pair_depths")
    (flat,) = read_only(depths.astype(np.uint16).reshape(-1))
    return flat


def _within(depths: npt.NDArray[Any], cap: int) -> bool:
    return bool((depths >= 1).all() and (depths <= cap).all())


class _Scratch(FieldScratch):
    """Scratch of lookaheads besides."""

    def __init__(self, grid: Grid, cap: int) -> None:
        super().__init__(grid)
        settings = settings_on(grid, looks="plies", learns="best", extent=cap)
        lookahead = Lookahead(
            table=np.zeros(tiles.table_size(settings.tile_count, settings.planes), np.int32),
            words=new_words(settings, grid.width, grid.height),
            events=np.empty((0, EVENT_COLUMNS), np.int64),
        )
        self.lookahead: tuple[npt.NDArray[Any], ...] = tuple(lookahead)


def _depths_of_goals(grid: Grid, reps: npt.NDArray[np.int32], cap: int, works: Works) -> npt.NDArray[np.uint16]:
    """A row for each region, a column for each goal region."""
    scratch = _Scratch(grid, cap)
    look: Callable[..., npt.NDArray[np.uint16]] = partial(towards_goals, ground_of(grid), cap, reps)

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        return (look(first, last, scratch.field, scratch.lookahead),)

    by_goal = np.concatenate([part for (part,) in works.parts("depths", reps.size, make)])
    return np.ascontiguousarray(by_goal.T)


def _depths_of_exits(
    grid: Grid, reps: npt.NDArray[np.int32], arrays: Mapping[str, npt.NDArray[Any]], cap: int, works: Works
) -> npt.NDArray[np.uint16]:
    """The depth at each representative towards each of its exits."""
    scratch = _Scratch(grid, cap)
    ground = ground_of(grid)

    def look(cells: npt.NDArray[np.int32], exits: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
        found: npt.NDArray[np.uint16] = towards_exits(ground, cap, cells, exits, scratch.field, scratch.lookahead)
        return found

    return exit_rows.found_for_exits("depths of exits", arrays, reps, look, works)
