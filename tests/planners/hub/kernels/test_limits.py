"""What happens at limits of hub that small maps hardly come to: on long ways, and by smaller limits on both sides."""

from contextlib import ExitStack
from functools import partial
from unittest import mock

import pytest

from tests.oracle import hub_labels, hub_order
from tests.planners.hub.kernels.test_tables import Both
from tests.planners.hub.twin_maps import some_map, zigzag
from tests.planners.hub.twins import Pair
from tests.support.chance import seeded
from tests.support.twins import side
from tests.support.worlds import JIT_IS_OFF, draw
from waypost.planners.hub import building
from waypost.planners.hub.kernels import contract, leaning

ROWS = side(80, 36)
"""Of a map on which ways have many subgoals."""
MAPS = side(24, 6)
"""Of which some notice each limit."""
FAR = (0, 2 * ROWS - 2)


@pytest.mark.parametrize("trees", [1, 512])
def test_a_way_with_many_subgoals_behind_the_hub(trees):
    """Both ways, step by step and in one go."""
    pair = Pair("hub", (zigzag(3, ROWS), "both-open", "sqrt2"), (0, 0), FAR, trees=trees)
    met = pair.follow()
    pair.reset(FAR, (0, 0))
    met += pair.follow()
    assert met["from hub"] > ROWS / 4
    pair.reset((0, 0), FAR)
    pair.follow_walk()


def check(seed, *limits, make=partial(some_map, rule="both-open", costs="1.4")):
    """Maps of some kind, by limits (module, name, value)."""
    random = seeded(seed)
    with ExitStack() as changes:
        for limit in limits:
            changes.enter_context(mock.patch.object(*limit))
        for _ in range(MAPS):
            Both(make(random), "both-open", "1.4", draw(random, (5, 512))).check_arrays()


def test_few_trees_where_the_core_is_large():
    check(
        31,
        (building, "_MOST_OF_TREES", 60),
        (hub_order, "MOST_OF_TREES", 60),
        (building, "_FEWEST_TREES", 3),
        (hub_order, "FEWEST_TREES", 3),
    )


only_plain = pytest.mark.skipif(not JIT_IS_OFF, reason="limits are compiled in")


@only_plain
def test_too_many_pairs_end_the_contraction():
    check(32, (contract, "MOST_PAIRS", 3), (hub_order, "MOST_PAIRS", 3))


@only_plain
def test_searches_for_other_ways_are_short():
    """Single walls, round which there are many ways."""
    limits = (contract, "_WITNESS_NODES", 2), (hub_order, "MOST_EXPANDED", 3)
    check(33, *limits, make=lambda random: random.random((11, 11)) < 0.75)


@only_plain
def test_lists_are_not_deep():
    check(34, (leaning, "MOST_DEEP", 2), (hub_labels, "MOST_DEEP", 1))
