"""The command that edits maps: edit."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import CostsOption, DiagonalsOption, MapArgument, app
from waypost.cli.inputs import check_outputs, load, point, size
from waypost.errors import ParameterError

if TYPE_CHECKING:
    from waypost.living.world import World


@app.command(epilog="Example: waypost edit rooms --close 40,20 --open 44,28,3x2 --out rooms2.map --draw rooms2.png")
def edit(
    map: MapArgument,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="Where to write the map: .map, .png, .yaml (ROS) or .npy."),
    ],
    close: Annotated[
        list[str] | None,
        typer.Option(metavar="X,Y[,WxH]", help="Close a cell, or a rectangle from this corner on; repeatable."),
    ] = None,
    open_places: Annotated[
        list[str] | None,
        typer.Option("--open", metavar="X,Y[,WxH]", help="Open some in the same way, after that; repeatable."),
    ] = None,
    script: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Do first what a saved script of a World says.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save a script of all that is done, for --script."),
    ] = None,
    draw: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the map as well.")] = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
) -> None:
    """Close and open cells of a map, as one change, and write the map that it then is."""
    from waypost.living.world import World
    from waypost.maps.load import check_format, save_map
    from waypost.runs import picture

    check_outputs(out, record, picture=draw)
    check_format(out)
    grid = load(map, diagonals, costs)
    world = World.replay(script, grid).world if script else World(grid, record=True)
    with world.batch() as collected:
        for is_open, places in ((False, close), (True, open_places)):
            for text in places or []:
                _edit(world, text, is_open)
    frozen = world.freeze().grid
    pixels = picture.draw_grid(frozen) if draw else None  # first: a picture may be refused
    save_map(frozen, out)
    cells = collected.edit.cells if collected.edit else 0
    parts = "1 component" if frozen.component_count == 1 else f"{frozen.component_count:,} components"
    print(f"Wrote {out}: version {world.version}, {cells:,} cells changed now, {frozen.open_count:,} open in {parts}")
    if record:
        world.script.save(record)
        print(f"Wrote {record}")
    if draw and pixels is not None:
        picture.write_png(draw, pixels)
        print(f"Wrote {draw}")


def _edit(world: "World", text: str, is_open: bool) -> None:
    """Close or open what a text names."""
    option = "--open" if is_open else "--close"
    corner, comma, sides = text.rpartition(",")
    if "x" not in sides.lower() or not comma:
        world.edit([point(text, option)], open=is_open)
        return
    x, y = point(corner, option)
    width, height = size(sides, option)
    if width < 1 or height < 1:
        raise ParameterError(f"{option} must name a cell X,Y or a rectangle X,Y,WxH, not {text!r}")
    world.edit(rectangle=(x, y, width, height), open=is_open)
