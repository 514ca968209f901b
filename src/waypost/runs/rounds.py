"""The same walk in several rounds, of which each move's shortest time counts: what is longer is of the machine."""

from dataclasses import replace

import numpy as np

from waypost.agents.base import MOST_MOVES, Agent
from waypost.agents.trace import Trace
from waypost.runs.simulation import simulate
from waypost.world.problem import Problem

__all__ = ["simulate_rounds"]

FEW_MOVES = 20


def simulate_rounds(
    agent: Agent, problem: Problem, rounds: int, *, max_moves: int = MOST_MOVES, each_move: bool = True
) -> Trace:
    """Walk as `simulate` does, so often; each round begins after a few moves that do not count, with warm caches."""
    best = _warm(agent, problem, max_moves, each_move)
    for _ in range(rounds - 1):
        run = _warm(agent, problem, max_moves, each_move)
        move_ns = np.minimum(best.move_ns, run.move_ns)
        total_ns = int(move_ns.sum()) if each_move else min(best.total_ns, run.total_ns)
        best = replace(run, move_ns=move_ns, total_ns=total_ns)
    return best


def _warm(agent: Agent, problem: Problem, max_moves: int, each_move: bool) -> Trace:
    simulate(agent, problem, max_moves=min(FEW_MOVES, max_moves), each_move=each_move)
    return simulate(agent, problem, max_moves=max_moves, each_move=each_move)
