"""Letters for pictures, drawn as strokes of a round pen: they need no font, and look alike everywhere."""

import functools

import numpy as np
import numpy.typing as npt

__all__ = ["width_of", "write"]

_CAPITAL, _BELOW = 6.0, 2.0  # units from the top of a capital to the line it stands on, and what hangs below that
_GAP, _SPACE = 1.7, 2.2
_PEN = 0.36  # radius
_SMOOTHINGS = 3

# Strokes of each sign: points x, y with y downwards from the top of a capital; ~ is a curve along its points.
_STROKES = {
    "A": "0,6 2,0 4,6; .7,4 3.3,4",
    "B": "0,3 0,0 ~1,0 3.4,0 3.4,3 1,3; 0,0 1,0; 0,3 1,3; ~1,3 3.9,3 3.9,6 1,6; 0,3 0,6 1,6",
    "C": "~3.9,1.3 3.4,0 0,-.4 0,3 0,6.4 3.4,6 3.9,4.7",
    "D": "1.2,0 0,0 0,6 1.2,6; ~1.2,0 4,0 4,3 4,6 1.2,6",
    "E": "3.4,0 0,0 0,6 3.4,6; 0,3 2.8,3",
    "F": "3.4,0 0,0 0,6; 0,3 2.8,3",
    "G": "~3.9,1.3 3.4,0 0,-.4 0,3 0,6.4 3.4,6 4,4.8; 4,4.8 4,3.2 2.3,3.2",
    "H": "0,0 0,6; 4,0 4,6; 0,3 4,3",
    "I": "0,0 0,6",
    "J": "2.6,0 2.6,4; ~2.6,4 2.6,6 1.3,6 .3,6 0,5",
    "K": "0,0 0,6; 3.7,0 0,3.7; 1.3,2.6 3.9,6",
    "L": "0,0 0,6 3.3,6",
    "M": "0,6 0,0 2.4,4.4 4.8,0 4.8,6",
    "N": "0,6 0,0 4,6 4,0",
    "O": "~2.1,0 0,0 0,3 0,6 2.1,6 4.2,6 4.2,3 4.2,0 2.1,0",
    "P": "0,6 0,0 1.2,0; ~1.2,0 3.8,0 3.8,3.3 1.2,3.3; 0,3.3 1.2,3.3",
    "Q": "~2.1,0 0,0 0,3 0,6 2.1,6 4.2,6 4.2,3 4.2,0 2.1,0; 2.6,4.4 4.3,6.4",
    "R": "0,6 0,0 1.2,0; ~1.2,0 3.8,0 3.8,3.3 1.2,3.3; 0,3.3 1.2,3.3; 2,3.3 3.9,6",
    "S": "~3.6,1.2 3.3,0 .1,-.4 .1,1.6 .1,3 3.8,2.8 3.8,4.5 3.8,6.4 .3,6.2 0,4.7",
    "T": "0,0 4,0; 2,0 2,6",
    "U": "0,0 0,4; ~0,4 0,6 2,6 4,6 4,4; 4,4 4,0",
    "V": "0,0 2,6 4,0",
    "W": "0,0 1.4,6 2.8,1 4.2,6 5.6,0",
    "X": "0,0 4,6; 4,0 0,6",
    "Y": "0,0 2,3 4,0; 2,3 2,6",
    "Z": "0,0 4,0 0,6 4,6",
    "a": "~.3,2.7 .7,2 3,1.7 3,3.5; 3,3.5 3,6; ~3,3.7 0,3.4 0,4.9 0,6.4 2.4,6.4 3,4.8",
    "b": "0,0 0,6; ~0,4 0,2 1.6,2 3.2,2 3.2,4 3.2,6 1.6,6 0,6 0,4",
    "c": "~3,2.9 2.7,2 0,1.6 0,4 0,6.4 2.7,6 3,5.1",
    "d": "3.2,0 3.2,6; ~3.2,4 3.2,2 1.6,2 0,2 0,4 0,6 1.6,6 3.2,6 3.2,4",
    "e": "0,4 3.2,4; ~3.2,4 3.2,2 1.6,2 0,2 0,4 0,6.4 2.8,6.1 3.1,5.1",
    "f": "~2.2,.1 .8,-.3 .8,1.6; .8,1.6 .8,6; 0,2.2 2.1,2.2",
    "g": "3.2,2 3.2,6; ~3.2,6 3.2,8 1.6,8 .6,8 .2,7.3; ~3.2,4 3.2,2 1.6,2 0,2 0,4 0,6 1.6,6 3.2,6 3.2,4",
    "h": "0,0 0,6; ~0,4 0,2 1.6,2 3,2 3,4; 3,4 3,6",
    "i": "0,2.1 0,6; 0,.2 0,.3",
    "j": "1,2.1 1,6.6; ~1,6.6 1,8 0,7.9; 1,.2 1,.3",
    "k": "0,0 0,6; 2.8,2.1 0,4.6; 1,3.7 3,6",
    "l": "0,0 0,5; ~0,5 0,6 .9,6",
    "m": "0,2 0,6; ~0,4 0,2 1.3,2 2.4,2 2.4,4; 2.4,4 2.4,6; ~2.4,4 2.4,2 3.7,2 4.8,2 4.8,4; 4.8,4 4.8,6",
    "n": "0,2 0,6; ~0,4 0,2 1.6,2 3,2 3,4; 3,4 3,6",
    "o": "~1.6,2 0,2 0,4 0,6 1.6,6 3.2,6 3.2,4 3.2,2 1.6,2",
    "p": "0,2 0,8; ~0,4 0,2 1.6,2 3.2,2 3.2,4 3.2,6 1.6,6 0,6 0,4",
    "q": "3.2,2 3.2,8; ~3.2,4 3.2,2 1.6,2 0,2 0,4 0,6 1.6,6 3.2,6 3.2,4",
    "r": "0,2 0,6; ~0,4 0,2.2 1.2,2 2,2.1",
    "s": "~2.7,2.9 2.4,2 .1,1.7 .1,3 .1,4.1 2.9,3.9 2.9,5 2.9,6.4 .2,6.2 0,5.1",
    "t": "~.8,.6 .8,3 .8,4.4 .8,6.2 2.2,6; 0,2.2 2.1,2.2",
    "u": "0,2 0,4; ~0,4 0,6 1.4,6 3,6 3,4; 3,2 3,6",
    "v": "0,2 1.5,6 3,2",
    "w": "0,2 1.1,6 2.2,2.6 3.3,6 4.4,2",
    "x": "0,2 3,6; 3,2 0,6",
    "y": "0,2 1.5,6; 3,2 1.5,6 .8,7.6 0,8",
    "z": "0,2 2.9,2 0,6 3,6",
    "0": "~1.8,0 0,0 0,3 0,6 1.8,6 3.6,6 3.6,3 3.6,0 1.8,0",
    "1": ".5,1.2 2,0 2,6; .6,6 3.4,6",
    "2": "~.1,1.6 .2,0 1.8,0 3.4,0 3.4,1.7 3.4,3.2 1.6,4.4 0,6; 0,6 3.6,6",
    "3": "~.2,1 .6,0 1.8,0 3.3,0 3.3,1.5 3.3,2.9 1.4,2.9; ~1.4,2.9 3.6,2.9 3.6,4.5 3.6,6 1.8,6 .3,6 0,4.9",
    "4": "2.8,6 2.8,0 0,4.2 3.9,4.2",
    "5": "3.2,0 .5,0 .3,2.7; ~.3,2.7 1,2.1 1.8,2.1 3.6,2.1 3.6,4 3.6,6 1.8,6 .4,6 0,5",
    "6": "~3.1,.6 2.5,0 1.9,0 0,0 0,3.4 0,6 1.8,6 3.6,6 3.6,4.2 3.6,2.4 1.8,2.4 0,2.4 0,4.2",
    "7": "0,0 3.6,0 1.2,6",
    "8": "~1.8,0 .2,0 .2,1.4 .2,2.8 1.8,2.8 3.4,2.8 3.4,1.4 3.4,0 1.8,0;"
         "~1.8,2.8 0,2.8 0,4.4 0,6 1.8,6 3.6,6 3.6,4.4 3.6,2.8 1.8,2.8",
    "9": "~.5,5.4 1.1,6 1.7,6 3.6,6 3.6,2.6 3.6,0 1.8,0 0,0 0,1.8 0,3.6 1.8,3.6 3.6,3.6 3.6,1.8",
    ".": ".2,5.8 .2,5.9",
    ",": ".3,5.7 .3,6 0,7",
    ":": ".2,2.6 .2,2.7; .2,5.8 .2,5.9",
    ";": ".3,2.6 .3,2.7; .3,5.7 .3,6 0,7",
    "-": "0,3.8 2,3.8",
    "+": "0,3.4 3.2,3.4; 1.6,1.8 1.6,5",
    "*": "1.2,.2 1.2,2.6; .1,.8 2.3,2; 2.3,.8 .1,2",
    "=": "0,2.6 3.2,2.6; 0,4.4 3.2,4.4",
    ">": ".2,1.6 3,3.4 .2,5.2",
    "<": "3,1.6 .2,3.4 3,5.2",
    "/": "2.4,-.4 0,6.8",
    "(": "~1.2,-.5 0,1 0,3.2 0,5.4 1.2,7",
    ")": "~0,-.5 1.2,1 1.2,3.2 1.2,5.4 0,7",
    "'": ".2,0 .2,1.3",
    "!": ".2,0 .2,4; .2,5.8 .2,5.9",
    "?": "~0,1.3 .2,0 1.6,0 3.2,0 3.2,1.4 3.2,2.8 1.6,2.8 1.6,4.2; 1.6,5.8 1.6,5.9",
    "%": "4.6,0 .6,6; ~1.1,0 0,0 0,1.3 0,2.6 1.1,2.6 2.2,2.6 2.2,1.3 2.2,0 1.1,0;"
         "~4.1,3.4 3,3.4 3,4.7 3,6 4.1,6 5.2,6 5.2,4.7 5.2,3.4 4.1,3.4",
}  # fmt: skip
_UNKNOWN = "0,0 3.4,0 3.4,6 0,6 0,0"

