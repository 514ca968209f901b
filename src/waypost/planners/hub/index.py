"""Hub labels of a taut subgoal graph: what `hub` computes offline (hub rules)."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.indexes.base import Index
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.planners.hub.building import Graph, graph_of, labels_of
from waypost.planners.hub.kernels import look, tours, unfold, walk
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.route import NEW, SLOTS, HubSlot
from waypost.planners.hub.kernels.search import FAR
from waypost.planners.hub.kernels.solve import Labels, Scratch
from waypost.planners.hub.stored import read, stored
from waypost.planners.hub.tables import lines_of
from waypost.planners.walking.kernels.walker import Slot
from waypost.world.grid import Grid

__all__ = ["HubLabels", "Most"]

_CELLS_AT_ONCE = 1 << 16  # looked at between two chances to interrupt
_SPARE = 8  # rows of finds beyond one for each subgoal


class Most(NamedTuple):
    """The most that a move looks at, for the promise about work."""

    probes_of_look: int
    """Scans from one cell, and the entries of all lists found."""
    free_steps: int
    """Of a walk over free ground."""
    entries: int
    """Of one list."""
    below: int
    """Entries that a way comes from to one and the same."""


_BYTES = Growth(62.0, open_cells=0.15, corners=1.04)
_SECONDS = Growth(2e-3, corners=0.42)


class HubLabels(Index):
    """Labels of the two sides of each subgoal: hubs and what it costs to come there."""

    def __init__(
        self, grid: Grid, arrays: Mapping[str, npt.NDArray[Any]], lines: Lines, graph: Graph, budget: int
    ) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.lines = lines
        self.labels: Labels = read(lines, graph, self.arrays, budget)

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast | None:  # noqa: ARG003
        """By the corners, which are the subgoals; nothing is known where every cell is one."""
        if shape.diagonals != "both-open":
            return None
        return Forecast(_BYTES.of(shape), _SECONDS.of(shape))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Find the subgoals and their graph, choose an order, and label every list."""
        lines = lines_of(grid)
        graph = graph_of(lines, with_finds=True)
        found = labels_of(lines, graph, params, works)
        return cls(grid, stored(lines, graph, found), lines, graph, int(params["budget"]))

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        lines = lines_of(grid)
        return cls(grid, arrays, lines, graph_of(lines, with_finds=False), int(params["budget"]))

    @property
    def states(self) -> int:
        """Subgoals, and the entries stored of their lists."""
        return int(self.lines.cells.size + self.arrays["hubs"].size)

    @property
    def table_bytes(self) -> int:
        """Bytes of all that is derived from map and index when it is loaded."""
        derived = (*self.labels, self.lines.bits, self.lines.places, self.lines.cells, self.lines.corners)
        return sum(array.nbytes for array in derived)

    def new_scratch(self) -> Scratch:
        """What one thread solves with."""
        nodes = self.lines.cells.size
        return Scratch(
            best=np.full(nodes, FAR),
            limits=np.empty(8, np.int64),
            of_start=np.empty((nodes + _SPARE, 2), np.int32),
            of_goal=np.empty((nodes + _SPARE, 2), np.int32),
        )

    @cached_property
    def most(self) -> Most:
        """What the worst cell and the longest list take to look at: found by a look at each cell."""
        scratch, firsts = self.new_scratch(), range(0, self.grid.mask.size, _CELLS_AT_ONCE)
        found = [self._looks(scratch, first, first + _CELLS_AT_ONCE) for first in firsts]
        probes, straight, aslant, _ = np.array(found).max(axis=0).tolist()
        entries = np.diff(self.labels.spans).max(initial=0)
        up = self.labels.tour[:, tours.UP]
        below = np.bincount(up[up != np.arange(up.size)]).max(initial=0)
        return Most(probes, straight + aslant + 2, int(entries), int(below))

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """The subgoals that are found from a cell, and the hubs in their lists."""
        cell = self.grid.checked_cell(cell)
        cells, spans, entries = self.lines.cells, self.labels.spans, self.labels.entries
        scratch = self.new_scratch()
        *_, count = self._looks(scratch, cell, cell + 1)
        rows = [np.empty((0, 2), np.int32)]
        for which in scratch.of_start[:count, 0].tolist():
            subgoal = cells[which >> 1]
            hubs = cells[entries[spans[which, 0] : spans[which, 1]] & unfold.HUB]
            rows.append(np.stack([np.full(hubs.size, subgoal), hubs], axis=1))
            rows.append(np.array([[cell, subgoal]], np.int32))
        return np.concatenate(rows)

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """From every subgoal the next one on the way to a goal, or the goal itself."""
        goal = self.grid.checked_cell(goal)
        component, known = self.grid.component, (tuple(self.lines), tuple(self.labels), tuple(self.new_scratch()))
        there = self.lines.cells[component[self.lines.cells] == component[goal]]
        state, log = np.zeros(SLOTS, np.int32), new_log(1)
        rows = []
        for cell in there[there != goal].tolist():
            state[[Slot.CELL, Slot.GOAL, Slot.TARGET, HubSlot.PHASE, Slot.TOO_FAR]] = cell, goal, -1, NEW, 0
            if walk.walk(*known, state, log, 0):
                rows.append((cell, int(state[Slot.TARGET])))
        return np.array(rows, np.int32).reshape(-1, 2)

    def _looks(self, scratch: Scratch, first: int, end: int) -> tuple[int, int, int, int]:
        """What looks from some cells take at most."""
        known = tuple(self.lines), tuple(self.labels), tuple(scratch)
        looked: tuple[int, int, int, int] = look.most(*known, first, min(end, self.grid.mask.size))
        return looked
