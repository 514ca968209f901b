"""Problem: a start and a goal; and the seeded sampler that every test and suite draws problems from."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from waypost.errors import ParameterError, WaypostError, shown
from waypost.kernels.numbers import COST_LIMIT
from waypost.system.checks import number_within, whole_number
from waypost.world.grid import Grid
from waypost.world.search import Search

__all__ = ["MOST_PROBLEMS", "Problem", "sample_problems", "solve_optimally", "spread"]

T = TypeVar("T")

MOST_PROBLEMS = 10_000_000
"""At once, on one map."""
_MOST_FAILURES = 100
SORTED_AT_ONCE = 1 << 21


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


def solve_optimally(grid: Grid, problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems, one by one, with their optimal cost filled in by A*; unreachable ones keep None."""
    search = Search(grid)
    for problem in problems:
        if not isinstance(problem, Problem):
            raise ParameterError(f"what is solved is a Problem, not {shown(problem)}; see sample_problems")
        start, goal = grid.checked_cell(problem.start), grid.checked_cell(problem.goal)
        yield replace(problem, optimal=search.solve(start, goal)) if grid.connected(start, goal) else problem


def sample_problems(
    grid: Grid, count: int, seed: int = 0, *, min_length: float | None = None, max_length: float | None = None
) -> list[Problem]:
    """Random problems with different start and goal in one component, the same for the same grid, count and seed.

    Starts are uniform over the open cells that have somewhere to go, goals uniform over the other cells of the start's
    component. With a length range (in cells, both ends included) goals are uniform over the cells whose optimal path
    length lies in it, and `optimal` is filled in.
    """
    if not isinstance(grid, Grid):
        raise ParameterError(f"problems are sampled on a Grid, not on {shown(grid)}; see load_map")
    count, seed = whole_number("count", count, highest=MOST_PROBLEMS), whole_number("seed", seed)
    length = _length_range(min_length, max_length)
    random = np.random.default_rng(seed)
    if count == 0:
        return []
    starts = grid.cells_of(grid.component_sizes > 1)
    if starts.size == 0:
        raise WaypostError("no two open cells of this map are connected, so there is no problem to sample")
    if length is None:
        return _sample_pairs(grid, starts, count, random)
    return _sample_within(grid, starts, count, random, *length)


def _length_range(min_length: float | None, max_length: float | None) -> tuple[float, float] | None:
    """The range in cells, or None if neither end is given."""
    if min_length is None and max_length is None:
        return None
    lowest = 0.0 if min_length is None else min_length
    highest = math.inf if max_length is None else max_length
    try:
        first, last = (number_within("", end, float, 0, math.inf, takes_text=False) for end in (lowest, highest))
    except ParameterError:
        first, last = 1, 0
    if first > last:
        raise ParameterError(
            f"the length range must have 0 <= min_length <= max_length, not {shown(lowest)} to {shown(highest)}"
        )
    return first, last


def _sample_pairs(grid: Grid, starts: npt.NDArray[np.int32], count: int, random: np.random.Generator) -> list[Problem]:
    sizes = np.where(grid.component_sizes > 1, grid.component_sizes, 0)
    first_of = np.cumsum(sizes) - sizes
    cells = _by_component(grid, starts, first_of) if np.count_nonzero(sizes) > 1 else starts
    problems = []
    for _ in range(count):
        rank = int(random.integers(cells.size))
        label = grid.component[cells[rank]]
        # Any of the other cells: skip the start by shifting the ranks from it on by one.
        other = int(first_of[label]) + int(random.integers(sizes[label] - 1))
        problems.append(Problem(int(cells[rank]), int(cells[other + (other >= rank)])))
    return problems


def _by_component(grid: Grid, cells: npt.NDArray[np.int32], first_of: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The cells in another order: each component is a stretch that begins where `first_of` says, as it was before.

    A counting sort, some cells at a time: to sort all of a large map at once would take some twenty bytes for each.
    """
    if cells.size <= SORTED_AT_ONCE:
        return cells[np.argsort(grid.component[cells], kind="stable")]
    ordered = np.empty_like(cells)
    free = first_of.copy()
    for first in range(0, cells.size, SORTED_AT_ONCE):
        some = cells[first : first + SORTED_AT_ONCE]
        labels = grid.component[some]
        order = np.argsort(labels, kind="stable")
        labels = labels[order]
        begins = np.flatnonzero(np.diff(labels, prepend=-1))
        counts = np.diff(begins, append=labels.size)
        ordered[np.repeat(free[labels[begins]] - begins, counts) + np.arange(labels.size)] = some[order]
        free[labels[begins]] += counts
    return ordered


def _sample_within(
    grid: Grid,
    starts: npt.NDArray[np.int32],
    count: int,
    random: np.random.Generator,
    lowest: float,
    highest: float,
) -> list[Problem]:
    straight = grid.costs.straight
    # A hair of slack for lengths that were computed from costs; never start == goal.
    least = max(1, math.ceil(min(lowest * straight - 1e-6, COST_LIMIT + 1)))
    most = math.floor(min(highest * straight + 1e-6, COST_LIMIT))
    search = Search(grid, h_weight=0)
    problems: list[Problem] = []
    failures = 0
    while len(problems) < count and failures < _MOST_FAILURES:
        start = int(starts[random.integers(starts.size)])
        search.begin_all(start, most)
        search.advance()
        candidates = search.count_within(least, most)
        if candidates == 0:
            failures += 1
            continue
        failures = 0
        goal = search.pick_within(least, most, int(random.integers(candidates)))
        problems.append(Problem(start, goal, search.cost(goal)))
    if len(problems) < count:
        raise WaypostError(
            f"{_MOST_FAILURES} starts in a row had no goal at an optimal length of {lowest:g} to {highest:g} cells; "
            "widen the range"
        )
    return problems
