"""Core: what a World is made of, and how a change goes through all of it."""

from time import perf_counter_ns

from waypost.living.edits import Changes, Edit, changes_of
from waypost.living.lease import Lease
from waypost.living.planner import LivingPlanner
from waypost.living.script import Script
from waypost.living.veil import Veil
from waypost.making import build
from waypost.planner import Planner
from waypost.world.live_grid import LiveGrid

__all__ = ["Core"]


class Core:
    """The map, the planner and what is blocked, of one size of units; and those of larger units, which follow."""

    def __init__(self, first: Planner, lease: Lease, threads: int | None, background: bool, records: bool) -> None:
        self.lease = lease
        self.grid = LiveGrid(first.grid)
        self.planner = LivingPlanner(first, self.grid, lease, threads, background)
        self.veil = Veil(self.grid)
        self.script = Script(self.grid, first.entry.name, first.params, records)
        self._made_by = threads, background
        self._sizes: dict[int, Core] = {}

    def of_size(self, size: int) -> "Core":
        """What follows for units of this size; made once."""
        if size not in self._sizes:
            with self.lease.alone():
                self.grid.follow_squares()
                fitting = self.grid.for_size(size)
            planner = self.planner
            first = build(planner.entry, fitting, threads=self._made_by[0], progress=False, **planner.params)
            self._sizes[size] = Core(first, self.lease, *self._made_by, False)
        return self._sizes[size]

    def carry_out(self, wanted: Changes) -> Edit:
        """One change, or none if all is so already; the lease is held alone."""
        began = perf_counter_ns()
        changes = changes_of(self.grid, wanted)
        if changes.cells.size:
            touched = self.grid.change(*changes)
            self.veil.follow(changes.cells)
            self.planner.edited(changes.cells)
            for size, other in self._sizes.items():
                other.carry_out(Changes(touched, self.grid.follow_squares()[touched] >= size))
            self.script.note_edit(changes)
        return Edit(self.grid.version, int(changes.cells.size), (perf_counter_ns() - began) / 1000)
