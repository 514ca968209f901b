"""Walking by records: which rules the worlds of the twins meet, and what they seldom hold."""

from collections import Counter

import numpy as np
import pytest

from tests.planners.records.twins import TWINS, Pair
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, deep, draw, large_world


def test_records_of_too_many_points_are_not_joined():
    """In a corridor that winds back and forth, where every record has more subgoals than the list has room for."""
    is_open = np.ones((21, 5), bool)
    is_open[1::4, :4] = is_open[3::4, 1:] = False
    pair = Pair("knn", (is_open, "never", "1.4"), (0, 0), (4, 20), records=20, joins=1, limit=4)
    assert pair.follow()["list is full"]


def test_records_whose_gaps_cannot_be_climbed_are_not_joined():
    """All pairs of points are tried."""
    is_open = np.ones((9, 9), bool)
    is_open[2, 1:] = is_open[6, :8] = False
    met = Pair("knn", (is_open, "both-open", "sqrt2"), (8, 0), (0, 8), records=5, joins=4, limit=4, direct=0).follow()
    assert met["not joined"]
    assert met["gap fails"]


KNN, _ = TWINS
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
    random = seeded(7)
    taken = Counter()
    for _ in range(cases(40)):
        world, _ = large_world(random, *draw(random, WORLDS), 30)
        many = {"records": 60, "ahead": draw(random, (1, 4)), "limit": 6, "shortest": 0, "direct": 0, "tree": 1}
        pair = Pair("knn", world, (0, 0), (0, 0), **many) if world[0][0, 0] else None
        for record in pair.records if pair else ():
            pair.reset(record.places[1], record.end)
            taken += pair.follow(most=5)
    return taken


@deep
@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds of the twins must hold what they are for."""
    random = seeded(6)
    taken = Counter()
    for _ in range(cases(320)):
        taken += KNN.rules_met(random, *draw(random, WORLDS), 40)
    taken += on_a_subgoal()
    assert not {rule: taken[rule] for rule in EVERY_RULE if taken[rule] < 2}


def test_without_skips_every_point_is_gone_to():
    is_open = np.ones((9, 9), bool)
    is_open[2, 1:] = is_open[6, :8] = False
    params = {"records": 20, "ahead": 0, "skip_first": 0, "skip_last": 0, "direct": 0, "joins": 0, "shortest": 0}
    pair = Pair("knn", (is_open, "both-open", "sqrt2"), (8, 0), (0, 8), **params)
    assert pair.follow()["record"]
