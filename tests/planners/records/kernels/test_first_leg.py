"""kNN LRTA* of 2009: which rules the worlds of its twin meet, and its targets."""

from collections import Counter

import pytest

import waypost as wp
from tests.planners.records.twins import TWINS
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, draw

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # of records, drawn on purpose
_, KNN_2009 = TWINS
DEAD_END = "......\n.####.\n....#.\n.####.\n......"


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
    """The worlds of the twins must hold what they are for."""
    random = seeded(5)
    taken = Counter()
    for _ in range(cases(40)):
        taken += KNN_2009.rules_met(random, *draw(random, WORLDS), 40)
    every = {"goal by a climb", "subgoal used", "subgoal is here", "start fails", "end fails", "subgoal", "no record"}
    assert not {rule: taken[rule] for rule in every if taken[rule] < 3}
