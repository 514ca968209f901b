"""What the shell can complete besides commands, options and files: names, found without waiting for the compiler."""

from collections.abc import Callable, Iterable
from importlib import resources
from typing import get_args

__all__ = [
    "complete_costs",
    "complete_diagonals",
    "complete_map",
    "complete_paper",
    "complete_planner",
    "complete_suite",
]


def _completing(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """What typer asks for the end of a word."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def _planners() -> tuple[str, ...]:
    from waypost.planners.names import BuiltInName

    return get_args(BuiltInName.__value__)


def _diagonals() -> tuple[str, ...]:
    from waypost.world.grid import DiagonalRule

    return get_args(DiagonalRule.__value__)


def _costs() -> tuple[str, ...]:
    from waypost.world.grid import DiagonalCost

    return get_args(DiagonalCost.__value__)


def _files(package: str, folder: str, ending: str) -> list[str]:
    """Names of files of ours; where none begins as the word does, shells go on to files of the user."""
    found = (resources.files(package) / folder).iterdir()
    return sorted(file.name.removesuffix(ending) for file in found if file.name.endswith(ending))


complete_planner = _completing(_planners)
complete_diagonals = _completing(_diagonals)
complete_costs = _completing(_costs)
complete_map = _completing(lambda: _files("waypost.maps", "bundled", ".map"))
complete_paper = _completing(lambda: [name for name in _files("waypost.bench", "papers", ".toml") if name[0].isdigit()])
complete_suite = _completing(lambda: _files("waypost.bench", "suites", ".toml"))
