"""What PR LRTA* stores: the regions of a level, and tables about pairs of regions of a level above (algorithms 7.3)."""

from collections.abc import Callable, Mapping
from threading import local
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import SMALLEST, read_only, require, smallest
from waypost.indexes.building import Arrays, Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_fit, check_within
from waypost.kernels.events import EVENT_COLUMNS
from waypost.kernels.named import new_record
from waypost.planners.cuts import cell_map
from waypost.planners.cuts.cliques import Cliques, abstract
from waypost.planners.pairs import exit_rows
from waypost.planners.pairs.kernels.control import Rows
from waypost.planners.pairs.regions import RegionPairs, check_count, numbered, ordered_pairs
from waypost.planners.pra_clique.corridor import corridor_settings
from waypost.planners.pra_clique.kernels import corridor
from waypost.planners.prlrta.graph import AbstractGraph
from waypost.planners.prlrta.kernels import lookahead
from waypost.planners.prlrta.kernels import tables as region_tables
from waypost.world.grid import Grid

__all__ = ["UpperPairs", "new_values"]


_BYTES = Growth(16.4, padded_cells=0.98, params={"level": -0.64})
_PAIR_BYTES = Growth(26.0, open_cells=1.3, params={"upper": -2.0})
_SECONDS = Growth(2e-3, open_cells=0.27)
_PAIR_SECONDS = Growth(4.8e-11, open_cells=1.94)
_EXIT_SECONDS = Growth(3e-7, open_cells=1.08)


class UpperPairs(RegionPairs):
    """The region of every cell; parameters say what is stored besides.

    `upper`: which regions lie in an upper one; `by_progress`: subgoals; `cap`: depths towards them or towards goals.
    """

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        count = int(arrays["run_regions"].max(initial=0)) + 1
        if count > grid.open_count:
            raise IndexFileError(f"run_regions of the index must be below {grid.open_count:,}, the open cells")
        super().__init__(grid, params, arrays, count)
        check_fit(bool((self.parts > 0).all()), "run_regions")
        upper_counts = arrays["upper_counts"] if "upper" in params else np.ones(count, np.uint8)
        check_within("upper_counts of the index", upper_counts, 1, count + 1)
        check_fit(upper_counts.sum(dtype=np.int64) == count, "upper_counts")
        upper_of = np.repeat(np.arange(upper_counts.size, dtype=np.int32), upper_counts)
        self.upper_parts = np.zeros(upper_counts.size, np.int32)
        self.upper_parts[upper_of] = self.parts
        check_fit(np.array_equal(self.upper_parts[upper_of], self.parts), "upper_counts")
        self.graph = AbstractGraph(grid, self.region_of, upper_of, int(params["euclid"]))
        if self.has_subgoals:
            self._read_subgoals(upper_of)
        elif self.cap:
            depths = self.arrays["pair_depths"]
            check_fit(depths.shape == (upper_counts.size, upper_counts.size), "pair_depths")
            self.pair_depths = self._checked_depths(depths.reshape(-1), "pair_depths")

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the cells, each with its region, and by what is stored of pairs of upper regions."""
        has_pairs = "cap" in params and "by_progress" not in params
        takes = (_BYTES, _PAIR_BYTES) if has_pairs else (_BYTES,)
        spent = (_PAIR_SECONDS if has_pairs else _EXIT_SECONDS).of(shape) if "upper" in params else 0.0
        return Forecast(sum(each.of(shape, params) for each in takes), _SECONDS.of(shape) + spent)

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Abstract the map; then search the graph of regions from the middle of every upper region."""
        hierarchy = abstract(grid, works=works)
        level = min(int(params["level"]), hierarchy.top)
        region_of, _ = numbered(grid, hierarchy, level)
        arrays = cell_map.packed(grid, region_of)
        if "upper" in params:
            upper = min(max(int(params["upper"]), level), hierarchy.top)
            check_count(hierarchy, upper)
            counts = _upper_counts(hierarchy, level, upper)
            arrays["upper_counts"] = smallest(counts)
            upper_of = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
            tables = _Tables(grid, AbstractGraph(grid, region_of, upper_of, int(params["euclid"])), params, works)
            arrays |= tables.arrays()
        return cls.from_arrays(grid, params, arrays)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        wanted: dict[str, tuple[npt.DTypeLike, int]] = dict(cell_map.CELL_MAP)
        if "upper" in params:
            wanted["upper_counts"] = (SMALLEST, 1)
        if "by_progress" in params:
            wanted |= exit_rows.ROWS
        if "cap" in params:
            wanted |= {"exit_depths": (SMALLEST, 1)} if "by_progress" in params else {"pair_depths": (SMALLEST, 2)}
        require(arrays, wanted)
        return cls(grid, params, arrays)

    @property
    def has_subgoals(self) -> bool:
        """Whether subgoals are stored."""
        return "by_progress" in self.params

    @property
    def states(self) -> int:
        """As the papers count: the map of regions, and a state for each ordered pair that something is stored about."""
        return self.grid.cell_count + (ordered_pairs(self.upper_parts) if "upper" in self.params else 0)

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """From the middle of every upper region to its subgoal towards a goal's."""
        if not self.has_subgoals:
            return super().arcs(goal)
        goal = self.grid.checked_cell(goal)
        reps, middles, upper_of = self.graph.reps, self.graph.middles, self.graph.nodes[:, corridor.PARENT]
        own = int(upper_of[self.region_of[goal]])
        rows = [
            (int(reps[middles[upper]]), int(reps[self.subgoal(upper, own)]))
            for upper in np.flatnonzero(self.upper_parts == self.grid.component[goal]).tolist()
            if upper != own
        ]
        return np.array([*rows, (int(reps[middles[own]]), goal)], np.int32)

    def subgoal(self, upper: int, goal_upper: int) -> int:
        """The region to leave an upper region for another of its component by."""
        starts, columns, subgoals = self.rows
        row = slice(int(starts[upper]), int(starts[upper + 1]))
        return int(subgoals[row][np.searchsorted(columns[row], goal_upper, "right") - 1])

    def _read_subgoals(self, upper_of: npt.NDArray[np.int32]) -> None:
        """The rows spread out, after a check that whatever can be asked for leads on."""
        rows, exits = exit_rows.unpacked(self.arrays, self.upper_parts), self.arrays["exits"]
        check_fit(bool((exits < upper_of.size).all()), "exits")
        check_fit(bool((self.parts[exits] == self.upper_parts[rows.owners]).all()), "exits")
        check_fit(bool((upper_of[exits] != rows.owners).all()), "exits")
        (subgoals,) = read_only(exits[rows.exit_of_run].astype(np.int32))
        self.rows = Rows(row_starts=rows.starts, columns=rows.columns, subgoals=subgoals)
        if self.cap:
            depths = self.arrays["exit_depths"]
            check_fit(depths.size == exits.size, "exit_depths")
            self.run_depths = self._checked_depths(depths, "exit_depths", rows.exit_of_run)

    def _checked_depths(
        self, depths: npt.NDArray[Any], name: str, order: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.uint16]:
        """Depths as kernels take them, each from 1 to the cap."""
        check_within(f"{name} of the index", depths, 1, self.cap + 1)
        (wide,) = read_only((depths if order is None else depths[order]).astype(np.uint16))
        return wide


