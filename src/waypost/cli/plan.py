"""Commands that plan: solve and run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import (
    CostsOption,
    DiagonalsOption,
    IndexOption,
    MapArgument,
    MetresOption,
    ParamOption,
    PlannerOption,
    SeedOption,
    SizeOption,
    app,
)
from waypost.cli.inputs import build, check_outputs, load, place
from waypost.cli.show import show_metrics
from waypost.errors import WaypostError

if TYPE_CHECKING:
    from waypost.agents.trace import Trace
    from waypost.planner import Planner
    from waypost.world.problem import Problem

_MOST_MOVES = 1_000_000
_MOST_PROBLEMS = 10_000_000  # as everywhere; a literal, so that help loads no compiler
MaxMovesOption = Annotated[int, typer.Option(min=1, help="Give up on a problem after this many moves.")]


@app.command(epilog="Example: waypost solve caves --from 5,60 --to 150,20 --planner astar --draw path.png")
def solve(
    map: MapArgument,
    start: Annotated[str, typer.Option("--from", metavar="X,Y", help="Start cell.")],
    goal: Annotated[str, typer.Option("--to", metavar="X,Y", help="Goal cell.")],
    planner: PlannerOption = None,
    param: ParamOption = None,
    index: IndexOption = None,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
    metres: MetresOption = False,
    size: SizeOption = None,
    max_moves: MaxMovesOption = _MOST_MOVES,
    nearest: Annotated[bool, typer.Option(help="If there is no path, go as near to the goal as possible.")] = False,
    draw: Annotated[
        Path | None,
        typer.Option(metavar="PNG", help="Draw the search and the path; on the regions of an index, if it has some."),
    ] = None,
    trace: Annotated[Path | None, typer.Option(metavar="JSON", help="Write a Posthoc search trace.")] = None,
) -> None:
    """Solve one problem and show what it took."""
    from waypost.agents.trace import to_posthoc
    from waypost.runs import picture
    from waypost.runs.simulation import simulate
    from waypost.system.files import write_atomically

    check_outputs(trace, picture=draw)
    built = build(planner, load(map, diagonals, costs), param, index, size)
    grid = built.grid
    ends = place(start, "--from", grid, metres), place(goal, "--to", grid, metres)
    problem = built.problem(*ends, nearest=nearest)
    runs = _walk(built, [problem], max_moves)
    if draw or trace:
        recorded = simulate(built.agent(record=True), problem, max_moves=max_moves)  # apart: recording would slow
        if draw:
            regions = built.index.regions() if built.index else None
            below = picture.draw_regions(built.grid, *regions) if regions else None
            picture.write_png(draw, picture.draw_run(recorded, on=below))
        if trace:
            write_atomically(trace, to_posthoc(recorded).encode())
    show_metrics(f"{built.entry.title} on {Path(map).name}, {start} to {goal}", runs, built)
    if metres and grid.frame:
        print(f"The way is {grid.length(runs[0].cost) * grid.frame.resolution:,.2f} m long.")
    for file in filter(None, (draw, trace)):
        print(f"Wrote {file}")


@app.command(
    epilog="Examples: waypost run caves --planner lss; waypost run my.map my.map.scen --index my.waypost --csv gppc.csv"
)
def run(
    map: MapArgument,
    scen: Annotated[
        str | None, typer.Argument(metavar="SCEN", help="A .scen file; random problems if left out.")
    ] = None,
    planner: PlannerOption = None,
    param: ParamOption = None,
    index: IndexOption = None,
    problems: Annotated[
        int, typer.Option(min=1, max=_MOST_PROBLEMS, help="Most problems to take, evenly spread over the file.")
    ] = 100,
    seed: SeedOption = 0,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
    size: SizeOption = None,
    max_moves: MaxMovesOption = _MOST_MOVES,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row per problem in GPPC columns.")] = None,
) -> None:
    """Run a planner over many problems and show its metrics."""
    from waypost.maps.load import load_problems
    from waypost.runs.metrics import Tally, gppc_csv, gppc_rows
    from waypost.system.files import write_atomically
    from waypost.world.problem import sample_problems, spread

    check_outputs(csv)
    if scen is not None and (size or 1) > 1:
        raise WaypostError("the problems of a .scen file are for units of one cell; leave --size or the file out")
    built = build(planner, load(map, diagonals, costs), param, index, size)
    grid = built.grid
    found = sample_problems(grid, problems, seed) if scen is None else load_problems(scen, grid)
    solvable = [i for i, p in enumerate(found) if p.start != p.goal and grid.connected(p.start, p.goal)]
    if not solvable:
        raise WaypostError(f"{scen} has no problem with a path on {map}")
    chosen = spread(solvable, problems)
    traces = _walk(built, [found[i] for i in chosen], max_moves)
    if csv:
        rows = gppc_rows(map, scen or "", chosen, Tally.of(traces).columns())
        write_atomically(csv, gppc_csv(rows))
    show_metrics(f"{built.entry.title} on {Path(map).name}, {len(traces)} problems", traces, built)
    if len(solvable) < len(found):
        print(f"{len(found) - len(solvable)} of {len(found)} problems were left out: no path, or start is goal.")
    if csv:
        print(f"Wrote {csv}")


def _walk(planner: "Planner", problems: "list[Problem]", max_moves: int) -> "list[Trace]":
    """Run every problem with a progress bar, the optimum of each first."""
    from waypost.runs.simulation import simulate
    from waypost.system.progress import progress
    from waypost.world.problem import solve_optimally

    agent = planner.agent()
    simulate(agent, problems[0], max_moves=max_moves)  # loads the compiled kernels, so that no timed move has to
    with progress(f"{planner.entry.name:>10}", len(problems)) as advance:
        traces = []
        for problem in solve_optimally(planner.grid, problems):
            traces.append(simulate(agent, problem, max_moves=max_moves))
            advance()
        return traces
