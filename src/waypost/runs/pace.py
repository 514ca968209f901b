"""Pace: how long the agents of a planner take for their moves, and how good their walks are, over many problems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from waypost.agents.base import Agent
from waypost.agents.step import RunStatus
from waypost.agents.trace import Trace
from waypost.planner import Planner
from waypost.runs.rounds import simulate_rounds
from waypost.runs.simulation import simulate
from waypost.system.progress import Advance
from waypost.world.problem import Problem

__all__ = ["Pace", "longest_move_ns", "measure_pace"]

_ROUNDS = 3
_TIMED_MOVES = 2000  # of a walk, one by one
_FEW_MOVES = 100
_SHORT_NS = 20_000_000  # a walk that takes no longer is timed again


@dataclass(frozen=True)
class Pace:
    """What the walks of one planner amount to."""

    planner: Planner
    walks: int
    arrived: int
    longest_ns: int
    """The longest of the first moves of all walks, each timed alone."""
    move_ns: float
    """Of a move: whole walks at full speed, all time by all moves."""
    longer_percent: float
    """Than the shortest way, the mean of all walks; one that did not arrive counts as far as it came."""
    states: float
    """Cells that an agent remembers, the mean of all walks."""

    @property
    def has_arrived(self) -> bool:
        """Whether all walks came to their goals; else `longer_percent` is too small."""
        return self.arrived == self.walks


def measure_pace(planner: Planner, problems: Sequence[Problem], max_moves: int, advance: Advance) -> Pace:
    """Walk an agent through problems whose optimum is known: at full speed, and move by move."""
    agent = planner.agent()
    for each_move in (False, True):  # loads the compiled kernels, so that no timed move has to
        simulate(agent, problems[0], max_moves=_FEW_MOVES, each_move=each_move)
    walks, longest = [], 0
    for problem in problems:
        walks.append(_Walked(_fastest(agent, problem, max_moves)))
        longest = max(longest, longest_move_ns(agent, problem))
        advance()
    moves = sum(walk.moves for walk in walks)
    return Pace(
        planner,
        walks=len(walks),
        arrived=sum(walk.arrived for walk in walks),
        longest_ns=longest,
        move_ns=sum(walk.ns for walk in walks) / moves,
        longer_percent=float(np.mean([walk.longer_percent for walk in walks])),
        states=float(np.mean([walk.states for walk in walks])),
    )


def _fastest(agent: Agent, problem: Problem, max_moves: int) -> Trace:
    """A walk at full speed: of some rounds the time of the fastest, if they are short."""
    run = simulate(agent, problem, max_moves=max_moves, each_move=False)
    if run.total_ns > _SHORT_NS:
        return run
    return simulate_rounds(agent, problem, _ROUNDS, max_moves=max_moves, each_move=False)


def longest_move_ns(agent: Agent, problem: Problem) -> int:
    """The longest of the first moves of a walk, timed one by one; the call from Python is part of every move."""
    return int(simulate_rounds(agent, problem, _ROUNDS, max_moves=_TIMED_MOVES).move_ns.max())


class _Walked:
    """What is kept of a walk, which can have a million moves."""

    def __init__(self, walk: Trace) -> None:
        self.arrived = walk.status is RunStatus.ARRIVED
        self.moves, self.ns, self.states = walk.moves, walk.total_ns, walk.memory.states
        shortest = walk.problem.optimal or walk.cost
        self.longer_percent = 100 * (max(walk.cost, shortest) / shortest - 1)
