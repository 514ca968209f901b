"""Distances: what ways cost, for many pairs of cells at once; and how who only walks answers."""

from abc import ABC, abstractmethod

import numpy as np

from waypost.agents.base import MOST_MOVES, Agent
from waypost.agents.many import NO_WAY, OUT_OF_MOVES, Cells, WayCosts

__all__ = ["NO_WAY", "OUT_OF_MOVES", "Cells", "Distances", "Walked", "WayCosts"]


class Distances(ABC):
    """What the ways of a planner's agents cost, without walking them: a planner names it as `distances` of its entry.

    It is made as routes are, of a grid, the index (None if there is none) and the agent's parameters. Each thread has
    one, so it may keep scratch arrays; all else is shared. Cells are open, and from each start a way leads to its goal.
    Calls should be one kernel each: those of several threads then run side by side.
    """

    @abstractmethod
    def of_pairs(self, starts: Cells, goals: Cells, costs: WayCosts) -> None:
        """Write the integer cost of the way from each start to its goal: exactly what a walk there costs."""

    def of_rows(self, sources: Cells, targets: Cells, costs: WayCosts) -> None:
        """Write what the ways from some sources to many targets cost: a row for each source.

        Overridden by who can share work between the costs of a row, or between rows.
        """
        for source, row in zip(sources, costs, strict=True):
            self.of_pairs(np.full(targets.size, source, np.int32), targets, row)


class Walked(Distances):
    """Walks every way, with an agent of its own."""

    def __init__(self, agent: Agent, max_moves: int = MOST_MOVES) -> None:
        self._agent, self._max_moves = agent, max_moves

    def of_pairs(self, starts: Cells, goals: Cells, costs: WayCosts) -> None:
        """Write what each walk costs, or OUT_OF_MOVES."""
        costs[:] = self._agent.solve_many(starts, goals, self._max_moves).costs
