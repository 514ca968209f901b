"""Hub labels of a taut subgoal graph: what `hub` computes offline (hub rules)."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import Index
from waypost.indexes.building import Works
from waypost.planners.hub.building import Graph, graph_of, labels_of
from waypost.planners.hub.kernels import look
from waypost.planners.hub.kernels.lines import Lines
from waypost.planners.hub.kernels.solve import FAR, Labels, Scratch
from waypost.planners.hub.stored import read, stored
from waypost.planners.hub.tables import lines_of
from waypost.world.grid import Grid

__all__ = ["HubLabels", "Most"]

_SPARE = 8  # rows of finds beyond one for each subgoal


class Most(NamedTuple):
    """The most that a move looks at, for the promise about work."""

    probes_of_look: int
    """Scans from one cell, and the entries of all lists found."""
    free_steps: int
    """Of a walk over free ground."""
    entries: int
    """Of one list."""


class HubLabels(Index):
    """Labels of the two sides of each subgoal: hubs and what it costs to come there."""

    def __init__(
        self, grid: Grid, arrays: Mapping[str, npt.NDArray[Any]], lines: Lines, graph: Graph
    ) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.lines = lines
        self.labels: Labels = read(lines, graph, self.arrays)

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Find the subgoals and their graph, choose an order, and label every list."""
        lines = lines_of(grid)
        graph = graph_of(lines, with_finds=True)
        found = labels_of(lines, graph, params, works)
        return cls(grid, stored(lines, graph, found), lines, graph)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        lines = lines_of(grid)
        return cls(grid, arrays, lines, graph_of(lines, with_finds=False))

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
        return Most(*look.most(tuple(self.lines), tuple(self.labels), tuple(self.new_scratch())))