Mask = npt.NDArray[np.float64]


def width_of(text: str, size: int, bold: bool = False) -> int:
    """Pixels that a line takes whose capitals are `size` pixels high, up to its last stroke."""
    return sum(_advance(sign, size, bold) for sign in text) - round(_GAP * size / _CAPITAL)


def write(
    pixels: npt.NDArray[np.uint8],
    text: str,
    x: int,
    y: int,
    size: int,
    colour: tuple[int, int, int],
    bold: bool = False,
) -> int:
    """Write a line into a picture, its capitals `size` pixels high with their upper left corner at x, y.

    Returns where the line ends; what does not fit into the picture is cut off.
    """
    for sign in text:
        margin, ink = _ink(sign, size, bold)
        top, left = max(y - margin, 0), max(x - margin, 0)
        window = pixels[top : y - margin + ink.shape[0], left : x - margin + ink.shape[1]]
        part = ink[top - y + margin :, left - x + margin :][: window.shape[0], : window.shape[1], None]
        window[...] = (window * (1 - part) + np.array(colour) * part).round()
        x += _advance(sign, size, bold)
    return x


def _advance(sign: str, size: int, bold: bool) -> int:
    """Pixels from the beginning of a sign to that of the next."""
    if sign == " ":
        return round(_SPACE * size / _CAPITAL)
    right = max(x for stroke in _strokes(sign) for x, _ in stroke)
    return round((right + _GAP + bold * _PEN) * size / _CAPITAL)


