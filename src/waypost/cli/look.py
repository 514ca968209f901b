"""Commands that look at maps and index files: info and draw."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli import inputs
from waypost.cli.app import (
    CostsOption,
    DiagonalsOption,
    IndexOption,
    MapArgument,
    MetresOption,
    ParamOption,
    PlannerOption,
    SizeOption,
    app,
)
from waypost.cli.completion import complete_map
from waypost.cli.inputs import build, check_outputs, load, place
from waypost.cli.show import new_table, show
from waypost.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from waypost.indexes.base import Index
    from waypost.indexes.store import StoredIndex
    from waypost.planner import Planner
    from waypost.runs.picture import Pixels
    from waypost.world.grid import Grid


_DEEPEST = 20


@app.command(epilog="Example: waypost info caves")
def info(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A map file, the name of a bundled map, or an index file.",
            autocompletion=complete_map,
        ),
    ],
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
) -> None:
    """Describe a map (size, open cells, components, fingerprint) or an index file (planner, map, arrays, facts)."""
    from waypost.indexes.store import is_index_file, open_index

    if is_index_file(file):
        _describe_index(file, open_index(file))
    else:
        _describe_map(file, diagonals, costs)


def _describe_map(map: str, diagonals: str, costs: str) -> None:
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
        *_place_in_the_world(grid),
    ):
        table.add_row(what, value)
    show(table)


def _place_in_the_world(grid: "Grid") -> "list[tuple[str, str]]":
    """Size and place in metres, where they are known."""
    if (frame := grid.frame) is None:
        return []
    width, height = grid.width * frame.resolution, grid.height * frame.resolution
    return [
        ("in the world", f"{width:g} x {height:g} m, cells of {frame.resolution:g} m"),
        ("lower left corner", f"({frame.origin_x:g}, {frame.origin_y:g}) m, turned by {frame.yaw:g} radians"),
    ]


def _describe_index(file: str, index: "StoredIndex") -> None:
    about = index.map
    table = new_table(Path(file).name, "what", "value")
    for what, value in (
        ("planner", f"{index.planner}, revision {index.revision}"),
        *((f"parameter {name}", json.dumps(value)) for name, value in index.params.items()),
        ("map", f"{about['width']} x {about['height']} cells, {about['open_cells']} of them open"),
        ("diagonal moves", about["diagonals"]),
        ("fingerprint", about["fingerprint"]),
        *(
            (f"array {name}", f"{' x '.join(map(str, (*array.shape, array.dtype)))}, {array.nbytes:,} bytes")
            for name, array in index.arrays.items()
        ),
        ("file", f"{index.file_bytes:,} bytes, checksum {index.checksum}"),
        *((name, json.dumps(value)) for name, value in index.facts.items()),
    ):
        table.add_row(what, value)
    show(table)


@app.command(
    epilog="Examples: waypost draw caves --out caves.png --scale 4; waypost draw caves --planner dba --out dba.png; "
    "waypost draw caves --index caves.waypost --goal 150,20 --out ways.png; "
    "waypost draw caves --depths 150,20 --out depths.png"
)
def draw(
    map: MapArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PNG", help="Where to write the picture.")],
    scale: Annotated[
        str | None,
        typer.Option(metavar="N", help="Pixels per cell, or 1/N where N cells share a pixel; by default to fit."),
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Draw the subgoals that lead to this cell, by a planner's index.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="X,Y", help="Draw the paths that an index has of its region."),
    ] = None,
    depths: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y",
            help="Shade cells by how far LRTA* must look ahead there to move well towards this one; "
            "with a planner, as far as its index says.",
        ),
    ] = None,
    deepest: Annotated[
        int | None, typer.Option(min=2, max=1000, help=f"The depth of the darkest shade: {_DEEPEST}.")
    ] = None,
    planner: PlannerOption = None,
    param: ParamOption = None,
    index: IndexOption = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
    metres: MetresOption = False,
    size: SizeOption = None,
) -> None:
    """Draw a map, or what an index knows of it: regions, subgoals that lead to a cell or away from one, depths.

    Parts that cannot be reached from the largest one are a shade darker.
    """
    from waypost.runs import picture

    check_outputs(picture=out)
    pixels_per_cell = inputs.scale(scale, "--scale")
    asked = {option: text for option, text in (("--goal", goal), ("--from", start), ("--depths", depths)) if text}
    if len(asked) > 1:
        raise ParameterError(f"draw one thing about a cell at a time, not {' and '.join(asked)}")
    if deepest is not None and not depths:
        raise ParameterError("--deepest is the depth of the darkest shade, so it goes with --depths X,Y")
    grid = load(map, diagonals, costs)
    chosen = build(planner, grid, param, index, size) if planner or param or index or goal or start else None
    grid = chosen.grid if chosen else grid.for_size(size or 1)
    option, text = next(iter(asked.items()), ("", ""))
    cell = grid.open_cell(place(text, option, grid, metres), "start" if start else "goal") if asked else None
    if depths and cell is not None:
        darkest = deepest or _DEEPEST
        pixels = picture.draw_depths(grid, cell, _depths_to(grid, chosen, cell, darkest), darkest, pixels_per_cell)
    elif chosen:
        pixels = _draw_index(chosen, cell, bool(goal), pixels_per_cell)
    else:
        pixels = picture.draw_grid(grid, pixels_per_cell)
    picture.write_png(out, pixels)
    print(f"Wrote {out}")


def _depths_to(grid: "Grid", planner: "Planner | None", goal: int, deepest: int) -> "npt.NDArray[np.uint16]":
    """How far to look ahead in each cell: what is best there, or what the planner's index says."""
    from waypost.planners.pairs.depths import optimal_depths

    if planner:
        return _index(planner).depths_to(goal).clip(max=deepest)
    return optimal_depths(grid, goal, deepest)


def _draw_index(planner: "Planner", cell: int | None, is_goal: bool, scale: float | None) -> "Pixels":
    """What an index knows: how it cuts the map, and the ways to a cell or from it if there is one."""
    from waypost.runs import picture

    index = _index(planner)
    regions = index.regions()
    below = picture.draw_regions(planner.grid, *regions, scale=scale, lines=cell is None) if regions else None
    if cell is not None:
        arcs = index.arcs(cell) if is_goal else index.arcs_from(cell)
        return picture.draw_arcs(planner.grid, cell, arcs, scale, on=below)
    if below is None:
        raise ParameterError("to draw what a planner's index holds, say about which cell: --goal X,Y")
    return below


def _index(planner: "Planner") -> "Index":
    if planner.index is None:
        raise ParameterError(f"{planner.entry.name} has no index; name a planner that has one, or an index file")
    return planner.index
