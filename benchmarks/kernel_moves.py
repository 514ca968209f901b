"""Time of an agent's moves inside its kernel, apart from what a call from Python takes."""

import statistics
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Agent
from waypost.agents.step import WORK_COUNTERS
from waypost.planners.walking.agent import Subgoal
from waypost.world.problem import Problem

_MOST_MOVES = 1 << 16
_ROUNDS = 5
_CALLS = 2000
_COLUMNS = 1 + len(WORK_COUNTERS)


class KernelMoves:
    """Calls the kernel of an agent that walks by subgoals, with the arguments that the agent itself would give it."""

    def __init__(self, agent: Agent) -> None:
        assert isinstance(agent, Subgoal)
        self._agent = agent
        self._log = np.empty(_MOST_MOVES * _COLUMNS, np.int32)

    def _call(self, log: npt.NDArray[np.int32]) -> tuple[int, int]:
        agent = self._agent
        began = time.thread_time_ns()
        made = agent.provider.walk(agent.pool, agent.state, log)
        return time.thread_time_ns() - began, made

    def moves(self, problem: Problem) -> int:
        """Moves to the goal."""
        self._agent.reset(problem)
        return self._call(self._log)[1]

    def floor_ns(self) -> float:
        """What a call takes that has no room for a move, with the clock read around it."""
        return statistics.median(self._call(self._log[:0])[0] for _ in range(_CALLS))

    def mean_ns(self, problems: Sequence[Problem]) -> float:
        """Of one move, over whole walks in one call each: all time by all moves, the median of some rounds."""
        rounds = []
        for _ in range(_ROUNDS):
            total, moves = 0, 0
            for problem in problems:
                self._agent.reset(problem)
                ns, made = self._call(self._log)
                total, moves = total + ns, moves + made
            rounds.append(total / moves)
        return statistics.median(rounds)

    def first_ns(self, problems: Sequence[Problem]) -> float:
        """Of the first move, which looks for the way; the mean of problems, the median of some rounds."""
        rounds = []
        for _ in range(_ROUNDS):
            total = 0
            for problem in problems:
                self._agent.reset(problem)
                total += self._call(self._log[:_COLUMNS])[0]
            rounds.append(total / len(problems))
        return statistics.median(rounds)

    def longest(self, problems: Sequence[Problem]) -> tuple[int, npt.NDArray[np.int32]]:
        """The longest of all moves made one by one, with its work; of three rounds a move's shortest time counts."""
        longest, its_work = 0, np.zeros(len(WORK_COUNTERS), np.int32)
        log = self._log[:_COLUMNS]
        for problem in problems:
            rounds = []
            for _ in range(3):
                self._agent.reset(problem)
                rows = []
                while (found := self._call(log))[1]:
                    rows.append((found[0], log[1:].copy()))
                rounds.append(rows)
            for same in zip(*rounds, strict=True):
                ns = min(ns for ns, _ in same)
                if ns > longest:
                    longest, its_work = ns, same[0][1]
        return longest, its_work
