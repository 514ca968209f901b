"""The regions of a map as a graph to walk on, and the regions above them: what PR LRTA* moves in (algorithms 7.3)."""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import read_only
from waypost.planners.cuts.cliques import points_of
from waypost.planners.cuts.kernels import graph
from waypost.planners.pairs.regions import representatives, sums
from waypost.planners.pra_clique.kernels import corridor
from waypost.planners.prlrta.kernels import tables
from waypost.planners.prlrta.kernels.lookahead import Graph
from waypost.world.grid import Grid

__all__ = ["AbstractGraph"]


class AbstractGraph:
    """Regions, edges between those that touch, at what they cost, and which upper region each region lies in."""

    def __init__(
        self, grid: Grid, region_of: npt.NDArray[np.int32], upper_of: npt.NDArray[np.int32], euclid: int
    ) -> None:
        count = upper_of.size
        starts, neighbours = graph.adjacency(grid.mask, region_of, grid.stride, count)
        summed = sums(grid, region_of, count)
        self.sizes = summed[:, 0]
        """Cells of each region."""
        nodes = corridor.new_nodes(points_of(summed), upper_of, starts)
        self.nodes, self.neighbours = read_only(nodes, neighbours)
        """Of each region its point, its upper region and its first edge, and a row more; and where edges lead."""
        straight, diagonal, _ = grid.costs
        (self.costs,) = read_only(tables.edge_costs(self.nodes, self.neighbours, straight, diagonal, euclid))
        (region_above,) = read_only(np.append(upper_of, np.int32(-1))[region_of])
        self.reps = representatives(grid, region_of, count)
        self.upper_count = int(upper_of[-1]) + 1
        (self.middles,) = read_only(region_of[representatives(grid, region_above, self.upper_count)])
        """The region in the middle of each upper region."""

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """What kernels walk on, as they take it."""
        return tuple(Graph(nodes=self.nodes, neighbours=self.neighbours, costs=self.costs, reps=self.reps))

    @cached_property
    def most_in_corridor(self) -> int:
        """The most cells that a region and one of its neighbours have together."""
        owners = np.repeat(np.arange(self.sizes.size), np.diff(self.nodes[:, corridor.FIRST_EDGE]))
        return int(max(self.sizes.max(), (self.sizes[owners] + self.sizes[self.neighbours]).max(initial=0)))

    def most_expansions(self, depth: int) -> int:
        """The most regions that a lookahead looks around: in each ply all that are within its reach, at worst."""
        within = tables.most_within(self.nodes, self.neighbours, depth - 1)
        return int(within.sum() + (depth - within.size) * within[-1])
