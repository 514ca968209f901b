"""PRA* on cliques: which rules the worlds of the twins meet, and what they seldom hold."""

from collections import Counter

import pytest

from tests.oracle import rules
from tests.planners.pra_clique.twins import TWINS, Pair
from tests.support.chance import seeded
from tests.support.clique_worlds import JUST_ENOUGH_NODES, ROUND_AGAIN, ROUND_AGAIN_PARAMS
from tests.support.worlds import JIT_IS_OFF, WORLDS, deep, draw
from waypost.maps.text import read_drawing


@pytest.mark.parametrize("costs", rules.COSTS)
def test_a_walk_that_comes_back_equals_the_oracle(costs):
    is_open, places = read_drawing(ROUND_AGAIN)
    pair = Pair("pra-clique", (is_open, "never", costs), places["a"], places["b"], **ROUND_AGAIN_PARAMS)
    for ends in ("ab", "ba", "ab"):
        pair.reset(*(places[end] for end in ends))
        pair.follow()
        if ends == "ab":
            assert len(pair.walker.plans) == len(pair.walker.began_at) + 1
    pair.retarget(places["a"])
    pair.follow()


def test_a_level_of_just_enough_nodes_equals_the_oracle():
    is_open, places = read_drawing(JUST_ENOUGH_NODES)
    pair = Pair("pra-clique", (is_open, "both-open", "1.4"), places["a"], places["b"], steps=0, width=0, euclid=0)
    assert 4 * is_open.sum() in [len(level.nodes) ** 2 for level in pair.levels.levels]
    pair.follow()


@deep
@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds of the twins must hold what they are for."""
    random = seeded(5)
    met = Counter()
    for _ in range(60):
        (twin,) = TWINS
        met += twin.rules_met(random, *draw(random, WORLDS), twin.largest)
    assert len(met) == 5
    assert not {rule: count for rule, count in met.items() if count < 3}
