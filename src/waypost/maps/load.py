"""Loading a map by its file name, or one of the maps that come with Waypost by name."""

import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from waypost.errors import MapError
from waypost.grid import Grid
from waypost.maps import movingai
from waypost.problem import Problem

__all__ = ["bundled_maps", "load_map", "load_problems"]

_BUNDLED = resources.files("waypost.maps") / "bundled"


def bundled_maps() -> list[str]:
    """Names of the maps that come with Waypost; `load_map` takes them as they are."""
    return sorted(_bundled_names())


def load_map(path: str | os.PathLike[str], *, diagonals: str = "both-open", costs: str = "sqrt2") -> Grid:
    """Load a map file (MovingAI .map), or a bundled map by its name.

    `diagonals` says when a diagonal move is legal: "both-open" (no corner cutting, the default), "one-open",
    "always" or "never". `costs` is "sqrt2" or "1.4", the cost of a diagonal move.
    """
    path = Path(path)
    if not path.exists() and str(path) in bundled_maps():
        with resources.as_file(_BUNDLED / f"{path}.map") as file:
            return load_map(file, diagonals=diagonals, costs=costs)
    if path.suffix.lower() != ".map":
        if path.is_dir():
            raise MapError(f"{path} is a directory; give a map file")
        if not path.exists():
            raise MapError(f"there is no map file at {path}; bundled maps: {', '.join(bundled_maps())}")
        raise MapError(f"{path} is not a format that can be read; use a MovingAI .map file")
    return Grid(movingai.read_map(path), diagonals=diagonals, costs=costs, source=str(path))


def load_problems(path: str | os.PathLike[str], grid: Grid) -> list[Problem]:
    """The problems of a MovingAI .scen file on a grid, unreachable ones included."""
    return [movingai.scenario_problem(scenario, grid) for scenario in movingai.read_scenarios(path)]


def _bundled_names() -> Iterator[str]:
    for file in _BUNDLED.iterdir():
        if file.name.endswith(".map"):
            yield file.name.removesuffix(".map")
