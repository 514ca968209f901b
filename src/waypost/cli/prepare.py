"""The command that compiles ahead: prepare."""

from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import app
from waypost.cli.completion import complete_planner
from waypost.cli.show import new_table, show

if TYPE_CHECKING:
    from waypost.readiness import Readiness

_EXAMPLES = """Examples: waypost prepare (dba, its batches and fleets); waypost prepare knn jps; waypost prepare --all;
waypost prepare --check. In a Dockerfile: RUN WAYPOST_CACHE=/opt/waypost waypost prepare dba"""


@app.command(epilog=_EXAMPLES)
def prepare(
    planners: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLANNER...]",
            help="Planners by their catalog names; dba if none.",
            autocompletion=complete_planner,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All planners, generators of maps and readers of files.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say where the machine code will come from.")] = False,
    processes: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Processes that compile; by default one per core.")
    ] = None,
) -> None:
    """Compile all that planners and their fleets need, once on a machine, so that nothing has to wait for it later.

    Machine code that came with the package is used as it is. What is compiled goes to the folder that WAYPOST_CACHE
    names, or to the user's cache; a folder that others can write to is not used.
    """
    from waypost import catalog
    from waypost import readiness as preparing

    if check:
        names = planners or list(catalog.CATALOG)
        _show_readiness([preparing.readiness(name) for name in names])
        return
    done = preparing.prepare_all(processes) if every else preparing.prepared(*planners or (), processes=processes)
    if not done.compiled:
        print(f"All {done.kernels} kernels are ready: nothing was to be compiled.")
        return
    times = f"in {done.seconds:,.1f} s ({done.processor_seconds:,.1f} s of the processor)"
    print(f"Compiled {done.compiled} of {done.kernels} kernels {times}; they are in {preparing.kept_in()}.")


def _show_readiness(found: "list[Readiness]") -> None:
    from waypost.readiness import kept_in, why_not_shipped

    table = new_table("Machine code of each planner and its fleets", "planner", "comes from", "left to compile")
    for each in found:
        sources = [f"{count} {word}" for count, word in ((each.shipped, "shipped"), (each.cached, "cached")) if count]
        if each.is_unknown:
            left = "what it needs shows when it is used"
        elif each.missing:
            left = f"{each.missing} of {each.kernels} kernels, about {max(each.seconds, 1):.0f} s"
        else:
            left = "nothing"
        table.add_row(each.planner, ", ".join(sources) or "-", left)
    show(table)
    reason = why_not_shipped()
    print(f"Shipped code is not used: {reason}." if reason else "Shipped code is used.")
    print(f"What is compiled is kept in {kept_in()}.")
