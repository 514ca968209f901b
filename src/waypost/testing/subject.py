"""The planner that is checked, where it is checked, and what checks have in common."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from waypost import catalog
from waypost.catalog import Entry
from waypost.errors import WaypostError
from waypost.making import build
from waypost.planner import Planner
from waypost.world.grid import Grid
from waypost.world.problem import Problem, sample_problems

__all__ = ["MOST_MOVES", "Subject", "problems_of", "refused"]

T = TypeVar("T")
MOST_MOVES = 100_000
"""Who has not arrived by then on a small map is lost."""
_MOST = 60  # of a parameter that is drawn
_LONGEST_SENTENCE = 500


@dataclass(frozen=True)
class Subject:
    """A planner and small maps."""

    name: str
    maps: Mapping[str, npt.NDArray[np.bool_]]
    most: Mapping[str, float] = field(default_factory=dict)
    """Largest values of parameters that are tried at random, by name."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Values of parameters in place of their defaults, by name: those that it has."""
    one_of: int = 1
    """Of cases that are many and alike, one of so many is tried."""

    @property
    def entry(self) -> Entry:
        """Its line in the catalog."""
        return catalog.find(self.name)

    @property
    def is_open(self) -> npt.NDArray[np.bool_]:
        """The map with the most open cells."""
        return max(self.maps.values(), key=np.count_nonzero)

    def grids(self, **rules: Any) -> Iterator[Grid]:
        """All maps."""
        for is_open in self.maps.values():
            yield Grid(is_open, **rules)

    def build(self, grid: Grid, **params: Any) -> Planner:
        """The planner on a map."""
        known = {name: value for name, value in self.params.items() if name in self.entry.params}
        return build(self.entry, grid, **known | params)

    def some_of(self, cases: Sequence[T], shift: int = 0) -> Sequence[T]:
        """One of `one_of` cases, others for another shift."""
        return cases[shift % self.one_of :: self.one_of] or cases[:1]

    def some_params(self, random: np.random.Generator) -> dict[str, Any]:
        """A random value for some of the parameters, small ones rather than large ones; or a preset."""
        if self.entry.presets and not random.integers(3):
            return {catalog.PRESET: str(random.choice(list(self.entry.presets)))}
        params = {}
        for name, spec in self.entry.params.items():
            if random.integers(2):
                continue
            most = max(spec.lowest, min(spec.highest, self.most.get(name, _MOST)))
            small = spec.lowest + random.random() ** 2 * (most - spec.lowest)
            params[name] = type(spec.default)(round(small, 2) if isinstance(spec.default, float) else round(small))
        return params


def problems_of(grid: Grid, count: int = 6, seed: int = 1) -> list[Problem]:
    """Some problems with a path, start == goal among them."""
    cell = int(np.flatnonzero(grid.component)[0])
    standing = [Problem(cell, cell)]
    return standing + (sample_problems(grid, count, seed) if grid.component_sizes.max() > 1 else [])


@contextmanager
def refused(matching: str, kind: type[Exception] = WaypostError) -> Iterator[None]:
    """What is done here must be refused, in one sentence that matches."""
    try:
        yield
    except kind as refusal:
        told = str(refusal)
        assert re.search(matching, told), f"was refused by {told!r}, which does not match {matching!r}"
        assert told.isprintable(), f"was refused by more than one line: {told!r}"
        assert len(told) < _LONGEST_SENTENCE, f"was refused at length: {told!r}"
    else:
        raise AssertionError(f"was not refused; expected {kind.__name__} matching {matching!r}")
