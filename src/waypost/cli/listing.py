"""The command that says what there is: list."""

from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import app
from waypost.cli.completion import complete_planner
from waypost.cli.show import new_table, show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waypost.catalog import Entry


@app.command("list", epilog="Examples: waypost list; waypost list dba")
def list_planners(
    planner: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLANNER]",
            help="Say more about one: its parameters and presets.",
            autocompletion=complete_planner,
        ),
    ] = None,
) -> None:
    """List the planners with their promises, generated maps and bundled maps; or say all about one planner."""
    from waypost import catalog

    if planner is None:
        _list_all()
    else:
        _describe(catalog.find(planner))


def _list_all() -> None:
    from waypost.catalog import CATALOG, DEFAULT
    from waypost.maps.generate import GENERATORS, parameters
    from waypost.maps.load import bundled_maps

    table = new_table("Planners", "name", "planner", "promises")
    for entry in sorted(CATALOG.values(), key=lambda entry: entry.name != DEFAULT):  # the default first
        names = "\n".join((entry.name, *(f"= {alias}" for alias in entry.aliases)))
        table.add_row(names, entry.title, _promises(entry))
    show(table)
    print("Parameters of a planner, with their meaning and range: waypost list dba")
    kinds = new_table("Generated maps", "kind", "parameters", "what it makes")
    for kind, make in GENERATORS.items():
        params = ", ".join(f"{name}={default}" for name, (default, _) in parameters(make).items())
        kinds.add_row(kind, params, (make.__doc__ or "").partition("\n")[0])
    show(kinds)
    print(f"Bundled maps: {', '.join(bundled_maps())}")


def _describe(entry: "Entry") -> None:
    """All that is said of a planner in the catalog."""
    about = new_table(entry.title, "what", "value")
    for what, value in (
        ("name", " or ".join((entry.name, *entry.aliases))),
        ("promises", _promises(entry)),
        ("edits", entry.after_edit),
        ("source", entry.paper),
        ("revision", str(entry.revision)),
        *((f"preset={name}", _settings(values)) for name, values in entry.presets.items()),
    ):
        if value:
            about.add_row(what, value)
    show(about)
    if not entry.params:
        print("It has no parameters.")
        return
    table = new_table("Parameters", "name", "default", "range", "meaning")
    for column in table.columns[1:3]:  # only the meaning gives way on a narrow terminal
        column.no_wrap = True
    for name, param in entry.params.items():
        limits = f"{_plain(param.lowest)} to {_plain(param.highest)}"
        table.add_row(name, _plain(param.default), limits, param.about + (" (index)" if param.offline else ""))
    show(table)
    name, param = next(iter(entry.params.items()))
    example = _settings({name: param.default})
    print(f"On the command line: waypost run caves --planner {entry.name} -p {example}")
    print(f'In Python: wp.build("{entry.name}", grid, {example})')
    if any(param.offline for param in entry.params.values()):
        print("(index): decides what is computed offline; another value takes another index.")


def _promises(entry: "Entry") -> str:
    flags = {"optimal": entry.optimal, "real-time": entry.real_time, "learns": entry.learns, "index": entry.index}
    if entry.walks:
        flags["fleets"] = True
    return ", ".join(word for word, flag in flags.items() if flag)


def _settings(values: "Mapping[str, float]") -> str:
    return ", ".join(f"{name}={value:.10g}" for name, value in values.items())


def _plain(value: float) -> str:
    """A number as people read it: 10,000 and 0.5, not 1e+04."""
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"
