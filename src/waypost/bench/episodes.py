"""Running episodes: one setting on one map, as columns of results."""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Agent
from waypost.agents.step import RunStatus
from waypost.agents.trace import Trace
from waypost.bench.suite import Setting
from waypost.bench.worlds import MapSource, ProblemSet
from waypost.machine_code.events import loads
from waypost.making import build
from waypost.planner import Planner, load
from waypost.runs.metrics import Tally, index_facts
from waypost.runs.rounds import simulate_rounds
from waypost.runs.simulation import simulate
from waypost.system.progress import Advance
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid
from waypost.world.problem import Problem

__all__ = ["Columns", "Run", "Workbench", "identity"]

Columns = dict[str, npt.NDArray[Any]]

_RULES = 4
"""Raised whenever rows of the same run could differ: new columns, another definition of a metric."""

BATCH_EPISODES, _BATCH_SECONDS = 64, 0.5  # between two signs of life
MOST_ROWS = 50_000
_WARM_UP_MOVES = 100


def identity(key: Any) -> str:
    """A hash of all that decides something."""
    text = json.dumps(key, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Run:
    """One setting on one map: all its problems, one episode each."""

    setting: Setting
    source: MapSource
    scenarios: str
    """The scenario file that the problems are from, or nothing."""
    fingerprint: str
    diagonals: DiagonalRule
    costs: DiagonalCost
    problems: ProblemSet
    max_moves: int
    episode_seconds: float
    each_move: bool
    rounds: int = 1
    index_file: str = ""
    """What the planner has computed offline, if it does."""

    def __len__(self) -> int:
        return len(self.problems)

    @cached_property
    def identity(self) -> str:
        """A hash of all that decides the rows."""
        return identity(
            {
                **self.setting.key,
                "map": [self.source.name, self.fingerprint],
                "problems": self.problems.digest,
                "max_moves": self.max_moves,
                "episode_seconds": self.episode_seconds,
                "each_move": self.each_move,
                "rules": _RULES,
            }
            | ({"rounds": self.rounds} if self.rounds > 1 else {})  # results of one round are older than the word
        )


class Workbench:
    """Runs episodes and keeps the map and the agent of the last ones at hand."""

    def __init__(self) -> None:
        self._map: tuple[str, Grid] | None = None
        self._agent: tuple[str, Planner, Agent] | None = None

    def measure(self, run: Run, first: int, seconds: float, advance: Advance, last: int | None = None) -> Columns:
        """Episodes of a run from this one on, for about so long, at least one; none from `last` on."""
        planner, agent = self.at_hand(run)
        end = len(run) if last is None else min(last, len(run))
        tally = Tally(agent.grid, index_facts(planner))
        until = monotonic() + seconds
        at = first
        while at == first or (at < end and monotonic() < until and at - first < MOST_ROWS):
            _walk(agent, run, at, until, tally, end)
            advance(first + len(tally) - at)
            at = first + len(tally)
        bound = math.inf if planner.work_bound is None else planner.work_bound
        facts = _facts(run, agent.grid, first, tally) | {"work_bound": np.full(len(tally), float(bound))}
        return facts | tally.columns()

    def at_hand(self, run: Run) -> tuple[Planner, Agent]:
        """The planner of a run, and the agent that walks all its episodes."""
        if self._agent is None or self._agent[0] != run.identity:
            self._agent = None  # its scratch is as large as the map: never hold two
            grid, params = self._grid_of(run), dict(run.setting.params)
            planner = (
                load(run.index_file, grid, **params) if run.index_file else build(run.setting.planner, grid, **params)
            )
            agent = planner.agent()
            warm_up = min(run.max_moves, _WARM_UP_MOVES)
            simulate(
                agent, run.problems.problems(0, 1)[0], max_moves=warm_up, each_move=run.each_move
            )  # loads the compiled kernels, so that no timed move has to
            self._agent = run.identity, planner, agent
        return self._agent[1:]

    def _grid_of(self, run: Run) -> Grid:
        if self._map is None or self._map[0] != run.fingerprint:
            self._map = None
            self._map = run.fingerprint, run.source.load(run.diagonals, run.costs)
        return self._map[1]


def _walk(agent: Agent, run: Run, first: int, until: float, tally: Tally, end: int) -> None:
    """Run and count some episodes: few enough that the next sign of life is not far."""
    until = min(until, monotonic() + _BATCH_SECONDS)
    max_seconds = None if math.isinf(run.episode_seconds) else run.episode_seconds
    walk = partial(simulate, agent, max_moves=run.max_moves, max_seconds=max_seconds, each_move=run.each_move)
    if run.rounds > 1:
        walk = partial(simulate_rounds, agent, rounds=run.rounds, max_moves=run.max_moves, each_move=run.each_move)
    for problem in run.problems.problems(first, min(first + BATCH_EPISODES, end)):
        tally.add(_timed(walk, problem))
        if monotonic() > until:
            break


def _timed(walk: Callable[[Problem], Trace], problem: Problem) -> Trace:
    """A walk whose times are its own: one during which a kernel was compiled or fetched is taken again."""
    while True:
        before = loads()
        trace = walk(problem)
        if loads() == before:
            return trace


def _facts(run: Run, grid: Grid, first: int, tally: Tally) -> Columns:
    """What each episode was: the problem, and how it ended."""
    last = first + len(tally)
    numbers, starts, goals, _ = run.problems.rows[first:last].T
    (start_x, start_y), (goal_x, goal_y) = grid.xys(starts).T, grid.xys(goals).T
    texts = {status: status.value for status in RunStatus}
    return {
        "episode": np.arange(first, last),
        "problem": numbers,
        "start_x": start_x,
        "start_y": start_y,
        "goal_x": goal_x,
        "goal_y": goal_y,
        "status": np.array([texts[status] for status in tally.status]),
    }
