"""Agents that walk cells planned ahead, and plan on when they have come to the last of them."""

from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent
from waypost.grid import Grid
from waypost.parameters import whole_number
from waypost.step import WORK_COUNTERS, Status, Step, Walk

__all__ = ["LOG_COLUMNS", "Planned"]

_LOGGED = ("expansions", "climbs", "probes")
_COLUMNS = [WORK_COUNTERS.index(name) for name in _LOGGED]
LOG_COLUMNS = 1 + len(_LOGGED)
"""Of a row of the log: the planned move that waited for planning, then its expansions, climb steps and probes."""


class Planned(Agent):
    """Walks what `_plan` has planned: cells, and a log of what they cost."""

    def __init__(self, grid: Grid, *, record: bool = False) -> None:
        super().__init__(grid, record=record)
        self._cells = np.empty(0, np.int32)
        self._at = self._end = 0  # cells planned: the next one, and behind the last
        self._log = np.empty((0, LOG_COLUMNS), np.int32)
        self._rows = 0  # of the log that are about these cells

    @abstractmethod
    def _plan(self, moves: int) -> None:
        """Plan from where the agent stands, so many moves or more if that is no trouble; fewer only to the goal.

        An agent that makes one plan at a time may stop at its end.
        """

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most so many; they are planned many at a time."""
        self._require_reset()
        left = whole_number("max_moves", max_moves)
        cells, work = [np.array([self.cell], np.int32)], [np.empty((0, len(WORK_COUNTERS)), np.int32)]
        while left and self.cell != self.goal:
            ahead, spent = self._take(left)
            cells.append(ahead)
            work.append(np.zeros((ahead.size, len(WORK_COUNTERS)), np.int32))
            work[-1][spent[:, 0, None], _COLUMNS] = spent[:, 1:]
            left -= ahead.size
        status = Status.ARRIVED if self.cell == self.goal else Status.OUT_OF_MOVES
        return Walk(status, np.concatenate(cells), np.concatenate(work))

    def path(self, max_moves: int = MOST_MOVES) -> npt.NDArray[np.int32]:
        """All cells from where the agent stands to the goal, without the work of each move."""
        self._require_reset()
        if self._at < self._end or self.cell == self.goal:
            return super().path(max_moves)
        self._plan(max_moves)
        if not 0 < self._end <= max_moves or self._cells[self._end - 1] != self.goal:
            return super().path(max_moves)
        cells = np.empty(self._end + 1, np.int32)
        cells[0] = self.cell
        cells[1:] = self._cells[: self._end]
        self._at, self.cell = self._end, self.goal
        return cells

    def _advance(self) -> Step:
        expansions = climbs = probes = 0
        if self._at == self._end:
            self._plan(1)
            _, expansions, climbs, probes = self._log[0].tolist()
        cell = int(self._cells[self._at])
        self._at += 1
        status = Status.ARRIVED if cell == self.goal else Status.MOVING
        return Step(cell, status, expansions=expansions, climbs=climbs, probes=probes)

    def _take(self, most: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Make at most so many moves: their cells, and what those of them cost that had to wait for planning."""
        if self._at == self._end:
            self._plan(most)
        ahead = self._cells[self._at : min(self._end, self._at + most)].copy()
        rows = self._log[: self._rows]
        spent = rows[(rows[:, 0] >= self._at) & (rows[:, 0] < self._at + ahead.size)]
        spent[:, 0] -= self._at
        self._at += ahead.size
        self.cell = int(ahead[-1])
        return ahead, spent
