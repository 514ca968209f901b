"""Subgoal trees of all goals of a map, or made when a goal is asked for (Hernández, Baier 2011; algorithms 10)."""

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock, local
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError, WaypostError
from waypost.indexes.base import Index, require
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_offsets
from waypost.kernels.queues import RING
from waypost.planners.trees.kernels import grow
from waypost.planners.trees.kernels.forest import NODE_BITS, Scratch
from waypost.planners.walking.ground import ground_of
from waypost.world.grid import Grid

__all__ = ["SubgoalTrees"]


_BYTES = Growth(7.2e-4, open_cells=2.63)
_SECONDS = Growth(2.6e-8, open_cells=2.01)


class SubgoalTrees(Index):
    """One tree for each goal. With `goals_kept` trees are made when first asked for, and so many are kept."""

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self._by_climb = int(params["climb_exits"])
        self._kept = int(params["goals_kept"])
        self.goals = np.flatnonzero(grid.component).astype(np.int32)
        self.checked = np.zeros(self.goals.size, np.bool_)
        self._scratch = local()
        self.made: OrderedDict[int, tuple[npt.NDArray[np.uint32], int, int, int]] = OrderedDict()
        self._lock = Lock()
        self._check()

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast | None:
        """By the cells, each with a tree over all others; nothing is known where trees are made on demand."""
        if params["goals_kept"]:
            return None
        return Forecast(_BYTES.of(shape), _SECONDS.of(shape))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Trees of all goals, or of none yet."""
        goals = np.flatnonzero(grid.component).astype(np.int32)
        scratch, by_climb = local(), int(params["climb_exits"])
        total = 0 if params["goals_kept"] else goals.size
        parts = works.parts("trees", total, lambda first, last: _grow(grid, by_climb, goals[first:last], scratch))
        sizes, cells, parents = (np.concatenate(column) for column in zip(*parts, strict=True))
        nodes, shift = _packed(grid, sizes, cells, parents)
        firsts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        return cls.from_arrays(grid, params, {"firsts": firsts, "nodes": nodes, "shift": np.array([shift], np.uint8)})

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays; where the trees lie is checked now, and each tree before its first use."""
        require(arrays, {"firsts": (np.int64, 1), "nodes": (np.uint32, 1), "shift": (np.uint8, 1)})
        return cls(grid, params, arrays)

    @property
    def states(self) -> int:
        """Nodes of all trees."""
        return int(self.arrays["nodes"].size)

    @property
    def largest(self) -> int | None:
        """Nodes of the largest tree; None if trees are made on demand."""
        return None if self._kept else int(np.diff(self.arrays["firsts"]).max())

    @property
    def is_whole(self) -> bool:
        """Whether there are trees of all goals."""
        return not self._kept

    def tree(self, goal: int) -> tuple[npt.NDArray[np.uint32], int, int, int]:
        """The nodes among which a goal's tree is, its first node there, their end, and the bits of a parent's index."""
        if self._kept:
            return self._on_demand(goal)
        rank = int(self.goals.searchsorted(np.int32(goal)))  # of another type, all goals would be converted
        if not self.checked[rank]:
            self._check_trees([rank])
        first, end = self.arrays["firsts"][rank : rank + 2].tolist()
        return self.arrays["nodes"], first, end, int(self.arrays["shift"][0])

    def trees(self, goals: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The first node of each goal's tree and their end, in an index that is whole."""
        ranks = self.goals.searchsorted(goals)
        firsts, ends = self.arrays["firsts"][ranks], self.arrays["firsts"][ranks + 1]
        if not self.checked[ranks].all():
            self._check_trees(np.unique(ranks[~self.checked[ranks]]).tolist())
        return firsts, ends

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """The nodes of a goal's tree and their parents, the root left out."""
        nodes, first, end, shift = self.tree(self.grid.checked_cell(goal))
        cells = (nodes[first:end] >> np.uint32(shift)).astype(np.int32)
        parents = cells[nodes[first:end] & np.uint32((1 << shift) - 1)]
        return np.stack([cells, parents], axis=1)[cells != parents]

    def _on_demand(self, goal: int) -> tuple[npt.NDArray[np.uint32], int, int, int]:
        with self._lock:
            if goal in self.made:
                self.made.move_to_end(goal)
                return self.made[goal]
        sizes, cells, parents = _grow(self.grid, self._by_climb, np.array([goal], np.int32), self._scratch)
        nodes, shift = _packed(self.grid, sizes, cells, parents)
        with self._lock:
            self.made[goal] = nodes, 0, nodes.size, shift
            while len(self.made) > self._kept:
                self.made.popitem(last=False)
        return nodes, 0, nodes.size, shift

    def _check_trees(self, ranks: list[int]) -> None:
        """Refuse a goal's tree that is none."""
        # Not when loaded: for all trees that takes four times as long as all else there.
        nodes, shift = self.arrays["nodes"], int(self.arrays["shift"][0])
        for rank in ranks:
            goal, (first, end) = int(self.goals[rank]), self.arrays["firsts"][rank : rank + 2].tolist()
            if not grow.is_tree(self.grid.component, goal, nodes, first, end, shift):
                raise IndexFileError(f"the tree of the goal {self.grid.xy(goal)} is not a tree; build the index again")
            self.checked[rank] = True

    def _check(self) -> None:
        firsts, nodes = self.arrays["firsts"], self.arrays["nodes"]
        if self.arrays["shift"].size != 1:
            raise IndexFileError(f"shift must be one number, not {self.arrays['shift'].size:,}")
        if self.arrays["shift"][0] >= NODE_BITS:
            raise IndexFileError(f"shift must be less than {NODE_BITS}, not {self.arrays['shift'][0]}")
        if self._kept:
            if nodes.size or firsts.size != 1:
                raise IndexFileError("trees made on demand are not stored; build the index again")
            return
        if firsts.size != self.goals.size + 1:
            raise IndexFileError(f"firsts must have {self.goals.size + 1:,} entries, one more than there are goals")
        check_offsets("firsts", firsts, nodes.size)


def _grow(
    grid: Grid, by_climb: int, goals: npt.NDArray[np.int32], scratch: local
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Trees of some goals, in scratch arrays of this thread's own."""
    if not hasattr(scratch, "arrays"):
        size, most = grid.mask.size, 8 * int(grid.component_sizes.max()) + 1
        scratch.arrays = Scratch(
            costs=np.empty(size, np.int32),
            vectors=np.zeros(size, np.int64),
            ring=np.full(RING, -1, np.int64),
            pool=np.empty((most, 2), np.int64),
        )
    sizes, cells, parents = grow.grow(tuple(ground_of(grid)), grid.costs.shift, by_climb, goals, tuple(scratch.arrays))
    return sizes, cells, parents


def _packed(
    grid: Grid, sizes: npt.NDArray[np.int32], cells: npt.NDArray[np.int32], parents: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.uint32], int]:
    """Nodes as one word each, and how many of its bits are the parent's index."""
    shift = max(int(sizes.max(initial=1)) - 1, 1).bit_length()
    if (grid.mask.size - 1).bit_length() + shift > NODE_BITS:
        raise WaypostError(
            f"a tree of {sizes.max():,} nodes on a map of {grid.cell_count:,} cells does not fit into nodes of "
            f"{NODE_BITS} bits"
        )
    nodes = cells.astype(np.uint32) << np.uint32(shift) | parents.astype(np.uint32)
    nodes.setflags(write=False)
    return nodes, shift
