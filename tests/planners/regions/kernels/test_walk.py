"""Walking by regions: which rules the worlds of the twins meet, and what they seldom hold."""

from collections import Counter

import pytest

import waypost as wp
from tests.planners.regions.twins import TWINS
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, deep, draw

DBA = {
    *("direct", "direct not taken", "direct fails", "rep to goal", "climb to rep", "to rep", "to goal"),
    *("ahead 0", "ahead 1", "ahead 3", "ahead too long", "ahead fails", "next untried", "goal among points"),
    *("next tried", "again", "goal past the end", "next of many", "inside at once", "inside in parts"),
    *("entry far", "entry many hops", "entry changed", "entry kept", "entry passed over", "entry is here"),
}
WITHOUT_SECTORS = {"to rep", "to goal", "inside at once", "inside in parts"}
HCDPS = {rule for rule in DBA if not rule.startswith("entry")} - WITHOUT_SECTORS | {"joints passed over"}
EVERY_RULE = {"dba": DBA | {"start visited", "end visited"}, "hcdps": HCDPS}


@deep
@pytest.mark.parametrize("twin", TWINS, ids=str)
@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often(twin):
    """The worlds of the twins must hold what they are for."""
    random = seeded(6)
    taken = Counter()
    for _ in range(cases(320)):
        taken += twin.rules_met(random, *draw(random, WORLDS), 40)
    few = {rule: taken[rule] for rule in EVERY_RULE[twin.planner] if taken[rule] < 3}
    assert not few


def test_far_from_the_goal_the_entry_is_not_settled():
    planner = wp.build("dba", wp.grid_from_text("." * 60), sector=2, depth=1, direct=0)
    assert planner.path((0, 0), (59, 0)).tolist() == [[x, 0] for x in range(60)]
