"""The only loop that moves an agent and times its moves."""

import math
import sys
from time import perf_counter_ns

import numpy as np

from waypost.agents.base import MOST_MOVES, Agent, move_limit
from waypost.agents.step import WORK_COUNTERS, RunStatus
from waypost.agents.trace import NO_EVENTS, Trace
from waypost.errors import ParameterError, shown
from waypost.system.checks import number_within, truth
from waypost.world.problem import Problem

__all__ = ["simulate"]

STRETCH = 10_000  # moves between two looks at the clock, where moves are not timed one by one
_AGES_SECONDS = 1e9  # as good as no limit, and still a whole number of ns that a clock can reach


def simulate(
    agent: Agent,
    problem: Problem,
    *,
    max_moves: int = MOST_MOVES,
    max_seconds: float | None = None,
    each_move: bool = True,
) -> Trace:
    """Walk an agent from start to goal, or until it runs out of moves or time, and record the run.

    With each_move=False the agent walks at full speed, compiled where it can, and only the whole walk is timed.
    """
    if not isinstance(agent, Agent):
        raise ParameterError(f"simulate moves an Agent, not {shown(agent)}; see Planner.agent")
    max_moves = move_limit(max_moves)
    if max_seconds is not None:
        max_seconds = number_within("max_seconds", max_seconds, float, 0, math.inf, takes_text=False)
    each_move = truth("each_move", each_move)
    agent.reset(problem)
    deadline_ns = sys.maxsize
    if max_seconds is not None and max_seconds < _AGES_SECONDS:
        deadline_ns = perf_counter_ns() + int(max_seconds * 1e9)
    return (_timed_by_move if each_move else _timed_whole)(agent, problem, max_moves, deadline_ns)


def _timed_by_move(agent: Agent, problem: Problem, max_moves: int, deadline_ns: int) -> Trace:
    cells = [problem.start]
    move_ns: list[int] = []
    work: list[tuple[int, ...]] = []
    events = []
    status = RunStatus.ARRIVED if problem.start == problem.goal else RunStatus.MOVING
    after = 0
    while status is RunStatus.MOVING:
        if len(move_ns) == max_moves or after > deadline_ns:
            status = RunStatus.OUT_OF_MOVES if len(move_ns) == max_moves else RunStatus.OUT_OF_TIME
            break
        before = perf_counter_ns()
        step = agent.step()
        after = perf_counter_ns()
        move_ns.append(after - before)
        status = step.status
        cells.append(step.cell)
        work.append(step[2:])
        if agent.record:
            seen = agent.take_events()
            seen["move"] = len(move_ns) - 1
            events.append(seen)
    return Trace(
        grid=agent.grid,
        problem=problem,
        status=status,
        cells=np.array(cells, np.int32),
        total_ns=sum(move_ns),
        move_ns=np.array(move_ns, np.int64),
        work=np.array(work, np.int32).reshape(-1, len(WORK_COUNTERS)),
        memory=agent.memory,
        events=np.concatenate(events) if events else NO_EVENTS,
    )


def _timed_whole(agent: Agent, problem: Problem, max_moves: int, deadline_ns: int) -> Trace:
    before = perf_counter_ns()
    walks = [agent.walk(max_moves if deadline_ns == sys.maxsize else min(max_moves, STRETCH))]
    moves = len(walks[0].work)
    while walks[-1].status is not RunStatus.ARRIVED and moves < max_moves and perf_counter_ns() < deadline_ns:
        walks.append(agent.walk(min(max_moves - moves, STRETCH)))
        moves += len(walks[-1].work)
    total_ns = perf_counter_ns() - before
    status = walks[-1].status
    if status is RunStatus.OUT_OF_MOVES and moves < max_moves:
        status = RunStatus.OUT_OF_TIME
    return Trace(
        grid=agent.grid,
        problem=problem,
        status=status,
        cells=np.concatenate([walks[0].cells, *(walk.cells[1:] for walk in walks[1:])]),
        total_ns=total_ns,
        move_ns=np.empty(0, np.int64),
        work=np.concatenate([walk.work for walk in walks]),
        memory=agent.memory,
    )
