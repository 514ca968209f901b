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
_ON_LABEL, _ON_LEADER, _ON_POINT = 1000.0, 50.0, 1.5  # what it costs to cover these, in rings farther out


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
        offsets = np.array([_offset(gap, turn, size) for gap in _RINGS for turn in _TURNS])
        boxes = np.hstack([point + offsets - np.array(size) / 2, point + offsets + np.array(size) / 2])
        inside = (boxes >= [*within[:2], -np.inf, -np.inf]) & (boxes <= [np.inf, np.inf, *within[2:]])
        costs = np.arange(len(boxes)) / len(_TURNS)  # farther out is worse
        costs += _ON_LABEL * (_hits(boxes, labels) + _hits(boxes, others)) + _ON_LEADER * _hits(boxes, leaders)
        costs[~inside.all(axis=1)] = np.inf
        best, least, found = None, math.inf, np.empty((0, 4))
        for choice in np.argsort(costs, kind="stable") if size[0] else ():
            if costs[choice] >= least:  # even with a leader that crosses nothing
                break
            far = bool(choice >= len(_TURNS))
            line = _leader(point, offsets[choice], size) if far else np.empty((0, 4))
            cost = costs[choice] + _ON_LEADER * _hits(line, labels).sum() + _ON_POINT * _hits(line, others).sum()
            if cost < least:
                dx, dy = offsets[choice].tolist()
                best, least, found = Place(dx, dy, far), cost, line
                box = boxes[choice]
        places.append(best)
        if best:
            labels, leaders = np.vstack([labels, box]), np.vstack([leaders, found])
    return places


def _offset(gap: float, turn: int, size: tuple[float, float]) -> tuple[float, float]:
    """Of a label's centre, so that the label begins `gap` away from the point in this direction."""
    x, y = math.cos(turn * math.pi / 8), math.sin(turn * math.pi / 8)
    return round(x * gap + _side(x) * size[0] / 2, 3), round(y * gap + _side(y) * size[1] / 2, 3)


def _side(along: float) -> float:
    return 0.0 if abs(along) < 0.1 else math.copysign(1.0, along)


def _leader(point: Boxes, offset: Boxes, size: tuple[float, float]) -> Boxes:
    """Dots along the line from the edge of a point to the edge of its label."""
    length = math.hypot(*offset)
    inside = min((half / abs(part) for half, part in zip((size[0] / 2, size[1] / 2), offset, strict=True) if part))
    along = np.arange(_POINT / length, 1 - inside, _STEP / length)[:, None]
    dots = point + along * offset
    return np.hstack([dots - 0.5, dots + 0.5])


def _hits(boxes: Boxes, others: Boxes) -> npt.NDArray[np.int64]:
    """How many of the others each box overlaps."""
    overlap = (boxes[:, None, :2] < others[:, 2:]) & (boxes[:, None, 2:] > others[:, :2])
    return overlap.all(axis=2).sum(axis=1)
