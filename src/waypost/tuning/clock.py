"""Times of settings taken in turns, so that what the machine does besides falls on all of them alike."""

from collections.abc import Sequence

import numpy as np

from waypost.bench.episodes import identity
from waypost.runs.simulation import simulate
from waypost.tuning.folder import Folder
from waypost.tuning.trial import Clocked, Trial

__all__ = ["clock"]

_PROBLEMS = 64
_ROUNDS = 5
_SLOWEST = 99.9  # per cent of all moves are faster
_MOST_MOVES = 100_000


def clock(folder: Folder, trials: Sequence[Trial]) -> None:
    """Time some settings: of each walk, and of each move, the shortest of several rounds counts."""
    identities = [folder.runs[trial.candidate].identity for trial in trials]
    key = identity({"clocked": sorted(identities), "rounds": _ROUNDS})
    kept = folder.kept(key)
    if kept is None:
        kept = dict(zip(identities, _times(folder, trials), strict=True))
        folder.keep(key, kept)
    for trial, name in zip(trials, identities, strict=True):
        trial.clocked = Clocked(*kept[name])


def _times(folder: Folder, trials: Sequence[Trial]) -> list[tuple[float, float]]:
    """Of each setting the median time of a move, and that of the slowest moves."""
    agents = [folder.planner_of(trial.candidate)[1] for trial in trials]
    problems = folder.problems(0, min(_PROBLEMS, folder.to_choose))
    whole = np.full((len(agents), len(problems)), np.inf)
    moves: list[list[np.ndarray]] = [[] for _ in agents]  # type: ignore[type-arg]
    for at, problem in enumerate(problems):
        single = [None] * len(agents)
        for turn in range(_ROUNDS):
            for place in range(len(agents)):
                which = (turn + place) % len(agents)
                walk = simulate(agents[which], problem, max_moves=_MOST_MOVES, each_move=False)
                whole[which, at] = min(whole[which, at], walk.total_ns / max(walk.moves, 1))
                one_by_one = simulate(agents[which], problem, max_moves=_MOST_MOVES).move_ns
                before = single[which]
                single[which] = one_by_one if before is None else np.minimum(before, one_by_one)
        for which, times in enumerate(single):
            moves[which].append(times)
    return [
        (float(np.median(whole[which])) / 1e3, float(np.percentile(np.concatenate(moves[which]), _SLOWEST)) / 1e3)
        for which in range(len(agents))
    ]
