"""What commands take: maps, planners, points and the places of results."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from waypost.errors import ParameterError, shown

if TYPE_CHECKING:
    from waypost.planner import Planner
    from waypost.world.grid import Grid

_MOST_SCALE = 64


def load(map_name: str, diagonals: str = "both-open", costs: str = "sqrt2", **options: Any) -> "Grid":
    """A map by its file or its bundled name; options are those of the file's format."""
    from waypost.maps.load import load_map

    rules: dict[str, Any] = {"diagonals": diagonals, "costs": costs}  # as typed: the grid says what would be right
    return load_map(map_name, **rules, **options)


def build(
    name: str | None,
    grid: "Grid",
    params: list[str] | None = None,
    index_file: Path | None = None,
    size: int | None = None,
) -> "Planner":
    """A planner by its catalog name, DBA* if left out, or by its index file; with parameters as name=value."""
    from waypost import catalog, making, planner
    from waypost.planners.names import PlannerName

    if name == catalog.AUTO and index_file is None:
        making.check_no_params(named_values(params))
        return making.build(PlannerName(catalog.AUTO), grid, sizes=(size or 1,))
    entry = catalog.find(name) if name else None
    if index_file is None:
        entry = entry or catalog.find(catalog.DEFAULT)
        given = catalog.check_params(entry, named_values(params))  # here: build takes a name and a grid itself
        return making.build(entry, grid, sizes=(size or 1,), **given)
    loaded = planner.load(index_file, grid, **named_values(params))
    if entry not in (None, loaded.entry):
        raise ParameterError(f"{index_file} is an index of {loaded.entry.name}, not of {name}; leave --planner out")
    return loaded.for_size(size)


def named_values(params: list[str] | None) -> dict[str, Any]:
    """Parameters given as name=value, by name; the values still as text."""
    given: dict[str, Any] = {}
    for text in params or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(f"a parameter is given as name=value, not {text!r}")
        given[key.strip().replace("-", "_")] = value.strip()
    return given


def sizes(text: str, option: str) -> tuple[int, ...]:
    """Sizes of units given as 1,2,3."""
    from waypost.indexes.of_sizes import checked_sizes

    parts = text.split(",")
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise ParameterError(f"{option} must be whole numbers such as 1,2,3, not {shown(text)}")
    return checked_sizes(map(int, parts))


def size(text: str, option: str) -> tuple[int, int]:
    """A width and a height given as WxH."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise ParameterError(f"{option} must be two whole numbers WxH, such as 200x140, not {shown(text)}")
    return int(width), int(height)


def scale(text: str | None, option: str) -> float | None:
    """Pixels per cell given as N, or as 1/N where N cells share a pixel."""
    if text is None:
        return None
    above, slash, number = text.partition("/") if "/" in text else ("1", "", text)
    if above != "1" or not (number.isdecimal() and len(number) < 4 and 1 <= int(number) <= _MOST_SCALE):
        raise ParameterError(
            f"{option} must be a whole number up to {_MOST_SCALE}, or 1/2 to 1/{_MOST_SCALE}, not {shown(text)}"
        )
    times = int(number)
    return 1 / times if slash and times > 1 else times


def point(text: str, option: str) -> tuple[int, int]:
    """A place given as X,Y."""
    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"{option} must be two whole numbers X,Y, not {text!r}") from None
    return x, y


def place(text: str, option: str, grid: "Grid", metres: bool) -> tuple[int, int]:
    """A place given as X,Y: a cell, or with --metres where it is in the world."""
    if not metres:
        return point(text, option)
    if grid.frame is None:
        raise ParameterError("--metres takes a map that says where it lies: a ROS map (.yaml), or leave it out")
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"{option} must be two numbers X,Y in metres, not {text!r}") from None
    x, y = grid.frame.to_cell((x, y), option).tolist()
    return x, y


def check_outputs(*paths: Path | None, picture: Path | None = None) -> None:
    """Refuse places that cannot be written, before the work whose results should go there."""
    from waypost.system.files import check_writable

    if picture is not None:
        from waypost.runs.picture import check_picture

        check_picture(picture)
    for path in filter(None, (*paths, picture)):
        check_writable(path)
