"""Walking by records against the plain-Python walker: every move, its target, all its work and what it learned."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.record_pairs import Pair, has_a_record, random_params, small_pair
from tests.region_pairs import draw, large_world
from tests.worlds import JIT_IS_OFF, cases, small_worlds

# Records are drawn by numbers of 64 bits that overflow on purpose, which plain Python's warn of.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
LARGEST = 24 if JIT_IS_OFF else 60

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@each_rule
def test_walks_equal_the_oracle(rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(80)):
        small_pair(random, rule, costs).follow()


@each_rule
def test_walks_on_larger_maps_equal_the_oracle(rule, costs):
    random = np.random.default_rng(2)
    for _ in range(cases(24)):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(world, *places[:2], **random_params(random))
        pair.follow()
        pair.reset(*places[2:4])
        pair.follow()


@each_rule
def test_retargeted_walks_equal_the_oracle(rule, costs):
    """New goals on the way, the cell it stands on, old ones again, and the same agent on another problem."""
    random = np.random.default_rng(3)
    for _ in range(cases(12)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = Pair(world, *places[:2], **random_params(random))
        for _ in range(6):
            pair.follow(most=int(random.integers(1, 30)))
            pair.retarget(draw(random, [*places, pair.walker.here, pair.walker.goal]))
        pair.follow()
        pair.reset(*places[:2])
        pair.follow()


@settings(max_examples=cases(300), deadline=None)
@given(
    small_worlds(),
    st.sampled_from([1, 3, 12]),
    st.sampled_from([0, 1, 3]),
    st.sampled_from([1, 3, 250]),
    st.integers(0, 2),
    st.sampled_from([0, 1, 4]),
    st.fixed_dictionaries({name: st.integers(0, 1) for name in ("skip_first", "skip_last", "tree", "shortest")}),
    st.sampled_from([0.0, 0.5, 3.0]),
    st.sampled_from([0, 6]),
    st.sampled_from([0, 2, 9]),
)
def test_walks_in_small_worlds(world, records, candidates, limit, direct, ahead, switches, quota, second_limit, joins):
    is_open, rule, costs, start, goal = world
    if goal in all_costs(is_open, rule, costs, start) and has_a_record(*world[:4]):
        online = {"candidates": candidates, "limit": limit, "direct": direct, "ahead": ahead, "quota": quota}
        online |= {"second_limit": second_limit, "joins": joins}
        Pair(world[:3], start, goal, records=records, **online, **switches).follow()


@pytest.mark.parametrize("preset", [{}, {"preset": "published"}])
def test_presets_equal_the_oracle(preset):
    random = np.random.default_rng(4)
    for rule, costs in WORLDS * cases(4):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(world, *places[:2], records=draw(random, (10, 60, 300)), **preset)
        for ends in zip(places[2::2], places[3::2], strict=True):
            pair.follow()
            pair.reset(*ends)
        pair.follow()


@each_rule
def test_a_walk_is_what_stepping_would_do(rule, costs):
    random = np.random.default_rng(5)
    for _ in range(cases(20)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = Pair(world, *places[:2], **random_params(random))
        pair.follow_walk(int(random.integers(1, 10)))
        pair.follow_walk(1000)


def test_records_of_too_many_points_are_not_joined():
    """In a corridor that winds to and fro, where every record has more subgoals than the list has room for."""
    is_open = np.ones((21, 5), bool)
    is_open[1::4, :4] = is_open[3::4, 1:] = False
    pair = Pair((is_open, "never", "1.4"), (0, 0), (4, 20), records=20, joins=1, limit=4)
    assert pair.follow()["list is full"]


EVERY_RULE = {
    *("direct", "direct not taken", "direct fails", "direct after a failure"),
    *("record", "record after a failure", "start fails", "end fails", "shorter", "second limit", "second limit fails"),
    *("bound", "joined", "joined, shorter", "not joined", "crossing", "larger weight", "gap fails", "gap too long"),
    "list is full",
    *("quota", "goal without quota", "goal, still climbing", "goal, still learning"),
    *("ahead 0", "ahead 1", "ahead 2", "ahead too long", "ahead fails", "next untried", "again"),
    *("goal untried", "start untried"),
    *("goal among points", "only the goal", "start skipped", "end skipped", "end not skipped", "next of many"),
}


def on_a_subgoal():
    """Walks that begin on the first subgoal of a record, from which nothing farther can be tried."""
    random = np.random.default_rng(7)
    taken = Counter()
    for _ in range(cases(40)):
        world, _ = large_world(random, *draw(random, WORLDS), 30)
        many = {"records": 60, "ahead": draw(random, (1, 4)), "limit": 6, "shortest": 0, "direct": 0, "tree": 1}
        pair = Pair(world, (0, 0), (0, 0), **many) if world[0][0, 0] else None
        for record in pair.records if pair else ():
            pair.reset(record.places[1], record.end)
            taken += pair.follow(most=5)
    return taken


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds above must hold what they are for."""
    random = np.random.default_rng(6)
    taken = Counter()
    for _ in range(cases(320)):
        rule, costs = draw(random, WORLDS)
        taken += small_pair(random, rule, costs).follow()
        world, places = large_world(random, rule, costs, 40)
        pair = Pair(world, *places[:2], **random_params(random))
        for ends in zip(places[::2], places[1::2], strict=True):
            pair.reset(*ends)
            taken += pair.follow()
    taken += on_a_subgoal()
    assert not {rule: taken[rule] for rule in EVERY_RULE if taken[rule] < 2}
