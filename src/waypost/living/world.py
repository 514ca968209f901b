"""World: a map that changes, with all that planners need of it repaired at each edit."""

import copy
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import numpy as np
from typing_extensions import TypeAliasType

from waypost.errors import MapError, ParameterError, WaypostError, shown
from waypost.living.core import Core
from waypost.living.edits import Changes, Edit, IsOpen, OpenCells, merged, named_cells, wanted_cells
from waypost.living.fleet import LivingFleet
from waypost.living.lease import Lease
from waypost.living.replay import replay
from waypost.living.script import Script, read_script
from waypost.making import build
from waypost.planner import Planner, check_grid
from waypost.planners.entry import AnyPlanner
from waypost.planners.names import PlannerName
from waypost.preparing.telling import make_ready
from waypost.system.checks import truth, whole_number
from waypost.world.grid import Grid, Points
from waypost.world.live_grid import MOST_LIVE_SIDE

__all__ = ["Collected", "Frozen", "PlannerOfWorld", "Rebuild", "Replayed", "World"]

Rebuild = TypeAliasType("Rebuild", Literal["on demand", "background"])
"""When a planner that rebuilds does so: at its first use after an edit, or from the edit on, on a thread beside."""
PlannerOfWorld = TypeAliasType("PlannerOfWorld", AnyPlanner | Planner)
"""A planner that is built already, or what names one."""
_MOST_TICKS = 1 << 40


class Frozen(NamedTuple):
    """What a World was when it was frozen; neither ever changes."""

    grid: Grid
    planner: Planner


class Collected:
    """What a batch of edits became: `edit` is there once the batch has ended."""

    edit: Edit | None = None


