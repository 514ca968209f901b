"""Compiling before any clock runs: each setting of a suite once, from its build to its rows, on a tiny map."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from waypost import catalog
from waypost.bench.suite import Setting
from waypost.errors import WaypostError
from waypost.making import build
from waypost.planner import Planner, load
from waypost.rehearsal import small_map
from waypost.runs.metrics import Tally, index_facts
from waypost.runs.simulation import simulate
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid

__all__ = ["warm_up"]

_FEW_MOVES = 1000


def warm_up(
    settings: Sequence[Setting], diagonals: DiagonalRule, costs: DiagonalCost, each_move: bool, threads: int = 1
) -> None:
    """Have all machine code in this process that these settings need."""
    grid = small_map(diagonals, costs)
    built: dict[object, Planner] = {}
    with TemporaryDirectory() as folder:
        for setting in settings:
            _walk_once(setting, grid, Path(folder), built, each_move, threads)


def _walk_once(
    setting: Setting, grid: Grid, folder: Path, built: dict[object, Planner], each_move: bool, threads: int
) -> None:
    """All that the bench does with a setting."""
    index, file = (setting.planner, setting.index), folder / "tiny.waypost"
    try:
        if catalog.find(setting.planner).index is None:
            planner = build(setting.planner, grid, **dict(setting.params))
        else:
            if index not in built:  # one build serves a sweep, here as well
                built.clear()
                built[index] = build(setting.planner, grid, threads=threads, **dict(setting.index))
            built[index].save(file)
            planner = load(file, grid, **dict(setting.params))
        problem = planner.problem((9, 9), (28, 9))
        trace = simulate(planner.agent(), problem, max_moves=_FEW_MOVES, each_move=each_move)
        Tally(grid, index_facts(planner)).add(trace)
        _ = planner.work_bound  # some indexes count it with a kernel
    except WaypostError:
        pass  # what is wrong with it is said where it is to be run