@functools.cache
def _ink(sign: str, size: int, bold: bool) -> tuple[int, Mask]:
    """How much of each pixel of a sign is ink, from 0 to 1, and the pixels left of and above its corner."""
    unit = size / _CAPITAL
    pen = _PEN * (1.5 if bold else 1) * unit
    margin = int(pen + unit) + 1
    height, width = round((_CAPITAL + _BELOW) * unit) + 2 * margin, _advance(sign, size, bold) + 2 * margin
    y, x = np.mgrid[:height, :width] - margin
    distance = np.full((height, width), np.inf)
    for stroke in _strokes(sign) if sign != " " else ():
        for a, b in zip(stroke[:-1] * unit, stroke[1:] * unit, strict=True):
            along = b - a
            part = (((x - a[0]) * along[0] + (y - a[1]) * along[1]) / max(along @ along, 1e-9)).clip(0, 1)
            distance = np.minimum(distance, np.hypot(x - a[0] - part * along[0], y - a[1] - part * along[1]))
    return margin, (pen + 0.5 - distance).clip(0, 1)


@functools.cache
def _strokes(sign: str) -> list[Mask]:
    """The strokes of a sign as points, curves as many short lines."""
    strokes = []
    for text in _STROKES.get(sign, _UNKNOWN).split(";"):
        straight, _, curved = text.strip().partition("~")
        points, curve = _points(straight), _points(curved)
        for _ in range(_SMOOTHINGS if len(curve) else 0):  # cut the corners again and again
            quarter, rest = 0.75 * curve[:-1] + 0.25 * curve[1:], 0.25 * curve[:-1] + 0.75 * curve[1:]
            inner = np.stack([quarter, rest], axis=1).reshape(-1, 2)
            curve = np.concatenate([curve[:1], inner[1:-1], curve[-1:]])
        strokes += [stroke for stroke in (points, curve) if len(stroke)]
    return strokes


def _points(text: str) -> Mask:
    return np.array([point.split(",") for point in text.split()], np.float64).reshape(-1, 2)
