"""PR LRTA*: its tables, and which rules the worlds of the twins meet."""

from collections import Counter

import numpy as np
import pytest

from tests.planners.prlrta.twins import TWINS
from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases, draw

each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@each_world
@pytest.mark.parametrize("twin", TWINS[1:], ids=str)
def test_tables_equal_the_oracle(rule, costs, twin):
    random = seeded(5)
    for _ in range(cases(12)):
        pair = twin.small_pair(random, rule, costs)
        index, regions = pair.planner.index, pair.regions
        assert index.region_count == len(regions.places)
        assert index.graph.middles.tolist() == regions.middles
        assert [pair.grid.xy(int(cell)) for cell in index.graph.reps] == regions.reps
        uppers = range(len(regions.middles))
        for upper in uppers:
            for goal_upper in uppers:
                if upper != goal_upper and regions.middles[upper] in regions.best_costs(regions.middles[goal_upper]):
                    check_pair(index, regions, pair.online, upper, goal_upper)
                elif twin.planner == "prlrta-pdb-g":
                    assert index.arrays["pair_depths"][upper, goal_upper] == 1


def test_no_depth_below_the_cap():
    """Behind a wall a lookahead of few regions steps the wrong way."""
    twin = next(twin for twin in TWINS if twin.planner == "prlrta-pdb-g")
    is_open = np.ones((9, 9), bool)
    is_open[1:8, 5] = is_open[1, 2:5] = is_open[7, 2:5] = False
    pair = twin.pair(twin.planner, (is_open, "always", "1.4"), (4, 4), (8, 4), level=1, upper=1, cap=2)
    index, regions = pair.planner.index, pair.regions
    for upper in range(len(regions.middles)):
        for goal_upper in range(len(regions.middles)):
            if upper != goal_upper:
                check_pair(index, regions, pair.online, upper, goal_upper)
    assert (index.arrays["pair_depths"] == pair.online["cap"]).any()


def check_pair(index, regions, params, upper, goal_upper):
    middle = regions.middles[upper]
    if "by_progress" not in params:
        expected = regions.optimal_depth(middle, regions.middles[goal_upper], params["cap"])
        assert index.arrays["pair_depths"][upper, goal_upper] == expected
        return
    subgoal = regions.subgoal(upper, goal_upper, params["by_progress"])
    assert index.subgoal(upper, goal_upper) == subgoal
    if "cap" in params:
        firsts = np.cumsum(index.arrays["exit_counts"], dtype=int) - index.arrays["exit_counts"]
        row = index.arrays["exits"][firsts[upper] :].tolist()
        depth = index.arrays["exit_depths"][firsts[upper] + row.index(subgoal)]
        assert depth == regions.optimal_depth(middle, subgoal, params["cap"])


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds of the twins must hold what they are for."""
    random = seeded(6)
    met = Counter()
    for _ in range(120):
        met += draw(random, TWINS).small_pair(random, *draw(random, WORLDS)).follow()
    assert len(met) == 7
    assert not {rule: count for rule, count in met.items() if count < 10}
