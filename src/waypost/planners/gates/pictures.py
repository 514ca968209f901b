"""What an index of gates shows of itself: blocks, the ways between the gates of sectors, and those to a goal."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from waypost.agents.move_log import new_log
from waypost.indexes.base import Regions
from waypost.planners.gates.kernels import walk
from waypost.planners.gates.kernels.arcs import GateSlot
from waypost.planners.gates.kernels.route import Settings
from waypost.planners.gates.kernels.sectors import SIDE, Sectors
from waypost.planners.gates.kernels.tree import BLOCK, Tree
from waypost.planners.gates.kernels.ways import NUMBERS
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.points import NEW, RouteSlot
from waypost.planners.walking.kernels.walker import Slot
from waypost.world.grid import Grid

if TYPE_CHECKING:
    from waypost.planners.gates.index import Gates

__all__ = ["arcs", "arcs_from", "blocks"]

Cells = npt.NDArray[np.int32]

_SETTINGS = Settings(ahead=1, limit=250, direct=0)


def blocks(grid: Grid, sectors: Sectors, tree: Tree) -> Regions:
    """Blocks with open cells as regions, each with the open cell nearest to its middle, and which gates join."""
    is_open = grid.component != 0
    numbers = np.full(grid.mask.size, -1, np.int32)
    numbers[is_open] = _blocks_of(grid, tree, np.flatnonzero(is_open))
    cells = np.flatnonzero(is_open)
    _, own = np.unique(numbers[cells], return_inverse=True)
    numbers[cells] = own
    y, x = np.divmod(cells, grid.stride)
    side = BLOCK * SIDE
    away = (2 * ((x - 1) % side) + 1 - side) ** 2 + (2 * ((y - 1) % side) + 1 - side) ** 2
    order = np.lexsort((cells, away, own))
    reps = cells[order[np.flatnonzero(np.diff(own[order], prepend=-1))]]
    ends = numbers[sectors.ends]
    edges = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    return Regions(numbers, reps.astype(np.int32), edges)


def arcs_from(grid: Grid, sectors: Sectors, tree: Tree, cell: int) -> Cells:
    """From a cell to the gates of its sector that are in its component; and all gates of its block, each by itself."""
    part = int(tree.leaves[_sector_of(sectors, cell)])
    own = _ends_in(sectors, tree, _sector_of(sectors, cell))
    own = own[grid.component[own] == grid.component[cell]]
    rows = [np.stack([own, np.full(own.size, cell)], axis=1)]
    while part not in tree.roots:
        part = int(tree.parents[part])
    left, top, right, bottom = tree.boxes[part].tolist()
    for near in (row * sectors.across + column for row in range(top, bottom) for column in range(left, right)):
        ends = _ends_in(sectors, tree, near)
        rows.append(np.stack([ends, ends], axis=1))
    return np.concatenate(rows).astype(np.int32)


def arcs(index: "Gates", goal: int) -> Cells:
    """From both ends of every gate the target of a walker that begins there."""
    grid = index.grid
    known = tuple(index.sectors), tuple(index.tree), tuple(index.known), tuple(_SETTINGS), index.new_scratch()
    component, cells = grid.component, np.unique(index.sectors.ends)
    state, log = np.zeros(GateSlot.POINTS + NUMBERS, np.int32), new_log(1)
    rows = []
    for cell in cells[(component[cells] == component[goal]) & (cells != goal)].tolist():
        state[[Slot.CELL, Slot.GOAL, Slot.TARGET, RouteSlot.PHASE, Slot.TOO_FAR]] = cell, goal, -1, NEW, 0
        if walk.walk(tuple(ground_of(grid)), *known, state, log):
            rows.append((cell, int(state[Slot.TARGET])))
    return np.array(rows, np.int32).reshape(-1, 2)


def _ends_in(sectors: Sectors, tree: Tree, sector: int) -> npt.NDArray[Any]:
    """The cells of a sector that its gates stand on."""
    first, end = tree.firsts[[tree.leaves[sector], tree.leaves[sector] + 1]]
    ends = np.unique(sectors.ends[tree.gates[first:end]])
    return ends[_sector_of(sectors, ends) == sector]


def _sector_of(sectors: Sectors, cells: Any) -> Any:
    """The sector of each cell."""
    y, x = np.divmod(cells, sectors.stride)
    return (y - 1) // SIDE * sectors.across + (x - 1) // SIDE


def _blocks_of(grid: Grid, tree: Tree, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The number of each cell's block."""
    y, x = np.divmod(cells, grid.stride)
    numbers: npt.NDArray[Any] = (y - 1) // (SIDE * BLOCK) * tree.blocks_across + (x - 1) // (SIDE * BLOCK)
    return numbers
