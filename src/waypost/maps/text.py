"""Maps drawn as text, for tests, examples and documentation."""

import re

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError
from waypost.world.grid import Grid

__all__ = ["grid_from_text", "read_drawing"]

_WALLS = "#@"
_OTHERS = re.compile(r"[^#@._]")


def grid_from_text(drawing: str, *, diagonals: str = "both-open", costs: str = "sqrt2") -> Grid:
    """Build a grid from a drawing: `#` or `@` is a wall; `.`, `_` and any letter are open."""
    is_open, _ = read_drawing(drawing)
    return Grid(is_open, diagonals=diagonals, costs=costs, source="the drawing")


def read_drawing(drawing: str) -> tuple[npt.NDArray[np.bool_], dict[str, tuple[int, int]]]:
    """The open cells of a drawing, and the (x, y) of each letter that marks a place in it."""
    if not isinstance(drawing, str):
        raise MapError(f"a drawing is text, not {type(drawing).__name__}")
    rows = [line.strip() for line in drawing.strip().splitlines()]
    if not rows or not rows[0]:
        raise MapError("the drawing is empty; draw walls as # and open cells as .")
    width = len(rows[0])
    for y, row in enumerate(rows):
        if len(row) != width:
            raise MapError(f"row {y} of the drawing has {len(row)} cells, but row 0 has {width}")
    cells = "".join(rows)
    marks: dict[str, tuple[int, int]] = {}
    for found in _OTHERS.finditer(cells):
        character, (y, x) = found[0], divmod(found.start(), width)
        if not character.isalpha():
            raise MapError(f"the drawing has {character!r} at ({x}, {y}); draw walls as # and open cells as .")
        if character in marks:
            raise MapError(f"the drawing marks {character!r} twice, at {marks[character]} and {(x, y)}")
        marks[character] = x, y
    codes = np.frombuffer(cells.encode("utf-32-le", "surrogatepass"), "<u4").reshape(len(rows), width)
    is_wall = np.logical_or.reduce([codes == ord(wall) for wall in _WALLS])
    return ~is_wall, marks
