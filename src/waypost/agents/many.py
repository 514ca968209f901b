"""Many problems at once: what agents say of them, and how a kernel is given them (`kernels.many`)."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from waypost.agents.move_log import new_log
from waypost.errors import MapError, shown
from waypost.kernels import many
from waypost.kernels.named import new_record
from waypost.system.checks import whole_numbers
from waypost.world.grid import Grid

__all__ = ["CELLS_FULL", "NO_WAY", "OUT_OF_MOVES", "Cells", "ManyProblems", "Solved", "WayCosts", "checked_cells"]

NO_WAY = -1
"""In place of a cost where no way leads to the goal."""
OUT_OF_MOVES = many.OUT_OF_MOVES
"""In place of the cost of a walk that was given up."""
CELLS_FULL = many.CELLS_FULL

Cells = TypeAliasType("Cells", npt.NDArray[np.int32])
WayCosts = TypeAliasType("WayCosts", npt.NDArray[np.int64])
FIRST_CELLS = 1 << 14


class Solved(NamedTuple):
    """Answers to problems, in their order."""

    costs: WayCosts
    """Integer cost of each way, or OUT_OF_MOVES."""
    lengths: npt.NDArray[np.int64]
    """Cells of each path, start and goal included; 0 where there is none, or none was asked for."""
    cells: Cells
    """Of all paths, one after the other."""


def checked_cells(grid: Grid, cells: npt.ArrayLike) -> Cells:
    """Many open cells, in an array of their own: kernels run without bounds checks and are compiled by type."""
    given = whole_numbers(cells)
    if given is None or given.ndim != 1:
        raise MapError(f"cells must be a list of whole numbers, not {shown(cells)}")
    usable = (given >= 0) & (given < grid.component.size)
    usable[usable] = grid.component[given[usable].astype(np.int64)] != 0
    if not usable.all():
        grid.checked_cell(given[np.argmin(usable)])
    return given.astype(np.int32)


class ManyProblems:
    """Problems for a kernel, with room for its answers, which grows when the kernel says that it is too little."""

    def __init__(self, grid: Grid, starts: Cells, goals: Cells, max_moves: int, paths: bool) -> None:
        straight, diagonal, _ = grid.costs
        settings = many.Settings(
            stride=grid.stride, straight_cost=straight, diagonal_cost=diagonal, most_moves=max_moves, with_cells=paths
        )
        self._of = many.Many(
            starts=starts,
            goals=goals,
            costs=np.empty(starts.size, np.int64),
            lengths=np.zeros(starts.size, np.int64),
            cells=np.empty(FIRST_CELLS if paths else 0, np.int32),
            log=new_log(many.MOVES_AT_ONCE),
            progress=new_record(many.PROGRESS, settings),
        )

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """What the kernel takes."""
        return tuple(self._of)

    @property
    def at_hand(self) -> tuple[int, int]:
        """Where one stands, and the goal of the problem at hand."""
        progress = self._of.progress
        return progress["cell"].item(), int(self._of.goals[progress["problem"].item()])

    def make_room(self) -> None:
        """More, for cells of paths."""
        used, wanted = self._of.progress["used"].item(), self._of.progress["wanted"].item()
        larger = np.empty(max(2 * self._of.cells.size, used + wanted), np.int32)
        larger[:used] = self._of.cells[:used]
        self._of = self._of._replace(cells=larger)

    @property
    def solved(self) -> Solved:
        """The answers."""
        return Solved(self._of.costs, self._of.lengths, self._of.cells[: self._of.progress["used"].item()])
