"""Commands that turn maps into other maps: convert and scale."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from waypost.cli.app import MapArgument, app
from waypost.cli.inputs import check_outputs, load
from waypost.errors import ParameterError

if TYPE_CHECKING:
    from waypost.world.grid import Grid

T = TypeVar("T", int, float)

OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="File to write: .map, .png, .yaml (ROS) or .npy.")]
ResolutionOption = Annotated[
    float | None, typer.Option(help="Writing ROS: metres per cell; by default as in a ROS map read, or 1.")
]
OriginOption = Annotated[
    str | None,
    typer.Option(metavar="X,Y,YAW", help="Writing ROS: the lower left corner in metres, and the turn in radians."),
]

# How the map is to be read, by its format.
ThresholdOption = Annotated[int | None, typer.Option(help="Images: open from this luminance on, of 255 (128).")]
LayerOption = Annotated[str | None, typer.Option(metavar="NAME", help="Tiled: the layer whose tiles are walls.")]
BlockedPropertyOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="Tiled: the boolean property of tiles that are walls.")
]
UnknownOpenOption = Annotated[bool, typer.Option("--unknown-open", help="ROS: unknown cells are open.")]
OpenOption = Annotated[
    list[float] | None, typer.Option("--open", metavar="VALUE", help="numpy: a value that is open; repeatable.")
]

_ROS_ENDINGS = (".yaml", ".yml")


@app.command(epilog="Examples: waypost convert caves caves.png; waypost convert town.tmx town.map --layer Walls")
def convert(
    map: MapArgument,
    out: OutArgument,
    threshold: ThresholdOption = None,
    layer: LayerOption = None,
    blocked_property: BlockedPropertyOption = None,
    unknown_open: UnknownOpenOption = False,
    open: OpenOption = None,
    resolution: ResolutionOption = None,
    origin: OriginOption = None,
) -> None:
    """Convert a map into another format."""
    reading = _reading(threshold, layer, blocked_property, unknown_open, open)
    writing = _writing(resolution, origin)
    _check_out(map, out, writing)
    _save(load(map, **reading), out, writing)


@app.command(epilog="Examples: waypost scale caves big.map --factor 4; waypost scale caves part.png --crop 10,10,64,64")
def scale(
    map: MapArgument,
    out: OutArgument,
    factor: Annotated[int, typer.Option(min=1, help="Each cell becomes this many cells wide and high.")] = 1,
    crop: Annotated[
        str | None, typer.Option(metavar="X,Y,W,H", help="Keep only this rectangle of the map, before enlarging.")
    ] = None,
    threshold: ThresholdOption = None,
    layer: LayerOption = None,
    blocked_property: BlockedPropertyOption = None,
    unknown_open: UnknownOpenOption = False,
    open: OpenOption = None,
    resolution: ResolutionOption = None,
    origin: OriginOption = None,
) -> None:
    """Enlarge a map by a whole number, or cut a rectangle out of it, or both."""
    from waypost.maps import scale as scaling

    rectangle = _numbers(crop, "--crop", "four whole numbers X,Y,W,H", 4, int) if crop is not None else None
    reading = _reading(threshold, layer, blocked_property, unknown_open, open)
    writing = _writing(resolution, origin)
    _check_out(map, out, writing)
    grid = load(map, **reading)
    if rectangle:
        grid = scaling.crop(grid, *rectangle)
    _save(scaling.enlarge(grid, factor), out, writing)


def _reading(
    threshold: int | None, layer: str | None, blocked_property: str | None, unknown_open: bool, open: list[float] | None
) -> dict[str, Any]:
    return _given(
        threshold=threshold,
        layer=layer,
        blocked_property=blocked_property,
        unknown_open=unknown_open or None,
        open=open or None,
    )


def _writing(resolution: float | None, origin: str | None) -> dict[str, Any]:
    place = _numbers(origin, "--origin", "three numbers X,Y,YAW", 3, float) if origin is not None else None
    return _given(resolution=resolution, origin=place)


def _check_out(map_name: str, out: Path, writing: dict[str, Any]) -> None:
    """Refuse what cannot or should not be written, before the work."""
    from waypost.maps.load import check_format
    from waypost.maps.ros import image_beside, image_of

    check_outputs(out)
    check_format(out, **writing)
    if out.suffix.lower() not in _ROS_ENDINGS:
        return
    image = image_beside(out)
    check_outputs(image)
    read = [map_name, image_of(map_name)] if Path(map_name).suffix.lower() in _ROS_ENDINGS else [map_name]
    for source in map(Path, read):
        if image.exists() and source.exists() and image.samefile(source):
            raise ParameterError(f"writing {out} would overwrite {source} with its image; choose another name")


def _save(grid: "Grid", out: Path, writing: dict[str, Any]) -> None:
    from waypost.maps.load import save_map
    from waypost.maps.ros import image_beside

    save_map(grid, out, **writing)
    files = f"{out} and {image_beside(out)}" if out.suffix.lower() in _ROS_ENDINGS else str(out)
    print(f"Wrote {files}: {grid.width} x {grid.height} cells, {grid.open_count:,} open")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _numbers(text: str, option: str, wanted: str, count: int, kind: type[T]) -> tuple[T, ...]:
    try:
        numbers = tuple(kind(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != count:
        raise ParameterError(f"{option} must be {wanted}, not {text!r}")
    return numbers
