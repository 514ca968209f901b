"""The clique abstraction of a map, level by level (Sturtevant, Buro 2005; algorithms 5)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import read_only
from waypost.indexes.building import Arrays, Works, are_just
from waypost.planners.cuts.kernels import cliques
from waypost.world.grid import Grid

__all__ = ["POINT_UNITS", "Cliques", "abstract", "points_of"]

POINT_UNITS = 16
"""Points are in so many parts of a cell."""
_NO_GRAPH = read_only(np.empty(0, np.int64), np.empty(0, np.int32))


class Cliques(NamedTuple):
    """All levels above the map, one behind the other: level i has the nodes firsts[i - 1] up to firsts[i]."""

    firsts: npt.NDArray[np.int32]
    """One more than there are levels; the first is 0."""
    ground_parents: npt.NDArray[np.int32]
    """The node of level 1 of each cell, -1 on walls."""
    parents: npt.NDArray[np.int32]
    """The node one level above, -1 on the top level."""
    starts: npt.NDArray[np.int64]
    neighbours: npt.NDArray[np.int32]
    """Neighbours of node v: neighbours[starts[v] : starts[v + 1]], in the order in which edges were added."""
    capacities: npt.NDArray[np.int32]
    """For each neighbour, how many edges of the level below are one here."""
    sums: npt.NDArray[np.int64]
    """Of each node the number of its cells, and the sums of their columns and rows in the padded grid."""

    @property
    def top(self) -> int:
        """The number of the top level, which has no edges; at least 1."""
        return self.firsts.size - 1

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """Where each node is: the mean of its cells in parts of a cell, column and row in the padded grid."""
        return points_of(self.sums)

    def regions(self, level: int) -> npt.NDArray[np.int32]:
        """The node of a level, from 1 on, that each cell belongs to; -1 on walls."""
        region_of = np.full(self.ground_parents.size, -1, np.int32)
        cells = np.flatnonzero(self.ground_parents >= 0)
        nodes = self.ground_parents[cells]
        for _ in range(level - 1):
            nodes = self.parents[nodes]
        region_of[cells] = nodes
        return region_of

    def in_order(self, level: int) -> npt.NDArray[np.int32]:
        """The nodes of a level in the order of the hierarchy: by their ancestors from the top down."""
        lines = [np.arange(self.firsts[level - 1], self.firsts[level], dtype=np.int32)]
        for _ in range(level, self.top):
            lines.append(self.parents[lines[-1]])
        return lines[0][np.lexsort(lines)]


def points_of(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The means of cells in parts of a cell: of each row of sums the columns and rows by the number of cells."""
    cells = sums[:, :1]
    points: npt.NDArray[np.int64] = (POINT_UNITS * sums[:, 1:] + cells // 2) // cells
    return points.astype(np.int32)


def abstract(grid: Grid, known: Sequence[npt.NDArray[np.int32]] = (), works: Works | None = None) -> Cliques:
    """All levels of a map up to the top, each a part of the works, if there are any.

    Groups of the first levels may be known: of each node below its node there.
    """
    starts, neighbours = _NO_GRAPH
    cells = np.flatnonzero(grid.component)
    sums = np.stack([np.ones_like(cells), cells % grid.stride, cells // grid.stride], axis=1)
    levels: list[_Level] = []
    while not levels or neighbours.size:
        if len(levels) < len(known):
            groups = known[len(levels)]
        else:
            groups = _grouped(grid, starts, neighbours, len(levels) + 1, works)
        read_only(groups)
        count = int(groups.max()) + 1
        starts, neighbours, capacities = cliques.edges(grid.mask, grid.stride, starts, neighbours, groups, count)
        read_only(starts, neighbours)
        sums = _sums(groups if levels else groups[cells], sums, count)
        levels.append(_Level(groups, starts, neighbours, capacities, sums))
    return _joined(levels)


def _grouped(
    grid: Grid, starts: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32], level: int, works: Works | None
) -> npt.NDArray[np.int32]:
    """The groups that the nodes below a level make; once they are in the journal they are not made again."""

    def make(*_: int) -> Arrays:
        return (cliques.group(grid.mask, grid.component, grid.stride, starts, neighbours)[0],)

    nodes = grid.component > 0 if level == 1 else np.ones(starts.size - 1, np.bool_)

    def fits(_: int, __: int, found: Arrays) -> bool:
        return are_just(found, (np.int32, nodes.shape)) and _are_groups(found[0], nodes)

    ((groups,),) = works.parts(f"level {level}", 1, make, fits=fits) if works else [make()]
    return groups


def _are_groups(groups: npt.NDArray[Any], is_node: npt.NDArray[np.bool_]) -> bool:
    """Whether there is a group for each node and for nothing else, numbered from 0 on: kernels rely on it."""
    is_within = np.array_equal(groups >= 0, is_node) and groups.max() < groups.size
    return bool(is_within and np.bincount(groups[is_node]).all())


class _Level(NamedTuple):
    """A level by itself: its own nodes from 0 on, and in `groups` those of the nodes below."""

    groups: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    neighbours: npt.NDArray[np.int32]
    capacities: npt.NDArray[np.int32]
    sums: npt.NDArray[np.int64]


def _sums(groups: npt.NDArray[np.int32], below: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """Cells, columns and rows of groups; as doubles they are exact."""
    return np.stack([np.bincount(groups, column, count) for column in below.T], axis=1).astype(np.int64)


def _joined(levels: list[_Level]) -> Cliques:
    """The levels one behind the other, numbers counted on."""
    firsts = np.cumsum([0, *(len(level.sums) for level in levels)]).astype(np.int32)
    edge_firsts = np.cumsum([0, *(level.neighbours.size for level in levels)])
    parents = [level.groups + first for level, first in zip(levels[1:], firsts[1:], strict=False)]
    starts = (level.starts[:-1] + first for level, first in zip(levels, edge_firsts, strict=False))
    made = Cliques(
        firsts=firsts,
        ground_parents=levels[0].groups,
        parents=np.concatenate([*parents, np.full(len(levels[-1].sums), -1, np.int32)]),
        starts=np.concatenate([*starts, edge_firsts[-1:]]),
        neighbours=np.concatenate([level.neighbours + first for level, first in zip(levels, firsts, strict=False)]),
        capacities=np.concatenate([level.capacities for level in levels]),
        sums=np.concatenate([level.sums for level in levels]),
    )
    read_only(*made)
    return made
