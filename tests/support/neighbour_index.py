"""A planner with an index for tests of all that lies between them: the neighbours of every open cell."""

import operator
from collections import deque

import numpy as np

from waypost import catalog
from waypost.agents.base import Agent
from waypost.agents.step import RunStatus, Step
from waypost.catalog import Entry, Param
from waypost.errors import IndexFileError
from waypost.indexes.base import Index, require
from waypost.indexes.ranges import check_offsets, check_within
from waypost.kernels import moves


class NeighbourIndex(Index):
    """For every open cell, in rising order, its neighbours: one ragged array."""

    def __init__(self, arrays):
        super().__init__(arrays)
        cells, offsets, neighbours = (self.arrays[name] for name in ("cells", "offsets", "neighbours"))
        self.of = {
            int(cell): neighbours[offsets[i] : offsets[i + 1]].tolist() for i, cell in enumerate(cells)
        }  # fmt: skip

    @classmethod
    def build(cls, grid, params, works):
        cells = np.flatnonzero(grid.component).astype(np.int32)
        order = -1 if params["backwards"] else 1

        def make(first, last):
            found = []
            for cell in cells[first:last]:
                legal = [move for move in range(8) if grid.mask[cell] >> move & 1]
                found.append([int(cell + moves.DY[m] * grid.stride + moves.DX[m]) for m in legal[::order]])
            flat = [cell for of_cell in found for cell in of_cell]
            return np.array([len(of_cell) for of_cell in found], np.int64), np.array(flat, np.int32)

        counts, neighbours = map(np.concatenate, zip(*works.parts("neighbours", len(cells), make), strict=True))
        offsets = np.concatenate(([0], np.cumsum(counts)))
        return cls.from_arrays(grid, params, {"cells": cells, "neighbours": neighbours, "offsets": offsets})

    @classmethod
    def from_arrays(cls, grid, params, arrays):
        require(arrays, {"cells": (np.int32, 1), "neighbours": (np.int32, 1), "offsets": (np.int64, 1)})
        if not np.array_equal(arrays["cells"], np.flatnonzero(grid.component)):
            raise IndexFileError("cells must be the open ones, in rising order")
        check_within("neighbours", arrays["neighbours"], 0, grid.component.size)
        if not grid.component[arrays["neighbours"]].all() or arrays["offsets"].size != arrays["cells"].size + 1:
            raise IndexFileError("neighbours must be open, and each cell must have some or none")
        check_offsets("offsets", arrays["offsets"], arrays["neighbours"].size)
        return cls(arrays)

    @property
    def states(self):
        return self.arrays["cells"].size + self.arrays["neighbours"].size


class Follower(Agent):
    """Searches breadth first over the stored neighbours, then walks."""

    def __init__(self, grid, *, index, last_first=0, record=False):
        super().__init__(grid, record=record)
        self._index, self._order = index, -1 if last_first else 1

    def _begin(self):
        self._plan = []

    def _retarget(self):
        self._plan = []

    def _advance(self):
        expansions = 0
        if not self._plan:
            expansions = self._search()
        cell = self._plan.pop()
        return Step(cell, RunStatus.ARRIVED if cell == self.goal else RunStatus.MOVING, expansions)

    def _search(self):
        came_from, queue = {self.cell: -1}, deque([self.cell])
        expansions = 0
        while self.goal not in came_from:
            cell = queue.popleft()
            expansions += 1
            for other in self._index.of[cell][:: self._order]:
                if other not in came_from:
                    came_from[other] = cell
                    queue.append(other)
        self._plan = [self.goal]
        while came_from[self._plan[-1]] != self.cell:
            self._plan.append(came_from[self._plan[-1]])
        return expansions


ENTRY = Entry(
    "neighbours",
    "Breadth first over stored neighbours",
    Follower,
    paper="none: for tests",
    revision=3,
    params={
        "backwards": Param(0, 0, 1, "1: neighbours are stored in the reverse order", offline=True),
        "last_first": Param(0, 0, 1, "1: the search looks at the last neighbour first"),
    },
    index=NeighbourIndex,
    work_bound=lambda _, index: index.arrays["cells"].size,
)


def enter(put=operator.setitem):
    """Put the planner into the catalog: for a test by `monkeypatch.setitem`, or for good in a process of its own."""
    put(catalog.CATALOG, ENTRY.name, ENTRY)
