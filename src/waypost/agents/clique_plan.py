"""Agents that plan on a clique hierarchy from the top down: PRA* (Sturtevant, Buro 2005; algorithms 7.1)."""

import numpy as np

from waypost.agents.base import LOG_COLUMNS
from waypost.agents.corridor import CorridorPlanned
from waypost.grid import Grid
from waypost.indexes.clique_hierarchy import CliqueHierarchy
from waypost.kernels import best_first, clique_refinement, corridor_search
from waypost.step import Memory

__all__ = ["CliquePlan"]

_FIRST_ROOM = 4096  # for cells to look at, and for events


class CliquePlan(CorridorPlanned):
    """PRA* on cliques. Ways are refined in corridors that are `width` nodes wider on each side than the way above.

    `steps` of a way go on to the level below; 0: all of it. With `euclid` of 1 nodes are apart as the crow flies.
    """

    kernel = "clique_refinement.plan"

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
        super().__init__(grid, room=_FIRST_ROOM, record=record)
        cliques = index.cliques
        nodes = cliques.parents.size
        self._steps = steps
        self._world = grid.mask, cliques.firsts, cliques.ground_parents, index.nodes, cliques.neighbours
        most = max(grid.mask.size, nodes)  # all levels are searched in the same arrays
        self._scratch = (
            np.zeros(most, np.int64),
            np.empty(most, np.int32),
            np.zeros(nodes, np.int32),
            np.empty(grid.open_count + 1, np.int32),
        )
        self._state = np.zeros(clique_refinement.STATE_SIZE, np.int64)
        self._state[: corridor_search.EUCLID + 1] = grid.stride, *grid.costs[:2], euclid
        self._state[clique_refinement.WIDTH] = width
        self._state[clique_refinement.OPEN_CELLS] = grid.open_count
        self._cells = self._scratch[-1][1:]  # what is planned begins behind the cell that the agent stands on
        self._log, self._rows = np.zeros((1, LOG_COLUMNS), np.int32), 1
        self._begun: set[int] = set()  # cells that plans of this trip began on

    @property
    def memory(self) -> Memory:
        """The most that one search since `reset` has held, on whatever level."""
        return Memory(int(self._state[clique_refinement.MOST_OPEN]), int(self._state[clique_refinement.MOST_CLOSED]))

    def _begin(self) -> None:
        self._take_rows()
        self._state[clique_refinement.MOST_OPEN] = self._state[clique_refinement.MOST_CLOSED] = 0
        self._retarget()

    def _retarget(self) -> None:
        self._at = self._end = 0
        self._begun.clear()

    def _plan(self, moves: int) -> None:  # noqa: ARG002
        """Make one plan, however long; where one began before it leads to the goal, so that the agent arrives."""
        state = self._state
        steps = 0 if self.cell in self._begun else self._steps
        self._begun.add(self.cell)
        clique_refinement.begin(state, self.cell, self.goal, steps)
        while (
            status := clique_refinement.plan(
                *self._world, *self._scratch, self._heap, self._pushed, self._events, state
            )
        ) != best_first.FOUND:
            self._make_room(status)
        self._log[0, 1:] = state[clique_refinement.EXPANDED], 0, state[clique_refinement.PROBED]
        self._at, self._end = 0, int(state[clique_refinement.LENGTH]) - 1
