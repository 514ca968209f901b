"""kNN LRTA* of 2009 against the plain-Python walker: every move, its target, all its work and what it learned."""

from collections import Counter

import numpy as np
import pytest

import waypost as wp
from tests.learning_worlds import random_world
from tests.oracle import rules
from tests.oracle.first_leg_walk import FirstLeg, FirstLegWalker
from tests.record_pairs import Pair, has_a_record
from tests.region_pairs import draw, large_world
from tests.worlds import JIT_IS_OFF, cases
from waypost.kernels import records

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
LARGEST = 16 if JIT_IS_OFF else 50


@pytest.fixture(autouse=True)
def _few_paths(monkeypatch):
    """On open ground hardly any path needs a subgoal; seen without the compiler only: just to spare it time."""
    monkeypatch.setattr(records, "MOST_PATHS", 20)


DEAD_END = "......\n.####.\n....#.\n.####.\n......"
each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


class FirstLegPair(Pair):
    """An agent of 2009 and its twin."""

    name = "knn-2009"

    def records_of(self, index):
        points, legs = index.tables["points"].tolist(), index.tables["legs"].tolist()
        return [
            FirstLeg((x - 1, y - 1), (u - 1, v - 1), (x - 1 + dx, y - 1 + dy))
            for (x, y, u, v), (dx, dy) in zip(points, legs, strict=True)
        ]

    def new_walker(self, start):
        return FirstLegWalker(self.world, self.records, start, **self.params)


def random_params(random):
    return {
        "records": draw(random, (1, 5, 15) if JIT_IS_OFF else (1, 5, 40, 150)),
        "seed": int(random.integers(100)),
        "depth": draw(random, (2, 2, 3, 5)),
        "limit": draw(random, (1, 4, 25)),
    }


def small_pair(random, rule, costs):
    while True:
        is_open, start, goal = random_world(random, rule, costs)
        if has_a_record(is_open, rule, costs, start):
            return FirstLegPair((is_open, rule, costs), start, goal, **random_params(random))


@each_rule
def test_walks_equal_the_oracle(rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(30)):
        small_pair(random, rule, costs).follow()


@each_rule
def test_walks_on_larger_maps_equal_the_oracle(rule, costs):
    random = np.random.default_rng(2)
    for _ in range(cases(8)):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = FirstLegPair(world, *places[:2], **random_params(random))
        pair.follow()
        pair.reset(*places[2:4])
        pair.follow()


@each_rule
def test_retargeted_walks_equal_the_oracle(rule, costs):
    """New goals on the way, the cell it stands on and old ones again: what was learned of the last targets is kept."""
    random = np.random.default_rng(3)
    for _ in range(cases(6)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = FirstLegPair(world, *places[:2], **random_params(random))
        for _ in range(6):
            pair.follow(most=int(random.integers(1, 30)))
            pair.retarget(draw(random, [*places, pair.walker.here, pair.walker.goal]))
        pair.follow()
        pair.reset(*places[:2])
        pair.follow()


@each_rule
def test_a_walk_is_what_stepping_would_do(rule, costs):
    random = np.random.default_rng(4)
    for _ in range(cases(8)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = FirstLegPair(world, *places[:2], **random_params(random))
        pair.follow_walk(int(random.integers(1, 10)))
        pair.follow_walk(300)


def test_before_the_first_move_there_is_no_target():
    """So that nothing is learned about it, whatever was learned about the one before."""
    agent = wp.build("knn-2009", wp.grid_from_text("....\n.##.\n...."), records=3).agent((0, 1), (3, 1))
    assert agent.target is None
    assert agent.learned()[0].size == 0
    agent = wp.build("knn-2009", wp.grid_from_text(DEAD_END), records=1, depth=1).agent((0, 2), (5, 2))
    while not agent.learned()[0].size:
        agent.step()
    agent.retarget((0, 0))
    assert agent.target is None
    assert agent.learned()[0].size == 0


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds above must hold what they are for."""
    random = np.random.default_rng(5)
    taken = Counter()
    for _ in range(cases(40)):
        rule, costs = draw(random, WORLDS)
        taken += small_pair(random, rule, costs).follow()
        world, places = large_world(random, rule, costs, 40)
        taken += FirstLegPair(world, *places[:2], **random_params(random)).follow()
    every = {"goal by a climb", "subgoal used", "subgoal is here", "start fails", "end fails", "subgoal", "no record"}
    assert not {rule: taken[rule] for rule in every if taken[rule] < 3}
