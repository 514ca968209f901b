"""Walking by regions: which rules the worlds of the twins meet, and what they seldom hold."""

from collections import Counter

import pytest

import waypost as wp
from tests.planners.regions.twins import TWINS, Pair
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, WORLDS, cases, deep, draw
from waypost.maps.text import read_drawing

DBA = {
    *("direct", "direct not taken", "direct fails", "rep to goal", "climb to rep", "to rep", "to goal"),
    *("ahead 0", "ahead 1", "ahead 3", "ahead too long", "ahead fails", "next untried", "goal among points"),
    *("next tried", "again", "goal past the end", "next of many", "inside at once", "inside in parts"),
    *("entry far", "entry many hops", "entry changed", "entry kept", "entry passed over", "entry is here"),
}
WITHOUT_SECTORS = {"to rep", "to goal", "inside at once", "inside in parts"}
HCDPS = {rule for rule in DBA if not rule.startswith("entry")} - WITHOUT_SECTORS | {
    "joints passed over",
    "joint out of reach",
}
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


def test_joints_in_reach_are_passed_over_and_others_are_not():
    is_open, places = read_drawing(DRAWINGS["spiral"])
    params = {"spacing": 4, "cutoff": 4, "depth": 1, "ahead": 16, "limit": 250, "direct": 0, "joints": 1}
    pair = Pair("hcdps", (is_open, "both-open", "sqrt2"), places["a"], places["b"], **params)
    taken = pair.follow()
    assert taken["joints passed over"]
    assert taken["joint out of reach"]


def test_far_from_the_goal_the_entry_is_not_settled():
    planner = wp.build("dba", wp.grid_from_text("." * 60), sector=2, depth=1, direct=0)
    assert planner.path((0, 0), (59, 0)).tolist() == [[x, 0] for x in range(60)]
