"""The command line. Commands import what they need when they run, so that --help answers at once."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from waypost.errors import ParameterError, WaypostError

if TYPE_CHECKING:
    from rich.table import Table

    from waypost.grid import Grid
    from waypost.planner import Planner
    from waypost.problem import Problem
    from waypost.trace import Trace

app = typer.Typer(
    name="waypost",
    help="Real-time pathfinding on large grid maps.",
    rich_markup_mode=None,  # plain help: half the time to show it
    pretty_exceptions_enable=False,
    add_completion=False,
)

MapArgument = Annotated[str, typer.Argument(metavar="MAP", help="A MovingAI .map file, or the name of a bundled map.")]
PlannerOption = Annotated[str, typer.Option("--planner", "-P", help="Planner by its catalog name; see waypost list.")]
ParamOption = Annotated[
    list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="Parameter of the planner; repeatable.")
]
DiagonalsOption = Annotated[
    str, typer.Option(help="When a diagonal move is legal: both-open, one-open, always or never.")
]
CostsOption = Annotated[str, typer.Option(help="Cost of a diagonal move: sqrt2 or 1.4.")]
_MOST_MOVES = 1_000_000
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of the random problems.")]


# What typer raises for arguments it cannot take; it exports only this subclass of it.
_UsageError = cast("type[Exception]", typer.BadParameter.__base__)


def main() -> None:
    """Run the command line: one line and exit 2 for anything that is refused."""
    try:
        sys.exit(app(sys.argv[1:] or ["--help"], standalone_mode=False))
    except WaypostError as error:
        _fail(str(error), 2)
    except _UsageError as error:
        command = [word for word in sys.argv[1:2] if not word.startswith("-")]
        _fail(f"{error.format_message()} ({' '.join(['waypost', *command])} --help shows how)", 2)  # type: ignore[attr-defined]
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has gone, e.g. `waypost list | head -1`
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        _fail(error.strerror or str(error), 2)


def _fail(message: str, status: int) -> None:
    print(f"waypost: {message}", file=sys.stderr)
    sys.exit(status)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.", is_eager=True)] = False,
) -> None:
    if version:
        from waypost import __version__

        print(f"waypost {__version__}")
        raise typer.Exit


@app.command("list", epilog="Example: waypost list")
def list_planners() -> None:
    """List the planners with their parameters and promises, and the bundled maps."""
    from waypost.catalog import CATALOG
    from waypost.maps.load import bundled_maps

    table = _table("Planners", "name", "planner", "parameters", "optimal", "real-time", "learns", "source")
    for entry in CATALOG.values():
        params = ", ".join(f"{name}={param.default}" for name, param in entry.params.items())
        flags = ("yes" if flag else "no" for flag in (entry.optimal, entry.real_time, entry.learns))
        table.add_row(entry.name, entry.title, params, *flags, entry.paper)
    _show(table)
    print(f"Bundled maps: {', '.join(bundled_maps())}")


@app.command(epilog="Example: waypost info caves")
def info(map: MapArgument, diagonals: DiagonalsOption = "both-open", costs: CostsOption = "sqrt2") -> None:
    """Describe a map: size, open cells, components, fingerprint."""
    grid = _load(map, diagonals, costs)
    table = _table(Path(map).name, "what", "value")
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
    _show(table)


@app.command(epilog="Example: waypost solve caves --from 5,60 --to 150,20 --planner astar --draw path.png")
def solve(
    map: MapArgument,
    start: Annotated[str, typer.Option("--from", metavar="X,Y", help="Start cell.")],
    goal: Annotated[str, typer.Option("--to", metavar="X,Y", help="Goal cell.")],
    planner: PlannerOption = "astar",
    param: ParamOption = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
    nearest: Annotated[bool, typer.Option(help="If there is no path, go as near to the goal as possible.")] = False,
    draw: Annotated[Path | None, typer.Option(metavar="PNG", help="Draw the search and the path.")] = None,
    trace: Annotated[Path | None, typer.Option(metavar="JSON", help="Write a Posthoc search trace.")] = None,
) -> None:
    """Solve one problem and show what it took."""
    from waypost import picture
    from waypost.files import write_atomically
    from waypost.simulation import simulate
    from waypost.trace import to_posthoc

    _check_outputs(draw, trace)
    built = _build(planner, _load(map, diagonals, costs), param)
    problem = built.problem(_point(start, "--from"), _point(goal, "--to"), nearest=nearest)
    runs = _walk(built, [problem], max_moves=_MOST_MOVES)
    if draw or trace:
        recorded = simulate(built.agent(record=True), problem)  # apart from the timed run, which recording would slow
        if draw:
            picture.write_png(draw, picture.draw_run(recorded))
        if trace:
            write_atomically(trace, to_posthoc(recorded).encode())
    _show(_comparison(f"{built.entry.title} on {Path(map).name}, {start} to {goal}", {planner: runs}))
    for file in filter(None, (draw, trace)):
        print(f"Wrote {file}")


@app.command(epilog="Examples: waypost run caves --planner astar; waypost run my.map my.map.scen --csv gppc.csv")
def run(
    map: MapArgument,
    scen: Annotated[
        str | None, typer.Argument(metavar="SCEN", help="A .scen file; random problems if left out.")
    ] = None,
    planner: PlannerOption = "astar",
    param: ParamOption = None,
    problems: Annotated[int, typer.Option(min=1, help="At most so many problems, evenly spread over the file.")] = 100,
    seed: SeedOption = 0,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
    max_moves: Annotated[int, typer.Option(min=1, help="Give up on a problem after so many moves.")] = _MOST_MOVES,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row per problem in GPPC columns.")] = None,
) -> None:
    """Run a planner over many problems and show its metrics."""
    from waypost.files import write_atomically
    from waypost.maps.load import load_problems
    from waypost.metrics import GPPC_COLUMNS, gppc_row
    from waypost.problem import sample_problems, spread

    _check_outputs(csv)
    grid = _load(map, diagonals, costs)
    built = _build(planner, grid, param)
    found = sample_problems(grid, problems, seed) if scen is None else load_problems(scen, grid)
    solvable = [i for i, p in enumerate(found) if p.start != p.goal and grid.connected(p.start, p.goal)]
    if not solvable:
        raise WaypostError(f"{scen} has no problem with a path on {map}")
    chosen = spread(solvable, problems)
    traces = _walk(built, [found[i] for i in chosen], max_moves)
    if csv:
        rows = (gppc_row(trace, map, scen or "", i) for i, trace in zip(chosen, traces, strict=True))
        lines = [GPPC_COLUMNS, *rows]
        write_atomically(csv, "".join(",".join(_csv_field(f) for f in line) + "\n" for line in lines).encode())
    _show(_comparison(f"{built.entry.title} on {Path(map).name}, {len(traces)} problems", {planner: traces}))
    if len(solvable) < len(found):
        print(f"{len(found) - len(solvable)} of {len(found)} problems were left out: no path, or start is goal.")
    if csv:
        print(f"Wrote {csv}")


@app.command(epilog="Example: waypost draw caves --out caves.png --scale 4")
def draw(
    map: MapArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PNG", help="Where to write the picture.")],
    scale: Annotated[int | None, typer.Option(min=1, max=64, help="Pixels per cell; by default to fit.")] = None,
) -> None:
    """Draw a map; parts that cannot be reached from the largest one are a shade darker."""
    from waypost import picture

    _check_outputs(out)
    picture.write_png(out, picture.draw_grid(_load(map), scale))
    print(f"Wrote {out}")


@app.command(epilog="Example: waypost demo --out demo.png")
def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="PNG", help="Picture of one search by each planner.")
    ] = Path("waypost-demo.png"),
    problems: Annotated[int, typer.Option(min=1, help="How many random problems to solve.")] = 100,
    seed: SeedOption = 0,
) -> None:
    """Compare all planners on a bundled map: a table, and a picture of how each searches."""
    from waypost import picture
    from waypost.catalog import CATALOG
    from waypost.problem import sample_problems
    from waypost.simulation import simulate

    _check_outputs(out)
    grid = _load("caves")
    chosen = sample_problems(grid, problems, seed)
    runs, pictures = {}, []
    for name in CATALOG:
        built = _build(name, grid, None)
        runs[name] = _walk(built, chosen, max_moves=_MOST_MOVES)
        longest = max((trace.problem for trace in runs[name]), key=lambda problem: problem.optimal or 0)
        pictures.append(picture.draw_run(simulate(built.agent(record=True), longest)))
    picture.write_png(out, picture.side_by_side(pictures))
    _show(_comparison(f"{problems} problems on the bundled map caves ({grid.width} x {grid.height})", runs))
    print(f"Wrote {out}: the longest problem, searched by {', '.join(runs)} (left to right).")


def _check_outputs(*paths: Path | None) -> None:
    from waypost.files import check_writable

    for path in filter(None, paths):
        check_writable(path)


def _load(map_name: str, diagonals: str = "both-open", costs: str = "sqrt2") -> "Grid":
    from waypost.maps.load import load_map

    _announce_compiling("components")

    return load_map(map_name, diagonals=diagonals, costs=costs)


def _announce_compiling(kernel: str) -> None:
    from waypost.kernels.compiling import is_cold

    if is_cold(kernel):
        print("Compiling for this machine, once; later runs start at once.", file=sys.stderr)


def _build(name: str, grid: "Grid", params: list[str] | None) -> "Planner":
    from waypost.planner import build

    given: dict[str, Any] = {}
    for text in params or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise ParameterError(f"a parameter is given as name=value, not {text!r}")
        given[key.strip().replace("-", "_")] = value.strip()
    return build(name, grid, **given)


def _walk(planner: "Planner", problems: "list[Problem]", max_moves: int) -> "list[Trace]":
    """Run every problem with a progress bar, the optimum of each first."""
    from waypost.problem import solve_optimally
    from waypost.simulation import simulate

    _announce_compiling("advance")
    agent = planner.agent()
    simulate(agent, problems[0], max_moves=max_moves)  # loads the compiled kernels, so that no timed move has to
    with _progress(f"{planner.entry.name:>10}", len(problems)) as tick:
        return [
            tick(simulate(agent, problem, max_moves=max_moves)) for problem in solve_optimally(planner.grid, problems)
        ]


@contextmanager
def _progress(title: str, total: int) -> Iterator[Any]:
    """A progress bar on a terminal, nothing elsewhere; yields a function to call with each finished item."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=total)

        def tick(item: Any) -> Any:
            bar.advance(task)
            return item

        yield tick


