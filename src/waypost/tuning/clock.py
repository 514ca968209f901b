"""Times of settings taken in turns, so that what the machine does besides falls on all of them alike."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from waypost.agents.base import Agent
from waypost.bench.episodes import identity
from waypost.runs.simulation import simulate
from waypost.tuning.folder import Clocked, Folder
from waypost.tuning.trial import Trial
from waypost.world.problem import Problem

__all__ = ["clock"]

_PROBLEMS = 64
_ROUNDS = 5
_SLOWEST = 99.9  # per cent of all moves are faster
_MOST_MOVES = 100_000


def clock(folder: Folder, trials: Sequence[Trial], *, single_moves: bool) -> None:
    """Time some settings: of each walk, and of single moves if they count, the shortest of several rounds counts."""
    identities = [folder.runs[trial.candidate].identity for trial in trials]
    key = identity({"clocked": sorted(identities), "rounds": _ROUNDS, "single_moves": single_moves})
    kept = folder.kept(key)
    if not isinstance(kept, dict) or set(kept) != set(identities):
        kept = dict(zip(identities, _times(folder, trials, single_moves), strict=True))
        folder.keep(key, kept)
    for trial, name in zip(trials, identities, strict=True):
        trial.clocked = Clocked(*kept[name])


def _times(folder: Folder, trials: Sequence[Trial], single_moves: bool) -> list[tuple[float, float]]:
    """Of each setting the median time of a move, and that of the slowest moves; NaN if those do not count."""
    agents = [folder.planner_of(trial.candidate)[1] for trial in trials]
    problems = folder.problems(0, min(_PROBLEMS, folder.to_choose))
    walks = np.array([_in_turns(agents, problem) for problem in problems])
    slowest = np.full(len(agents), np.nan)
    if single_moves:
        rows = [_single_moves(agents, problem) for problem in problems]
        slowest = np.array([np.percentile(np.concatenate(moves), _SLOWEST) for moves in zip(*rows, strict=True)])
    return list(zip((np.median(walks, axis=0) / 1e3).tolist(), (slowest / 1e3).tolist(), strict=True))


def _in_turns(agents: Sequence[Agent], problem: Problem) -> list[float]:
    """The time of a move of each agent, the shortest of several walks at full speed."""
    times = [np.inf] * len(agents)
    for which in _turns(len(agents)):
        walk = simulate(agents[which], problem, max_moves=_MOST_MOVES, each_move=False)
        times[which] = min(times[which], walk.total_ns / max(walk.moves, 1))
    return times


def _single_moves(agents: Sequence[Agent], problem: Problem) -> list[npt.NDArray[np.int64]]:
    """The times of all moves of each agent, of each the shortest of several walks."""
    times: list[npt.NDArray[np.int64]] = [np.empty(0, np.int64)] * len(agents)
    for which in _turns(len(agents)):
        found = simulate(agents[which], problem, max_moves=_MOST_MOVES).move_ns
        times[which] = np.minimum(times[which], found) if times[which].size else found
    return times


def _turns(count: int) -> Iterator[int]:
    """Whose turn it is, round by round, each round begun by another one."""
    for turn in range(_ROUNDS):
        yield from ((turn + place) % count for place in range(count))
