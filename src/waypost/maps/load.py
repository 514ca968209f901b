"""Loading a map by its file name, or one of the maps that come with Waypost by name."""

import os
from collections.abc import Iterator
from importlib import resources

from waypost.errors import MapError, shown
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
    if not isinstance(path, (str, os.PathLike)):
        raise MapError(f"load_map takes the path of a map, not {type(path).__name__}; grid_from_array takes arrays")
    name = os.fspath(path)
    if not os.path.exists(name):  # unlike Path.exists, False for names that no file can have
        if name not in bundled_maps():
            raise MapError(f"there is no map file at {shown(name)}; bundled maps: {', '.join(bundled_maps())}")
        with resources.as_file(_BUNDLED / f"{name}.map") as file:
            return load_map(file, diagonals=diagonals, costs=costs)
    if not name.lower().endswith(".map") and not os.path.isdir(name):
        raise MapError(f"{shown(name)} is not a format that can be read; use a MovingAI .map file")
    return Grid(movingai.read_map(name), diagonals=diagonals, costs=costs, source=name)


def load_problems(path: str | os.PathLike[str], grid: Grid) -> list[Problem]:
    """The problems of a MovingAI .scen file on a grid, unreachable ones included."""
    problems = []
    for number, scenario in enumerate(movingai.read_scenarios(path), start=1):
        try:
            problems.append(movingai.scenario_problem(scenario, grid))
        except MapError as error:
            raise MapError(f"{path}, scenario {number}: {error}") from None
    return problems


def _bundled_names() -> Iterator[str]:
    for file in _BUNDLED.iterdir():
        if file.name.endswith(".map"):
            yield file.name.removesuffix(".map")
