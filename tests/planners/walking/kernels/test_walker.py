"""Walkers towards a target, one or many: climbs and legs of LRTA* against plain Python."""

import numba
import numpy as np
import pytest

from tests.oracle.climb import climb
from tests.oracle.learning import walker as learner
from tests.support.chance import seeded
from tests.support.learning_worlds import random_world
from tests.support.worlds import WORLDS, cases, random_open, random_place
from waypost.agents.move_log import new_log
from waypost.kernels import tiles
from waypost.kernels.numbers import COST_LIMIT
from waypost.planners.walking.ground import ground_of
from waypost.planners.walking.kernels import blocks, walker
from waypost.planners.walking.kernels.ground import Ground
from waypost.planners.walking.kernels.walker import Slot
from waypost.world.grid import Grid

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@numba.njit
def head_for(ground, pool, now, target):
    walker.head_for(Ground(*ground), pool, now, target)


@numba.njit
def move(ground, pool, now):
    return walker.move(Ground(*ground), pool, now)


class Walkers:
    """Walkers on one grid, with room for as many blocks as each could need."""

    def __init__(self, grid, count):
        self.grid, self.ground = grid, ground_of(grid)
        size, chains = blocks.pool_size(count * self.ground.tiles_across * tiles.tiles_across(grid.height + 2))
        self.pool = np.zeros(size, np.int32)
        blocks.prepare(self.pool, chains)
        self.states = np.zeros((count, Slot.ROUTE), np.int32)

    def place(self, number, place, target):
        walker.place(self.pool, self.states[number], self.grid.cell(place), self.grid.cell(target))
        assert self.states[number, Slot.TARGET] == -1
        self.aim(number, target)

    def aim(self, number, target):
        head_for(tuple(self.ground), self.pool, self.states[number], self.grid.cell(target))

    def climb(self, number):
        """The log of a step, or nothing from one that has arrived or is stuck."""
        log = new_log(1)
        world = self.grid.mask, self.grid.climb_table, self.grid.stride
        return log.tolist() if walker.climb_on(*world, self.states[number], log) else []

    def move(self, number):
        return move(tuple(self.ground), self.pool, self.states[number])

    def position(self, number):
        return self.grid.xy(int(self.states[number, Slot.CELL]))

    def learned(self, number, target):
        """{place: h} of what a walker has learned on its leg."""
        first, last = self.states[number, [Slot.FIRST_BLOCK, Slot.LAST_BLOCK]].tolist()
        cells = blocks.raised(self.pool, first, last, self.ground.tiles_across).T.tolist()
        cell_of = [(y * self.grid.stride + x, rise) for x, y, rise in cells]
        return {self.grid.xy(cell): self.grid.octile(cell, self.grid.cell(target)) + rise for cell, rise in cell_of}


@each_rule
def test_a_walker_climbs_as_the_oracle_does(rule, costs):
    random = seeded(1)
    for _ in range(cases(400)):
        is_open = random_open(random, largest=14)
        one = Walkers(Grid(is_open, diagonals=rule, costs=costs), 1)
        start, target = random_place(random, is_open), random_place(random, is_open)
        one.place(0, start, target)
        for place in climb(is_open, rule, costs, start, target)[1][1:]:
            assert one.climb(0) == [one.grid.cell(place), 0, 0, 1, 0, 0]
            assert one.position(0) == place
            x, y = one.states[0, [Slot.TO_X, Slot.TO_Y]].tolist()
            assert (place[0] + x, place[1] + y) == target
        before = one.states.tolist()
        assert one.climb(0) == []
        assert one.states.tolist() == before


@each_rule
def test_a_leg_is_a_climb_and_then_plain_lrta(rule, costs):
    """Several walkers move in turns and share a pool; what each learns is its own, and forgotten with the target."""
    random = seeded(2)
    learned_something = 0
    for _ in range(cases(30)):
        is_open, start, goal = random_world(random, rule, costs)
        walkers = Walkers(Grid(is_open, diagonals=rule, costs=costs), 3)
        legs = [
            Leg(walkers, number, is_open, rule, costs, *ends)
            for number, ends in enumerate([(start, goal), (goal, start), (start, goal)])
        ]
        for _ in range(200):
            leg = legs[random.integers(3)]
            if leg.here == leg.target or random.integers(60) == 0:
                leg.turn_round()
            leg.move()
        learned_something += sum(leg.learned_cells for leg in legs)
        for leg in legs:
            assert walkers.states[leg.number, Slot.LEARNED] == leg.learned_cells
    assert learned_something


class Leg:
    """A walker beside a climb of the oracle and, once that is stuck, its LRTA* of depth 1."""

    def __init__(self, walkers, number, is_open, rule, costs, start, target):
        self.walkers, self.number, self.world = walkers, number, (is_open, rule, costs)
        self.here, self.back, self.target = start, start, target
        self.learned_cells = 0
        self.begin(target)
        walkers.place(number, start, target)

    def begin(self, target):
        self.target, self.learner, self.tiles = target, None, set()

    def turn_round(self):
        """Go back to where the last target was set, or away from there if the walker has not left it."""
        target, self.back = self.back if self.back != self.here else self.target, self.here
        self.begin(target)
        self.walkers.aim(self.number, target)
        assert self.walkers.learned(self.number, target) == {}

    def move(self):
        if self.here == self.target:
            return
        places = [] if self.learner else climb(*self.world, self.here, self.target, limit=1)[1]
        if len(places) == 2:
            self.here, expected = places[1], (0, 1, 0)
        else:
            self.learner = self.learner or learner("lrta", *self.world, self.here, self.target, depth=1)
            known = self.learner.learned
            tile = (self.here[0] + 1) // 8, (self.here[1] + 1) // 8
            before, (self.here, _) = self.here, self.learner.step()
            rises = self.learner.learned != known
            expected = (1, 0, int(rises and tile not in self.tiles))
            self.tiles |= {tile} if rises else set()
            self.learned_cells += rises and before not in known
        assert self.walkers.move(self.number) == expected
        assert self.walkers.position(self.number) == self.here
        learned = self.learner.learned if self.learner else {}
        assert self.walkers.learned(self.number, self.target) == learned


def test_a_value_beyond_the_longest_path_is_noticed():
    walkers = Walkers(Grid(np.array([[True, True, True], [True, False, True]])), 1)
    walkers.place(0, (0, 1), (2, 1))
    assert walkers.move(0) == (1, 0, 1)
    values = int(walkers.states[0, Slot.FIRST_BLOCK]) + blocks.VALUES
    for value, too_far in ((COST_LIMIT - 20_000, 0), (COST_LIMIT - 5_000, 1)):
        x, y = walkers.position(0)
        walkers.pool[values : values + 64] = value
        walkers.pool[values + 8 * (y + 1) + x + 1] = 0
        assert walkers.move(0) == (1, 0, 0)
        assert walkers.states[0, Slot.TOO_FAR] == too_far
    walkers.place(0, (0, 1), (2, 1))
    assert walkers.states[0, Slot.TOO_FAR] == 0
