"""Commands that turn maps into other maps: convert and scale."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from waypost.cli.app import MapArgument, app
from waypost.cli.inputs import check_outputs, load
from waypost.errors import ParameterError

if TYPE_CHECKING:
    from waypost.grid import Grid

OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="File to write: .map, .png, .yaml (ROS) or .npy.")]
ThresholdOption = Annotated[int | None, typer.Option(help="Images: open from this luminance of 255 on (128).")]
LayerOption = Annotated[str | None, typer.Option(metavar="NAME", help="Tiled: the layer whose tiles are walls.")]
PropertyOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="Tiled: the boolean property of tiles that are walls.")
]
UnknownOption = Annotated[bool, typer.Option("--unknown-open", help="ROS: unknown cells are open.")]
OpenOption = Annotated[
    list[float] | None, typer.Option("--open", metavar="VALUE", help="numpy: a value that is open; repeatable.")
]
ResolutionOption = Annotated[float | None, typer.Option(help="Writing ROS: metres per cell (1).")]


@app.command(epilog="Examples: waypost convert caves caves.png; waypost convert town.tmx town.map --layer Walls")
def convert(
    map: MapArgument,
    out: OutArgument,
    threshold: ThresholdOption = None,
    layer: LayerOption = None,
    blocked_property: PropertyOption = None,
    unknown_open: UnknownOption = False,
    open: OpenOption = None,
    resolution: ResolutionOption = None,
) -> None:
    """Convert a map into another format."""
    options = {
        "threshold": threshold,
        "layer": layer,
        "blocked_property": blocked_property,
        "unknown_open": unknown_open or None,
        "open": open or None,
    }
    _check_out(out, resolution)
    _save(load(map, **_given(options)), out, resolution)


@app.command(epilog="Examples: waypost scale caves big.map --factor 4; waypost scale caves part.png --crop 10,10,64,64")
def scale(
    map: MapArgument,
    out: OutArgument,
    factor: Annotated[int, typer.Option(min=1, help="Each cell becomes so many cells wide and high.")] = 1,
    crop: Annotated[
        str | None, typer.Option(metavar="X,Y,W,H", help="Keep only this rectangle of the map, before enlarging.")
    ] = None,
    resolution: ResolutionOption = None,
) -> None:
    """Enlarge a map by a whole number, or cut a rectangle out of it, or both."""
    from waypost.maps import scale as scaling

    rectangle = _rectangle(crop) if crop is not None else None
    _check_out(out, resolution)
    grid = load(map)
    if rectangle:
        grid = scaling.crop(grid, *rectangle)
    _save(scaling.enlarge(grid, factor), out, resolution)


def _check_out(out: Path, resolution: float | None) -> None:
    """Refuse a place or a format that cannot be written, before the work."""
    from waypost.maps.load import check_format

    check_outputs(out)
    check_format(out, **_given({"resolution": resolution}))


def _save(grid: "Grid", out: Path, resolution: float | None) -> None:
    from waypost.maps.load import save_map

    save_map(grid, out, **_given({"resolution": resolution}))
    print(f"Wrote {out}: {grid.width} x {grid.height} cells, {grid.open_count:,} open")


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _rectangle(text: str) -> tuple[int, int, int, int]:
    try:
        x, y, width, height = (int(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"--crop must be four whole numbers X,Y,W,H, not {text!r}") from None
    return x, y, width, height
