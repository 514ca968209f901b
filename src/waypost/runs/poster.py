"""Posters: pictures side by side below a title, each with what it shows written above it, and the key to all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from waypost.runs import lettering
from waypost.runs.picture import Pixels

__all__ = ["Panel", "poster"]

Colour = tuple[int, int, int]

INK, QUIET = (24, 30, 40), (88, 98, 112)
_MARGIN, _GAP = 28, 22
_TITLE, _HEAD, _LINE = 27, 18, 15  # heights of capitals
_LEADING = 1.75  # of lines, in capitals
_SWATCH = 26


class Panel(NamedTuple):
    """A picture, and what stands above it."""

    name: str
    figure: str
    """What counts most of it, on the right of the name."""
    about: str
    pixels: Pixels


def poster(
    title: str, about: str, panels: Sequence[Panel], key: Sequence[tuple[Colour, str]], columns: int = 3
) -> Pixels:
    """Panels of equal size in rows, below a title and a line about all of them; at the foot what each colour means."""
    height, width, _ = panels[0].pixels.shape
    column_width = max(width, *(_width(panel.name) + _GAP + _width(panel.figure) for panel in panels))
    head = _step(_HEAD) + _step(_LINE)
    top = _MARGIN + _step(_TITLE) + _step(_LINE) + _GAP // 2
    foot = top + -(-len(panels) // columns) * (head + height + _GAP)
    across = max(columns * (column_width + _GAP) - _GAP, lettering.width_of(title, _TITLE, bold=True))
    whole = np.full((foot + _LINE + _MARGIN, 2 * _MARGIN + across, 3), 255, np.uint8)
    lettering.write(whole, title, _MARGIN, _MARGIN, _TITLE, INK, bold=True)
    lettering.write(whole, about, _MARGIN, _MARGIN + _step(_TITLE), _LINE, QUIET)
    for i, panel in enumerate(panels):
        row, column = divmod(i, columns)
        x, y = _MARGIN + column * (column_width + _GAP), top + row * (head + height + _GAP)
        lettering.write(whole, panel.name, x, y, _HEAD, INK, bold=True)
        lettering.write(whole, panel.figure, x + column_width - _width(panel.figure), y, _HEAD, INK, bold=True)
        lettering.write(whole, panel.about, x, y + _step(_HEAD), _LINE, INK)
        whole[y + head : y + head + height, x : x + width] = panel.pixels
    x = _MARGIN
    for colour, meaning in key:
        whole[foot : foot + _LINE, x : x + _SWATCH] = colour
        x = lettering.write(whole, meaning, x + _SWATCH + _GAP // 2, foot, _LINE, QUIET) + 2 * _GAP
    return whole


def _width(text: str) -> int:
    """Of words above a picture."""
    return lettering.width_of(text, _HEAD, bold=True)


def _step(size: int) -> int:
    """From one line to the next."""
    return round(_LEADING * size)
