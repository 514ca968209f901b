"""Edits of a map: which cells they name, what they change, and what they say afterwards."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from waypost.errors import MapError, ParameterError, shown
from waypost.system.checks import truth, whole_numbers
from waypost.world.arrays import refuse_masks
from waypost.world.grid import Grid, Points

__all__ = ["Changes", "Edit", "IsOpen", "OpenCells", "changes_of", "merged", "named_cells", "wanted_cells"]


OpenCells = TypeAliasType("OpenCells", npt.ArrayLike)
"""A truth value for each cell of the map, as rows of an array."""
IsOpen = TypeAliasType("IsOpen", bool | npt.NDArray[np.bool_])
"""Whether cells are open: all of them, or each of those that are named."""


class Edit(NamedTuple):
    """What an edit did to a World."""

    version: int
    """Of the World after it."""
    cells: int
    """How many cells were opened or closed by it; those that were so before are not counted."""
    us: float
    """Microseconds by the clock, all repairs included."""


class Changes(NamedTuple):
    """Cells, each once and in rising order, and whether each is then open."""

    cells: npt.NDArray[np.int32]
    opens: npt.NDArray[np.bool_]


def named_cells(grid: Grid, cells: Points | None, rectangle: Any) -> npt.NDArray[np.int32]:
    """The cells of a list of x, y, or of a rectangle (x, y, width, height)."""
    if (cells is None) == (rectangle is None):
        raise ParameterError("name the cells either by a list of (x, y) or by rectangle=(x, y, width, height)")
    if cells is not None:
        return grid.cells(cells, "cells").astype(np.int32)
    sides = whole_numbers(rectangle)
    if sides is None or sides.shape != (4,) or (sides[2:] < 1).any():
        raise ParameterError(f"rectangle must be four whole numbers (x, y, width, height), not {shown(rectangle)}")
    x, y, width, height = map(int, sides)
    first, last = grid.cell((x, y), "the rectangle's corner"), (x + width - 1, y + height - 1)
    grid.cell(last, "the rectangle's last cell")
    rows = first + grid.stride * np.arange(height, dtype=np.int64)
    return (rows[:, None] + np.arange(width)).ravel().astype(np.int32)


def wanted_cells(grid: Grid, cells: Points | None, rectangle: Any, mask: OpenCells | None, is_open: Any) -> Changes:
    """The cells that an edit names, changed or not, and what each is then; of one named twice the last counts."""
    if mask is None:
        if is_open is None:
            raise ParameterError("say whether the cells are open after the edit: open=True, or open=False")
        named = named_cells(grid, cells, rectangle)
        opens = np.full(named.size, truth("open", is_open)) if np.ndim(is_open) == 0 else np.asarray(is_open)
        if opens.shape != named.shape or opens.dtype != np.bool_:
            raise ParameterError(
                f"open must be True, False or one of them for each of the {named.size:,} cells, not {shown(is_open)}"
            )
        return merged([Changes(named, opens)]) if named.size > 1 else Changes(named, opens)
    opened = True if is_open is None else truth("open", is_open)
    if cells is not None or rectangle is not None:
        raise ParameterError("give either mask=array or cells, not both")
    refuse_masks(mask)
    table = np.asarray(mask)
    if table.dtype != np.bool_ or table.shape != (grid.height, grid.width):
        raise MapError(
            f"mask must be a boolean array of {grid.height} rows and {grid.width} columns, as the map is, "
            f"not {table.dtype} of shape {table.shape}"
        )
    if is_open is None:  # the whole map as it is to be
        places = np.arange(grid.cell_count, dtype=np.int64)
        chosen = table.ravel()
    else:
        places = np.flatnonzero(table)
        chosen = np.full(places.size, opened)
    y, x = np.divmod(places, grid.width)
    return Changes(((y + 1) * grid.stride + x + 1).astype(np.int32), chosen)


def merged(wanted: list[Changes]) -> Changes:
    """Edits one after the other as one: of each cell the last one counts."""
    cells = np.concatenate([np.empty(0, np.int32), *(each.cells for each in wanted)])
    opens = np.concatenate([np.empty(0, np.bool_), *(each.opens for each in wanted)])
    order = np.argsort(cells, kind="stable")
    cells, opens = cells[order], opens[order]
    is_last = np.append(cells[1:] != cells[:-1], True)[: cells.size]
    return Changes(cells[is_last], opens[is_last])


def changes_of(grid: Grid, wanted: Changes) -> Changes:
    """Those of the cells that are not so already."""
    differs = (grid.component[wanted.cells] != 0) != wanted.opens
    return Changes(wanted.cells[differs], wanted.opens[differs])
