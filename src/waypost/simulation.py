"""The only loop that moves an agent and times its moves."""

from time import perf_counter_ns

import numpy as np

from waypost.agents.base import Agent
from waypost.errors import ParameterError
from waypost.problem import Problem
from waypost.step import Status
from waypost.trace import NO_EVENTS, Trace

__all__ = ["simulate"]

MOST_MOVES = 10_000_000


def simulate(agent: Agent, problem: Problem, *, max_moves: int = MOST_MOVES) -> Trace:
    """Walk an agent from start to goal, or until it runs out of moves, and record the run."""
    if max_moves < 0:
        raise ParameterError(f"max_moves must be at least 0, not {max_moves}")
    agent.reset(problem)
    cells = [problem.start]
    move_ns: list[int] = []
    work: list[tuple[int, int, int, int]] = []
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
        move_ns=np.array(move_ns, np.int64),
        work=np.array(work, np.int64).reshape(-1, 4),
        events=np.concatenate(events) if events else NO_EVENTS,
    )
