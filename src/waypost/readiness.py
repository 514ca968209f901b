"""One call that prepares everything: what planners need is compiled ahead, by several processes at once."""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, NamedTuple, overload

from waypost import catalog
from waypost.kernels.compiling import code_of
from waypost.machine_code import folders, signatures
from waypost.planners.entry import AnyPlanner, Entry
from waypost.preparing.missing import all_kernels, missing, source_of, why_not_shipped
from waypost.preparing.pool import compile_all
from waypost.rehearsal import rehearse, rehearse_batches, rehearse_fleet
from waypost.system.progress import progress
from waypost.system.threads import thread_count

__all__ = [
    "Prepared",
    "Readiness",
    "kept_in",
    "left_to_compile",
    "prepare",
    "prepare_all",
    "prepared",
    "readiness",
    "why_not_shipped",
]


class Prepared(NamedTuple):
    """What was done to prepare planners."""

    compiled: int
    """Kernels that were compiled."""
    kernels: int
    """Kernels that are ready now."""
    seconds: float
    """By the clock."""
    processor_seconds: float
    """Of all processes together."""


@dataclass(frozen=True)
class Readiness:
    """Where the machine code of a planner will come from."""

    planner: str
    shipped: int
    cached: int
    missing: int
    """Kernels that must be compiled."""
    seconds: float
    """About how long that takes."""

    @property
    def kernels(self) -> int:
        """All that it needs."""
        return self.shipped + self.cached + self.missing

    @property
    def is_unknown(self) -> bool:
        """Whether nobody knows what it needs: it is of another package."""
        return self.kernels == 0


@overload
def prepare(
    *planners: AnyPlanner, fleet: bool = True, background: Literal[False] = False, processes: int | None = None
) -> Prepared: ...


@overload
def prepare(
    *planners: AnyPlanner, fleet: bool = True, background: Literal[True], processes: int | None = None
) -> "Future[Prepared]": ...


def prepare(
    *planners: AnyPlanner, fleet: bool = True, background: bool = False, processes: int | None = None
) -> "Prepared | Future[Prepared]":
    """Compile all that planners need, DBA* if none is named, on all cores (or with so many `processes`).

    Machine code is kept, so that this is needed once on a machine: as in a Dockerfile, or before a cluster's workers
    start. What came with the package is not compiled again. With `background` it returns at once what will be done.
    """
    if not background:
        return prepared(*planners, fleet=fleet, processes=processes)
    names, jobs = _names(planners), thread_count(processes)
    pool = ThreadPoolExecutor(1, "waypost-prepare")
    try:
        return pool.submit(_prepared, names, fleet, jobs, show=False)
    finally:
        pool.shutdown(wait=False)


def prepared(*planners: str | Entry, fleet: bool = True, processes: int | None = None) -> Prepared:
    """Compile all that planners need, with a bar, and say what was done."""
    return _prepared(_names(planners), fleet, thread_count(processes), show=True)


def prepare_all(processes: int | None = None) -> Prepared:
    """Compile every kernel of this package, and all that planners of other packages need."""
    return _prepared(list(catalog.CATALOG), True, thread_count(processes), show=True, kernels=all_kernels())


def readiness(planner: str) -> Readiness:
    """Where the machine code of a planner and its fleets will come from."""
    entry = catalog.find(planner)
    kernels = signatures.kernels_of(entry.name) or []
    sources = [source_of(kernel) for kernel in kernels]
    left = missing(kernels)
    seconds = sum(map(signatures.seconds_of, left))
    return Readiness(entry.name, sources.count("shipped"), sources.count("cached"), len(left), seconds)


def left_to_compile(*planners: str) -> tuple[int, float]:
    """Kernels that must be compiled for planners and their fleets, and about how many seconds that takes."""
    left = missing(set().union(*(signatures.kernels_of(name) or [] for name in _names(planners))))
    return len(left), sum(map(signatures.seconds_of, left))


def kept_in() -> str:
    """Where machine code is kept that is compiled on this machine."""
    folder = folders.writable_place(code_of().store.folder_name)
    return "no place: no folder can be written to that is this user's alone" if folder is None else str(folder)


def _names(planners: Sequence[str | Entry]) -> list[str]:
    return [catalog.find(name).name for name in planners or (catalog.DEFAULT,)]


def _prepared(names: list[str], fleet: bool, jobs: int, *, show: bool, kernels: Iterable[str] = ()) -> Prepared:
    began = time.perf_counter()
    needed = set(kernels).union(*(signatures.kernels_of(name, fleet=fleet) or [] for name in names))
    others = [name for name in names if signatures.kernels_of(name) is None]
    left = missing(needed)
    spent: list[float] = []
    with progress("compiling", len(left) + len(others), show=show) as advance:

        def compiled(_: str, seconds: float) -> None:
            spent.append(seconds)
            advance()

        compile_all(left, jobs, compiled)
        for name in others:  # of other packages: what they need is known once they are used
            before = time.process_time()
            rehearse(name)
            rehearse_batches(name)
            if fleet:
                rehearse_fleet(name)
            spent.append(time.process_time() - before)
            advance()
    return Prepared(len(left), len(needed), time.perf_counter() - began, sum(spent))
