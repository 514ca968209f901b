"""Commands that plan: list, solve, run and demo."""

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
from waypost.cli.show import new_table, show, show_comparison
from waypost.errors import WaypostError

if TYPE_CHECKING:
    from waypost.agents.trace import Trace
    from waypost.planner import Planner
    from waypost.world.problem import Problem

_MOST_MOVES = 1_000_000
_MOST_PROBLEMS = 10_000_000  # as everywhere; a literal, so that help loads no compiler
MaxMovesOption = Annotated[int, typer.Option(min=1, help="Give up on a problem after this many moves.")]

_SHOWN_IN_DEMO = ("astar", "lrta", "lss", "tba", "dba")
_DEMO_COLUMNS, _DEMO_SCALE = 3, 3
_DEAD_END = ((122, 17), (44, 81))
"""A problem on the bundled map caves whose start lies in a pocket: the straight way to the goal is closed."""
_DEMO_METRICS = (
    "suboptimality_percent", "moves", "move_us_mean", "move_us_max", "work_per_move_mean", "work_per_move_max",
    "revisits", "learned_states", "online_kb", "index_bytes",
)  # fmt: skip


@app.command("list", epilog="Example: waypost list")
def list_planners() -> None:
    """List the planners with their parameters and promises, the kinds of generated maps, and the bundled maps."""
    from waypost.catalog import CATALOG
    from waypost.maps.generate import GENERATORS, parameters
    from waypost.maps.load import bundled_maps

    table = new_table("Planners", "name", "planner", "parameters", "promises", "source")
    for entry in CATALOG.values():
        names = "\n".join((entry.name, *(f"= {alias}" for alias in entry.aliases)))
        params = " ".join(f"{name}={param.default:g}" for name, param in entry.params.items())
        if entry.presets:
            params += f"\npreset={' or '.join(entry.presets)}"
        flags = {"optimal": entry.optimal, "real-time": entry.real_time, "learns": entry.learns, "index": entry.index}
        table.add_row(names, entry.title, params, ", ".join(word for word, flag in flags.items() if flag), entry.paper)
    show(table)
    kinds = new_table("Generated maps", "kind", "parameters", "what it makes")
    for kind, make in GENERATORS.items():
        params = ", ".join(f"{name}={default}" for name, (default, _) in parameters(make).items())
        kinds.add_row(kind, params, (make.__doc__ or "").partition("\n")[0])
    show(kinds)
    print(f"Bundled maps: {', '.join(bundled_maps())}")


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
    from waypost.runs.metrics import index_facts
    from waypost.runs.simulation import simulate
    from waypost.system.files import write_atomically

    check_outputs(draw, trace)
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
    show_comparison(
        f"{built.entry.title} on {Path(map).name}, {start} to {goal}",
        {built.entry.name: runs},
        facts={built.entry.name: index_facts(built)},
    )
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
    max_moves: MaxMovesOption = _MOST_MOVES,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row per problem in GPPC columns.")] = None,
) -> None:
    """Run a planner over many problems and show its metrics."""
    from waypost.maps.load import load_problems
    from waypost.runs.metrics import Tally, gppc_csv, gppc_rows, index_facts
    from waypost.system.files import write_atomically
    from waypost.world.problem import sample_problems, spread

    check_outputs(csv)
    grid = load(map, diagonals, costs)
    built = build(planner, grid, param, index)
    found = sample_problems(grid, problems, seed) if scen is None else load_problems(scen, grid)
    solvable = [i for i, p in enumerate(found) if p.start != p.goal and grid.connected(p.start, p.goal)]
    if not solvable:
        raise WaypostError(f"{scen} has no problem with a path on {map}")
    chosen = spread(solvable, problems)
    traces = _walk(built, [found[i] for i in chosen], max_moves)
    if csv:
        rows = gppc_rows(map, scen or "", chosen, Tally.of(traces).columns())
        write_atomically(csv, gppc_csv(rows))
    show_comparison(
        f"{built.entry.title} on {Path(map).name}, {len(traces)} problems",
        {built.entry.name: traces},
        facts={built.entry.name: index_facts(built)},
    )
    if len(solvable) < len(found):
        print(f"{len(found) - len(solvable)} of {len(found)} problems were left out: no path, or start is goal.")
    if csv:
        print(f"Wrote {csv}")


@app.command(epilog="Example: waypost demo --out demo.png")
def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="PNG", help="Picture of one walk by each planner.")
    ] = Path("waypost-demo.png"),
    problems: Annotated[int, typer.Option(min=1, max=_MOST_PROBLEMS, help="How many random problems to solve.")] = 100,
    seed: SeedOption = 0,
) -> None:
    """Compare exact and real-time search on a bundled map: a table, and a picture of how each goes about a dead end."""
    from waypost.runs import picture
    from waypost.runs.metrics import index_facts
    from waypost.runs.simulation import simulate
    from waypost.world.problem import sample_problems

    check_outputs(out)
    grid = load("caves")
    chosen = sample_problems(grid, problems, seed)
    runs, facts, pictures = {}, {}, []
    for name in _SHOWN_IN_DEMO:
        built = build(name, grid)
        runs[name], facts[name] = _walk(built, chosen, max_moves=_MOST_MOVES), index_facts(built)
        problem, below = built.problem(*_DEAD_END), None
        if built.index and (regions := built.index.regions()):
            below = picture.draw_regions(grid, *regions, scale=_DEMO_SCALE, lines=False)
            ways = built.index.arcs(problem.goal)
            pictures.append(picture.draw_arcs(grid, problem.goal, ways, _DEMO_SCALE, on=below))
        run = simulate(built.agent(record=True), problem)
        pictures.append(picture.draw_run(run, _DEMO_SCALE, on=below))
    picture.write_png(out, picture.tiled(pictures, _DEMO_COLUMNS))
    title = f"{problems} problems on the bundled map caves ({grid.width} x {grid.height})"
    show_comparison(title, runs, _DEMO_METRICS, facts)
    print(f"Wrote {out}: one way out of a dead end by {', '.join(runs)} (row by row; before the last, what it knows).")
    print(
        "Yellow to red: cells expanded, early to late. Blue line: the walk; filled blue to pink: entered 2 to 32 times."
    )


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
