"""Lists that grow in a pool, as dictionaries of lists."""

import pytest

from tests.support.chance import seeded
from tests.support.worlds import JIT_IS_OFF
from waypost.planners.hub.kernels.growing import append, in_order, new_lists


@pytest.mark.skipif(not JIT_IS_OFF, reason="helpers are called by kernels alone")
def test_lists_that_move_and_a_pool_that_grows():
    random = seeded(1)
    lists, pool = new_lists(3, 2)
    room, expected = pool.size, {which: [] for which in range(3)}
    for new in range(200):
        which = int(random.integers(3))
        pool = append(lists, pool, which, new)
        expected[which].append(new)
    assert pool.size > room
    firsts, entries = in_order(lists, pool)
    for which, wanted in expected.items():
        assert entries[firsts[which] : firsts[which + 1]].tolist() == wanted
