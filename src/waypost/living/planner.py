"""LivingPlanner: the planner of a World. It plans on the map as it is now, as its catalog entry says that it can."""

import copy
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from typing import Any

from waypost.agents.base import Agent
from waypost.agents.distances import WayCosts
from waypost.batch import Batch
from waypost.catalog import CATALOG
from waypost.distances import Closest
from waypost.errors import ParameterError, WaypostError
from waypost.fleet import Fleet
from waypost.living.agent import LivingAgent
from waypost.living.lease import Lease
from waypost.making import build
from waypost.planner import Planner
from waypost.world.grid import Grid, IntArray, Point
from waypost.world.live_grid import LiveGrid
from waypost.world.problem import Problem

__all__ = ["LivingPlanner"]

_LARGER = "a World's planner is for units of one cell; world.for_size(n) is the World of larger ones"


class LivingPlanner(Planner):
    """What `world.planner` is. Each call answers for one version of the map: the latest there was when it began.

    A planner that repairs works on the World's own grid, and holds a lease of it meanwhile. One that rebuilds works on
    a copy that nobody edits, and is made again when it is first used after an edit, or in the background before that.
    """

    make_fleet: Callable[..., Fleet]
    """That of its World."""

    def __init__(self, first: Planner, grid: LiveGrid, lease: Lease, threads: int | None, background: bool) -> None:
        self.entry, self.params, self.facts = first.entry, first.params, first.facts
        self.grid = grid
        self.live_grid = grid
        self.lease = lease
        self.units = None
        self._threads = threads
        self._background = background
        self._building = Lock()
        self._present, self._version = first, 0
        self._repair = None
        if self.repairs:
            if self.entry.index_repair is not None:
                self._repair = self.entry.index_repair(grid, self.entry.offline(self.params))
            self._present = self._on_live_grid()
        self.index = self._present.index

    @property
    def repairs(self) -> bool:
        """Whether it plans on the World's own grid."""
        return self.entry.after_edit == "repairs"

    @property
    def version(self) -> int:
        """Of the map that it is made for so far."""
        return self.live_grid.version if self.repairs else self._version

    def edited(self, cells: Any) -> None:
        """These cells have changed; the World is held alone."""
        if self._repair is not None:
            self._repair.repair(cells)
            if self._repair.index is not self._present.index:
                self._present = self._on_live_grid()
                self.index = self._present.index
        elif not self.repairs and self._background:
            Thread(target=self._build_ahead, name="waypost-rebuild", daemon=True).start()

    def latest(self) -> Planner:
        """The planner of the latest version; builds it if there is none yet. To be called without a lease."""
        if self.repairs:
            return self._present
        with self._building:
            if self._version != self.live_grid.version:
                if self.entry.after_edit == "refuses":
                    raise WaypostError(_refusal(self.entry.name))
                with self.lease.shared():
                    grid, version = self.live_grid.frozen(), self.live_grid.version
                self._present, self._version = self.on(grid), version
                self.index, self.facts = self._present.index, self._present.facts
            return self._present

    def _build_ahead(self) -> None:
        """On a thread of its own; what is wrong, the first use will say."""
        with suppress(WaypostError):
            self.latest()

    def on(self, grid: Grid) -> Planner:
        """A planner of its kind for a grid that never changes."""
        if self.entry.index is not None and self.entry.index.any_map:
            return Planner(self.entry, grid, self.params, self._present.index)
        return build(self.entry, grid, threads=self._threads, progress=False, **self.params)

    @contextmanager
    def up_to_date(self) -> Iterator[Planner]:
        """The planner of the latest version, which is the latest as long as it is held."""
        while True:
            planner = self.latest()
            with self.lease.shared():
                if self.repairs or self._version == self.live_grid.version:
                    yield planner
                    return

    @contextmanager
    def _answering(self, size: int | None) -> Iterator[Planner]:
        """The planner that answers one call."""
        if size not in (None, 1):
            raise ParameterError(_LARGER)
        if not self.repairs:
            yield self.latest()  # on a grid that nobody edits
            return
        with self.lease.shared():
            yield self._present

    @property
    def index_bytes(self) -> int:
        """Bytes of the index as it is now."""
        return self._present.index_bytes

    @property
    def work_bound(self) -> int | None:
        """Most work that one move may cost, or None if it grows with the map."""
        return self._present.work_bound

    def for_size(self, size: int | None) -> Planner:
        """Itself; units of other sizes have Worlds of their own."""
        if size not in (None, 1):
            raise ParameterError(_LARGER)
        return self

    def problem(self, *args: Any, size: int | None = None, **kwargs: Any) -> Problem:
        """As of any planner, on the map as it is now."""
        with self._answering(size) as planner:
            return planner.problem(*args, **kwargs)

    def path(self, *args: Any, size: int | None = None, **kwargs: Any) -> IntArray:
        """As of any planner, on the map as it is now."""
        with self._answering(size) as planner:
            return planner.path(*args, **kwargs)

    def batch(self, *args: Any, size: int | None = None, **kwargs: Any) -> Batch:
        """As of any planner, on the map as it is now: all problems on the same version."""
        with self._answering(size) as planner:
            return planner.batch(*args, **kwargs)

    def cost(self, *args: Any, size: int | None = None, **kwargs: Any) -> WayCosts:
        """As of any planner, on the map as it is now."""
        with self._answering(size) as planner:
            return planner.cost(*args, **kwargs)

    def costs(self, *args: Any, size: int | None = None, **kwargs: Any) -> WayCosts:
        """As of any planner, on the map as it is now."""
        with self._answering(size) as planner:
            return planner.costs(*args, **kwargs)

    def closest(self, *args: Any, size: int | None = None, **kwargs: Any) -> Closest:
        """As of any planner, on the map as it is now."""
        with self._answering(size) as planner:
            return planner.closest(*args, **kwargs)

    def agent(
        self,
        start: Point | None = None,
        goal: Point | None = None,
        *,
        nearest: bool = False,
        record: bool = False,
        size: int | None = None,
    ) -> Agent:
        """An agent that goes on by the map as it is at each of its moves."""
        if (start is None) != (goal is None):
            raise WaypostError("an agent takes both a start and a goal, or neither")
        self.for_size(size)
        agent = LivingAgent(self, record=record)
        if start is not None and goal is not None:
            agent.set_out(start, goal, nearest=nearest)
        return agent

    def fleet(self, *args: Any, size: int | None = None, **kwargs: Any) -> Fleet:
        """Many agents that move together, on the map as it is at each tick: see `World.fleet`."""
        self.for_size(size)
        return self.make_fleet(*args, **kwargs)

    def save(self, path: str | os.PathLike[str]) -> None:  # noqa: ARG002 - whatever it is
        """Refused: an index file is of a map that never changes."""
        raise WaypostError(f"the map of a World changes, and an index file is of one that does not: save {_FROZEN}")

    def __copy__(self) -> Planner:
        return self.frozen()[0]

    def __deepcopy__(self, memo: dict[int, Any]) -> Planner:
        return self.frozen()[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return self.frozen()[0].__reduce__()

    def frozen(self) -> tuple[Planner, int]:
        """A planner of the map as it is now, which then never changes, and the version of that."""
        if not self.repairs:
            with self.up_to_date() as planner:
                return copy.copy(planner), self._version
        with self.lease.shared():
            grid, version = self.live_grid.frozen(), self.live_grid.version
        return self.on(grid), version

    def _on_live_grid(self) -> Planner:
        index = None if self._repair is None else self._repair.index
        return Planner(self.entry, self.live_grid, self.params, index)


_FROZEN = "world.freeze().planner"


def _refusal(name: str) -> str:
    others = ", ".join(other for other, entry in CATALOG.items() if entry.after_edit == "repairs")
    return (
        f"{name} plans only for the map that it was made for, which was edited since: build it again for "
        f"world.freeze().grid, or take a planner that repairs: {others}"
    )