def new_values(regions: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """What a lookahead needs about regions: values of which none was learned, and rows of what was seen."""
    rows = (regions, lookahead.VALUE_COLUMNS), (regions, lookahead.SEEN_COLUMNS)
    values, seen = (np.zeros(shape, np.int64) for shape in rows)
    return values, seen


class _Tables:
    """Computes what is stored about pairs of upper regions."""

    def __init__(self, grid: Grid, graph: AbstractGraph, params: Mapping[str, Any], works: Works) -> None:
        self._graph, self._params, self._works, self._component = graph, params, works, grid.component
        self._scratch = _Scratch(grid, graph, int(params["euclid"]))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Subgoals, depths, or both."""
        graph, cap = self._graph, int(self._params.get("cap", 0))
        if "by_progress" not in self._params:
            by_goal = self._rows("depths", region_tables.depths_to_goals, graph.middles, cap)
            return {"pair_depths": smallest(np.ascontiguousarray(by_goal.T))}
        parts = self._component[graph.reps]

        def fits(first: int, last: int, found: Arrays) -> bool:
            return exit_rows.are_exits(found, last - first, parts[graph.middles], parts)

        by_progress = int(self._params["by_progress"])
        by_goal = self._rows("subgoals", region_tables.subgoals, graph.middles, by_progress, fits=fits)
        arrays = exit_rows.packed(*read_only(by_goal))
        if cap:

            def look(middles: npt.NDArray[np.int32], exits: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
                scratch = self._scratch.of_search, self._scratch.of_lookahead
                return region_tables.depths_to_exits(graph.arrays, middles, exits, cap, *scratch)

            depths = exit_rows.found_for_exits("depths", arrays, graph.middles, look, self._works)
            arrays["exit_depths"] = smallest(depths)
        return arrays

    def _rows(
        self,
        title: str,
        kernel: Callable[..., npt.NDArray[Any]],
        *settings: Any,
        fits: Callable[[int, int, Arrays], bool] | None = None,
    ) -> npt.NDArray[Any]:
        """What a kernel makes for all upper regions."""

        def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
            scratch = self._scratch
            return (kernel(self._graph.arrays, *settings, first, last, scratch.of_search, scratch.of_lookahead),)

        return np.concatenate([part for (part,) in self._works.parts(title, self._graph.upper_count, make, fits=fits)])


class _Scratch(local):
    """Scratch arrays of `region_tables`, for each thread its own, made when they are first asked for."""

    def __init__(self, grid: Grid, graph: AbstractGraph, euclid: int) -> None:
        regions = graph.reps.size
        values, seen = new_values(regions)
        self.of_search = tuple(
            region_tables.Search(
                away=np.empty(regions, np.int64),
                heap=np.empty(graph.neighbours.size + 1, np.int64),
            )
        )
        self.of_lookahead = tuple(
            region_tables.Lookahead(
                values=values,
                seen=seen,
                events=np.empty((0, EVENT_COLUMNS), np.int64),
                control=new_record(corridor.CONTROL, corridor_settings(grid, euclid=0)),
                looking=new_record(lookahead.LOOKING, lookahead.Settings(crow=euclid, gamma=lookahead.ONE)),
            )
        )


def _upper_counts(hierarchy: Cliques, level: int, upper: int) -> npt.NDArray[np.int64]:
    """How many regions each upper region has: in the order of the hierarchy they stand one after the other."""
    above = hierarchy.in_order(level)
    for _ in range(level, upper):
        above = hierarchy.parents[above]
    firsts = np.flatnonzero(np.append(True, above[1:] != above[:-1]))
    return np.diff(np.append(firsts, above.size))
