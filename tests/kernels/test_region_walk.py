"""Walking by regions against the plain-Python walker: every move, its target and all its work."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost as wp
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.region_pairs import Pair, draw, large_world, random_params, small_pair
from tests.worlds import JIT_IS_OFF, cases, small_worlds

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
LARGEST = 24 if JIT_IS_OFF else 60

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)
each_planner = pytest.mark.parametrize("name", ["dba", "hcdps"])


@each_planner
@each_rule
def test_walks_equal_the_oracle(name, rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(60)):
        small_pair(random, name, rule, costs).follow()


@each_planner
@each_rule
def test_walks_on_larger_maps_equal_the_oracle(name, rule, costs):
    random = np.random.default_rng(2)
    for _ in range(cases(24)):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(name, world, *places[:2], **random_params(random, name))
        pair.follow()
        pair.reset(*places[2:4])
        pair.follow()


@each_planner
@each_rule
def test_retargeted_walks_equal_the_oracle(name, rule, costs):
    """New goals on the way, the cell it stands on, old ones again, and the same agent on another problem."""
    random = np.random.default_rng(3)
    for _ in range(cases(12)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = Pair(name, world, *places[:2], **random_params(random, name))
        for _ in range(6):
            pair.follow(most=int(random.integers(1, 30)))
            pair.retarget(draw(random, [*places, pair.walker.here]))
        pair.follow()
        pair.reset(*places[:2])
        pair.follow()


@settings(max_examples=cases(300), deadline=None)
@given(
    small_worlds(),
    st.sampled_from([2, 3, 5]),
    st.integers(1, 2),
    st.sampled_from([0, 1, 4]),
    st.sampled_from([1, 3, 250]),
    st.integers(0, 2),
    st.integers(0, 1),
)
def test_walks_in_small_worlds(world, side, depth, ahead, limit, direct, entries):
    is_open, rule, costs, start, goal = world
    if goal in all_costs(is_open, rule, costs, start):
        online = {"ahead": ahead, "limit": limit, "direct": direct}
        ends = world[:3], start, goal
        Pair("dba", *ends, sector=side, depth=depth, entries=entries, **online).follow()
        Pair("hcdps", *ends, spacing=side, cutoff=side, depth=depth, **online).follow()


@each_planner
@pytest.mark.parametrize("preset", [{}, {"preset": "published"}])
def test_presets_equal_the_oracle(name, preset):
    random = np.random.default_rng(4)
    for rule, costs in WORLDS * cases(4):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(name, world, *places[:2], **preset)
        for ends in zip(places[2::2], places[3::2], strict=True):
            pair.follow()
            pair.reset(*ends)
        pair.follow()


@each_planner
@each_rule
def test_a_walk_is_what_stepping_would_do(name, rule, costs):
    random = np.random.default_rng(5)
    for _ in range(cases(20)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = Pair(name, world, *places[:2], **random_params(random, name))
        pair.follow_walk(int(random.integers(1, 10)))
        pair.follow_walk()
        assert pair.arrived


DBA = {
    *("direct", "direct not taken", "direct fails", "rep to goal", "climb to rep", "to rep", "to goal"),
    *("ahead 0", "ahead 1", "ahead 3", "ahead too long", "ahead fails", "next untried", "goal among points"),
    *("next tried", "again", "goal past the end", "next of many", "inside at once", "inside in parts"),
    *("entry far", "entry many hops", "entry changed", "entry kept", "entry passed over", "entry is here"),
}
WITHOUT_SECTORS = {"to rep", "to goal", "inside at once", "inside in parts"}
HCDPS = {rule for rule in DBA if not rule.startswith("entry")} - WITHOUT_SECTORS
EVERY_RULE = {"dba": DBA, "hcdps": HCDPS}


@each_planner
@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often(name):
    """The worlds above must hold what they are for."""
    random = np.random.default_rng(6)
    taken = Counter()
    for _ in range(cases(320)):
        rule, costs = draw(random, WORLDS)
        taken += small_pair(random, name, rule, costs).follow()
        world, places = large_world(random, rule, costs, 40)
        pair = Pair(name, world, *places[:2], **random_params(random, name))
        for ends in zip(places[::2], places[1::2], strict=True):
            pair.reset(*ends)
            taken += pair.follow()
    few = {rule: taken[rule] for rule in EVERY_RULE[name] if taken[rule] < 3}
    assert not few


def test_far_from_the_goal_the_entry_is_not_settled():
    planner = wp.build("dba", wp.grid_from_text("." * 60), sector=2, depth=1, direct=0)
    assert planner.path((0, 0), (59, 0)).tolist() == [[x, 0] for x in range(60)]
