"""Frame: where a map lies in the world, so that places can be given in metres."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from waypost.errors import MapError, ParameterError, shown
from waypost.system.checks import are_numbers, whole_number
from waypost.world.points import Points

__all__ = ["Frame", "finite_number", "metres_per_cell", "origin_of"]

_MOST_TIMES = 1 << 31  # no map has more cells in a row


@dataclass(frozen=True)
class Frame:
    """Where a map lies in the world: converts between metres and cells.

    A cell is a square of `resolution` metres. The origin is the lower left corner of the map, turned counterclockwise
    by `yaw` radians; cells count from the upper left, so the map's size is part of the frame.
    """

    resolution: float
    origin_x: float
    origin_y: float
    yaw: float
    width: int
    height: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolution", metres_per_cell(self.resolution))
        for name in ("origin_x", "origin_y", "yaw"):
            object.__setattr__(self, name, finite_number(getattr(self, name), name))
        for name in ("width", "height"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), lowest=1))

    def to_cell(self, places: Points, what: str = "places") -> npt.NDArray[np.int32]:
        """The x, y of the cell that holds a place in metres, or of each row of an (n, 2) array of places."""
        metres = _pairs(places, what)
        with np.errstate(over="ignore", invalid="ignore"):  # what is too far away for numbers is off the map, too
            dx, dy = metres[..., 0] - self.origin_x, metres[..., 1] - self.origin_y
            right = (math.cos(self.yaw) * dx + math.sin(self.yaw) * dy) / self.resolution
            up = (math.cos(self.yaw) * dy - math.sin(self.yaw) * dx) / self.resolution
        cells = np.stack((np.floor(right), self.height - 1 - np.floor(up)), axis=-1)
        self._refuse_outside(cells, metres, "m", what)
        return cells.astype(np.int32)

    def to_metres(self, cells: Points, what: str = "cells") -> npt.NDArray[np.float64]:
        """The place in metres of the centre of cell x, y, or of each row of an (n, 2) array of cells."""
        points = _pairs(cells, what)
        self._refuse_outside(points, points, "cells", what)
        return self._placed(points)

    def poses(self, path: Points) -> npt.NDArray[np.float64]:
        """Where a robot is on a path of cells, and how it looks: rows of x and y in metres and a heading in radians.

        A heading is counterclockwise from the world's x axis, from -pi to pi, and leads to the next point; at the end
        it stays. On a path that goes nowhere it is along the rows of the map.
        """
        points = np.atleast_2d(_pairs(path, "path"))
        steps = np.diff(points, axis=0)
        headings = np.full(len(points), self.yaw)
        ahead = np.flatnonzero(steps.any(axis=1))
        if ahead.size:
            turns = np.arctan2(-steps[ahead, 1], steps[ahead, 0])
            latest = np.searchsorted(ahead, np.arange(len(points)), side="right") - 1
            headings += turns[latest.clip(min=0)]
        headings = (headings + math.pi) % math.tau - math.pi
        return np.column_stack((self.to_metres(points, "path"), headings))

    def cropped(self, x: int, y: int, width: int, height: int) -> "Frame":
        """The frame of the part of the map whose upper left cell is (x, y)."""
        corner_x, corner_y = self._placed(np.array((x - 0.5, y + height - 0.5))).tolist()
        return Frame(self.resolution, corner_x, corner_y, self.yaw, width, height)

    def enlarged(self, factor: int) -> "Frame":
        """The frame of the map when each of its cells has become factor x factor cells."""
        factor = whole_number("the factor by which a map is enlarged", factor, lowest=1, highest=_MOST_TIMES)
        return replace(
            self, resolution=self.resolution / factor, width=self.width * factor, height=self.height * factor
        )

    def of_units(self, size: int) -> "Frame":
        """The frame of units of size x size cells: their place is their upper left cell, and in metres their centre."""
        half = (size - 1) / 2
        corner_x, corner_y = self._placed(np.array((half - 0.5, self.height + half - 0.5))).tolist()
        return replace(self, origin_x=corner_x, origin_y=corner_y)

    def _placed(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The metres of points in cells, wherever they are."""
        right, up = (points[..., 0] + 0.5) * self.resolution, (self.height - points[..., 1] - 0.5) * self.resolution
        x = self.origin_x + math.cos(self.yaw) * right - math.sin(self.yaw) * up
        y = self.origin_y + math.sin(self.yaw) * right + math.cos(self.yaw) * up
        return np.stack((x, y), axis=-1)

    def _refuse_outside(
        self, cells: npt.NDArray[np.float64], given: npt.NDArray[np.float64], unit: str, what: str
    ) -> None:
        """Refuse the first of some points that is off the map."""
        rows = np.atleast_2d(cells)
        inside = ((rows >= 0) & (rows <= (self.width - 1, self.height - 1))).all(axis=1)
        if inside.all():
            return
        first = int(np.argmin(inside))
        x, y = np.atleast_2d(given)[first].tolist()
        name = what if cells.ndim == 1 else f"{what}[{first}]"
        corner = f"whose lower left corner lies at ({self.origin_x:g}, {self.origin_y:g}) m"
        raise MapError(
            f"{name} ({x:g}, {y:g}) {unit} is off the map of {self.width} x {self.height} cells of "
            f"{self.resolution:g} m{f', {corner}' if unit == 'm' else ''}"
        )


def _pairs(points: Any, what: str) -> npt.NDArray[np.float64]:
    """A pair of finite numbers, or an (n, 2) array of them."""
    try:
        pairs = np.asarray(points) if are_numbers(points) else None
    except (ValueError, TypeError):
        pairs = None
    if pairs is not None and pairs.size == 0:
        return np.empty((0, 2))
    good = pairs is not None and pairs.dtype.kind in "iuf" and pairs.ndim in (1, 2) and pairs.shape[-1] == 2
    if pairs is None or not good or not np.isfinite(pairs).all():
        raise ParameterError(f"{what} must be two finite numbers x, y or an (n, 2) array of them, not {shown(points)}")
    return pairs.astype(np.float64)


def finite_number(value: object, name: str) -> float:
    """A number that is neither infinite nor NaN; of a file it may be text."""
    try:
        # Text too: YAML takes 5e-2, unlike 5.0e-2, for a word.
        good = isinstance(value, (int, float, str, np.number)) and not isinstance(value, bool)
        number = float(value) if good else math.nan  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ParameterError(f"{name} must be a finite number, not {shown(value)}")
    return number


def metres_per_cell(value: object) -> float:
    """A resolution that makes sense."""
    metres = finite_number(value, "resolution")
    if metres <= 0:
        raise ParameterError(f"resolution must be more than 0 metres per cell, not {shown(value)}")
    return metres


def origin_of(value: object) -> tuple[float, float, float]:
    """The three numbers of an origin."""
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ParameterError(f"origin must be three numbers [x, y, yaw], not {shown(value)}")
    x, y, yaw = (finite_number(part, "origin") for part in value)
    return x, y, yaw
