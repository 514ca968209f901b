"""Gates of a map and what it costs between them: what `gates` computes offline (gates rules)."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import SMALLEST, Index, Regions, require, smallest
from waypost.indexes.building import Works
from waypost.indexes.forecast import Forecast, Growth, MapShape
from waypost.indexes.ranges import check_fit, check_within
from waypost.planners.cuts.kernels import in_sector
from waypost.planners.gates import pictures, tables
from waypost.planners.gates.building import costs_of, places_of, study
from waypost.planners.gates.kernels import measure
from waypost.planners.gates.kernels.floods import FAR, new_flood
from waypost.planners.gates.kernels.search import MOST_LEVELS, Ascent
from waypost.planners.gates.kernels.sectors import SIDE, Sectors
from waypost.planners.gates.kernels.ways import Scratch
from waypost.world.grid import Grid

__all__ = ["Gates"]

_NAMES = ("kept", "near_costs", "far_costs", "near_ways", "far_ways")
_AT_ONCE = 1 << 20  # costs translated at a time
_BYTES = Growth(10.3, open_cells=1.14, params={"fine": -0.906})
_SECONDS = Growth(5e-7, open_cells=1.0)


class Most(NamedTuple):
    """The most that a move looks at, for the promise about work."""

    probes: int
    """Of one search up the tree, from one end."""
    height: int
    """Gates on the separators of a sector and of all parts above it."""
    line: int
    """Gates on a line between two blocks."""
    lists: int
    """Gates in the lists of a sector and of all parts above it."""


class Gates(Index):
    """Costs and ways between the gates of each part of a map."""

    def __init__(
        self, grid: Grid, arrays: Mapping[str, npt.NDArray[Any]], sectors: Sectors, parts: tables.Parts
    ) -> None:
        super().__init__(arrays, grid)
        self.grid = grid
        self.sectors = sectors
        kept = np.unpackbits(self.arrays["kept"], count=sectors.is_first_choice.size)
        check_fit(bool((kept <= sectors.is_first_choice).all()), "kept")
        kept.setflags(write=False)
        self.tree = tables.tree_of(sectors, parts, kept)
        places = places_of(self.tree)
        near, far = self.arrays["near_costs"], self.arrays["far_costs"]
        check_fit(near.size == places.costs[parts.near_parts], "near_costs")
        check_fit(near.size + far.size == places.costs[-1], "far_costs")
        check_fit(self.arrays["near_ways"].size == places.near_ways[-1], "near_ways")
        check_fit(self.arrays["far_ways"].size == places.far_ways[-1], "far_ways")
        costs = np.empty(places.costs[-1], np.int32)
        _translate("near_costs", near, costs[: near.size])
        _translate("far_costs", far, costs[near.size :])
        far_ways = self.arrays["far_ways"].astype(np.uint16)
        self.known = costs_of(places, costs, self.arrays["near_ways"], far_ways)

    @classmethod
    def forecast(cls, shape: MapShape, params: Mapping[str, Any]) -> Forecast | None:
        """By the open cells, and how many cells of a border one gate serves."""
        return Forecast(_BYTES.of(shape, params), _SECONDS.of(shape))

    @classmethod
    def build(cls, grid: Grid, params: Mapping[str, Any], works: Works) -> Self:
        """Place gates, study blocks, choose the gates that larger parts know, and study those."""
        sectors = tables.sectors_of(grid, int(params["fine"]))
        parts = tables.cut(sectors.across, -(-grid.height // SIDE))
        studied = study(sectors, parts, params, works)
        known = studied.known
        near = known.cost_firsts[parts.near_parts]
        arrays = {
            "kept": np.packbits(studied.kept),
            "near_costs": _stored(known.costs[:near]),
            "far_costs": _stored(known.costs[near:]),
            "near_ways": known.near_ways,
            "far_ways": smallest(known.far_ways),
        }
        del studied, known
        return cls(grid, arrays, sectors, parts)

    @classmethod
    def from_arrays(cls, grid: Grid, params: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The index of these arrays, after a check of all that kernels rely on."""
        wanted: dict[str, tuple[npt.DTypeLike, int]] = dict.fromkeys(_NAMES, (SMALLEST, 1))
        require(arrays, wanted | {"kept": (np.uint8, 1), "near_ways": (np.uint8, 1)})
        check_within("far_ways", arrays["far_ways"], 0, 1 << 16)
        sectors = tables.sectors_of(grid, int(params["fine"]))
        check_fit(arrays["kept"].size == -(-sectors.is_first_choice.size // 8), "kept")
        return cls(grid, arrays, sectors, tables.cut(sectors.across, -(-grid.height // SIDE)))

    @property
    def states(self) -> int:
        """Gates, and the costs stored of pairs of them."""
        return int(self.sectors.is_first_choice.size + self.known.costs.size)

    def regions(self) -> Regions:
        """The blocks that have open cells, and which of them gates join."""
        return pictures.blocks(self.grid, self.sectors, self.tree)

    def arcs_from(self, cell: int) -> npt.NDArray[np.int32]:
        """From a cell to the gates of its sector; and all gates of its block, each by itself."""
        return pictures.arcs_from(self.grid, self.sectors, self.tree, self.grid.checked_cell(cell))

    def arcs(self, goal: int) -> npt.NDArray[np.int32]:
        """From every gate the next target on the way to a goal, or the goal itself."""
        return pictures.arcs(self, self.grid.checked_cell(goal))

    @cached_property
    def most(self) -> Most:
        """What the worst sector and the longest line take to look at."""
        probes, height, lists = measure.most(tuple(self.tree))
        line = int(np.diff(self.tree.sides.astype(np.int64), axis=1).max(initial=0))
        return Most(int(probes), int(height), line, int(lists))

    def new_scratch(self) -> tuple[Any, ...]:
        """What one thread searches with."""
        most = self.most

        def ascent() -> Ascent:
            parts, firsts = np.zeros(MOST_LEVELS, np.int32), np.zeros(MOST_LEVELS + 2, np.int64)
            return Ascent(parts=parts, firsts=firsts, costs=np.empty(most.lists, np.int32), box=new_flood())

        scratch = Scratch(
            start=ascent(),
            goal=ascent(),
            arcs=np.empty((most.height + 1, 4), np.int32),
            inside=np.zeros(in_sector.scratch_size(SIDE), np.int64),
            way=np.empty(SIDE * SIDE, np.int32),
        )
        return _plain(scratch)

    @property
    def table_bytes(self) -> int:
        """Bytes of all that is derived from map and index when it is loaded."""
        arrays = [*self.sectors[7:], *self.tree, *self.known]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


def _plain(names: tuple[Any, ...]) -> tuple[Any, ...]:
    """Tuples without names, also within: kernels are called with those."""
    return tuple(_plain(value) if isinstance(value, tuple) else value for value in names)


def _stored(costs: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
    """Costs in as few bytes as hold them: one more than each, and 0 where no way leads."""
    stored = np.empty(costs.size, np.uint32)
    for first in range(0, costs.size, _AT_ONCE):
        some = costs[first : first + _AT_ONCE]
        stored[first : first + _AT_ONCE] = np.where(some < FAR, some + 1, 0)
    return smallest(stored)


def _translate(name: str, stored: npt.NDArray[Any], costs: npt.NDArray[np.int32]) -> None:
    """Write costs as kernels read them."""
    if stored.size:
        check_within(name, stored, 0, FAR)
    for first in range(0, stored.size, _AT_ONCE):
        some = stored[first : first + _AT_ONCE].astype(np.int64)
        costs[first : first + _AT_ONCE] = np.where(some > 0, some - 1, FAR)
