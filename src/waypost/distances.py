"""Distances as a service: what ways cost, for many pairs, for all of a matrix, and which of many goals is nearest."""

from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.agents.distances import NO_WAY, Cells, Distances, WayCosts
from waypost.errors import ParameterError
from waypost.system.stretches import Work, share_out
from waypost.system.threads import thread_count
from waypost.world.grid import Grid

__all__ = ["MOST_COSTS", "Closest", "closest_of", "costs_of_pairs", "costs_of_rows"]

MOST_COSTS = 100_000_000
"""Of a matrix: 800 MB."""
MOST_COLUMNS = 1 << 12  # of a block: a row of walks must not take long, as Ctrl-C waits for it
MOST_TOGETHER = 1 << 18  # costs of a block

MakeDistances = Callable[[], Distances]


class Closest(NamedTuple):
    """Of many starts the goal that is nearest by way."""

    goals: npt.NDArray[np.int64]
    """Its place among the goals, the first one where several are as near; -1 where no way leads to any."""
    costs: WayCosts
    """What the way there costs; -1 where there is none."""


def costs_of_pairs(make: MakeDistances, grid: Grid, starts: Cells, goals: Cells, threads: int | None) -> WayCosts:
    """What the way from each start to its goal costs, NO_WAY where there is none; the same on any number of threads."""
    threads = thread_count(threads)
    costs = np.full(starts.size, NO_WAY, np.int64)
    joined = grid.component[starts] == grid.component[goals]
    if joined.all():
        _write_pairs(make, starts, goals, costs, threads)
    else:
        found = np.empty(np.count_nonzero(joined), np.int64)
        _write_pairs(make, starts[joined], goals[joined], found, threads)
        costs[joined] = found
    return costs


def _write_pairs(make: MakeDistances, starts: Cells, goals: Cells, costs: WayCosts, threads: int) -> None:
    def write(distances: Distances, first: int, last: int) -> None:
        distances.of_pairs(starts[first:last], goals[first:last], costs[first:last])

    share_out("measuring", starts.size, _for_each_thread(write, make, min(threads, starts.size)))


def costs_of_rows(make: MakeDistances, grid: Grid, sources: Cells, targets: Cells, threads: int | None) -> WayCosts:
    """What the ways from all sources to all targets cost, NO_WAY where there is none: a row for each source."""
    threads = thread_count(threads)
    if sources.size * targets.size > MOST_COSTS:
        raise ParameterError(
            f"{sources.size:,} sources by {targets.size:,} targets are more than {MOST_COSTS:,} costs; "
            "ask for some of the sources at a time, or for the closest target of each"
        )
    costs = np.full((sources.size, targets.size), NO_WAY, np.int64)

    def keep(rows: Cells, columns: Cells, found: WayCosts) -> None:
        if columns.size == targets.size:
            costs[rows] = found
        else:
            costs[np.ix_(rows, columns)] = found

    _find_rows(make, grid, sources, targets, threads, keep)
    return costs


def closest_of(make: MakeDistances, grid: Grid, starts: Cells, goals: Cells, threads: int | None) -> Closest:
    """Which goal is nearest to each start by way, and what the way there costs."""
    threads = thread_count(threads)
    closest = Closest(np.full(starts.size, NO_WAY, np.int64), np.full(starts.size, NO_WAY, np.int64))

    order, lock = closest.costs.view(np.uint64), Lock()  # in this order what is no cost comes last

    def keep(rows: Cells, columns: Cells, found: WayCosts) -> None:
        nearest = found.view(np.uint64).argmin(axis=1)
        there, least = columns[nearest], found[np.arange(rows.size), nearest]
        with lock:  # other blocks have other goals for the same starts, and may come first
            known = order[rows]
            better = least.view(np.uint64) < known
            better |= (least.view(np.uint64) == known) & (there < closest.goals[rows])
            better &= least >= 0
            closest.goals[rows[better]], closest.costs[rows[better]] = there[better], least[better]

    _find_rows(make, grid, starts, goals, threads, keep)
    return closest


def _find_rows(
    make: MakeDistances,
    grid: Grid,
    sources: Cells,
    targets: Cells,
    threads: int,
    keep: Callable[[Cells, Cells, WayCosts], None],
) -> None:
    """Find all rows, some at a time, and hand each block over: which sources and targets it is about, and the costs."""
    blocks = list(_blocks(grid, sources, targets))
    rows = np.concatenate([np.empty(0, np.int32), *(block_rows for block_rows, _ in blocks)])
    ends = np.cumsum([block_rows.size for block_rows, _ in blocks])

    def write(distances: Distances, first: int, last: int) -> None:
        while first < last:
            number = int(np.searchsorted(ends, first, side="right"))
            columns = blocks[number][1]
            there = targets[columns] if columns.size < targets.size else targets
            end = min(last, int(ends[number]), first + max(1, MOST_TOGETHER // columns.size))
            found = np.empty((end - first, columns.size), np.int64)
            distances.of_rows(sources[rows[first:end]], there, found)
            keep(rows[first:end], columns, found)
            first = end

    share_out("measuring", rows.size, _for_each_thread(write, make, min(threads, rows.size)))


def _blocks(grid: Grid, sources: Cells, targets: Cells) -> Iterator[tuple[Cells, Cells]]:
    """Which sources and which targets lie in one component, for each component that has both; not too many targets."""
    of_sources, of_targets = grid.component[sources], grid.component[targets]
    for label in np.intersect1d(of_sources, of_targets).tolist():
        rows, columns = (np.flatnonzero(labels == label).astype(np.int32) for labels in (of_sources, of_targets))
        for first in range(0, columns.size, MOST_COLUMNS):
            yield rows, columns[first : first + MOST_COLUMNS]


def _for_each_thread(write: Callable[[Distances, int, int], None], make: MakeDistances, threads: int) -> list[Work]:
    """A work for each thread, at least one; made here, so that tables of the map are made once."""
    return [partial(write, make()) for _ in range(max(1, threads))]
