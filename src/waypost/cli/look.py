"""Commands that look at maps: info and draw."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.app import CostsOption, DiagonalsOption, MapArgument, app
from waypost.cli.inputs import check_outputs, load
from waypost.cli.show import new_table, show


@app.command(epilog="Example: waypost info caves")
def info(map: MapArgument, diagonals: DiagonalsOption = "both-open", costs: CostsOption = "sqrt2") -> None:
    """Describe a map: size, open cells, components, fingerprint."""
    grid = load(map, diagonals, costs)
    table = new_table(Path(map).name, "what", "value")
    share = 100 * grid.open_count / grid.cell_count
    for what, value in (
        ("size", f"{grid.width} x {grid.height} = {grid.cell_count:,} cells"),
        ("open cells", f"{grid.open_count:,} ({share:.1f} %)"),
        ("components", f"{grid.component_count:,}, the largest of {grid.component_sizes.max():,} cells"),
        ("diagonal moves", grid.diagonals),
        ("move costs", "1" if diagonals == "never" else f"1 and {costs}"),
        ("fingerprint", grid.fingerprint),
    ):
        table.add_row(what, value)
    show(table)


@app.command(epilog="Example: waypost draw caves --out caves.png --scale 4")
def draw(
    map: MapArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PNG", help="Where to write the picture.")],
    scale: Annotated[int | None, typer.Option(min=1, max=64, help="Pixels per cell; by default to fit.")] = None,
) -> None:
    """Draw a map; parts that cannot be reached from the largest one are a shade darker."""
    from waypost import picture

    check_outputs(out)
    picture.write_png(out, picture.draw_grid(load(map), scale))
    print(f"Wrote {out}")
