"""Records of solved problems: the databases of kNN LRTA* (Bulitko, Björnsson, Lawrence 2010 and 2009; algorithms 9).

Optimal paths between random cells, pressed into legs; fewer than asked for, or none, where hardly any path has three
states (2010) or a subgoal (2009). They are stored in the order of a kd-tree over start and end, so that this order is
the tree.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from threading import local
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from waypost.errors import IndexFileError
from waypost.indexes.base import Index, read_only, require
from waypost.indexes.building import Arrays, Works, are_just
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.kernels import best_first, jump, jump_graph
from waypost.planners.records.kernels import draw, kdtree
from waypost.planners.records.kernels.draw import JumpGraph, Rules, Scratch
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels.legs import MORE, count_codes, counts_of
from waypost.world.grid import Grid
from waypost.world.jump_search import JumpSearch, jump_settings
from waypost.world.search import search_settings

__all__ = ["MOST_RECORDS", "FirstLegs", "Records"]

MOST_RECORDS = 1_000_000
_DRAWN = 24  # records in a picture

_Arrays = dict[str, npt.NDArray[Any]]


_BYTES = Growth(31.0, open_cells=0.14, params={"records": 1.0})
_SECONDS = Growth(1.13e-5, open_cells=0.06, corners=0.25, params={"records": 0.89})
_FIRST_LEG_BYTES = Growth(35.0, params={"records": 1.0})
_FIRST_LEG_SECONDS = Growth(1.21e-6, open_cells=0.4, params={"records": 0.98})


class Records(Index):
    """Records of all legs of a path (2010)."""

    @staticmethod
    def form(_params: Mapping[str, Any]) -> int:
        """What is kept of a path."""
        return draw.ALL_LEGS

    def __init__(self, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.params = dict(params)

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the records, whose paths grow longer with the map."""
        return Forecast(_BYTES.of(shape, params), _SECONDS.of(shape, params))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Solve random problems, and put what is kept of them in the order of a tree."""
        count, seed, is_spread = int(params["records"]), int(params["seed"]), int(params.get("spread", 0))
        starts, ends, counts, legs = drawn(grid, cls.form(params), count, seed, works, is_spread=is_spread)
        starts, ends, counts = (of_all[counts > 0] for of_all in (starts, ends, counts))
        order = kdtree.order(_points(grid, starts, ends))
        first_legs = np.cumsum(counts) - counts
        # The legs of record after record: those of one follow each other.
        within = np.arange(len(legs)) - np.repeat(np.cumsum(counts[order]) - counts[order], counts[order])
        legs = legs[np.repeat(first_legs[order], counts[order]) + within]
        stored = {"starts": starts[order].astype(np.uint32), "legs": draw.packed(legs)}
        return cls.from_arrays(grid, params, stored | cls._ends_stored(ends[order], counts[order]))

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        index = cls(grid, params, arrays)
        index.tables  # noqa: B018 - reading them checks them
        return index

    @staticmethod
    def _ends_stored(_ends: npt.NDArray[np.int32], counts: npt.NDArray[np.int32]) -> _Arrays:
        """What tells the ends of records: how many legs lead there."""
        return {"codes": count_codes(counts)}

    def _required(self) -> dict[str, tuple[npt.DTypeLike, int]]:
        return {"starts": (np.uint32, 1), "legs": (np.uint8, 2), "codes": (np.uint8, 1)}

    def _counts(self) -> npt.NDArray[np.int64]:
        """Legs of every record."""
        codes = self.arrays["codes"]
        self._check(MORE not in codes[-1:], "codes")
        counts: npt.NDArray[np.int64] = counts_of(codes)
        return counts

    def _ends(self, ends_of_legs: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Ends of all records, given where their last legs end."""
        return ends_of_legs

    @property
    def states(self) -> int:
        """Starts, and the ends of all legs."""
        return int(self.arrays["starts"].size + len(self.arrays["legs"]))

    @cached_property
    def tables(self) -> _Arrays:
        """What kernels read.

        `points` (int32, N x 4): column and row of start and end in the padded grid, in the order of a tree.
        `first_legs` (int32, N + 1): where the legs of each record begin.
        `legs` (int16, n x 2): dx and dy from subgoal to subgoal; the first one is counted from the start.
        """
        require(self.arrays, self._required())
        starts, packed = self.arrays["starts"], self.arrays["legs"]
        self._check(starts.size <= self.params["records"], "starts")
        counts = self._counts()
        first_legs = np.concatenate([[0], np.cumsum(counts)])
        self._check(counts.size == starts.size, "codes")
        self._check(packed.shape == (first_legs[-1], draw.LEG_BYTES), "legs")
        (first_legs,) = read_only(first_legs.astype(np.int32))
        legs, ends_of_legs, bad = draw.unpack(self.grid.component, self.grid.stride, starts, first_legs, packed)
        if bad >= 0:
            raise IndexFileError(f"record {bad:,} does not lead over open cells of this map; build the index again")
        points = _points(self.grid, starts, self._ends(ends_of_legs))
        self._check(kdtree.is_tree(points), "records")
        return dict(zip(("points", "first_legs", "legs"), read_only(points, first_legs, legs), strict=True))

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """The legs of some records: of those that end nearest to a goal."""
        return self._legs_of(self._nearest(self.grid.checked_cell(goal), 2))

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """The legs of those that start nearest to a cell."""
        return self._legs_of(self._nearest(self.grid.checked_cell(cell), 0))

    def _nearest(self, cell: int, axis: int) -> npt.NDArray[np.int64]:
        """A few records whose start (axis 0) or end (axis 2) lies nearest to a cell and is connected with it."""
        points, stride, component = self.tables["points"], self.grid.stride, self.grid.component
        connected = np.flatnonzero(component[points[:, 1] * stride + points[:, 0]] == component[cell])
        y, x = divmod(cell, stride)
        away = np.abs(points[connected, axis : axis + 2] - (x, y))
        straight, diagonal, _ = self.grid.costs
        distance = straight * away.max(axis=1) + (diagonal - straight) * away.min(axis=1)
        return connected[np.argsort(distance, kind="stable")[:_DRAWN]]

    def _legs_of(self, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Where each leg of some records begins and ends."""
        points, first_legs, legs = (self.tables[name] for name in ("points", "first_legs", "legs"))
        rows = [np.empty((0, 2), np.int32)]
        for record in chosen.tolist():
            vectors = legs[first_legs[record] : first_legs[record + 1]].astype(np.int32)
            x, y = np.concatenate([points[record : record + 1, :2], vectors]).cumsum(axis=0).T
            cells = (y * self.grid.stride + x).astype(np.int32)
            rows.append(np.stack([cells[:-1], cells[1:]], axis=1))
        return np.concatenate(rows)

    @staticmethod
    def _check(holds: bool, name: str) -> None:
        if not holds:
            raise IndexFileError(f"{name} of the index do not fit the map and the other arrays; build the index again")


class FirstLegs(Records):
    """Records of the first leg of a path alone, and where the path ends (2009)."""

    @staticmethod
    def form(params: Mapping[str, Any]) -> int:
        """The first leg; as published a pair without one is not drawn again."""
        return draw.FIRST_LEG if params.get("redraw", 1) else draw.FIRST_LEG_IF_ANY

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast:
        """By the records, all of one size."""
        return Forecast(_FIRST_LEG_BYTES.of(shape, params), _FIRST_LEG_SECONDS.of(shape, params))

    @staticmethod
    def _ends_stored(ends: npt.NDArray[np.int32], _counts: npt.NDArray[np.int32]) -> _Arrays:
        """What tells the ends of records: their cells."""
        return {"ends": ends.astype(np.uint32)}

    def _required(self) -> dict[str, tuple[npt.DTypeLike, int]]:
        return {"starts": (np.uint32, 1), "legs": (np.uint8, 2), "ends": (np.uint32, 1)}

    def _counts(self) -> npt.NDArray[np.int64]:
        return np.ones(self.arrays["starts"].size, np.int64)

    def _ends(self, ends_of_legs: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        ends, component = self.arrays["ends"], self.grid.component
        self._check(ends.size == ends_of_legs.size and bool((ends < component.size).all()), "ends")
        self._check(bool((component[ends] == component[ends_of_legs]).all()), "ends")
        return ends.astype(np.int32)

    @property
    def states(self) -> int:
        """Start, end and subgoal of every record."""
        return 3 * int(self.arrays["starts"].size)


def drawn(
    grid: Grid, form: int, count: int, seed: int, works: Works, *, is_spread: int = 0
) -> tuple[npt.NDArray[Any], ...]:
    """Starts, ends and leg counts of records, and all legs: up to the first for which no pair of cells will do."""
    by_jumps = JumpSearch.fits(grid)
    among = np.flatnonzero((grid.component_sizes >= _LEAST_CELLS)[grid.component]).astype(np.int32)
    (among,) = read_only(_block_by_block(grid, among) if is_spread else among)
    graph = _jump_graph(grid) if by_jumps else _NO_GRAPH
    rules = Rules(by_jumps=int(by_jumps), seed=seed, form=form, is_spread=is_spread)
    draw_some: Callable[..., tuple[npt.NDArray[Any], ...]] = partial(
        draw.draw, tuple(ground_of(grid)), grid.component, among, tuple(graph), tuple(rules)
    )
    own = local()

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        if not hasattr(own, "scratch"):
            size = graph.points.size + 2 if by_jumps else grid.mask.size
            parent = np.empty(size if by_jumps else 0, np.int32)
            control, jump_control = new_controls(grid)
            own.scratch = Scratch(
                control=control, jump_control=jump_control, node=np.zeros(size, np.int64), parent=parent
            )
        made = draw_some(tuple(own.scratch), first, last)
        return (*made, np.array([made[0].size == last - first], np.int8))

    def fits(_: int, __: int, found: Arrays) -> bool:
        rows, legs = found[2].shape, (int(found[2].sum()), 2)
        return are_just(found, *[(np.int32, rows)] * 3, (np.int16, legs), (np.int8, (1,)))

    parts = [_NO_RECORDS]
    for *part, is_whole in works.parts("records", count if among.size else 0, make, fits=fits):
        parts.append(tuple(part))
        if not is_whole[0]:
            break  # what is left is the same, wherever parts end
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


_LEAST_CELLS = 3  # of a component in which a path of three states can lie
_BLOCK_BITS = 4  # blocks of 16 x 16 cells
_COORDINATE_BITS = 28  # of a block's column and row: a map has at most 2 ** 31 cells


def _block_by_block(grid: Grid, cells: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Rising cells in blocks along a Z-curve, row by row in each: what stands near in it lies near on the map."""
    across, down = (grid.stride >> _BLOCK_BITS) + 1, (grid.height + 2 >> _BLOCK_BITS) + 1
    curve = _with_gaps(np.arange(down))[:, None] << 1 | _with_gaps(np.arange(across))
    y = cells // grid.stride
    x = cells - y * grid.stride
    block = (y >> _BLOCK_BITS) * across + (x >> _BLOCK_BITS)
    return cells[np.argsort(curve.ravel()[block], kind="stable")]


def _with_gaps(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Numbers whose bits stand two places apart."""
    spaced = np.zeros_like(numbers)
    for bit in range(_COORDINATE_BITS):
        spaced |= (numbers >> bit & 1) << 2 * bit
    return spaced


def new_controls(grid: Grid) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    """Records of a searcher by A*, and of one by jump points."""
    tables = grid.jump_tables if JumpSearch.fits(grid) else _NO_GRAPH
    by_jumps = jump.new_control(jump_settings(grid, tables.rows, tables.columns))
    return best_first.new_control(search_settings(grid)), by_jumps


def _jump_graph(grid: Grid) -> JumpGraph:
    """What jump point search over known jumps looks at."""
    tables = grid.jump_tables
    made = jump_graph.graph(tables.cells, tables.rows, tables.columns, new_controls(grid)[1])
    points, firsts, jumps, reach = read_only(*made)
    return JumpGraph(**tables._asdict(), points=points, firsts=firsts, jumps=jumps, reach=reach)


def _points(grid: Grid, starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Column and row of starts and ends in the padded grid."""
    points = np.empty((starts.size, kdtree.AXES), np.int32)
    for axis, cells in ((0, starts), (2, ends)):
        points[:, axis + 1] = rows = cells // grid.stride
        points[:, axis] = cells - rows * grid.stride
    return read_only(points)[0]


_NO_RECORDS: tuple[npt.NDArray[Any], ...] = (*(np.empty(0, np.int32) for _ in range(3)), np.empty((0, 2), np.int16))
_NO_GRAPH = JumpGraph(
    cells=np.empty(0, np.uint16),
    rows=np.empty((2, 0), np.uint64),
    columns=np.empty((2, 0), np.uint64),
    points=np.empty(0, np.int32),
    firsts=np.zeros(1, np.int64),
    jumps=np.empty((0, 2), np.int32),
    reach=np.empty((0, 4), np.int32),
)
read_only(*_NO_GRAPH)
