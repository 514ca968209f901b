"""tuned.toml: a planner, its parameters and the map that they were chosen for."""

import os
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from waypost.bench.keys import Table
from waypost.catalog import check_params, find
from waypost.errors import WaypostError
from waypost.maps.load import bundled_maps, load_map
from waypost.planner import check_grid
from waypost.planners.names import PlannerName
from waypost.system.files import check_name, read_bytes, write_atomically
from waypost.tuning.toml_text import toml_text
from waypost.world.grid import COSTS, DIAGONALS, Grid

__all__ = ["Tuned", "tuned", "write_tuned"]

_MOST_BYTES = 1 << 20


class Tuned(NamedTuple):
    """What the file holds."""

    planner: str
    params: Mapping[str, Any]
    map_name: str
    """The file or the bundled map; nothing if the map was in no file."""
    fingerprint: str
    diagonals: str
    costs: str
    limits: Mapping[str, Any]
    figures: Mapping[str, Any]
    date: str


def write_tuned(path: str | os.PathLike[str], found: Tuned) -> None:
    """Write the file; a map's own file is named by its place as seen from there."""
    if not found.planner:
        raise WaypostError("nothing was found within the limits, so there is nothing to save")
    name = found.map_name
    if name and name not in bundled_maps():
        name = os.path.relpath(os.path.realpath(name), os.path.dirname(os.path.realpath(path)))
    values = {
        "planner": found.planner,
        "date": found.date,
        "params": dict(found.params),
        "map": {
            "name": name,
            "fingerprint": found.fingerprint,
            "diagonals": found.diagonals,
            "costs": found.costs,
        },
        "limits": dict(found.limits),
        "figures": dict(found.figures),
    }
    write_atomically(path, toml_text(values).encode())


def tuned(path: str | os.PathLike[str], grid: Grid | None = None) -> dict[str, Any]:
    """What `build` takes to make the planner that `tune` has chosen: `wp.build(**wp.tuned("tuned.toml"))`.

    The map is the one that the file names; a map that is in no file is given as `grid`. Another map than the planner
    was chosen for is refused.
    """
    check_name(path, "what tune has written")
    found = _read(path)
    if grid is None:
        grid = _map_of(path, found)
    check_grid(grid)
    if grid.fingerprint != found.fingerprint:
        raise WaypostError(
            f"{path} was tuned for another map than this one of {grid.width} x {grid.height} cells, diagonal moves "
            f"{grid.diagonals}; tune again"
        )
    return {"name": found.planner, "grid": grid, **found.params}


def _read(path: str | os.PathLike[str]) -> Tuned:
    try:
        values = tomllib.loads(read_bytes(path, "file of tune", _MOST_BYTES).decode())
    except (ValueError, RecursionError) as error:
        raise WaypostError(f"{path} is not TOML: {' '.join(str(error).split())}") from None
    table = Table(values, str(path))
    planner, date, params = table.text("planner"), table.text("date", ""), table.table("params").rest()
    of_map, limits, figures = table.table("map"), table.table("limits").rest(), table.table("figures").rest()
    table.end()
    found = Tuned(
        planner=planner,
        params=params,
        map_name=of_map.text("name", ""),
        fingerprint=of_map.text("fingerprint"),
        diagonals=of_map.choice("diagonals", tuple(DIAGONALS), "both-open"),
        costs=of_map.choice("costs", tuple(COSTS), "sqrt2"),
        limits=limits,
        figures=figures,
        date=date,
    )
    of_map.end()
    with table.placed():
        check_params(find(PlannerName(planner)), params)
    return found


def _map_of(path: str | os.PathLike[str], found: Tuned) -> Grid:
    """The map that the file names, as seen from the file's folder."""
    if not found.map_name:
        raise WaypostError(f"the map that {path} was tuned for is in no file; give it: wp.tuned({str(path)!r}, grid)")
    name = found.map_name
    if name not in bundled_maps():
        name = os.path.join(os.path.dirname(os.path.realpath(path)), name)
    rules: dict[str, Any] = {"diagonals": found.diagonals, "costs": found.costs}
    return load_map(name, **rules)
