"""The floor under all timings: what a move costs that does nothing."""

import functools

import numpy as np

from waypost.agents.base import Agent
from waypost.agents.step import RunStatus, Step
from waypost.runs.simulation import simulate
from waypost.world.grid import Grid
from waypost.world.problem import Problem

__all__ = ["call_floor_us"]

_FLOOR_MOVES = 20_000


class _Strider(Agent):
    """Walks east and plans nothing: whatever its moves take is Python's."""

    def _begin(self) -> None:
        pass

    def _retarget(self) -> None:
        pass

    def _advance(self) -> Step:
        cell = self.cell + 1
        return Step(cell, RunStatus.ARRIVED if cell == self.goal else RunStatus.MOVING)


@functools.cache
def call_floor_us() -> float:
    """The floor under all times per move: the median time of a move without any planning."""
    corridor = Grid(np.ones((1, _FLOOR_MOVES + 1), np.bool_))
    problem = Problem(corridor.cell((0, 0)), corridor.cell((_FLOOR_MOVES, 0)))
    return float(np.median(simulate(_Strider(corridor), problem).move_ns)) / 1e3
