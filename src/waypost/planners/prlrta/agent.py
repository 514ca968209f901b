"""Agents that step from region to region by LRTA*, and refine each step on the ground: PR LRTA* (algorithms 7.3)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from waypost.agents.many import Cells
from waypost.agents.move_log import new_plan_log
from waypost.agents.step import Memory
from waypost.indexes.base import Index
from waypost.kernels.compiling import address_of
from waypost.kernels.named import new_record
from waypost.kernels.numbers import NO_LIMIT
from waypost.kernels.outcomes import FOUND
from waypost.planners.pra_clique.corridor import CorridorPlanned
from waypost.planners.pra_clique.kernels import corridor
from waypost.planners.prlrta.index import UpperPairs, new_values
from waypost.planners.prlrta.kernels import lookahead, many, walk
from waypost.world.grid import Grid

__all__ = ["PathRefinement"]

FIRST_ROOM = 1024  # for cells to look at, and for events
CELLS_AT_ONCE = 1 << 12  # of a walk; more would only leave the cache
_HELD = "most_open", "most_closed", "learned_regions"  # what `Memory` is of


class PathRefinement(CorridorPlanned):
    """PR LRTA*(X, Y): looks `depth` regions ahead, 0 by the index, with `gamma` times the costs of edges.

    It heads for the subgoals of the index, where that has any. With `first` of 1 a way ends in the first cell of the
    region ahead, instead of in its representative. With `oldest` of 1 ways are searched oldest first among equals.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        index: UpperPairs,
        depth: int = 0,
        gamma: float = 1.0,
        first: int = 0,
        oldest: int = 0,
        record: bool = False,
    ) -> None:
        # On the ground searches are by the grid's own costs: only distances of regions may be Euclidean.
        super().__init__(grid, euclid=0, room=FIRST_ROOM, oldest=oldest, record=record)
        graph = self.graph = index.graph
        self.region_of = index.region_of
        ground = walk.Ground(mask=grid.mask, region_of=index.region_of)
        tables = walk.Tables(
            row_starts=index.rows.row_starts,
            columns=index.rows.columns,
            exits=index.rows.subgoals,
            run_depths=index.run_depths,
            pair_depths=index.pair_depths,
        )
        self._world = tuple(ground), graph.arrays, tuple(tables)
        of_lookahead = lookahead.Settings(crow=int(index.params["euclid"]), gamma=round(lookahead.ONE * gamma))
        self._looking = new_record(lookahead.LOOKING, of_lookahead)
        settings = walk.Settings(
            depth=depth,
            cap=index.cap,
            progress=index.by_progress,
            heads=index.has_subgoals,
            first_cell=first,
            uppers=graph.upper_count,
            way_room=graph.most_in_corridor,
        )
        self.state = new_record(walk.STATE, settings)
        self._values, seen = new_values(graph.reps.size)
        scratch = walk.Scratch(
            values=self._values,
            seen=seen,
            marks=np.zeros(grid.mask.size, np.int64),
            came_from=np.empty(grid.mask.size, np.int32),
            corridor=np.zeros(graph.reps.size, np.int32),
        )
        self._scratch: tuple[npt.NDArray[Any], ...] = tuple(scratch)
        self.way = np.empty(max(CELLS_AT_ONCE, graph.most_in_corridor), np.int32)
        self._log = new_plan_log(self.way.size)
        self._plans = tuple(walk.Plans(cells=self.way, log=self._log))

    @staticmethod
    def work_bound(params: Mapping[str, Any], index: Index | None) -> int:
        """Most work of a move: a lookahead, a search in the largest corridor, and look-ups."""
        tables = cast("UpperPairs", index)
        depth = max(params.get("depth", 0), tables.cap)
        return tables.graph.most_expansions(depth) + tables.graph.most_in_corridor + tables.most_probes + 2

    def solver(self, goals: Cells) -> Callable[..., int]:  # noqa: ARG002 - any goals
        """A kernel that solves many problems."""
        mine = *self._world, self._scratch, self.heap, self.pushed, self._plans, self.events
        records = self.control, self._looking, self.state
        return partial(many.solve, *mine, *records, address_of(walk.walk, *mine, *records, NO_LIMIT))

    @property
    def target(self) -> tuple[int, int] | None:
        """The representative of the region that the last plan was to lead to at last, as (x, y)."""
        target = self.state["target"].item()
        return None if self.state["plans"][0] == 0 else self.grid.xy(int(self.graph.reps[target]))

    @property
    def memory(self) -> Memory:
        """The most that one search or lookahead since `reset` has held, and every region learned."""
        self._require_reset()
        return Memory(*(self.state[name].item() for name in _HELD))

    def learned(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Representatives of regions whose heuristic towards the goal's was raised, in rising order, and its values."""
        self._require_reset()
        about, raised = self._values[:, lookahead.ABOUT_GOAL], self._values[:, lookahead.ABOUT_GOAL + 1]
        regions = np.flatnonzero(about == self.state["goal_number"][0])
        regions = regions[np.argsort(self.graph.reps[regions])]
        values = walk.estimates(self.graph.nodes, self.control, self._looking, self.state, regions) + raised[regions]
        return self.graph.reps[regions], values >> corridor.POINT_SHIFT

    def _begin(self) -> None:
        if self.record:
            self._take_rows()
        for name in _HELD:
            self.state[name] = 0
        self.state["goal_region"] = walk.NONE  # so that whatever goal comes is a new one
        self._retarget()

    def _retarget(self) -> None:
        self._at = self._end = 0
        walk.begin(self.region_of, self.state, self.cell, self.goal)

    def _plan(self, moves: int) -> None:
        """Plan so many moves, or as many as there is room for."""
        state = self.state
        state["planned"] = state["plans"] = 0
        mine, records = (*self._world, self._scratch), (self.control, self._looking, state)
        while (status := walk.walk(*mine, self.heap, self.pushed, self._plans, self.events, *records, moves)) != FOUND:
            self.see_to(status)
        self._cells = self.way[1:]  # what is planned begins behind the cell that the agent stands on
        self._at, self._end, self._rows = 0, state["planned"].item(), state["plans"].item()
