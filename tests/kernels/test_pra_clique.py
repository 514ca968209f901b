"""PRA* on cliques against the plain-Python twin: every move, and the expansions on the ground and above it."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost as wp
from tests.clique_worlds import JUST_ENOUGH_NODES, ROUND_AGAIN, ROUND_AGAIN_PARAMS
from tests.learning_worlds import random_world
from tests.oracle import pra_clique as oracle
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.region_pairs import draw, large_world
from tests.worlds import JIT_IS_OFF, cases, small_worlds
from waypost.maps.text import read_drawing
from waypost.step import WORK_COUNTERS

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
LARGEST = 20 if JIT_IS_OFF else 70
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


class Pair:
    """An agent and a walker that must do the same."""

    def __init__(self, world, start, goal, *, steps, width, euclid):
        is_open, rule, costs = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        planner = wp.build("pra-clique", self.grid, threads=1, steps=steps, width=width, euclid=euclid)
        self.agent = planner.agent()
        self.world = oracle.World(is_open.tolist(), rule, costs, euclid=euclid)
        self.settings = {"steps": steps, "width": width}
        self.plans = []
        self.reset(start, goal)

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = oracle.PraWalker(self.world, start, **self.settings)
        self.walker.set_goal(goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.walker.set_goal(goal)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def follow(self, most=None):
        """Walk side by side, to the goal if nothing else is said: the same places, the same work."""
        before = len(self.walker.plans)
        while not self.arrived and most != 0:
            step = self.agent.step()
            self.check_move(step.cell, step[2:])
            assert step.status is (wp.Status.ARRIVED if self.arrived else wp.Status.MOVING)
            most = None if most is None else most - 1
        self.plans += self.walker.plans[before:]

    def check_move(self, cell, work):
        there, expansions, probes = self.walker.step()
        assert self.grid.xy(cell) == there
        spent = {name: count for name, count in zip(WORK_COUNTERS, work, strict=True) if count}
        assert spent == +Counter(expansions=expansions, probes=probes)


def random_params(random):
    return {
        "steps": draw(random, (0, 0, 1, 2, 3, 8)),
        "width": draw(random, (0, 1, 1, 2)),
        "euclid": int(random.integers(2)),
    }


def small_pair(random, rule, costs):
    is_open, start, goal = random_world(random, rule, costs)
    return Pair((is_open, rule, costs), start, goal, **random_params(random))


@settings(max_examples=cases(300), deadline=None)
@given(small_worlds(), st.integers(0, 4), st.integers(0, 2), st.integers(0, 1))
def test_small_worlds_equal_the_oracle(world, steps, width, euclid):
    is_open, rule, costs, start, goal = world
    if goal in all_costs(is_open, rule, costs, start):
        Pair((is_open, rule, costs), start, goal, steps=steps, width=width, euclid=euclid).follow()


@each_world
def test_walks_equal_the_oracle(rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(60)):
        small_pair(random, rule, costs).follow()


@each_world
def test_walks_on_larger_maps_equal_the_oracle(rule, costs):
    """Several levels to start from, and corridors that leave much out."""
    random = np.random.default_rng(2)
    for _ in range(cases(8)):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(world, *places[:2], **random_params(random))
        pair.follow()
        pair.reset(*places[2:4])
        pair.follow()


@each_world
def test_retargeted_walks_equal_the_oracle(rule, costs):
    """New goals on the way, the cell it stands on and old ones again: each begins a trip."""
    random = np.random.default_rng(3)
    for _ in range(cases(6)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = Pair(world, *places[:2], **random_params(random))
        for _ in range(8):
            pair.follow(most=int(random.integers(0, 20)))
            pair.retarget(draw(random, [*places, pair.walker.here, pair.walker.goal]))
        pair.follow()


@each_world
def test_a_walk_is_what_stepping_would_do(rule, costs):
    random = np.random.default_rng(4)
    for _ in range(cases(10)):
        pair = small_pair(random, rule, costs)
        for most in (int(random.integers(0, 10)), 5000):
            walk = pair.agent.walk(most)
            for cell, work in zip(walk.cells[1:].tolist(), walk.work.tolist(), strict=True):
                pair.check_move(cell, work)
            assert walk.status is (wp.Status.ARRIVED if pair.arrived else wp.Status.OUT_OF_MOVES)


@pytest.mark.parametrize("costs", rules.COSTS)
def test_a_walk_that_comes_back_equals_the_oracle(costs):
    is_open, places = read_drawing(ROUND_AGAIN)
    pair = Pair((is_open, "never", costs), places["a"], places["b"], **ROUND_AGAIN_PARAMS)
    for ends in ("ab", "ba", "ab"):
        pair.reset(*(places[end] for end in ends))
        pair.follow()
        if ends == "ab":
            assert len(pair.walker.plans) == len(pair.walker.began_at) + 1
    pair.retarget(places["a"])
    pair.follow()


def test_a_level_of_just_enough_nodes_equals_the_oracle():
    is_open, places = read_drawing(JUST_ENOUGH_NODES)
    pair = Pair((is_open, "both-open", "1.4"), places["a"], places["b"], steps=0, width=0, euclid=0)
    assert 4 * is_open.sum() in [len(level.nodes) ** 2 for level in pair.world.levels]
    pair.follow()


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds above must hold what they are for."""
    random = np.random.default_rng(5)
    met = Counter()
    for _ in range(60):
        rule, costs = draw(random, WORLDS)
        world, places = large_world(random, rule, costs, LARGEST)
        for pair in (small_pair(random, rule, costs), Pair(world, *places[:2], **random_params(random))):
            pair.follow()
            met["neighbours"] += sum(len(plan.ways) == 1 for plan in pair.plans)
            met["one level"] += sum(len(plan.ways) == 2 for plan in pair.plans)
            met["more levels"] += sum(len(plan.ways) > 2 for plan in pair.plans)
            met["cut"] += sum(plan.cuts == 1 for plan in pair.plans)
            met["cut on several levels"] += sum(plan.cuts > 1 for plan in pair.plans)
    assert len(met) == 5
    assert not {rule: count for rule, count in met.items() if count < 3}
