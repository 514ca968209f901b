"""The command that makes maps: generate."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.app import app
from waypost.cli.inputs import check_outputs, named_values, size


@app.command(epilog="Example: waypost generate city --size 400x300 --seed 7 -p avenue=8 --out city.map --draw city.png")
def generate(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="blobs, caves, city, maze, outdoor or rooms.")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="Where to write the map: .map, .png, .yaml (ROS) or .npy."),
    ],
    size_text: Annotated[str, typer.Option("--size", metavar="WxH", help="Cells across and down.")] = "200x140",
    seed: Annotated[int, typer.Option(min=0, help="Another seed makes another map of the kind.")] = 0,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", "-p", metavar="NAME=VALUE", help="Parameter of the kind, see waypost list; repeatable."
        ),
    ] = None,
    draw: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the map as well.")] = None,
) -> None:
    """Make a map that looks like a place in a game and is connected throughout; the same for the same arguments."""
    from waypost.maps.generate import generate
    from waypost.maps.load import check_format, save_map
    from waypost.runs import picture
    from waypost.world.grid import Grid

    check_outputs(out, picture=draw)
    check_format(out)
    grid = Grid(generate(kind, *size(size_text, "--size"), seed, **named_values(param)))
    pixels = picture.draw_grid(grid) if draw else None  # first: a picture may be refused
    save_map(grid, out)
    share = 100 * grid.open_count / grid.cell_count
    print(f"Wrote {out}: {kind}, {grid.width} x {grid.height} cells, {share:.1f} % open")
    if draw and pixels is not None:
        picture.write_png(draw, pixels)
        print(f"Wrote {draw}")
