"""The command that shows in a minute what this package is for: demo."""

from itertools import islice
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from waypost.cli.app import app
from waypost.cli.inputs import check_outputs, size
from waypost.cli.show import new_table, show
from waypost.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waypost.planner import Planner
    from waypost.planners.names import BuiltInName
    from waypost.world.problem import Problem

_PLANNERS: "tuple[BuiltInName, ...]" = ("dba", "jps", "astar", "tba", "lss", "lrta")
_OF_PATHS = ("jps", "astar")
_KIND, _ISLANDS = "blobs", {"radius": 36, "walls": 0.5}
MOST_MOVES, _MOST_CELLS = 1_000_000, 16_000_000
_BUDGET_US, _FRAMES_PER_SECOND = 1000, 60
_ENOUGH_SECONDS = 2.0
_SECONDS = 20
"""About what all but compiling takes."""
_WHO_IS_WHO = """
  dba        DBA*: has studied the map once, before anybody moves
  jps astar  jump point search, A*: find the whole path before the first move
  tba        TBA*: sets out at once, and goes on with its search while it walks
  lss lrta   LSS-LRTA*, LRTA*: look a little ahead, and learn from dead ends
"""
_ABOUT_PACES = f"""\
longest move  so long a unit stands still at worst before its next step
each move     time of whole walks in compiled code, by all their moves
longer way    than the shortest; > where some gave up after {MOST_MOVES:,} moves,
              which count as far as they came
index         memory that all units share
each unit     what a unit remembers besides, 4 bytes for a cell
Longest moves are of the first 2,000 of each walk, timed one by one from Python,
that call included, the best of 3 rounds. Of jps and astar it is the search."""


@app.command(epilog="Examples: waypost demo; waypost demo --size 400x300 --agents 1000 --seed 7")
def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="PNG", help="Picture of one walk by each planner.")
    ] = Path("waypost-demo.png"),
    size_text: Annotated[str, typer.Option("--size", metavar="WxH", help="Cells across and down.")] = "1130x940",
    problems: Annotated[int, typer.Option(min=1, max=10_000, help="How many walks of one unit.")] = 20,
    agents: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many units move at once.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed makes another map and other walks.")] = 3,
) -> None:
    """Tell what this package is for: six planners on a large map, a crowd with a frame budget, and a picture."""
    check_outputs(picture=out)
    width, height = size(size_text, "--size")
    if width * height > _MOST_CELLS:
        raise ParameterError(f"--size of the demo is at most {_MOST_CELLS:,} cells, not {width:,} x {height:,}")
    _get_ready()
    planners, walks = _make_world(width, height, seed, problems)
    _show_one_unit(planners, walks)
    _show_many_units(planners, agents, seed)
    _draw(planners, max(walks, key=lambda walk: walk.optimal or 0), out)


def _get_ready() -> None:
    """Say how long all takes, and compile what is missing, with a bar."""
    from waypost.readiness import left_to_compile, prepared

    print("Games and robots need the next move now, however large the map. Six planners")
    print(f"show how long they let a unit wait. This takes about {_SECONDS} seconds.")
    kernels, seconds = left_to_compile(*_PLANNERS)
    if kernels:
        print(f"First, once on a machine, {kernels} functions are compiled: {seconds:.0f} s of work.", flush=True)
        done = prepared(*_PLANNERS)
        print(f"That took {done.seconds:.0f} s ({done.processor_seconds:.0f} s of the processor).")


def _make_world(width: int, height: int, seed: int, count: int) -> "tuple[list[Planner], list[Problem]]":
    """All planners for a map of islands, and walks across it whose shortest length is known."""
    from waypost.making import build
    from waypost.maps.generate import generate
    from waypost.world.grid import Grid
    from waypost.world.problem import sample_problems, solve_optimally

    began = perf_counter()
    grid = Grid(generate(_KIND, width, height, seed, **_ISLANDS))
    took = perf_counter() - began
    print(f"\nThe map: {width:,} x {height:,} cells, {grid.open_count:,} of them open, made in {took:.1f} s.")
    print(_WHO_IS_WHO.rstrip(), flush=True)
    planners = [build(name, grid) for name in _PLANNERS]
    walks = list(solve_optimally(grid, sample_problems(grid, count, seed)))
    return planners, walks


