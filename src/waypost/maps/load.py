"""Loading and saving maps by the ending of their file names, and the maps that come with Waypost."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from typing import Any, TypedDict, Unpack

from waypost.errors import MapError, ParameterError, shown
from waypost.maps import array, image, movingai, ros, tiled
from waypost.system.files import check_name
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid
from waypost.world.problem import Problem

__all__ = ["READERS", "WRITERS", "bundled_maps", "check_format", "load_map", "load_problems", "save_map"]

_BUNDLED = resources.files("waypost.maps") / "bundled"

READERS: dict[str, Callable[..., Any]] = {
    ".map": movingai.read_map,
    ".png": image.read_image,
    ".pgm": image.read_image,
    ".yaml": ros.read_ros,
    ".yml": ros.read_ros,
    ".tmx": tiled.read_tiled,
    ".json": tiled.read_tiled,
    ".tmj": tiled.read_tiled,
    ".npy": array.read_array,
}
"""What reads the open cells of a file, by its ending; the options of a format are the keywords of its reader."""

WRITERS: dict[str, Callable[..., None]] = {
    ".map": movingai.write_map,
    ".png": image.write_image,
    ".yaml": ros.write_ros,
    ".yml": ros.write_ros,
    ".npy": array.write_array,
}
"""What writes a grid to a file, by its ending; options likewise."""


class Reading(TypedDict, total=False):
    """Options of `load_map`; which of them a format has, `READERS` says."""

    threshold: int
    unknown_open: bool
    layer: str
    blocked_property: str
    open: Any


class Writing(TypedDict, total=False):
    """Options of `save_map`."""

    resolution: float
    origin: tuple[float, float, float]


def bundled_maps() -> list[str]:
    """Names of the maps that come with Waypost; `load_map` takes them as they are."""
    return sorted(_bundled_names())


def load_map(
    path: str | os.PathLike[str],
    *,
    diagonals: DiagonalRule = "both-open",
    costs: DiagonalCost = "sqrt2",
    **options: "Unpack[Reading]",
) -> Grid:
    """Load a map file by its ending, or a bundled map by its name.

    MovingAI .map; .png and .pgm images (option `threshold`); ROS map_server .yaml (`unknown_open`); Tiled .tmx, .json
    and .tmj (`layer`, `blocked_property`); numpy .npy (`open`). `diagonals` says when a diagonal move is legal:
    "both-open" (no corner cutting, the default), "one-open", "always" or "never". `costs` is "sqrt2" or "1.4", the
    cost of a diagonal move. A ROS map keeps its frame (`grid.frame`), which converts between metres and cells.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise MapError(f"load_map takes the path of a map, not {type(path).__name__}; grid_from_array takes arrays")
    name = os.fspath(path)
    if not os.path.exists(name):  # unlike Path.exists, False for names that no file can have
        if name not in bundled_maps():
            raise MapError(f"there is no map file at {shown(name)}; bundled maps: {', '.join(bundled_maps())}")
        with resources.as_file(_BUNDLED / f"{name}.map") as file:
            return load_map(file, diagonals=diagonals, costs=costs, **options)
    if os.path.isdir(name):
        raise MapError(f"{name} is a directory; give a map file")
    read = _by_ending(name, READERS, "read")
    _check_options(name, read, options)
    found = read(name, **options)
    is_open, frame = found if isinstance(found, ros.RosCells) else (found, None)
    return Grid(is_open, diagonals=diagonals, costs=costs, source=name, frame=frame)


def save_map(grid: Grid, path: str | os.PathLike[str], **options: "Unpack[Writing]") -> None:
    """Save a grid in the format that the file's ending says.

    MovingAI .map, .png (white is open), numpy .npy (True is open), or ROS map_server .yaml with a .pgm beside it
    (options `resolution` and `origin`; by default those of the grid's frame). Files hold the open cells; the diagonal
    rule and costs are not in them.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise MapError(f"save_map takes the path to write to, not {type(path).__name__}")
    if not isinstance(grid, Grid):
        raise MapError(f"save_map saves a Grid, not {type(grid).__name__}; grid_from_array makes one")
    check_format(path, **options)
    _by_ending(os.fspath(path), WRITERS, "written")(path, grid, **options)


def check_format(path: str | os.PathLike[str], **options: "Unpack[Writing]") -> None:
    """Refuse a file name or an option that `save_map` would refuse, before the work whose result should go there."""
    name = os.fspath(path)
    _check_options(name, _by_ending(name, WRITERS, "written"), options)


def load_problems(path: str | os.PathLike[str], grid: Grid) -> list[Problem]:
    """The problems of a MovingAI .scen file on a grid, unreachable ones included."""
    if not isinstance(grid, Grid):
        raise MapError(f"the problems of a scenario file are about a Grid, not {shown(grid)}; see load_map")
    check_name(path, "a scenario file")
    return movingai.read_problems(path, grid)


def _by_ending(name: str, table: dict[str, Callable[..., Any]], done: str) -> Callable[..., Any]:
    ending = os.path.splitext(name)[1].lower()
    if ending not in table:
        raise MapError(f"{shown(name)} is not a format that can be {done}; use one of {' '.join(table)}")
    return table[ending]


def _check_options(name: str, function: Callable[..., Any], options: Iterable[str]) -> None:
    known = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for option in options:
        if option not in known:
            there = f"it takes {', '.join(known)}" if known else "it takes none"
            raise ParameterError(f"{shown(name)} has no option {shown(option)}: as a map of its format {there}")


def _bundled_names() -> Iterator[str]:
    for file in _BUNDLED.iterdir():
        if file.name.endswith(".map"):
            yield file.name.removesuffix(".map")
