"""Rivers that wind from one edge of the map to the opposite one, with bridges and fords."""

import math

import numpy as np
import numpy.typing as npt

from waypost.maps.generate.kernels import stamps
from waypost.maps.generate.parameters import Open

Numbers = npt.NDArray[np.int64]

_TURN = 256  # directions round the compass
_ONE = 1 << 10  # a cell, in the fixed-point numbers of places on the river
_COMPASS = np.array(
    [[round(_ONE * math.cos(2 * math.pi * i / _TURN)), round(_ONE * math.sin(2 * math.pi * i / _TURN))]
     for i in range(_TURN)]
)  # fmt: skip
_SWING = 60  # a river turns at most so far from its main direction: less than a quarter, so that it gets on
_BEND = 22  # cells from one bend to the next
_THINNEST, _THICKEST = 1, 3  # radius
_BANK = 3
_BRIDGE, _FORD = 1, 2  # half the width, in cells


def dig_river(random: np.random.Generator, is_open: Open, crossing_every: int) -> None:
    """Fill a river's bed, and open a bridge or a ford at about every given number of cells of its way."""
    height, width = is_open.shape
    points, heading = _course(random, width, height)
    radius = (_wander(random, len(points), 3 * _BEND, _THINNEST * 64, _THICKEST * 64 + 63) >> 6).clip(_THINNEST)
    stamps.fill_discs(is_open, np.column_stack((points, radius)), False)
    first = int(random.integers(crossing_every // 4, crossing_every))
    places = np.arange(first, len(points), crossing_every)
    places = (places + random.integers(-(crossing_every // 5), crossing_every // 5 + 1, len(places))).clip(
        0, len(points) - 1
    )
    is_ford = random.random(len(places)) < 0.4
    _open_crossings(is_open, points[places], heading[places], radius[places], np.where(is_ford, _FORD, _BRIDGE))


def _course(random: np.random.Generator, width: int, height: int) -> tuple[Numbers, Numbers]:
    """The places a river runs through, cell by cell, and its direction there."""
    flows_down = bool(random.integers(2))
    length, breadth = (height, width) if flows_down else (width, height)
    steps = 6 * length + 2 * _BEND
    swing = _wander(random, steps, _BEND, -_SWING, _SWING) + _wander(random, steps, _BEND // 4, -6, 6)
    heading = (swing + (_TURN // 4 if flows_down else 0)) % _TURN
    start = np.array((0, int(random.integers(breadth // 5, breadth - breadth // 5))))
    if flows_down:
        start = start[::-1]
    points = (np.cumsum(_COMPASS[heading], axis=0) // _ONE) + start
    inside = (points >= -_BANK).all(axis=1) & (points < np.array((width, height)) + _BANK).all(axis=1)
    end = len(points) if inside.all() else int(inside.argmin())
    return points[:end], heading[:end]


def _wander(random: np.random.Generator, count: int, spacing: int, lowest: int, highest: int) -> Numbers:
    """Numbers that wander smoothly in a range: straight lines between random ones this far apart."""
    corners = random.integers(lowest, highest + 1, count // spacing + 2)
    corner, part = np.divmod(np.arange(count), spacing)
    return (corners[corner] * (spacing - part) + corners[corner + 1] * part) // spacing


def _open_crossings(is_open: Open, points: Numbers, heading: Numbers, radius: Numbers, half: Numbers) -> None:
    """Open strips at right angles to the river, with clear ground at both ends; `half` is about half their width."""
    across = _COMPASS[(heading + _TURN // 4) % _TURN]
    reach = radius + _BANK
    way = np.arange(-_THICKEST - _BANK, _THICKEST + _BANK + 1)
    along = way.clip(-reach[:, None], reach[:, None])  # strips over thin water stop at their ends
    centres = points[:, None, :] + across[:, None, :] * along[:, :, None] // _ONE
    size = np.where(np.abs(along) == reach[:, None], _FORD, half[:, None])
    discs = np.concatenate((centres, size[:, :, None]), axis=2).reshape(-1, 3)
    stamps.fill_discs(is_open, discs, True)
