"""Walkers towards a target, one or many: climbs and legs of LRTA* against plain Python."""

import numba
import numpy as np
import pytest

from tests.learning_worlds import random_world
from tests.oracle import rules
from tests.oracle.climb import climb
from tests.oracle.learning import walker as learner
from tests.worlds import cases, random_open, random_place
from waypost.grid import Grid
from waypost.kernels import best_first, blocks, tiles, walk

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@numba.njit
def head_for(pool, state, walker, stride, target):
    walk.head_for(pool, state, walker, stride, target)


@numba.njit
def move(mask, climb_table, pool, state, walker, stride, across, straight, diagonal):
    return walk.move(mask, climb_table, pool, state, walker, stride, across, straight, diagonal)


class Fleet:
    """Walkers on one grid, with room for as many blocks as each could need."""

    def __init__(self, grid, count, route_slots=0):
        self.grid = grid
        self.across = tiles.tiles_across(grid.stride)
        size, chains = blocks.pool_size(count * self.across * tiles.tiles_across(grid.height + 2))
        self.pool = np.zeros(size, np.int32)
        blocks.prepare(self.pool, chains)
        self.state = np.zeros((walk.SLOTS + route_slots, count), np.int32)
        self.asking = np.empty(count, np.int32)

    def place(self, walker, place, target):
        walk.place(self.pool, self.state, walker, self.grid.cell(place), self.grid.cell(target))
        assert self.state[walk.TARGET, walker] == -1
        self.aim(walker, target)

    def aim(self, walker, target):
        head_for(self.pool, self.state, walker, self.grid.stride, self.grid.cell(target))

    def climb_all(self):
        """Those that could not climb, having arrived or being stuck."""
        world = self.grid.mask, self.grid.climb_table, self.grid.stride
        return self.asking[: walk.climb_all(*world, self.state, self.asking)].tolist()

    def move(self, walker):
        straight, diagonal, _ = self.grid.costs
        return move(
            self.grid.mask, self.grid.climb_table, self.pool, self.state, walker,
            self.grid.stride, self.across, straight, diagonal,
        )  # fmt: skip

    def position(self, walker):
        return self.grid.xy(int(self.state[walk.CELL, walker]))

    def learned(self, walker, target):
        """{place: h} of what a walker has learned on its leg."""
        first, last = (int(slot) for slot in self.state[walk.FIRST_BLOCK : walk.LAST_BLOCK + 1, walker])
        cells = blocks.raised(self.pool, first, last, self.across).T.tolist()
        cell_of = [(y * self.grid.stride + x, rise) for x, y, rise in cells]
        return {self.grid.xy(cell): self.grid.octile(cell, self.grid.cell(target)) + rise for cell, rise in cell_of}


@each_rule
def test_a_fleet_climbs_as_the_oracle_does(rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=14)
        fleet = Fleet(Grid(is_open, diagonals=rule, costs=costs), int(random.integers(1, 30)))
        count = fleet.asking.size
        ends = [(random_place(random, is_open), random_place(random, is_open)) for _ in range(count)]
        climbs = [climb(is_open, rule, costs, start, target)[1] for start, target in ends]
        for walker, (start, target) in enumerate(ends):
            fleet.place(walker, start, target)
        for moves in range(1, max(len(places) for places in climbs) + 2):
            assert fleet.climb_all() == [w for w in range(count) if len(climbs[w]) <= moves]
            assert [fleet.position(w) for w in range(count)] == [places[: moves + 1][-1] for places in climbs]
            to_target = [tuple(fleet.state[[walk.TO_X, walk.TO_Y], w].tolist()) for w in range(count)]
            for walker, (x, y) in enumerate(to_target):
                here, target = fleet.position(walker), ends[walker][1]
                assert (here[0] + x, here[1] + y) == target


