"""Which planner is compared with which plain-Python walker, and how often.

A family of planners that has twins lists them as TWINS in `tests/planners/<family>/twins.py`, where they are found.
"""

import importlib
import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

from tests.support.chance import seeded
from tests.support.learning_worlds import random_world
from tests.support.once import optimal_costs, small_world
from tests.support.worlds import JIT_IS_OFF, large_world

PLANNERS = Path(__file__).parents[1] / "planners"


def side(compiled, plain):
    """The side of a larger map where kernels are compiled, and where they are plain Python."""
    return plain if JIT_IS_OFF else compiled


@dataclass(frozen=True, kw_only=True)
class Twin:
    """A planner, its walker, and how many random worlds they walk in side by side."""

    planner: str
    pair: Callable
    """(planner, world, start, goal, *, record, **params) -> SideBySide."""
    random_params: Callable
    """random -> parameters, unlike those that anyone would choose."""
    drawn_params: st.SearchStrategy | None = None
    """Parameters that shrink with a world; if there are none, random ones by a seed."""
    drawn: int = 0
    """Worlds that shrink: the smallest one that differs is told."""
    small: int
    """Worlds with a detour."""
    met_often: tuple[str, ...] = ()
    """Rules that more than a quarter of these must meet."""
    large: int = 0
    """Generated maps; 0: such walks take too long."""
    largest: int = 0
    """Side of them."""
    retargeted: int
    """Worlds in which the goal changes on the way."""
    new_goals: int = 6
    """How often it does."""
    walked: int
    """Worlds in which an agent walks in one go."""
    most_walked: int | None = None
    """Moves of the last walk; None: it must arrive."""
    presets: int = 1
    """Maps of each rule and costs that presets are tried on."""
    preset_params: Callable = lambda _: {}
    """random -> what to say beside a preset on a small map."""
    takes: Callable = lambda *_: True
    """(is_open, rule, costs, start) -> whether there is something to be planned."""
    is_asking: Callable | None = None
    """Of planners with fleets: whether a walker will choose before its next move."""
    in_fleets: Mapping = field(default_factory=dict)
    """What else its pair is told there."""
    name: str = ""
    """In tests, where a planner has several twins."""

    def __str__(self):
        return self.name or self.planner

    def params(self):
        """A hypothesis strategy."""
        by_seed = st.integers(0, 1000).map(lambda seed: self.random_params(seeded(seed)))
        return by_seed if self.drawn_params is None else self.drawn_params

    def suits(self, is_open, rule, costs, start, goal):
        """Whether a world has a way, and one to be planned."""
        return goal in optimal_costs(is_open, rule, costs, start) and self.takes(is_open, rule, costs, start)

    def small_pair(self, random, rule, costs, *, record=False, **params):
        """A pair in a world with a detour."""
        while True:
            is_open, start, goal = random_world(random, rule, costs)
            if self.takes(is_open, rule, costs, start):
                params = self.random_params(random) | params
                return self.pair(self.planner, (is_open, rule, costs), start, goal, record=record, **params)

    def large_pair(self, random, rule, costs, longest):
        """A pair on a generated map, and more places there."""
        world, places = large_world(random, rule, costs, longest)
        return self.pair(self.planner, world, *places[:2], **self.random_params(random)), places[2:]

    def small_pairs(self, seed, count, rule, costs):
        """Pairs in small worlds, which other twins have, too; their parameters are their own."""
        random = seeded(seed)
        worlds = (small_world(seed, number, rule, costs) for number in itertools.count())
        suitable = (world for world in worlds if self.takes(world[0], rule, costs, world[1]))
        for is_open, start, goal in itertools.islice(suitable, count):
            yield self.pair(self.planner, (is_open, rule, costs), start, goal, **self.random_params(random))

    def pairs(self, seed, count, rule, costs):
        """In small worlds and, where kernels are compiled, as many on maps that are not as large as others."""
        yield from self.small_pairs(seed, count, rule, costs)
        random = seeded(seed)
        for _ in range(count if self.large and not JIT_IS_OFF else 0):
            yield self.large_pair(random, rule, costs, self.largest // 2)[0]

    def rules_met(self, random, rule, costs, longest):
        """Counted: by walks in a small world and on a generated map."""
        met = Counter(self.small_pair(random, rule, costs).follow())
        pair, places = self.large_pair(random, rule, costs, longest)
        met += pair.follow()
        for ends in zip(places[::2], places[1::2], strict=True):
            pair.reset(*ends)
            met += pair.follow()
        return met


def discovered():
    """The twins of all families, by their names."""
    found = sorted(path.parent.name for path in PLANNERS.glob("*/twins.py"))
    families = [importlib.import_module(f"tests.planners.{family}.twins") for family in found]
    return {str(twin): twin for family in families for twin in family.TWINS}
