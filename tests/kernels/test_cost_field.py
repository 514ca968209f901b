"""Least costs to one cell against textbook Dijkstra."""

import numpy as np
import pytest
from hypothesis import given, settings

from tests.oracle.dijkstra import all_costs
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, random_open, random_place, small_worlds
from waypost.kernels import cost_field
from waypost.kernels.queues import RING
from waypost.world.grid import Grid


class Field:
    """A grid, and scratch arrays that are used again and again."""

    def __init__(self, is_open, rule, costs):
        self.grid = Grid(is_open, diagonals=rule, costs=costs)
        self.costs = np.empty(self.grid.mask.size, np.int32)
        self.ring = np.full(RING, -1, np.int64)
        self.pool = np.empty((8 * int(self.grid.component_sizes.max()) + 1, 2), np.int64)

    def to(self, goal, until=None):
        """{place: cost} of what can be reached, or of some more than is no further than a place."""
        world = self.grid.mask, self.grid.stride, *self.grid.costs
        stop = -1 if until is None else self.grid.cell(until)
        cost_field.fill(*world, self.grid.cell(goal), stop, self.costs, self.ring, self.pool)
        reached = np.flatnonzero(self.costs != cost_field.FAR).tolist()
        return {self.grid.xy(cell): int(self.costs[cell]) for cell in reached}


@settings(max_examples=cases(200), deadline=None)
@given(small_worlds())
def test_small_worlds_equal_the_oracle(world):
    is_open, rule, costs, start, goal = world
    field = Field(is_open, rule, costs)
    for place in (start, goal):
        assert field.to(place) == all_costs(is_open, rule, costs, place)


@pytest.mark.parametrize(("rule", "costs"), WORLDS)
def test_random_maps_equal_the_oracle(rule, costs):
    random = seeded(1)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=16 if JIT_IS_OFF else 40)
        field = Field(is_open, rule, costs)
        for goal in (random_place(random, is_open) for _ in range(3)):
            assert field.to(goal) == all_costs(is_open, rule, costs, goal)


@settings(max_examples=cases(100), deadline=None)
@given(small_worlds())
def test_whatever_is_no_further_than_a_place_is_right(world):
    is_open, rule, costs, start, goal = world
    field, known = Field(is_open, rule, costs), all_costs(is_open, rule, costs, goal)
    found = field.to(goal, until=start)
    furthest = known.get(start, cost_field.FAR)
    near = {place: cost for place, cost in known.items() if cost <= furthest}
    assert near == {place: cost for place, cost in found.items() if cost <= furthest}
    assert field.to(goal) == known  # what was left open does not disturb the next one
