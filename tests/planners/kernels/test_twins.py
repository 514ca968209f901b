"""Every planner that has a plain-Python twin against it: the same moves, targets, work, learned values and memory.

What is special about a family is tested in its own folder.
"""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.chance import seeded
from tests.support.once import optimal_costs
from tests.support.twins import discovered
from tests.support.worlds import WORLDS, cases, draw, large_world, small_worlds
from waypost.catalog import CATALOG

TWINS = list(discovered().values())
GOALS = 12
"""Goals of one agent: more than tables are kept."""

each_twin = pytest.mark.parametrize("twin", TWINS, ids=str)
each_large = pytest.mark.parametrize("twin", [twin for twin in TWINS if twin.large], ids=str)
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@pytest.mark.parametrize("twin", [twin for twin in TWINS if twin.drawn], ids=str)
def test_the_smallest_world_that_differs(twin):
    """Hypothesis shrinks what random worlds find."""

    @settings(max_examples=cases(twin.drawn), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(small_worlds(), st.data())
    def check(world, data):
        if twin.suits(*world):
            is_open, rule, costs, start, goal = world
            twin.pair(twin.planner, (is_open, rule, costs), start, goal, **data.draw(twin.params())).follow()

    check()


@each_twin
@each_world
def test_walks_equal_the_oracle(twin, rule, costs):
    count, met = cases(twin.small), Counter()
    for pair in twin.small_pairs(1, count, rule, costs):
        met += pair.follow()
    assert not {rule: met[rule] for rule in twin.met_often if met[rule] <= count / 4}, "too little was tested"


@each_large
@each_world
def test_walks_on_larger_maps_equal_the_oracle(twin, rule, costs):
    random = seeded(2)
    for _ in range(cases(twin.large)):
        pair, places = twin.large_pair(random, rule, costs, twin.largest)
        pair.follow()
        pair.reset(*places[:2])
        pair.follow()


@each_twin
@each_world
def test_retargeted_walks_equal_the_oracle(twin, rule, costs):
    """New goals on the way, the cell it stands on, the goal that it has and old ones; then another problem."""
    random = seeded(3)
    for pair in twin.pairs(3, cases(twin.retargeted), rule, costs):
        places = list(optimal_costs(*pair.world, pair.walker.here))
        goals = [places[i] for i in random.integers(0, len(places), size=GOALS)]
        often = goals[:2] * 3  # so that some tables live long
        for _ in range(twin.new_goals):
            pair.follow(most=int(random.integers(0, 30)))
            here = pair.walker.here, pair.walker.goal, *pair.goals_like_this()
            pair.retarget(draw(random, [*goals, *often, *here]))
            pair.check_learned()
        pair.follow()
        pair.reset(*goals[:2])
        pair.follow()


@each_twin
@each_world
def test_a_walk_is_what_stepping_would_do(twin, rule, costs):
    """Also after one that ended on the way, and after the same goal was set again."""
    random = seeded(4)
    for pair in twin.pairs(4, cases(twin.walked), rule, costs):
        pair.follow_walk(int(random.integers(0, 10)))
        pair.follow_walk(int(random.integers(0, 30)))
        pair.retarget(pair.walker.goal)
        pair.follow_walk(*() if twin.most_walked is None else (twin.most_walked,))


PRESETS = [(twin, preset) for twin in TWINS if twin.large for preset in (None, *CATALOG[twin.planner].presets)]


@pytest.mark.parametrize(("twin", "preset"), PRESETS, ids=str)
def test_presets_equal_the_oracle(twin, preset):
    """And the settings of those who say nothing."""
    random = seeded(5)
    for rule, costs in WORLDS * cases(twin.presets):
        world, places = large_world(random, rule, costs, twin.largest)
        named = {} if preset is None else {"preset": preset}
        pair = twin.pair(twin.planner, world, *places[:2], **twin.preset_params(random), **named)
        for ends in zip(places[2::2], places[3::2], strict=True):
            pair.follow()
            pair.reset(*ends)
        pair.follow()