def _comparison(title: str, runs: "dict[str, list[Trace]]") -> "Table":
    """A table of every metric: means side by side, or more about a planner that stands alone."""
    import numpy as np

    from waypost.metrics import METRICS
    from waypost.step import Status

    summaries: dict[str, Any] = {"mean": np.mean, "median": np.median, "largest": np.max}
    if len(runs) > 1:
        summaries = {"mean": np.mean}
    elif len(next(iter(runs.values()))) == 1:
        summaries = {"value": np.max}
    table = _table(title, "metric", *(runs if len(runs) > 1 else summaries))
    arrived = {name: [t for t in traces if t.status is Status.ARRIVED] for name, traces in runs.items()}
    for metric in METRICS.values():
        values = [np.array([metric.of(t) for t in traces] or [np.nan]) for traces in arrived.values()]
        table.add_row(metric.title, *(_number(summary(v)) for v in values for summary in summaries.values()))
    table.add_row("Arrived", *(f"{len(arrived[name])} / {len(traces)}" for name, traces in runs.items()))
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.2f}"


def _table(title: str, first: str, *columns: str) -> "Table":
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(first, no_wrap=True)
    for column in columns:
        numeric = first == "metric"
        table.add_column(column, justify="right" if numeric else "left")
    return table


def _show(table: "Table") -> None:
    from rich.console import Console

    # Not a terminal: wide enough never to wrap, so that output can be searched and compared.
    Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False).print(table)


def _point(text: str, option: str) -> tuple[int, int]:
    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"{option} must be two whole numbers X,Y, not {text!r}") from None
    return x, y


def _csv_field(value: Any) -> str:
    text = str(value)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if any(c in text for c in ',"\n') else text


if __name__ == "__main__":
    main()
