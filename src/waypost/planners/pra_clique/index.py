"""The clique hierarchy of a map, to its top: what PRA* on cliques stores (Sturtevant, Buro 2005; algorithms 7.1)."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import Index, Regions, read_only, require
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_within
from waypost.planners.cuts.cliques import Cliques, abstract
from waypost.planners.cuts.kernels import cliques as kernels
from waypost.planners.pra_clique.kernels import corridor
from waypost.world.grid import Grid

__all__ = ["CliqueHierarchy"]


_BYTES = Growth(55.0, open_cells=1.02)
_SECONDS = Growth(1e-7, open_cells=1.0)


class CliqueHierarchy(Index):
    """The parent of every cell and of every node, in as few bytes as hold those of a level; the rest follows."""

    def __init__(self, grid: Grid, arrays: Mapping[str, npt.NDArray[Any]], cliques: Cliques) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.cliques = cliques
        (self.nodes,) = read_only(corridor.new_nodes(cliques.points, cliques.parents, cliques.starts))
        """Of each node its point, its parent and its first edge, and a row more where the last edges end."""

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:  # noqa: ARG003
        """By the cells, which all have a parent."""
        return Forecast(_BYTES.of(shape), _SECONDS.of(shape))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:  # noqa: ARG003
        """Make level after level, each of which the journal keeps."""
        found = abstract(grid, works=works)
        counts: npt.NDArray[Any] = np.diff(found.firsts).astype(np.uint32)
        return cls(grid, {"counts": counts, "parents": _packed(grid, found)}, found)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:  # noqa: ARG003
        """The index of these arrays: every cell and node has a parent, and every parent a child."""
        require(arrays, {"counts": (np.uint32, 1), "parents": (np.uint8, 1)})
        counts = [grid.open_count, *arrays["counts"].tolist()]
        if len(counts) < 2 or 0 in counts or sorted(counts, reverse=True) != counts:
            raise IndexFileError("counts of the index must fall from level to level, and begin below the open cells")
        groups = _unpacked(arrays["parents"], counts)
        by_cell = np.full(grid.component.size, -1, np.int32)
        by_cell[grid.component != 0] = groups[0]
        found = abstract(grid, [by_cell, *groups[1:]])
        if found.top != len(groups):
            raise IndexFileError("the levels of the index must end where no edges are left; build the index again")
        return cls(grid, arrays, found)

    @property
    def states(self) -> int:
        """A parent for each open cell and for each node below the top."""
        return self.grid.open_count + int(self.cliques.firsts[-2])

    def regions(self, level: int | None = None) -> Regions:
        """The nodes of a level; if none is named, of the lowest that has no more than twice the root of all cells."""
        firsts, starts = self.cliques.firsts, self.cliques.starts
        if level is None:
            few = np.diff(firsts).astype(np.int64) ** 2 <= 4 * self.grid.open_count
            level = int(np.argmax(few)) + 1 if few.any() else self.cliques.top
        first, last = firsts[level - 1 : level + 1].tolist()
        region_of = self.cliques.regions(level)
        region_of[region_of >= 0] -= first
        read_only(region_of)
        reps = kernels.representatives(region_of, self.grid.stride, self.cliques.sums[first:last])
        owners = np.repeat(np.arange(last - first, dtype=np.int32), np.diff(starts[first : last + 1]))
        edges = np.stack([owners, self.cliques.neighbours[starts[first] : starts[last]] - first], axis=1)
        return Regions(region_of, reps, edges[edges[:, 0] < edges[:, 1]])


def _packed(grid: Grid, found: Cliques) -> npt.NDArray[np.uint8]:
    """The parents on each level, counted from its first node, in as few bytes each as hold them: the lowest first."""
    below = [found.ground_parents[grid.component != 0], *np.split(found.parents, found.firsts[1:-1])[:-1]]
    packed = []
    for nodes, first, last in zip(below, found.firsts, found.firsts[1:], strict=False):
        whole = (nodes - first).astype("<u4").view(np.uint8).reshape(-1, 4)
        packed.append(whole[:, : _bytes_for(int(last - first))].ravel())
    return np.concatenate(packed)


def _unpacked(packed: npt.NDArray[np.uint8], counts: list[int]) -> list[npt.NDArray[np.int32]]:
    """The parents on each level, counted from its first node, or `IndexFileError`."""
    widths = [_bytes_for(count) for count in counts[1:]]
    sizes = [nodes * width for nodes, width in zip(counts, widths, strict=False)]
    if packed.size != sum(sizes):
        raise IndexFileError(f"parents of the index must have {sum(sizes):,} bytes, not {packed.size:,}")
    levels = []
    for part, width, count in zip(np.split(packed, np.cumsum(sizes)[:-1]), widths, counts[1:], strict=True):
        whole = np.zeros((part.size // width, 4), np.uint8)
        whole[:, :width] = part.reshape(-1, width)
        parents = whole.view("<u4").ravel()
        check_within("parents of the index", parents, 0, count)
        if not np.bincount(parents, minlength=count).all():
            raise IndexFileError("each node of the index must be the parent of something; build the index again")
        levels.append(parents.astype(np.int32))
    return levels


def _bytes_for(count: int) -> int:
    """Bytes that hold numbers below this one."""
    return max(1, -(-(count - 1).bit_length() // 8))
