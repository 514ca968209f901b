"""Problem: a start and a goal; and the seeded sampler that every test and suite draws problems from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, WaypostError
from waypost.grid import Grid
from waypost.search import Search

__all__ = ["Problem", "sample_problems", "solve_optimally", "spread"]

T = TypeVar("T")

_TRIES_PER_PROBLEM = 200


@dataclass(frozen=True, slots=True)
class Problem:
    """Start and goal cells, and the optimal integer cost where it is known."""

    start: int
    goal: int
    optimal: int | None = None


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most `count` items, evenly spaced over the sequence and centred in their stretches."""
    if count >= len(items):
        return list(items)
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]


def solve_optimally(grid: Grid, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their optimal cost filled in by A*; unreachable ones keep None."""
    search = Search(grid)
    return [
        replace(p, optimal=search.solve(p.start, p.goal)) if grid.connected(p.start, p.goal) else p for p in problems
    ]


def sample_problems(
    grid: Grid, count: int, seed: int = 0, *, min_length: float | None = None, max_length: float | None = None
) -> list[Problem]:
    """Random problems with start and goal in one component, the same for the same grid, count and seed.

    Starts are uniform over open cells, goals uniform over the other cells of the start's component. With a length
    range (in cells, both ends included) goals are uniform over the cells whose optimal path length lies in it, and
    `optimal` is filled in.
    """
    if count < 0:
        raise ParameterError(f"the number of problems must be at least 0, not {count}")
    random = np.random.default_rng(seed)
    if min_length is None and max_length is None:
        return _sample_pairs(grid, count, random)
    lowest, highest = min_length or 0.0, float("inf") if max_length is None else max_length
    if not 0 <= lowest <= highest:
        raise ParameterError(f"the length range must have 0 <= min_length <= max_length, not {lowest} to {highest}")
    return _sample_within(grid, count, random, lowest, highest)


def _sample_pairs(grid: Grid, count: int, random: np.random.Generator) -> list[Problem]:
    by_component = np.flatnonzero(grid.component).astype(np.int32)
    if grid.component_count > 1:
        by_component = by_component[np.argsort(grid.component[by_component], kind="stable")]
    starts_at = np.cumsum(grid.component_sizes) - grid.component_sizes
    usable = int(grid.component_sizes[grid.component_sizes > 1].sum())
    if usable == 0 and count > 0:
        raise WaypostError("no two open cells of this map are connected, so there is no problem to sample")
    problems: list[Problem] = []
    while len(problems) < count:
        rank = int(random.integers(by_component.size))
        start = int(by_component[rank])
        label = grid.component[start]
        size = int(grid.component_sizes[label])
        if size == 1:
            continue
        first = int(starts_at[label])
        # Any of the other cells: skip the start by shifting the ranks after it down by one.
        other = first + int(random.integers(size - 1))
        goal = int(by_component[other + (other >= rank)])
        problems.append(Problem(start, goal))
    return problems


def _sample_within(grid: Grid, count: int, random: np.random.Generator, lowest: float, highest: float) -> list[Problem]:
    straight = grid.costs.straight
    least = int(np.ceil(lowest * straight - 1e-9))
    most = 2**31 - 1 if highest == float("inf") else int(np.floor(highest * straight + 1e-9))
    open_cells: npt.NDArray[np.intp] = np.flatnonzero(grid.component)
    search = Search(grid, h_weight=0)
    problems: list[Problem] = []
    for _ in range(_TRIES_PER_PROBLEM * max(count, 1)):
        if len(problems) == count:
            return problems
        start = int(open_cells[random.integers(open_cells.size)])
        search.begin(start, cost_limit=most)
        search.advance()
        candidates = search.count_within(least, most)
        if candidates > 0:
            goal = search.pick_within(least, most, int(random.integers(candidates)))
            problems.append(Problem(start, goal, search.cost(goal)))
    if len(problems) == count:
        return problems
    raise WaypostError(
        f"found only {len(problems)} of {count} problems with an optimal length of {lowest:g} to {highest:g} cells; "
        "widen the range"
    )
