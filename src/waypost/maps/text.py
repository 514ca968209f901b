"""Maps drawn as text, for tests, examples and documentation."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError
from waypost.world.grid import DiagonalCost, DiagonalRule, Grid

__all__ = ["grid_from_text", "read_drawing"]

_WALLS = "#@"
CHARACTERS_AT_ONCE = 1 << 16
_OTHERS = re.compile(r"[^#@._]")


def grid_from_text(drawing: str, *, diagonals: DiagonalRule = "both-open", costs: DiagonalCost = "sqrt2") -> Grid:
    """Build a grid from a drawing: `#` or `@` is a wall; `.`, `_` and any letter are open."""
    is_open, _ = read_drawing(drawing)
    return Grid(is_open, diagonals=diagonals, costs=costs, source="the drawing")


def read_drawing(drawing: str) -> tuple[npt.NDArray[np.bool_], dict[str, tuple[int, int]]]:
    """The open cells of a drawing, and the (x, y) of each letter that marks a place in it."""
    if not isinstance(drawing, str):
        raise MapError(f"a drawing is text, not {type(drawing).__name__}")
    text = drawing.strip()
    if not text:
        raise MapError("the drawing is empty; draw walls as # and open cells as .")
    pieces: list[npt.NDArray[np.bool_]] = []
    marks: dict[str, tuple[int, int]] = {}
    width = height = 0
    for rows in _some_rows(text):
        width = width or len(rows[0])
        if set(map(len, rows)) != {width}:
            y, length = next((y, len(row)) for y, row in enumerate(rows, start=height) if len(row) != width)
            raise MapError(f"row {y} of the drawing has {length} cells, but row 0 has {width}")
        cells = "".join(rows)
        _find_marks(cells, width, height, marks)
        codes = np.frombuffer(cells.encode("utf-32-le", "surrogatepass"), "<u4").reshape(len(rows), width)
        pieces.append(np.logical_and.reduce([codes != ord(wall) for wall in _WALLS]))
        height += len(rows)
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces), marks


def _some_rows(text: str) -> Iterator[list[str]]:
    """The rows of a drawing, some at a time: each is an object of many times its size if it is short."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + CHARACTERS_AT_ONCE) + 1 or len(text)
        yield [line.strip() for line in text[at:end].splitlines()]
        at = end


def _find_marks(cells: str, width: int, above: int, marks: dict[str, tuple[int, int]]) -> None:
    """Add the places of letters among the cells of some rows; so many rows are above them."""
    for found in _OTHERS.finditer(cells):
        character, (y, x) = found[0], divmod(found.start(), width)
        place = x, y + above
        if not character.isalpha():
            raise MapError(f"the drawing has {character!r} at {place}; draw walls as # and open cells as .")
        if character in marks:
            raise MapError(f"the drawing marks {character!r} twice, at {marks[character]} and {place}")
        marks[character] = place
