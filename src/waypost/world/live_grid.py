"""LiveGrid: the map of a World, which changes; its arrays are repaired in place, and only the World may do that."""

import copy
from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.kernels import bodies, flood, moves, repair, repair_jumps, repair_squares
from waypost.kernels.repair import Labels
from waypost.world.grid import DIAGONALS, Grid
from waypost.world.jump_tables import JumpTables, new_jump_tables
from waypost.world.sector_hashes import SectorHashes

__all__ = ["MOST_LIVE_SIDE", "LiveGrid"]

MOST_LIVE_SIDE = 16
"""Of units whose grids are repaired: a change then stays within so many cells."""
_REPAIRED_PART = 32  # one cell in so many may change before all is made again
_REMEMBERED = 16  # changes
_NO_CELLS = np.empty(0, np.int32)
_AT_ONCE = 1024  # changes whose squares are renewed in one call


class LiveGrid(Grid):
    """A Grid that shows what a World's map is now. What kernels read of it are views that they cannot write to.

    Copies and pickles of it are Grids, which never change.
    """

    def __init__(self, grid: Grid) -> None:
        grid = copy.copy(grid)  # of one that changes, too
        for name in ("width", "height", "stride", "frame", "diagonals", "costs_name", "costs"):
            setattr(self, name, getattr(grid, name))
        self._mask = grid.mask.copy()
        self._labels_of = _labels_of(grid.component.copy())
        self._squares: npt.NDArray[np.uint8] | None = None
        self._jumps: JumpTables | None = None
        self._jump_views: JumpTables | None = None
        self.hashes = SectorHashes(grid)
        self.version = 0
        """How often the map has changed."""
        self.opened_at = 0
        """The version in which cells were opened last."""
        self.renamed_at = 0
        """The version in which cells got another label last that were neither opened nor closed."""
        self._latest: deque[npt.NDArray[np.int32]] = deque(maxlen=_REMEMBERED)
        self.mask = _view(self._mask)
        self.component = _view(self._labels_of.component)
        self.component_count = grid.component_count
        self._labels = self.component.data
        self._repair_parts(_NO_CELLS, _NO_CELLS != 0)  # so that the first edit need not wait for the compiler
        self._complete = True

    def change(self, cells: npt.NDArray[np.int32], opens: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        """Open some cells and close others, none of which is so already; the next version.

        Returns the cells whose squares of open cells have become larger or smaller, if these are kept.
        """
        own = self.__dict__
        numbers = self._labels_of.numbers
        numbers["looked"] = numbers["renamed"] = 0
        if cells.size > self.cell_count // _REPAIRED_PART:
            self._renew_all(cells, opens)
        else:
            self._make_room(cells.size)
            self._repair_parts(cells, opens)
            if self._jumps is not None:
                repair_jumps.renew_jumps(self._component, self._mask, *self._jumps, self.stride, cells)
        touched = self._renew_squares(cells)
        self.hashes.note(cells)
        numbers = self._labels_of.numbers  # others if all was made again
        own["component_count"] = int(numbers["end"][0] - 1 - numbers["free"][0])
        own["version"] += 1
        if numbers["renamed"][0]:
            own["renamed_at"] = self.version
        self._latest.append(cells)
        if opens.any():
            own["opened_at"] = self.version
        return touched

    def changed_since(self, version: int) -> npt.NDArray[np.int32] | None:
        """The cells opened or closed after a version; None if that is too long ago, or others got new labels."""
        count = self.version - version
        if count > len(self._latest) or self.renamed_at > version:
            return None
        return np.concatenate([np.empty(0, np.int32), *list(self._latest)[len(self._latest) - count :]])

    def follow_squares(self) -> npt.NDArray[np.uint8]:
        """The largest open square of each cell, by its upper left cell and at most of `MOST_LIVE_SIDE`; from now on
        kept right."""
        if self._squares is None:
            sides = bodies.clearance(self.component, self.stride)
            self._squares = np.minimum(sides, np.uint8(MOST_LIVE_SIDE))
        return _view(self._squares)

    def frozen(self) -> Grid:
        """What the map is now, as a Grid that never changes."""
        return Grid(self.is_open.copy(), **self._rules, source="the map as it is now", frame=self.frame)

    @property
    def open_count(self) -> int:
        """How many cells are open."""
        return int(self.component_sizes.sum())

    @property
    def component_sizes(self) -> npt.NDArray[np.int64]:
        """Open cells by the label of their component; 0 where a label is not in use."""
        return _view(self._labels_of.sizes[: int(self._labels_of.numbers["end"][0])])

    @property
    def fingerprint(self) -> str:
        """That of the map as it is now, the same however it came to be so; a Grid's is another kind."""
        return self.hashes.root(self)

    @property
    def clearance(self) -> npt.NDArray[np.uint8]:
        """Per (row, column) the side of the largest open square whose upper left cell it is, at most 255."""
        return _view(self._on_map(bodies.clearance(self.component, self.stride)))

    @property
    def jump_tables(self) -> JumpTables:
        """For jump point search; kept right from the first use on."""
        if self._jump_views is None:
            self._jumps = rows, columns, cells = new_jump_tables(self.component, self.mask, self.stride)
            self._jump_views = JumpTables(_view(rows), _view(columns), _view(cells))
            repair_jumps.renew_jumps(self._component, self._mask, *self._jumps, self.stride, _NO_CELLS)
        return self._jump_views

    @property
    def bytes(self) -> int:
        """Memory that changes need beside the map, its components and jump tables; as far as it was ever used."""
        labels = self._labels_of
        kept = (labels.marks, labels.links, labels.sizes, labels.free, self._squares)
        return sum(array.nbytes for array in kept if array is not None) + self.hashes.bytes

    @property
    def labels(self) -> Labels:
        """What is kept of components."""
        return self._labels_of

    @property
    def _component(self) -> npt.NDArray[np.int32]:
        return self._labels_of.component

    @property
    def _rules(self) -> dict[str, Any]:
        return {"diagonals": self.diagonals, "costs": self.costs_name}

    def __copy__(self) -> Grid:
        return self.frozen()

    def __deepcopy__(self, memo: dict[int, Any]) -> Grid:
        return self.frozen()

    def __reduce__(self) -> tuple[Any, ...]:
        return self.frozen().__reduce__()

    def __setattr__(self, name: str, value: Any) -> None:
        if "_complete" in self.__dict__ and not name.startswith("_"):
            raise AttributeError(f"only the edits of a World change its grid; {name} cannot be set")
        object.__setattr__(self, name, value)

    def _repair_parts(self, cells: npt.NDArray[np.int32], opens: npt.NDArray[np.bool_]) -> None:
        """Keep legal moves and components right, of which all closings come first."""
        rule = DIAGONALS[self.diagonals]
        for are_opened in (False, True):
            part = cells[opens == are_opened]
            repair.change(self._mask, tuple(self._labels_of), self.stride, rule, part, are_opened)

    def _make_room(self, count: int) -> None:
        """Have labels for all parts that so many changes may make."""
        labels = self._labels_of
        wanted = int(labels.numbers["end"][0]) + 3 * count
        if wanted > labels.sizes.size:
            more = max(wanted, 2 * labels.sizes.size) - labels.sizes.size
            self._labels_of = labels._replace(
                sizes=np.concatenate([labels.sizes, np.zeros(more, np.int64)]),
                free=np.concatenate([labels.free, np.zeros(more, np.int32)]),
            )

    def _renew_all(self, cells: npt.NDArray[np.int32], opens: npt.NDArray[np.bool_]) -> None:
        """Make all again, where so much has changed that repairs would take longer."""
        is_open = self._component != 0
        is_open[cells] = opens
        self._mask[:] = moves.legal_moves(is_open, self.stride, DIAGONALS[self.diagonals])
        component, _ = flood.components(is_open, self.mask, self.stride)
        self._component[:] = component
        old, labels = self._labels_of, _labels_of(self._component)
        self._labels_of = labels._replace(marks=old.marks, links=old.links)
        labels.numbers["epoch"], labels.numbers["renamed"] = old.numbers["epoch"], component.size
        if self._jumps is not None:
            new = new_jump_tables(self.component, self.mask, self.stride)
            self._jumps.rows[:], self._jumps.columns[:], self._jumps.cells[:] = new

    def _renew_squares(self, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Keep the squares right; the cells where they have changed."""
        if self._squares is None:
            return cells[:0]
        touched = [cells[:0]]
        ordered = np.sort(cells)[::-1]  # squares follow from cells right of them and below
        found = np.empty(min(cells.size, _AT_ONCE) * MOST_LIVE_SIDE**2, np.int32)
        for first in range(0, cells.size, _AT_ONCE):
            part = ordered[first : first + _AT_ONCE].copy()
            known = self._component, self._squares, self.stride, MOST_LIVE_SIDE
            touched.append(found[: repair_squares.renew_squares(*known, part, found)].copy())
        return np.unique(np.concatenate(touched))


def _labels_of(component: npt.NDArray[np.int32]) -> Labels:
    """What is kept of components labelled 1, 2, 3, ..."""
    count = int(component.max())
    numbers = np.zeros(1, repair.NUMBERS)
    numbers["end"] = count + 1
    sizes = np.bincount(component, minlength=count + 1)
    sizes[0] = 0
    return Labels(
        component=component,
        sizes=sizes,
        free=np.zeros(sizes.size, np.int32),
        marks=np.zeros(component.size, np.int32),  # as the links, only what is searched ever becomes real memory
        links=np.empty(component.size, np.int32),
        parts=np.zeros((repair.PLACES, repair.PART_WORDS), np.int64),
        numbers=numbers,
    )


def _view(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view that nobody can write to: to compiled code the same type as a Grid's own array."""
    view = array.view()
    view.setflags(write=False)
    return view
