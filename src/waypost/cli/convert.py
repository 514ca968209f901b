"""Commands that turn maps into other maps: convert and scale."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from waypost.cli.app import MapArgument, app
from waypost.cli.inputs import check_outputs, load
from waypost.errors import ParameterError

if TYPE_CHECKING:
    from waypost.grid import Grid
    from waypost.maps.ros import RosFrame

OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="File to write: .map, .png, .yaml (ROS) or .npy.")]
ResolutionOption = Annotated[
    float | None, typer.Option(help="Writing ROS: metres per cell; by default as in a ROS map read, or 1.")
]

_ROS_ENDINGS = (".yaml", ".yml")


@app.command(epilog="Examples: waypost convert caves caves.png; waypost convert town.tmx town.map --layer Walls")
def convert(
    map: MapArgument,
    out: OutArgument,
    threshold: Annotated[int | None, typer.Option(help="Images: open from this luminance on, of 255 (128).")] = None,
    layer: Annotated[str | None, typer.Option(metavar="NAME", help="Tiled: the layer whose tiles are walls.")] = None,
    blocked_property: Annotated[
        str | None, typer.Option(metavar="NAME", help="Tiled: the boolean property of tiles that are walls.")
    ] = None,
    unknown_open: Annotated[bool, typer.Option("--unknown-open", help="ROS: unknown cells are open.")] = False,
    open: Annotated[
        list[float] | None, typer.Option("--open", metavar="VALUE", help="numpy: a value that is open; repeatable.")
    ] = None,
    resolution: ResolutionOption = None,
) -> None:
    """Convert a map into another format."""
    options = _given(
        threshold=threshold,
        layer=layer,
        blocked_property=blocked_property,
        unknown_open=unknown_open or None,
        open=open or None,
    )
    _check_out(map, out, resolution)
    grid = load(map, **options)
    _save(grid, out, resolution, _frame(map, out))


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
    _check_out(map, out, resolution)
    grid, frame = load(map), _frame(map, out)
    if rectangle:
        grid = scaling.crop(grid, *rectangle)
        x, y, _, height = rectangle
        frame = frame and frame.cropped(x, y, height)
    _save(scaling.enlarge(grid, factor), out, resolution, frame and frame.enlarged(factor))


def _check_out(map_name: str, out: Path, resolution: float | None) -> None:
    """Refuse what cannot or should not be written, before the work."""
    from waypost.maps.load import check_format
    from waypost.maps.ros import image_beside

    check_outputs(out)
    check_format(out, **_given(resolution=resolution))
    if out.suffix.lower() in _ROS_ENDINGS:
        image = image_beside(out)
        check_outputs(image)
        if image.exists() and Path(map_name).exists() and image.samefile(map_name):
            raise ParameterError(f"writing {out} would overwrite {map_name} with its image; choose another name")


def _frame(map_name: str, out: Path) -> "RosFrame | None":
    """Where a ROS map lies in the world, if the result is to say it too."""
    from waypost.maps.ros import read_occupancy

    both = (Path(map_name).suffix.lower(), out.suffix.lower())
    return read_occupancy(map_name).frame if set(both) <= set(_ROS_ENDINGS) else None


def _save(grid: "Grid", out: Path, resolution: float | None, frame: "RosFrame | None") -> None:
    from waypost.maps.load import save_map
    from waypost.maps.ros import image_beside

    options = _given(resolution=resolution)
    if frame:
        place = (frame.origin_x, frame.origin_y, frame.yaw)
        options = {"resolution": frame.resolution, "origin": place} | options
    save_map(grid, out, **options)
    files = f"{out} and {image_beside(out)}" if out.suffix.lower() in _ROS_ENDINGS else str(out)
    print(f"Wrote {files}: {grid.width} x {grid.height} cells, {grid.open_count:,} open")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _rectangle(text: str) -> tuple[int, int, int, int]:
    try:
        x, y, width, height = (int(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"--crop must be four whole numbers X,Y,W,H, not {text!r}") from None
    return x, y, width, height
