"""One walk by several planners on one map, side by side: what the demo shows."""

from collections.abc import Sequence

from waypost.agents.step import RunStatus
from waypost.planner import Planner
from waypost.runs import picture
from waypost.runs.pace import longest_move_ns
from waypost.runs.picture import Pixels
from waypost.runs.poster import Panel, poster
from waypost.runs.simulation import simulate
from waypost.world.problem import Problem

__all__ = ["draw_walks"]

_PANEL_WIDTH = 600
_PEN = 2  # half the pixels across a walk


def draw_walks(planners: Sequence[Planner], problem: Problem, max_moves: int) -> Pixels:
    """A poster with a panel for each planner: its walk, moves, length and longest move."""
    grid = planners[0].grid
    panels = [_panel(planner, problem, max_moves) for planner in planners]
    title = f"One walk across {grid.open_count:,} open cells: how long does a unit wait for its next move?"
    best = grid.length(problem.optimal or 0)
    about = f"The longest move is the longest wait (us: millionths of a second); the shortest way is {best:,.0f} long."
    key = (
        (picture.START, "start"),
        (picture.GOAL, "goal"),
        (picture.PATH, "walk"),
        (picture.SEARCHED_FIRST, "searched early"),
        (picture.SEARCHED_LAST, "searched late"),
        (picture.ENTERED_OFTEN, "walked over again and again"),
    )
    return poster(title, about, panels, key)


def _panel(planner: Planner, problem: Problem, max_moves: int) -> Panel:
    grid, entry = planner.grid, planner.entry
    # What planners that learn look at is mostly where they walk; without a record they walk at full speed.
    run = simulate(planner.agent(record=not entry.learns), problem, max_moves=max_moves, each_move=not entry.learns)
    small = max(1, round(grid.width / _PANEL_WIDTH))
    pixels = picture.draw_run(run, 1 / small if small > 1 else 1, pen=_PEN)
    us = longest_move_ns(planner.agent(), problem) / 1000
    ended = "" if run.status is RunStatus.ARRIVED else "gave up after "
    about = f"{entry.name}: {ended}{run.moves:,} moves, length {grid.length(run.cost):,.0f}"
    return Panel(entry.title.partition(" (")[0], f"longest move {us:,.{int(us < 10)}f} us", about, pixels)
