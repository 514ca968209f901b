"""Grid: an immutable map with its move rule, costs, components and fingerprint."""

import functools
import hashlib
import operator
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeAliasType

from waypost.errors import MapError, ParameterError, shown
from waypost.kernels import bodies, climb, flood, moves, sight
from waypost.system.checks import are_numbers, whole_number, whole_numbers, whole_pair
from waypost.world import pieces
from waypost.world.arrays import open_where, refuse_masks
from waypost.world.frame import Frame
from waypost.world.jump_tables import JumpTables, new_jump_tables
from waypost.world.points import IntArray, Point, Points
from waypost.world.sizes import MOST_SIDE, reach_of_disc
from waypost.world.waypoints import Paths, Waypoints

__all__ = [
    "COSTS", "DIAGONALS", "Costs", "DiagonalCost", "DiagonalRule", "Grid", "IntArray", "Point", "Points",
    "grid_from_array",
]  # fmt: skip

T = TypeVar("T", bound=str)

DiagonalRule = TypeAliasType("DiagonalRule", Literal["both-open", "one-open", "always", "never"])
"""When a diagonal move is legal: if both straight neighbours beside it are open, one of them, always, or never."""

DIAGONALS: dict[DiagonalRule, int] = {
    "both-open": moves.BOTH_OPEN,
    "one-open": moves.ONE_OPEN,
    "always": moves.ALWAYS,
    "never": moves.NEVER,
}
"""Its code."""


class Costs(NamedTuple):
    """Costs of a straight and a diagonal move, and the shift from a cost to its bucket (decisions 0002 and 0004)."""

    straight: int
    diagonal: int
    shift: int


DiagonalCost = TypeAliasType("DiagonalCost", Literal["sqrt2", "1.4"])
"""What a diagonal move costs, where a straight one costs 1."""

COSTS: dict[DiagonalCost, Costs] = {"sqrt2": Costs(5741, 8119, 11), "1.4": Costs(5, 7, 0)}
"""The diagonal costs by name: 8119/5741 is a convergent of sqrt 2, so comparisons of path costs are exact."""

# Without diagonals every move costs 1; a diagonal "cost" of 2 turns the octile distance into the Manhattan one.
_FOUR_CONNECTED = Costs(1, 2, 0)

_MOST_CELLS = 2**31 - 1  # a cell is an int32


