"""What agents share whose moves are made in compiled code, many at a time, and logged there."""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.agents.base import MOST_MOVES, Agent, move_limit
from waypost.agents.move_log import new_log, read_log
from waypost.agents.step import WORK_COUNTERS, RunStatus, Step, Walk
from waypost.kernels.move_log import ENTRIES
from waypost.world.grid import Grid, IntArray

__all__ = ["MOVES_AT_ONCE", "Logged"]

# Taken out of their enum: to look them up would be a tenth of a step.
_MOVING, _ARRIVED = RunStatus.MOVING, RunStatus.ARRIVED
_new_step: Callable[[list[Any]], Step] = partial(tuple.__new__, Step)  # half the time of Step(...)
MOVES_AT_ONCE = 1 << 13  # of a walk; larger logs only leave the cache


class Logged(Agent):
    """Makes its moves by `_make_moves`; one by one if it records, so that events can be told apart by moves."""

    def __init__(self, grid: Grid, *, record: bool = False) -> None:
        super().__init__(grid, record=record)
        self._one_move = new_log(1)
        self._long_log = np.empty(1 + ENTRIES * MOVES_AT_ONCE, np.int32)  # behind the cell where a path begins

    @abstractmethod
    def _make_moves(self, log: npt.NDArray[np.int32]) -> int:
        """Make as many moves as the log has room for, at most, and log them; at least one, or it is an error."""

    def walk(self, max_moves: int = MOST_MOVES) -> Walk:
        """Make moves until the agent has arrived, at most so many, thousands in one call."""
        if self.record:
            return super().walk(max_moves)
        self._require_reset()
        left = move_limit(max_moves)
        cells, work = [np.array([self.cell], np.int32)], [np.empty((0, len(WORK_COUNTERS)), np.int32)]
        while left and self.cell != self.goal:
            log = new_log(min(left, MOVES_AT_ONCE))
            entered, spent = read_log(log, self._make_moves(log))
            cells.append(entered)
            work.append(spent)
            left -= entered.size
            self.cell = int(entered[-1])
        status = _ARRIVED if self.cell == self.goal else RunStatus.OUT_OF_MOVES
        return Walk(status, np.concatenate(cells), np.concatenate(work))

    def path(self, max_moves: int = MOST_MOVES) -> IntArray:
        """All cells from where the agent stands to the goal, walking there, without the work of each move."""
        if self.record:
            return super().path(max_moves)
        self._require_reset()
        left = max_moves = move_limit(max_moves)
        cells = self._long_log
        cells[0] = self.cell
        parts, first = [], 0
        while left and self.cell != self.goal:
            made = self._make_path(cells[1 : 1 + ENTRIES * min(left, MOVES_AT_ONCE)])
            self.cell = cells.item(made)
            parts.append(cells[first : 1 + made].copy())
            left, first = left - made, 1
        if self.cell != self.goal:
            raise self._out_of_moves(max_moves)
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else cells[:1].copy()

    def _make_path(self, log: npt.NDArray[np.int32]) -> int:
        """Make as many moves as the log has room for, at most; only their cells are asked for."""
        return self._make_moves(log)

    def _advance(self) -> Step:
        self._make_moves(self._one_move)
        row: list[Any] = self._one_move.tolist()
        row.insert(1, _ARRIVED if row[0] == self.goal else _MOVING)
        return _new_step(row)
