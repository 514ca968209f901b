"""The command that moves a crowd: swarm."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import (
    CostsOption,
    DiagonalsOption,
    IndexOption,
    MapArgument,
    ParamOption,
    PlannerOption,
    SeedOption,
    SizeOption,
    app,
)
from waypost.cli.inputs import build, check_outputs, load
from waypost.cli.show import live, new_table, show

if TYPE_CHECKING:
    from rich.table import Table

    from waypost.fleet import Tick
    from waypost.runs.crowd import Crowd

_SHOWN_EVERY = 0.25  # seconds
_TICKS_BETWEEN_LOOKS = 8
_LAST_TICKS = 10_000  # that p50 and p99 are of, so that showing them stays cheap


@app.command(epilog="Example: waypost swarm caves --agents 10000 --budget-us 2000 --seconds 5 --out traffic.png")
def swarm(
    map: MapArgument,
    agents: Annotated[int, typer.Option(min=1, max=10_000_000, help="How many agents.")] = 10_000,
    planner: PlannerOption = None,
    param: ParamOption = None,
    index: IndexOption = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long they move.")] = 10.0,
    budget_us: Annotated[
        float | None, typer.Option(min=0, help="Microseconds for each tick; without, as long as a tick takes.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads; by default one per core.")] = None,
    seed: SeedOption = 0,
    diagonals: DiagonalsOption = "both-open",
    costs: CostsOption = "sqrt2",
    size: SizeOption = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PNG", help="Picture of where the traffic was.")] = Path(
        "waypost-swarm.png"
    ),
) -> None:
    """Move many agents as fast as they can, each on to another goal when it arrives, and show what it takes."""
    from waypost.runs import picture
    from waypost.runs.crowd import Crowd

    check_outputs(picture=out)
    built = build(planner, load(map, diagonals, costs), param, index, size)
    crowd = Crowd(built, agents, seed, threads)
    crowd.fleet.tick(0)  # loads the compiled kernels
    title = f"{agents:,} x {built.entry.title}, {Path(map).name}"
    began = shown_at = perf_counter()
    with live() as update:
        while (now := perf_counter()) - began < seconds or not crowd.tick_us:
            for _ in range(_TICKS_BETWEEN_LOOKS):
                tick = crowd.tick(budget_us)
            crowd.watch()
            if now - shown_at >= _SHOWN_EVERY:
                shown_at = now
                update(_figures(title, crowd, tick))
    show(_figures(title, crowd, tick))
    picture.write_png(out, picture.draw_traffic(built.grid, crowd.traffic))
    print(f"Wrote {out}: where the agents were, from rarely (pale) to most often (dark red).")


def _figures(title: str, crowd: "Crowd", tick: "Tick") -> "Table":
    """What the ticks so far amount to."""
    import numpy as np

    took = np.array(crowd.tick_us[-_LAST_TICKS:])
    total = sum(crowd.tick_us)
    rows = {
        "threads": f"{crowd.fleet.threads}",
        "ticks": f"{len(crowd.tick_us):,}",
        "moves per second": f"{1e6 * crowd.moved / total:,.0f}",
        "ns per move": f"{1e3 * total / max(crowd.moved, 1):,.1f}",
        "tick p50, us": f"{np.percentile(took, 50):,.0f}",
        "tick p99, us": f"{np.percentile(took, 99):,.0f}",
        "tick max, us": f"{max(crowd.tick_us):,.0f}",
        "targets chosen per tick": f"{crowd.chosen / len(crowd.tick_us):,.1f}",
        "arrived": f"{crowd.arrived:,}",
        "waiting now": f"{tick.waiting:,}",
        "longest wait, ticks": f"{crowd.longest_wait:,}",
        "bytes per agent": f"{crowd.fleet.bytes / len(crowd.fleet):,.0f}",
    }
    table = new_table(title, "metric", "value")
    for name, value in rows.items():
        table.add_row(name, value)
    return table
