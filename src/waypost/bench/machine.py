"""What results were measured on: processor, versions, and what a move costs that does nothing."""

import functools
import os
import platform
from importlib import metadata
from pathlib import Path

import numpy as np

from waypost import __version__
from waypost.agents.base import Agent
from waypost.grid import Grid
from waypost.problem import Problem
from waypost.simulation import simulate
from waypost.step import Status, Step

__all__ = ["call_floor_us", "describe"]

_FLOOR_MOVES = 20_000


@functools.cache
def describe() -> str:
    """The processor, core count and versions of this run."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {metadata.version('numba')}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {versions}, Waypost {__version__}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


class _Strider(Agent):
    """Walks east and plans nothing: whatever its moves take is Python's."""

    def _begin(self) -> None:
        pass

    def _retarget(self) -> None:
        pass

    def _advance(self) -> Step:
        cell = self.cell + 1
        return Step(cell, Status.ARRIVED if cell == self.goal else Status.MOVING)


@functools.cache
def call_floor_us() -> float:
    """The floor under all times per move: the median time of a move without any planning."""
    corridor = Grid(np.ones((1, _FLOOR_MOVES + 1), np.bool_))
    problem = Problem(corridor.cell((0, 0)), corridor.cell((_FLOOR_MOVES, 0)))
    return float(np.median(simulate(_Strider(corridor), problem).move_ns)) / 1e3