@each_rule
def test_walkers_on_prepared_routes_make_one_move_a_tick(rule, costs):
    """Routes of random subgoals, each reached by a climb from the one before; some routes have no legs."""
    random = np.random.default_rng(3)
    for _ in range(cases(40)):
        is_open = random_open(random, largest=14)
        fleet = Fleet(Grid(is_open, diagonals=rule, costs=costs), int(random.integers(1, 12)), route_slots=2)
        grid, count = fleet.grid, fleet.asking.size
        ways, legs = [], []
        for walker in range(count):
            way = [random_place(random, is_open)]
            fleet.state[walk.CELL, walker] = grid.cell(way[0])
            fleet.state[walk.NEXT_LEG, walker] = len(legs)
            for subgoal in [random_place(random, is_open) for _ in range(random.integers(6))]:
                arrives, places = climb(is_open, rule, costs, way[-1], subgoal)
                if arrives and len(places) > 1:
                    legs.append((subgoal[0] - way[-1][0], subgoal[1] - way[-1][1]))
                    way += places[1:]
            fleet.state[walk.END_LEG, walker] = len(legs)
            ways.append(way)
        legs = np.array(legs, np.int16).reshape(-1, 2)
        legs.setflags(write=False)
        for tick in range(1, max(map(len, ways)) + 2):
            asking = len(fleet.climb_all())
            world = grid.mask, grid.climb_table, grid.stride
            done = walk.follow(*world, legs, fleet.state, fleet.asking, asking)
            assert fleet.asking[:done].tolist() == [w for w in range(count) if len(ways[w]) <= tick]
            assert [fleet.position(w) for w in range(count)] == [way[: tick + 1][-1] for way in ways]


@each_rule
def test_a_leg_is_a_climb_and_then_plain_lrta(rule, costs):
    """Several walkers move in turns and share a pool; what each learns is its own, and forgotten with the target."""
    random = np.random.default_rng(2)
    learned_something = 0
    for _ in range(cases(30)):
        is_open, start, goal = random_world(random, rule, costs)
        fleet = Fleet(Grid(is_open, diagonals=rule, costs=costs), 3)
        legs = [
            Leg(fleet, walker, is_open, rule, costs, *ends)
            for walker, ends in enumerate([(start, goal), (goal, start), (start, goal)])
        ]
        for _ in range(200):
            leg = legs[random.integers(3)]
            if leg.here == leg.target or random.integers(60) == 0:
                leg.turn_round()
            leg.move()
        learned_something += sum(leg.learned_cells for leg in legs)
        for leg in legs:
            assert fleet.state[walk.LEARNED, leg.walker] == leg.learned_cells
    assert learned_something


class Leg:
    """A walker of a fleet beside a climb of the oracle and, once that is stuck, its LRTA* of depth 1."""

    def __init__(self, fleet, walker, is_open, rule, costs, start, target):
        self.fleet, self.walker, self.world = fleet, walker, (is_open, rule, costs)
        self.here, self.back, self.target = start, start, target
        self.learned_cells = 0
        self.begin(target)
        fleet.place(walker, start, target)

    def begin(self, target):
        self.target, self.learner, self.tiles = target, None, set()

    def turn_round(self):
        """Go back to where the last target was set, or away from there if the walker has not left it."""
        target, self.back = self.back if self.back != self.here else self.target, self.here
        self.begin(target)
        self.fleet.aim(self.walker, target)
        assert self.fleet.learned(self.walker, target) == {}

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
        assert self.fleet.move(self.walker) == expected
        assert self.fleet.position(self.walker) == self.here
        learned = self.learner.learned if self.learner else {}
        assert self.fleet.learned(self.walker, self.target) == learned


def test_a_value_beyond_the_longest_path_is_noticed():
    fleet = Fleet(Grid(np.array([[True, True, True], [True, False, True]])), 1)
    fleet.place(0, (0, 1), (2, 1))
    assert fleet.move(0) == (1, 0, 1)
    values = int(fleet.state[walk.FIRST_BLOCK, 0]) + blocks._VALUES
    for value, too_far in ((best_first.COST_LIMIT - 20_000, 0), (best_first.COST_LIMIT - 5_000, 1)):
        x, y = fleet.position(0)
        fleet.pool[values : values + 64] = value
        fleet.pool[values + 8 * (y + 1) + x + 1] = 0
        assert fleet.move(0) == (1, 0, 0)
        assert fleet.state[walk.TOO_FAR, 0] == too_far
    fleet.place(0, (0, 1), (2, 1))
    assert fleet.state[walk.TOO_FAR, 0] == 0