def _show_one_unit(planners: "Sequence[Planner]", walks: "Sequence[Problem]") -> None:
    """How long each planner lets a unit wait."""
    from waypost.runs.pace import measure_pace
    from waypost.system.progress import progress

    paces = []
    for planner in planners:
        with progress(f"{planner.entry.name:>5}", len(walks)) as advance:
            paces.append(measure_pace(planner, walks, MOST_MOVES, advance))
    print(f"\n1. One unit, {len(walks)} walks from one random place to another")
    table = new_table("", "planner", "longest move", "each move", "longer way", "index", "each unit", numeric=True)
    for pace in paces:
        index = pace.planner.index.bytes if pace.planner.index else 0
        table.add_row(
            pace.planner.entry.name,
            _time(pace.longest_ns),
            _time(pace.move_ns),
            f"{'' if pace.has_arrived else '> '}{pace.longer_percent:,.1f} %",
            f"{index / 1024:,.0f} KB",
            f"{4 * pace.states / 1024:,.1f} KB",
        )
    show(table)
    print(_ABOUT_PACES)
    for pace in paces:
        if facts := pace.planner.facts:
            print(f"{pace.planner.entry.name} took {facts['build_seconds']:.2f} s to study the map.")
        if not pace.has_arrived:
            print(f"{pace.planner.entry.name} gave up {pace.walks - pace.arrived} of its {pace.walks} walks.")
    first, *others = paces
    sooner = (f"{p.longest_ns / first.longest_ns:,.0f} times sooner than {p.planner.entry.name}" for p in others)
    print(f"So {first.planner.entry.name} answers {' and '.join(islice(sooner, len(_OF_PATHS)))},")
    print(f"on ways {first.longer_percent:.1f} % longer than the shortest.")


def _show_many_units(planners: "Sequence[Planner]", agents: int, seed: int) -> None:
    """When everyone has moved after one click: by a fleet with a budget, and by whole paths."""
    import numpy as np

    from waypost.runs.crowd import Places
    from waypost.runs.rush import rush, seconds_of_paths
    from waypost.system.progress import progress

    fleet_planner, *others = planners
    places = Places(fleet_planner.grid, seed)
    starts, goals = places.draw(agents), places.draw(agents)
    with progress("crowd", agents) as advance:
        found = rush(fleet_planner, starts, goals, _BUDGET_US, advance)
    print(f"\n2. One click sends {agents:,} units off, each to a goal of its own")
    table = new_table("", "planner", "all have moved after", "at 60 frames a second", numeric=True)
    table.add_row(fleet_planner.entry.name, *_frames(found.frames_to_move))
    notes = []
    for planner in others:
        if planner.entry.name in _OF_PATHS:
            seconds, paths = seconds_of_paths(planner, starts, goals, _ENOUGH_SECONDS)
            table.add_row(planner.entry.name, *_frames(seconds * 1e6 / _BUDGET_US))
            notes.append(f"{paths:,}")
    show(table)
    took = np.percentile(found.tick_us, (50, 99)) if found.tick_us.size else (0, 0)
    print(f"The game gives {_BUDGET_US:,} us of each frame, on one core; whoever has a way moves on.")
    print(f"{' and '.join(_OF_PATHS)} find whole paths: measured are the first {' and '.join(notes)}.")
    took = np.percentile(found.tick_us, (50, 99)) if found.tick_us.size else (0, 0)
    left = f"all but {found.units_on_way:,}" if found.units_on_way else "all"
    print(
        f"With {fleet_planner.entry.name} {left} have arrived after {found.tick_us.size:,} frames of {took[0]:,.0f} us"
    )
    print(f"in the median, 99 % of them at most {took[1]:,.0f} us.")


def _draw(planners: "Sequence[Planner]", walk: "Problem", out: Path) -> None:
    """One walk by each planner, with what it took written above it."""
    from waypost.runs.picture import write_png
    from waypost.runs.walks_poster import draw_walks

    write_png(out, draw_walks(planners, walk, MOST_MOVES))
    print(f"\nWrote {out}: one walk by each planner; look at it next.")


def _frames(count: float) -> tuple[str, str]:
    """So many frames, begun ones included, and how long they last."""
    frames = ceil(count)
    seconds = frames / _FRAMES_PER_SECOND
    words = f"{seconds:,.1f} s" if seconds < 120 else f"{seconds / 60:,.0f} minutes"
    return f"{frames:,} frame{'s' if frames > 1 else ''}", words


def _time(ns: float) -> str:
    """In microseconds, three digits at least."""
    us = ns / 1000
    return f"{us:,.{2 if us < 10 else 1 if us < 100 else 0}f} us"
