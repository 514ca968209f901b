"""The command that computes what planners need offline: build."""

import glob
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.app import CostsOption, DiagonalsOption, MapArgument, ParamOption, app
from waypost.cli.completion import complete_planner
from waypost.cli.inputs import check_outputs, load, named_values
from waypost.cli.inputs import sizes as read_sizes
from waypost.errors import ParameterError


@app.command(epilog="Example: waypost build caves -o caves.waypost; then waypost run caves --index caves.waypost")
def build(
    map: MapArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write the index, e.g. my.waypost.")
    ],
    planner: Annotated[
        str | None,
        typer.Option(
            "--planner",
            "-P",
            help="A planner that has an index, see waypost list; or dba.",
            autocompletion=complete_planner,
        ),
    ] = None,
    param: ParamOption = None,
    sizes: Annotated[
        str, typer.Option(metavar="N,N,...", help="For units of so many cells in width and height, all in one file.")
    ] = "1",
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads; by default one per core.")] = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
) -> None:
    """Compute a planner's index of a map and write it to a file.

    What is done so far is kept beside it in FILE.partial: after Ctrl-C, or if the process is killed, the same command
    goes on from there and writes the same file.
    """
    from waypost import catalog, making

    check_outputs(out)
    entry, given = catalog.find(planner or catalog.DEFAULT), named_values(param)
    if entry.index is None:
        with_index = ", ".join(name for name, other in catalog.CATALOG.items() if other.index) or "none yet"
        raise ParameterError(f"{entry.name} has no index to build; planners that have one: {with_index}")
    catalog.check_params(entry, given)  # before the map, which may be large
    wanted = read_sizes(sizes, "--sizes")
    grid = load(map, diagonals, costs)
    journal = Path(os.path.realpath(out) + ".partial")
    try:
        built = making.build(entry, grid, sizes=wanted, threads=threads, checkpoint=journal, **given)
        built.save(out)
    except KeyboardInterrupt:
        if journals := sorted(journal.parent.glob(f"{glob.escape(journal.name)}*")):
            places = " and ".join(f"{path}" for path in journals)
            print(
                f"Interrupted: {places} holds what is done so far; the same command goes on from there.",
                file=sys.stderr,
            )
        raise
    took = f"in {built.facts['build_seconds']:,.1f} s on {built.facts['threads']} threads"
    indexes = [index for size in built.sizes if (index := built.for_size(size).index)]
    held = f"{sum(index.bytes for index in indexes):,} bytes, {sum(index.states for index in indexes):,} states"
    print(f"Wrote {out}: {held}, {took}")
