"""The only loop that moves an agent and times its moves."""

from time import perf_counter_ns

import numpy as np

from waypost.agents.base import MOST_MOVES, Agent
from waypost.errors import ParameterError
from waypost.problem import Problem
from waypost.step import WORK_COUNTERS, Status
from waypost.trace import NO_EVENTS, Trace

__all__ = ["simulate"]


def simulate(agent: Agent, problem: Problem, *, max_moves: int = MOST_MOVES, each_move: bool = True) -> Trace:
    """Walk an agent from start to goal, or until it runs out of moves, and record the run.

    With each_move=False the agent walks at full speed, compiled where it can, and only the whole walk is timed.
    """
    if max_moves < 0:
        raise ParameterError(f"max_moves must be at least 0, not {max_moves}")
    agent.reset(problem)
    return _timed_by_move(agent, problem, max_moves) if each_move else _timed_whole(agent, problem, max_moves)


def _timed_by_move(agent: Agent, problem: Problem, max_moves: int) -> Trace:
    cells = [problem.start]
    move_ns: list[int] = []
    work: list[tuple[int, ...]] = []
    events = []
    status = Status.ARRIVED if problem.start == problem.goal else Status.MOVING
    while status is Status.MOVING:
        if len(move_ns) == max_moves:
            status = Status.OUT_OF_MOVES
            break
        before = perf_counter_ns()
        step = agent.step()
        move_ns.append(perf_counter_ns() - before)
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


def _timed_whole(agent: Agent, problem: Problem, max_moves: int) -> Trace:
    before = perf_counter_ns()
    walk = agent.walk(max_moves)
    total_ns = perf_counter_ns() - before
    return Trace(
        grid=agent.grid,
        problem=problem,
        status=walk.status,
        cells=walk.cells,
        total_ns=total_ns,
        move_ns=np.empty(0, np.int64),
        work=walk.work,
        memory=agent.memory,
    )
