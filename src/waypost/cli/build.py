"""The command that computes what planners need offline: build."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.app import CostsOption, DiagonalsOption, MapArgument, ParamOption, app
from waypost.cli.completion import complete_planner
from waypost.cli.inputs import check_outputs, load, named_values
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
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads; by default one per core.")] = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
) -> None:
    """Compute a planner's index of a map and write it to a file.

    What is done so far is kept beside it in FILE.partial: after Ctrl-C, or if the process is killed, the same command
    goes on from there and writes the same file.
    """
    from waypost import catalog
    from waypost import planner as planners

    check_outputs(out)
    entry, given = catalog.find(planner or catalog.DEFAULT), named_values(param)
    if entry.index is None:
        with_index = ", ".join(name for name, other in catalog.CATALOG.items() if other.index) or "none yet"
        raise ParameterError(f"{entry.name} has no index to build; planners that have one: {with_index}")
    catalog.check_params(entry, given)  # before the map, which may be large
    grid = load(map, diagonals, costs)
    journal = Path(os.path.realpath(out) + ".partial")
    try:
        built = planners.build(entry, grid, threads=threads, checkpoint=journal, **given)
        built.save(out)
    except KeyboardInterrupt:
        if journal.exists():
            print(
                f"Interrupted: {journal} holds what is done so far; the same command goes on from there.",
                file=sys.stderr,
            )
        raise
    took = f"in {built.facts['build_seconds']:,.1f} s on {built.facts['threads']} threads"
    if built.index:  # which it has, as was checked above
        print(f"Wrote {out}: {built.index.bytes:,} bytes, {built.index.states:,} states, {took}")