class World:
    """A map that changes: `edit` closes and opens cells, and `planner`, `fleet` and `grid` show it at once.

    It has its own copies of what a grid holds; the grid that it was made of stays as it is. Edits are made alone: they
    wait for paths, walks and ticks that are under way on other threads, and these wait for edits. A planner that has
    to be made again after an edit is so when it is first used then; with rebuild="background", from the edit on, on a
    thread beside.
    """

    def __init__(
        self,
        grid: Grid,
        planner: PlannerOfWorld = "jps",
        *,
        rebuild: Rebuild = "on demand",
        threads: int | None = None,
        record: bool = False,
        **params: Any,
    ) -> None:
        check_grid(grid)
        if rebuild not in ("on demand", "background"):
            raise ParameterError(f"rebuild must be 'on demand' or 'background', not {shown(rebuild)}")
        first = _first_planner(copy.copy(grid), planner, threads, params)  # which copies a grid that changes only
        self._use(Core(first, Lease(), threads, rebuild == "background", truth("record", record)))

    def _use(self, core: Core) -> None:
        self._core = core
        core.planner.make_fleet = self.fleet
        self._batch: list[Changes] | None = None
        self._sizes: dict[int, World] = {}

    def __repr__(self) -> str:
        grid = self._core.grid
        return f"World({grid.width}x{grid.height}, {self._core.planner.entry.name!r}, version={self.version})"

    @property
    def grid(self) -> Grid:
        """The map as it is now: a Grid that changes under one's hands. `freeze` gives one that does not."""
        return self._core.grid

    @property
    def planner(self) -> Planner:
        """Plans on the map as it is at each call."""
        return self._core.planner

    @property
    def version(self) -> int:
        """How often the map has changed."""
        return self._core.grid.version

    @property
    def fingerprint(self) -> str:
        """A hash of the map as it is now, the same however it came to be so; not the kind that a Grid has."""
        with self._core.lease.shared():
            return self._core.grid.fingerprint

    @property
    def bytes(self) -> int:
        """Memory that edits need beside the map's own arrays, its components and jump tables."""
        return self._core.grid.bytes + self._core.veil.bytes

    def edit(
        self,
        cells: Points | None = None,
        *,
        rectangle: tuple[int, int, int, int] | None = None,
        mask: OpenCells | None = None,
        open: IsOpen | None = None,  # noqa: A002 - the word users say
    ) -> Edit:
        """Close or open cells: a list of (x, y), a rectangle (x, y, width, height), or those where a mask is True.

        `open` is one for all, or one for each (x, y). A mask without it is the whole map as it is to be: True where it
        is open. All of it is one new version.
        """
        wanted = wanted_cells(self._core.grid, cells, rectangle, mask, open)
        if self._batch is not None:
            self._batch.append(wanted)
            return Edit(self.version, 0, 0.0)
        with self._core.lease.alone():
            return self._core.carry_out(wanted)

    @contextmanager
    def batch(self) -> Iterator[Collected]:
        """Collect edits: what is edited in here becomes one change at its end, or none if an error leaves it."""
        if self._batch is not None:
            raise WaypostError("edits are collected already; a batch within a batch would end before its time")
        collected, self._batch = Collected(), []
        try:
            yield collected
            wanted = merged(self._batch)
        finally:
            self._batch = None
        with self._core.lease.alone():
            collected.edit = self._core.carry_out(wanted)

    def block(
        self,
        cells: Points | None = None,
        *,
        until: int,
        rectangle: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Let nobody of a fleet enter cells for so many ticks from now, as for a door or a parked unit; 0 ends that.

        Nothing is repaired. Who comes to a blocked cell waits in front of it, longer than the fleet's `patience` only
        if there is no way round. To all else, such as paths, the cells are as open as before.
        """
        until = whole_number("until", until, highest=_MOST_TICKS)
        chosen = np.unique(named_cells(self._core.grid, cells, rectangle))
        with self._core.lease.alone():
            self._core.script.note_block(chosen, until)
            self._core.veil.block(chosen, until)

    def fleet(
        self,
        starts: Points = (),
        goals: Points = (),
        *,
        nearest: bool = False,
        threads: int | None = None,
        patience: int = 8,
    ) -> LivingFleet:
        """Many agents that move together, as `Planner.fleet` has them, on the map as it is at each tick.

        Who is held by blocked cells for more than `patience` ticks asks for a way round them.
        """
        core = self._core
        make_ready(core.planner.entry.name, fleet=True)
        fleet = LivingFleet(core.planner, core.veil, core.script, threads, nearest=nearest, patience=patience)
        fleet.add(starts, goals)
        return fleet

    def rebuild(self) -> None:
        """Make a planner that rebuilds again now, and not when it is first used after an edit."""
        self._core.planner.latest()

    def for_size(self, size: int) -> "World":
        """The World of units of size x size cells, which changes with this one; their place is their upper left cell.

        It is made once, and kept; at most 16 cells, so that each edit stays near.
        """
        size = whole_number("size", size, lowest=1, highest=MOST_LIVE_SIDE)
        if size > 1 and size not in self._sizes:
            self._sizes[size] = _OfUnits(self._core.of_size(size))
        return self if size == 1 else self._sizes[size]

    @property
    def script(self) -> Script:
        """With `record=True` all that was done so far, to be saved: edits, blocks, orders to fleets and their ticks."""
        return self._core.script

    def freeze(self) -> Frozen:
        """The map as it is now, and the planner for it, as a Grid and a Planner that never change."""
        planner, version = self._core.planner.frozen()
        planner.facts = {**planner.facts, "map_version": version}
        return Frozen(planner.grid, planner)

    @classmethod
    def replay(cls, path: str | os.PathLike[str], grid: Grid, *, threads: int | None = None) -> "Replayed":
        """Do all again that a script in a file says, on the grid where it began.

        All then stands as it stood when the script was saved, byte for byte.
        """
        stored = read_script(path)
        world = cls(grid, PlannerName(stored.planner), threads=threads, record=True, **stored.params)
        if world.fingerprint != stored.map:
            raise MapError(f"{path} begins on another map than this one of {grid.width} x {grid.height} cells")
        fleets = replay(world, stored.rows, threads)
        if world.fingerprint != stored.end:
            raise WaypostError(f"{path} ends on another map than it says; it is damaged")
        return Replayed(world, fleets)


class Replayed(NamedTuple):
    """What a script led to."""

    world: World
    fleets: list[LivingFleet]


class _OfUnits(World):
    """A World of larger units, which only follows the one that it was made of."""

    def __init__(self, core: Core) -> None:
        self._use(core)

    def edit(self, *args: Any, **kwargs: Any) -> Edit:  # noqa: ARG002 - all are refused
        """Refused."""
        raise WaypostError("a World of larger units follows that of one cell: edit the one that it was made of")

    def for_size(self, size: int) -> World:
        """Refused."""
        raise WaypostError(f"ask the World of units of one cell for that of size {shown(size)}")


def _first_planner(grid: Grid, planner: PlannerOfWorld, threads: int | None, params: dict[str, Any]) -> Planner:
    """A planner on the grid as it is given, which a World begins with."""
    if not isinstance(planner, Planner):
        return build(planner, grid, threads=threads, progress=False, **params)
    if params:
        raise ParameterError(f"{next(iter(params))} is a parameter of a planner that is built already; leave it out")
    if planner.grid.fingerprint != grid.fingerprint:
        raise ParameterError("the planner is for another map than the grid of this World; build it for this one")
    return planner
