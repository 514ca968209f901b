"""The regions of a map as a graph to walk on, and the regions above them: what PR LRTA* moves in (algorithms 7.3)."""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from waypost.grid import Grid
from waypost.indexes.base import read_only
from waypost.indexes.cliques import points_of
from waypost.indexes.region_pairs import representatives, sums
from waypost.kernels import region_graph, region_tables

__all__ = ["AbstractGraph"]


class AbstractGraph:
    """Regions, edges between those that touch, at what they cost, and which upper region each region lies in."""

    def __init__(
        self, grid: Grid, region_of: npt.NDArray[np.int32], upper_of: npt.NDArray[np.int32], euclid: int
    ) -> None:
        count = upper_of.size
        starts, neighbours = region_graph.adjacency(grid.mask, region_of, grid.stride, count)
        summed = sums(grid, region_of, count)
        self.sizes = summed[:, 0]
        """Cells of each region."""
        nodes = np.zeros((count + 1, 4), np.int32)
        nodes[:-1, :2], nodes[:-1, 2], nodes[:, 3] = points_of(summed), upper_of, starts
        self.nodes, self.neighbours = read_only(nodes, neighbours)
        """Of each region its point, its upper region and its first edge, and a row more; and where edges lead."""
        straight, diagonal, _ = grid.costs
        (self.costs,) = read_only(region_tables.edge_costs(self.nodes, self.neighbours, straight, diagonal, euclid))
        (region_above,) = read_only(np.append(upper_of, np.int32(-1))[region_of])
        self.reps = representatives(grid, region_of, count)
        self.upper_count = int(upper_of[-1]) + 1
        (self.middles,) = read_only(region_of[representatives(grid, region_above, self.upper_count)])
        """The region in the middle of each upper region."""

    @property
    def edges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """What kernels walk on."""
        return self.nodes, self.neighbours, self.costs

    @cached_property
    def most_in_corridor(self) -> int:
        """The most cells that a region and one of its neighbours have together."""
        owners = np.repeat(np.arange(self.sizes.size), np.diff(self.nodes[:, 3]))
        return int(max(self.sizes.max(), (self.sizes[owners] + self.sizes[self.neighbours]).max(initial=0)))

    def most_expansions(self, depth: int) -> int:
        """The most regions that a lookahead looks around: in each ply all that are within its reach, at worst."""
        within = region_tables.most_within(self.nodes, self.neighbours, depth - 1)
        return int(within.sum() + (depth - within.size) * within[-1])
