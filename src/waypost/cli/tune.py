"""The command that finds a planner for a map and a user's limits: tune."""

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import CostsOption, DiagonalsOption, MapArgument, app
from waypost.cli.completion import complete_planner
from waypost.cli.inputs import check_outputs, load
from waypost.cli.show import live, new_table, show_figures
from waypost.errors import ParameterError, WaypostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from waypost.tuning.answer import Choice, Tuning
    from waypost.tuning.race import Race

_SHOWN = 8  # settings in the live table
_PAUSE = 0.2  # seconds between two of them
_HEAD = ("setting", "subopt. (%)", "us per move", "memory", "most work in a move", "build (s)")


@app.command(
    epilog="Examples: waypost tune caves --memory 200KB --suboptimality 1%; "
    "waypost tune my.map --response-us 50 --problems log.scen -o tuned.toml"
)
def tune(
    map: MapArgument,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Most memory, derived tables included, e.g. 200KB.")
    ] = None,
    response_us: Annotated[float | None, typer.Option(min=0, help="Most microseconds of any move.")] = None,
    response_work: Annotated[
        int | None, typer.Option(min=0, help="Most work of any move, as planners declare its bound.")
    ] = None,
    suboptimality: Annotated[
        str | None, typer.Option(metavar="PERCENT", help="By how much walks may be longer, on average, e.g. 1%.")
    ] = None,
    build: Annotated[str | None, typer.Option(metavar="TIME", help="Most time to build an index, e.g. 10s.")] = None,
    agents: Annotated[int, typer.Option(min=1, help="How many move at once, by a fleet if more than one.")] = 1,
    edits: Annotated[bool, typer.Option("--edits", help="The map changes while agents move.")] = False,
    problems: Annotated[
        Path | None, typer.Option(metavar="FILE.scen", help="Problems of your own; random ones if left out.")
    ] = None,
    planner: Annotated[
        list[str] | None,
        typer.Option("--planner", "-P", help="Try only this one; repeatable.", autocompletion=complete_planner),
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="What to make best: suboptimality, time or memory; what is not limited, if left out."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write the choice, e.g. tuned.toml.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(metavar="DIR", help="Where all rows go: waypost-tune/MAP.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each other setting fell.")] = False,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
) -> None:
    """Find the planner and its parameters that are best for a map within limits.

    What is measured is kept: after Ctrl-C, which shows the best so far, or a kill the same command goes on from there,
    and other limits take what they can use. The exit status is 1 if nothing keeps the limits.
    """
    from waypost.planners.names import PlannerName
    from waypost.tuning.limits import OBJECTIVES, Limits

    check_outputs(out)
    wanted = next((each for each in OBJECTIVES if each == objective), None)
    if objective is not None and wanted is None:
        raise ParameterError(f"--objective is one of {', '.join(OBJECTIVES)}, not {objective!r}")
    limits = Limits(memory, response_us, response_work, suboptimality, build, agents, edits, wanted)
    grid = load(map, diagonals, costs)
    from waypost.tuning.tune import tune as search

    with live() as show_table:
        found = search(
            grid,
            limits,
            problems=problems,
            folder=folder,
            map_name=map,
            planners=[PlannerName(name) for name in planner] if planner else None,
            tell=_teller(show_table),
        )
    _show(found, explain)
    _draw(found)
    if found.choice is None:
        raise typer.Exit(1)
    if out is not None:
        found.save(out)
        print(f'Wrote {out}: wp.build(**wp.tuned("{out}"))')


def _teller(show_table: "Callable[[Table], None]") -> "Callable[[Race], None]":
    """What draws the table of a race, now and then."""
    drawn = -_PAUSE

    def tell(race: "Race") -> None:
        nonlocal drawn
        if monotonic() - drawn < _PAUSE:
            return
        drawn = monotonic()
        walked = [trial for trial in race.trials.values() if trial.has_walked]
        left = sum(not trial.fell for trial in race.trials.values())
        table = new_table(
            f"{race.stage}: {len(walked)} settings walked, {left} in the race", "setting", *_HEAD[1:4], "problems",
            numeric=True,
        )  # fmt: skip
        for trial in race.fit[:_SHOWN]:
            percent, us = (float(trial.column(name).mean()) for name in ("suboptimality_percent", "move_us_mean"))
            memory = trial.memory(race.bounds)
            table.add_row(trial.label, f"{percent:.2f}", f"{us:.3g}", f"{memory / 1024:,.0f} KB", f"{trial.walked:,}")
        show_table(table)

    return tell


def _show(found: "Tuning", explain: bool) -> None:
    """The answer: the choice, what else there is, and how to use it."""
    if found.choice is not None:
        rows = [_row(choice) for choice in (found.choice, *found.runners_up)]
        show_figures("The choice and the next best", _HEAD, rows)
        if len(found.front) > 1:
            show_figures("Not beaten in suboptimality, time and memory", _HEAD, [_row(each) for each in found.front])
    for line in found.lines():
        print(line)
    if explain:
        print(found.explain())
    print(f"{found.tried} settings walked; waypost bench {found.folder}/suite.toml --out {found.folder} ", end="")
    print(f"--maps {found.folder}/maps goes on with them.")


def _row(choice: "Choice") -> list[str]:
    from waypost.bench.numbers import number
    from waypost.tuning.limits import in_words

    figures = choice.figures
    return [
        str(choice),
        number(figures.suboptimality.value),
        number(figures.move_us.value),
        in_words("memory", figures.memory),
        number(figures.work_bound) if figures.work_bound < float("inf") else "no bound",
        number(figures.build_seconds),
    ]


def _draw(found: "Tuning") -> None:
    """The Pareto picture, where matplotlib is there to draw it."""
    try:
        for path in found.draw():
            if path.suffix == ".png":
                print(f"Wrote {path}")
    except WaypostError as error:
        print(f"No picture: {error}")
