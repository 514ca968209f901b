"""Rows of exits: for every two regions where to leave the one for the other, as they are stored (algorithms 6)."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waypost.indexes.base import SMALLEST, read_only, smallest
from waypost.indexes.building import Arrays, Works, are_just
from waypost.indexes.ranges import check_fit
from waypost.planners.pairs.kernels import subgoals

__all__ = ["ROWS", "ExitRows", "are_exits", "found_for_exits", "packed", "unpacked"]

_NAMES = ("run_counts", "run_columns", "run_ranks", "exit_counts", "exits")
ROWS: dict[str, tuple[npt.DTypeLike, int]] = dict.fromkeys(_NAMES, (SMALLEST, 1))
"""What is stored: names, dtypes and numbers of dimensions."""


class ExitRows(NamedTuple):
    """What `subgoals.run_of` reads, the first run of each row and the first columns of runs; and their exits."""

    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint16]
    exit_of_run: npt.NDArray[np.int64]
    """Which of all exits it is."""
    owners: npt.NDArray[np.int64]
    """The region of each exit."""


def packed(by_goal: npt.NDArray[np.int32]) -> dict[str, npt.NDArray[Any]]:
    """What is stored of the exits of all regions, in a row for each goal region; -1 where there is none."""
    return dict(zip(_NAMES, map(smallest, subgoals.encode(by_goal)), strict=True))


def unpacked(arrays: Mapping[str, npt.NDArray[Any]], parts: npt.NDArray[np.int32]) -> ExitRows:
    """The rows of regions that lie in these components, after a check; what the exits are is the caller's to check."""
    run_counts, columns, ranks, exit_counts, exits = (arrays[name] for name in _NAMES)
    check_fit(run_counts.size == parts.size, "run_counts")
    check_fit(exit_counts.size == parts.size, "exit_counts")
    starts, firsts = (np.concatenate([[0], np.cumsum(of, dtype=np.int64)]) for of in (run_counts, exit_counts))
    check_fit(starts[-1] == columns.size == ranks.size, "run_columns")
    check_fit(firsts[-1] == exits.size, "exit_counts")
    check_fit(bool((ranks < np.repeat(exit_counts, run_counts)).all()), "run_ranks")
    check_fit(bool((columns < parts.size).all()), "run_columns")
    # A row is empty only if there is no other region to go to.
    check_fit(np.array_equal(run_counts > 0, np.bincount(parts)[parts] > 1), "run_counts")
    exit_of_run = np.repeat(firsts[:-1], run_counts) + ranks
    owners = np.repeat(np.arange(parts.size), exit_counts)
    read_only(starts, columns := columns.astype(np.uint16))
    return ExitRows(starts, columns, exit_of_run, owners)


def are_exits(found: Arrays, rows: int, parts: npt.NDArray[np.int32], part_of: npt.NDArray[np.int32]) -> bool:
    """Whether part of a build is exits of regions in these components: a row for each of some goal regions.

    `part_of` has the component of all that can be an exit.
    """
    if not are_just(found, (np.int32, (rows, parts.size))):
        return False
    (exits,) = found
    is_within = exits.min(initial=-1) >= -1 and exits.max(initial=-1) < part_of.size
    return bool(is_within and ((exits < 0) | (part_of[exits] == parts)).all())


def found_for_exits(
    title: str,
    arrays: Mapping[str, npt.NDArray[Any]],
    places: npt.NDArray[np.int32],
    look: Callable[[npt.NDArray[np.int32], npt.NDArray[np.int32]], npt.NDArray[Any]],
    works: Works,
) -> npt.NDArray[Any]:
    """What a look finds for every exit, given the places of the regions to leave and their exits, one by one."""
    counts = arrays["exit_counts"]
    firsts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).tolist()
    owners, exits = read_only(np.repeat(places, counts), arrays["exits"].astype(np.int32))

    def make(first: int, last: int) -> tuple[npt.NDArray[Any], ...]:
        of_part = slice(firsts[first], firsts[last])
        return (look(owners[of_part], exits[of_part]),)

    return np.concatenate([part for (part,) in works.parts(title, places.size, make)])
