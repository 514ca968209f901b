"""Agents that plan on a clique hierarchy from the top down: PRA* (Sturtevant, Buro 2005; algorithms 7.1)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.agents.many import Cells
from waypost.agents.step import Memory
from waypost.kernels.compiling import address_of
from waypost.kernels.named import new_record
from waypost.kernels.outcomes import FOUND
from waypost.planners.pra_clique.corridor import CorridorPlanned
from waypost.planners.pra_clique.index import CliqueHierarchy
from waypost.planners.pra_clique.kernels import many, plan
from waypost.world.grid import Grid

__all__ = ["CliquePlan"]

FIRST_ROOM = 4096  # for cells to look at, and for events


class CliquePlan(CorridorPlanned):
    """PRA* on cliques. Ways are refined in corridors that are `width` nodes wider on each side than the way above.

    `steps` of a way go on to the level below; 0: all of it. With `euclid` of 1 distances are Euclidean.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        index: CliqueHierarchy,
        steps: int = 0,
        width: int = 1,
        euclid: int = 0,
        record: bool = False,
    ) -> None:
        super().__init__(grid, euclid=euclid, room=FIRST_ROOM, record=record)
        cliques = index.cliques
        nodes = cliques.parents.size
        self._steps = steps
        hierarchy = plan.Hierarchy(
            mask=grid.mask,
            firsts=cliques.firsts,
            ground_parents=cliques.ground_parents,
            nodes=index.nodes,
            neighbours=cliques.neighbours,
        )
        self._hierarchy = tuple(hierarchy)  # a plain one, which Numba types faster
        most = max(grid.mask.size, nodes)  # all levels are searched in the same arrays
        scratch = plan.Scratch(
            marks=np.zeros(most, np.int64),
            came_from=np.empty(most, np.int32),
            corridor=np.zeros(nodes, np.int32),
            way=np.empty(grid.open_count + 1, np.int32),
        )
        self._scratch: tuple[npt.NDArray[Any], ...] = tuple(scratch)
        self.state = new_record(plan.STATE, plan.Settings(width=width, open_cells=grid.open_count))
        self._begun: set[int] = set()  # cells that plans of this trip began on

    def solver(self, goals: Cells) -> Callable[..., int] | None:  # noqa: ARG002 - any goals
        """A kernel that solves many problems, unless ways are cut."""
        if self._steps:
            return None  # where plans of a trip began is known in Python
        mine = self._hierarchy, self._scratch, self.heap, self.pushed, self.events, self.control, self.state
        return partial(many.solve, *mine, address_of(plan.plan, *mine))

    @property
    def memory(self) -> Memory:
        """The most that one search since `reset` has held, on whatever level."""
        self._require_reset()
        return Memory(self.state["most_open"].item(), self.state["most_closed"].item())

    def _begin(self) -> None:
        if self.record:
            self._take_rows()
        self.state["most_open"] = self.state["most_closed"] = 0
        self._retarget()

    def _retarget(self) -> None:
        self._at = self._end = 0
        self._begun.clear()

    def _plan(self, moves: int) -> None:  # noqa: ARG002
        """Make one plan, however long; where one began before it leads to the goal, so that the agent arrives."""
        state = self.state
        steps = 0 if self.cell in self._begun else self._steps
        self._begun.add(self.cell)
        plan.begin(state, self.cell, self.goal, steps)
        mine = self._hierarchy, self._scratch
        while (status := plan.plan(*mine, self.heap, self.pushed, self.events, self.control, state)) != FOUND:
            self.see_to(status)
        way = plan.Scratch(*self._scratch).way
        self._cells = way[1:]  # what is planned begins behind the cell that the agent stands on
        self._log_only_plan(expansions=state["expanded"].item(), climbs=0, probes=state["probed"].item())
        self._at, self._end = 0, state["length"].item() - 1
