"""Trace: a recorded run, and its export as Posthoc search-trace JSON."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.agents.step import Memory, RunStatus
from waypost.kernels import events
from waypost.world.grid import Grid
from waypost.world.problem import Problem

__all__ = ["EVENT", "Event", "Trace", "read_events", "to_posthoc"]


class Event(IntEnum):
    """What a search did to a cell."""

    EXPANDED = events.EXPANDED
    GENERATED = events.GENERATED_NEW
    IMPROVED = events.GENERATED_CHEAPER
    LEARNED = events.LEARNED
    TARGETED = events.TARGETED


EVENT = np.dtype([("move", "i4"), ("kind", "u1"), ("cell", "i4"), ("parent", "i4"), ("g", "f8"), ("f", "f8")])
"""A recorded event: during which move, what, where, reached from where; g and f as lengths in cells.

Of a learned value g is what the cell's heuristic was and f what it is now."""

NO_EVENTS = np.empty(0, EVENT)


def read_events(grid: Grid, rows: npt.NDArray[np.int64], key_unit: int = 1) -> npt.NDArray[np.void]:
    """Rows that a kernel recorded, as events; keys count in `key_unit`."""
    events = np.zeros(len(rows), EVENT)
    events["kind"], events["cell"], events["parent"] = rows[:, 0], rows[:, 1], rows[:, 2]
    events["g"] = grid.length(1) * rows[:, 3]
    events["f"] = grid.length(1) * rows[:, 4] / key_unit
    return events


@dataclass(frozen=True)
class Trace:
    """One run of one agent: n moves, n + 1 cells, and per move the wall time and the work counters of `Step`."""

    grid: Grid
    problem: Problem
    status: RunStatus
    cells: npt.NDArray[np.int32]
    total_ns: int
    """Wall time of all moves."""
    move_ns: npt.NDArray[np.int64]
    """Wall time of each move; empty if the moves were not timed one by one."""
    work: npt.NDArray[np.int32]
    """(n, 5), columns as `step.WORK_COUNTERS`."""
    memory: Memory = field(default_factory=Memory)
    events: npt.NDArray[np.void] = field(default_factory=lambda: NO_EVENTS)

    @property
    def moves(self) -> int:
        """Moves made."""
        return len(self.cells) - 1

    @property
    def cost(self) -> int:
        """Integer cost of the walk."""
        return self.grid.path_cost(self.cells)


def to_posthoc(trace: Trace) -> str:
    """The run as Posthoc JSON: the search's events, then the walk as events of type `moving`."""
    view = {
        "$": "rect",
        "x": "${{ $.x }}",
        "y": "${{ $.y }}",
        "width": 1,
        "height": 1,
        "fill": "${{ $.type == 'moving' ? color.blue : color[$.type] }}",
        "clear": False,
    }
    document = {
        "version": "1.4.0",
        "views": {"main": [view]},
        "pivot": {"x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1},
        "events": list(_posthoc_events(trace)),
    }
    return json.dumps(document, separators=(",", ":"))


_POSTHOC_TYPES = {
    Event.EXPANDED: "expanding",
    Event.GENERATED: "generating",
    Event.IMPROVED: "updating",
    Event.LEARNED: "learning",
    Event.TARGETED: "targeting",
}


def _posthoc_events(trace: Trace) -> Iterator[dict[str, Any]]:
    """What was planned for each move, then the move."""
    grid, problem = trace.grid, trace.problem

    def event(kind: str, cell: int, parent: int | None, g: float, f: float) -> dict[str, Any]:
        x, y = grid.xy(cell)
        return {"type": kind, "id": cell, "pId": parent, "x": x, "y": y, "g": round(g, 6), "f": round(f, 6)}

    estimate = grid.length(grid.octile(problem.start, problem.goal))
    yield event("source", problem.start, None, 0.0, estimate)
    yield event("destination", problem.goal, None, 0.0, 0.0)
    parents: dict[int, int] = {}
    starts = np.searchsorted(trace.events["move"], np.arange(trace.moves + 1)).tolist()
    walked = 0
    for move in range(trace.moves):
        expanding: dict[str, Any] | None = None
        for row in trace.events[starts[move] : starts[move + 1]]:
            cell, kind = int(row["cell"]), Event(row["kind"])
            if kind is Event.EXPANDED:
                if expanding:
                    yield expanding | {"type": "closing"}
                expanding = event("expanding", cell, parents.get(cell), row["g"], row["f"])
                yield expanding
                continue
            if kind in (Event.GENERATED, Event.IMPROVED):
                parents[cell] = int(row["parent"])
            yield event(_POSTHOC_TYPES[kind], cell, parents.get(cell), row["g"], row["f"])
        if expanding:
            yield expanding | {"type": "closing"}
        before, cell = trace.cells[move : move + 2].tolist()
        walked += grid.octile(before, cell)
        g = grid.length(walked)
        yield event("moving", cell, before, g, g + grid.length(grid.octile(cell, problem.goal)))
