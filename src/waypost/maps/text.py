"""Maps drawn as text, for tests, examples and documentation."""

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError
from waypost.grid import Grid

__all__ = ["grid_from_text", "read_drawing"]

_WALLS = "#@"
_OPEN = "._"


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
    is_open = np.zeros((len(rows), width), np.bool_)
    marks: dict[str, tuple[int, int]] = {}
    for y, row in enumerate(rows):
        if len(row) != width:
            raise MapError(f"row {y} of the drawing has {len(row)} cells, but row 0 has {width}")
        for x, character in enumerate(row):
            if character.isalpha():
                if character in marks:
                    raise MapError(f"the drawing marks {character!r} twice, at {marks[character]} and {(x, y)}")
                marks[character] = x, y
            elif character not in _WALLS + _OPEN:
                raise MapError(f"the drawing has {character!r} at ({x}, {y}); draw walls as # and open cells as .")
            is_open[y, x] = character not in _WALLS
    return is_open, marks
