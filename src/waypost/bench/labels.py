"""Where labels go in a plot: inside the axes, off points and other labels, on a leader line where it is crowded."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Place", "place_labels"]

Boxes = npt.NDArray[np.float64]
"""Rows of left, bottom, right, top."""

_NEAR = 9.0  # from a point to the edge of a label that needs no leader
_RINGS = (_NEAR, 16.0, 24.0, 34.0, 46.0, 60.0, 80.0, 105.0, 135.0)
_TURNS = (0, 8, 4, 12, 2, 14, 6, 10, 1, 15, 7, 9, 3, 5, 11, 13)  # sixteenths of a circle, the best places first
_POINT = 5.5  # half the width of a marker
_STEP = 4.0  # between the places of a leader that must be free
_ON_LABEL, _ON_LEADER, _ON_POINT = 1000.0, 50.0, 8.0


class Place(NamedTuple):
    """Of a label: where its centre is, seen from its point, and whether a leader joins them."""

    dx: float
    dy: float
    leader: bool


def place_labels(points: Boxes, sizes: Sequence[tuple[float, float]], within: Sequence[float]) -> list[Place | None]:
    """A place for the label of each point, all in one unit (of 1/72 inch), None for a label of no size.

    Of all places that lie wholly inside `within` (left, bottom, right, top), the one that covers least: no other label
    or point if there is any such place, and then the nearest one.
    """
    markers = np.hstack([points - _POINT, points + _POINT])
    labels, leaders = np.empty((0, 4)), np.empty((0, 4))
    places: list[Place | None] = []
    for i, (point, size) in enumerate(zip(points, sizes, strict=True)):
        others = np.delete(markers, i, axis=0)
        best, least = None, math.inf
        for ring, gap in enumerate(_RINGS if size[0] else ()):
            if least <= ring:  # all that is farther out costs more
                break
            for rank, turn in enumerate(_TURNS):
                offset = _offset(gap, turn, size)
                box = _box(point + offset, size)
                if box[0] < within[0] or box[1] < within[1] or box[2] > within[2] or box[3] > within[3]:
                    continue
                line = _leader(point, offset, size) if ring else np.empty((0, 4))
                cost = ring + rank / len(_TURNS)
                cost += _ON_LABEL * (_hits(box, labels) + _hits(box, others))
                cost += _ON_LEADER * (_hits(box, leaders) + sum(_hits(dot, labels) for dot in line))
                cost += _ON_POINT * sum(_hits(dot, others) for dot in line)
                if cost < least:
                    best, least, found = Place(*offset, ring > 0), cost, (box, line)
        places.append(best)
        if best:
            labels, leaders = np.vstack([labels, found[0]]), np.vstack([leaders, found[1]])
    return places


def _offset(gap: float, turn: int, size: tuple[float, float]) -> tuple[float, float]:
    """Of a label's centre, so that the label begins `gap` away from the point in this direction."""
    x, y = math.cos(turn * math.pi / 8), math.sin(turn * math.pi / 8)
    return round(x * gap + _side(x) * size[0] / 2, 3), round(y * gap + _side(y) * size[1] / 2, 3)


def _side(along: float) -> float:
    return 0.0 if abs(along) < 0.1 else math.copysign(1.0, along)


def _box(centre: Boxes, size: tuple[float, float]) -> Boxes:
    half = np.array(size) / 2
    return np.concatenate([centre - half, centre + half])


def _leader(point: Boxes, offset: tuple[float, float], size: tuple[float, float]) -> Boxes:
    """Dots along the line from the edge of a point to the edge of its label."""
    length = math.hypot(*offset)
    inside = min((half / abs(part) for half, part in zip((size[0] / 2, size[1] / 2), offset, strict=True) if part))
    along = np.arange(_POINT / length, 1 - inside, _STEP / length)[:, None]
    dots = point + along * np.array(offset)
    return np.hstack([dots - 0.5, dots + 0.5])


def _hits(box: Boxes, others: Boxes) -> int:
    return int(((others[:, :2] < box[2:]) & (others[:, 2:] > box[:2])).all(axis=1).sum())