class Grid:
    """An immutable map. `cell` is a flat index into the padded arrays; x and y are for the edges of the program."""

    def __init__(
        self,
        is_open: npt.NDArray[np.bool_],
        *,
        diagonals: DiagonalRule = "both-open",
        costs: DiagonalCost = "sqrt2",
        source: str = "the map",
        frame: Frame | None = None,
    ) -> None:
        """Take a (height, width) boolean array that is True where the map is open; `source` names it in errors.

        The frame, where there is one, says where the map lies in the world. It decides no path.
        """
        refuse_masks(is_open)
        is_open = np.asarray(is_open)
        if is_open.ndim != 2 or is_open.dtype != np.bool_:
            raise MapError(
                f"{source} must be a two-dimensional boolean array, not {is_open.ndim}-dimensional {is_open.dtype}; "
                "grid_from_array takes other arrays"
            )
        height, width = is_open.shape
        check_size(width, height, source)
        if not is_open.any():
            raise MapError(f"{source} has no open cell: all {width} x {height} cells are walls")
        self.width, self.height, self.stride = width, height, width + 2
        self.frame = _fitting(frame, width, height)
        self.diagonals = _choice("diagonals", diagonals, DIAGONALS)
        self.costs_name = _choice("costs", costs, COSTS)
        self.costs = _FOUR_CONNECTED if diagonals == "never" else COSTS[costs]
        padded = np.pad(is_open, 1).ravel()
        self.mask: npt.NDArray[np.uint8] = _read_only(moves.legal_moves(padded, self.stride, DIAGONALS[diagonals]))
        labels, self.component_count = flood.components(padded, self.mask, self.stride)
        self.component: npt.NDArray[np.int32] = _read_only(labels)
        self._labels = self.component.data  # of which Python reads one in a third of the time
        self._complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        if "_complete" in self.__dict__:
            raise AttributeError(f"a Grid never changes; make a new one instead of setting {name}")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return (
            f"Grid({self.width}x{self.height}, {self.open_count:,} open, {self.component_count:,} components, "
            f"diagonals={self.diagonals!r}, costs={self.costs_name!r})"
        )

    def __copy__(self) -> "Grid":
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> "Grid":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        cells = b"".join(np.packbits(band).tobytes() for band in self.open_bands())
        return _unpacked, (self.width, self.height, cells, self.diagonals, self.costs_name, self.frame)

    def with_open(self, is_open: npt.NDArray[np.bool_], source: str, frame: Frame | None = None) -> "Grid":
        """A grid of other open cells and perhaps of another size, under the same rules."""
        return Grid(is_open, diagonals=self.diagonals, costs=self.costs_name, source=source, frame=frame)

    @property
    def cell_count(self) -> int:
        """All cells of the map, walls included, padding not."""
        return self.width * self.height

    @functools.cached_property
    def open_count(self) -> int:
        """How many cells are open."""
        return int(np.count_nonzero(self.component))

    @property
    def is_open(self) -> npt.NDArray[np.bool_]:
        """A (height, width) array, True where the map is open."""
        return self._on_map(self.component != 0)

    def open_bands(self) -> Iterator[npt.NDArray[np.bool_]]:
        """The rows of `is_open` some at a time, for large maps; all but the last are a multiple of eight rows."""
        return pieces.open_bands(self._on_map(self.component))

    def cells_of(self, is_chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        """The cells of components that are chosen by their labels, in the order of the map: four bytes for each."""
        return pieces.cells_of(self.component, is_chosen, int(self.component_sizes[is_chosen].sum()))

    @functools.cached_property
    def component_sizes(self) -> npt.NDArray[np.int64]:
        """Open cells in each component, by label; entry 0 (walls) is 0."""
        return _read_only(pieces.sizes_of(self.component, self.component_count))

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of everything that decides paths: size, open cells, move rule and costs."""
        digest = hashlib.blake2b(digest_size=16)
        straight, diagonal, _ = self.costs
        digest.update(f"{self.width} {self.height} {self.diagonals} {straight} {diagonal}".encode())
        for band in self.open_bands():  # of whole bytes, so that the hash is that of all bits in a row
            digest.update(np.packbits(band).tobytes())
        return digest.hexdigest()

    @functools.cached_property
    def clearance(self) -> npt.NDArray[np.uint8]:
        """Per (row, column) the side of the largest open square whose upper left cell it is, at most 255."""
        return _read_only(self._on_map(bodies.clearance(self.component, self.stride)))

    def for_size(self, size: int) -> "Grid":
        """The grid of units of size x size cells: open where such a square is. Their place is their upper left cell.

        In metres, where the grid has a frame, their place is their centre.
        """
        size = whole_number("size", size, lowest=1, highest=MOST_SIDE)
        frame = self.frame and self.frame.of_units(size)
        source = f"the map for units of {size} x {size} cells"
        return self if size == 1 else self.with_open(self.clearance >= size, source, frame)

    def inflate(self, radius: float) -> "Grid":
        """The grid of a round robot, whose radius is in metres where the grid has a frame, else in cells.

        Open are the cells round whose centre a disc of this radius overlaps no wall. What lies off the map is wall.
        """
        reach = reach_of_disc(radius, self.frame, most=max(self.height, self.width))
        is_clear = self._on_map(bodies.clear_of_discs(self.component, self.stride, reach))
        return self.with_open(is_clear, f"the map for a robot of radius {radius:g}", self.frame)

    def sees(self, start: Point, end: Point) -> bool:
        """Whether the line between the centres of two open cells is legal: each of its steps from cell to cell is.

        Where it crosses an edge that is a straight move, where it passes through a corner a diagonal one.
        """
        ends = self.open_cell(start, "start"), self.open_cell(end, "end")
        return bool(sight.line_is_legal(self.mask, self.stride, *ends))

    def smooth(self, path: Points) -> Waypoints:
        """A path of x, y shortened: a point is left out while the one before it sees the one behind (`sees`).

        Returns the waypoints and the length of the lines between them. For many paths: `batch.paths.smooth()`.
        """
        cells = self.open_cells(path, "path").astype(np.int32)
        smooth = Paths(self, cells, np.array((0, cells.size))).smooth()
        return Waypoints(smooth.path(0), float(smooth.lengths[0]))

    @functools.cached_property
    def jump_tables(self) -> JumpTables:
        """For jump point search."""
        rows, columns, cells = new_jump_tables(self.component, self.mask, self.stride)
        return JumpTables(_read_only(rows), _read_only(columns), _read_only(cells))

    @property
    def climb_table(self) -> npt.NDArray[np.uint8]:
        """For hill-climbing: the step of every kind of vector to a target and every set of legal moves."""
        return _climb_table(*self.costs[:2])

    def _on_map(self, padded: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What a flat array holds of the map itself, as a (height, width) one."""
        return padded.reshape(-1, self.stride)[1:-1, 1:-1]

    def cell(self, point: Point, what: str = "point") -> int:
        """The flat index of an (x, y) inside the map."""
        pair = whole_pair(point)
        if pair is None:
            raise MapError(f"{what} must be two whole numbers (x, y), not {shown(point)}")
        x, y = pair
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise MapError(f"{what} {shown((x, y))} is outside the map of {self.width} x {self.height} cells")
        return (y + 1) * self.stride + x + 1

    def open_cell(self, point: Point, what: str = "point") -> int:
        """The flat index of an (x, y) that is open."""
        cell = self.cell(point, what)
        if self._labels[cell] == 0:
            x, y = self.xy(cell)
            raise MapError(f"{what} ({x}, {y}) is on a wall; choose an open cell")
        return cell

    def checked_cell(self, cell: int) -> int:
        """An open cell as a plain int, whatever kind of integer it was.

        Kernels run without bounds checks and are compiled by type.
        """
        try:
            index = operator.index(cell) if type(cell) is int or are_numbers(cell) else -1
        except TypeError:
            index = -1
        if not 0 <= index < len(self._labels) or self._labels[index] == 0:
            raise MapError(f"cell {shown(cell)} is not an open cell of this map")
        return index

    def open_cells(self, points: Points, what: str = "points") -> npt.NDArray[np.int64]:
        """The flat indices of an (n, 2) array of x, y, all of them open."""
        cells = self.cells(points, what)
        usable = self.component[cells] != 0
        if not usable.all():
            first = int(np.argmin(usable))
            self.open_cell(self.xy(int(cells[first])), f"{what}[{first}]")
        return cells

    def cells(self, points: Points, what: str = "points") -> npt.NDArray[np.int64]:
        """The flat indices of an (n, 2) array of x, y, open or not."""
        places = whole_numbers(points)
        if places is None or (places.shape != (0,) and (places.ndim != 2 or places.shape[1] != 2)):
            raise _no_points(what, points)
        if places.size == 0:
            return np.empty(0, np.int64)
        cells = np.empty(len(places), np.int64)
        outside = moves.cells_of(np.ascontiguousarray(places, np.int64), self.width, self.height, self.stride, cells)
        if outside >= 0:
            self.cell(places[outside], f"{what}[{outside}]")
        return cells

    def xy(self, cell: int) -> tuple[int, int]:
        """The (x, y) of a cell."""
        y, x = divmod(int(cell), self.stride)
        return x - 1, y - 1

    def xys(self, cells: npt.NDArray[Any]) -> IntArray:
        """The (n, 2) array of x, y of many cells."""
        if not (isinstance(cells, np.ndarray) and cells.dtype == np.int32 and cells.flags.carray):
            cells = np.array(cells, np.int32)
        points = np.empty((len(cells), 2), np.int32)
        moves.points_of(cells, self.stride, points)
        return points

    def connected(self, a: int, b: int) -> bool:
        """Whether a path joins two open cells; constant time."""
        return bool(self._labels[a] == self._labels[b] != 0)

    def nearest_connected(self, start: int, target: int) -> int:
        """The cell reachable from start of least octile distance to the target, ties to the upper, then the left."""
        return int(flood.nearest(self.component, int(self.component[start]), target, self.stride, *self.costs[:2]))

    def octile(self, a: int, b: int) -> int:
        """Octile distance between two cells, in integer cost: admissible and consistent."""
        (ax, ay), (bx, by) = self.xy(a), self.xy(b)
        dx, dy = abs(ax - bx), abs(ay - by)
        return self.costs.straight * max(dx, dy) + (self.costs.diagonal - self.costs.straight) * min(dx, dy)

    def length(self, cost: float) -> float:
        """An integer cost as a length in cells, for showing."""
        return cost / self.costs.straight

    def path_cost(self, cells: npt.NDArray[Any]) -> int:
        """Integer cost of a walk of neighbouring cells; staying in place costs nothing."""
        return int(self.move_costs(cells).sum())

    def move_costs(self, cells: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Integer cost of each move of a walk of neighbouring cells."""
        change = np.abs(np.diff(cells))
        straight, diagonal, _ = self.costs
        is_straight = (change == 1) | (change == self.stride)
        return np.where(is_straight, np.int64(straight), np.where(change == 0, np.int64(0), np.int64(diagonal)))


def grid_from_array(
    array: "npt.ArrayLike",
    open: Any = None,  # noqa: A002 - the word users say
    *,
    diagonals: DiagonalRule = "both-open",
    costs: DiagonalCost = "sqrt2",
) -> Grid:
    """Build a grid from a (row, column) array of any dtype.

    `open` is the value, or a list or set of values, of cells one may stand on. A boolean array may leave it out:
    True is open.
    """
    return Grid(open_where(array, open), diagonals=diagonals, costs=costs, source="the array")


def check_size(width: int, height: int, source: str) -> None:
    """Refuse a size that makes no map, before any memory is taken."""
    if width < 1 or height < 1:
        raise MapError(f"{source} is empty: it is {width} wide and {height} high")
    if (width + 2) * (height + 2) > _MOST_CELLS:
        raise MapError(f"{source} is too large: {width} x {height} is more than {_MOST_CELLS:,} cells")


@functools.cache
def _climb_table(straight: int, diagonal: int) -> npt.NDArray[np.uint8]:
    """One for all grids of the same costs: 11 KB that should lie in the cache once."""
    return _read_only(climb.climb_table(straight, diagonal))


def _no_points(what: str, points: Any) -> MapError:
    """The refusal of what is not an array of points."""
    given = shown(points)
    if are_numbers(points):
        try:
            array = np.asarray(points)
        except (ValueError, TypeError):
            return MapError(f"{what} must be an (n, 2) array of x, y with rows of equal length")
        given = f"{array.dtype} of shape {array.shape}"
    return MapError(f"{what} must be an (n, 2) array of whole numbers x, y, not {given}")


def _unpacked(
    width: int, height: int, bits_of_cells: bytes, diagonals: DiagonalRule, costs: DiagonalCost, frame: Frame | None
) -> Grid:
    """A grid that was pickled."""
    check_size(width, height, "the pickled map")
    is_open = np.unpackbits(np.frombuffer(bits_of_cells, np.uint8), count=width * height)
    return Grid(is_open.reshape(height, width).view(np.bool_), diagonals=diagonals, costs=costs, frame=frame)


def _fitting(frame: Any, width: int, height: int) -> Frame | None:
    """The frame of a map of this size, or None."""
    if frame is not None and not isinstance(frame, Frame):
        raise ParameterError(f"frame must be a Frame or None, not {shown(frame)}")
    if frame is not None and (frame.width, frame.height) != (width, height):
        raise ParameterError(
            f"the frame is of a map of {frame.width} x {frame.height} cells, and this one has {width} x {height}"
        )
    return frame


def _choice(name: str, value: T, table: Mapping[T, Any]) -> T:
    if not isinstance(value, str) or value not in table:
        raise ParameterError(f"{name} must be one of {', '.join(map(repr, table))}, not {shown(value)}")
    return value


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Read-only at once: read-only and writable arrays are different types to compiled code."""
    array.setflags(write=False)
    return array
