"""Troops against plain Python: every move, who waits and for how long, events and status."""

import numpy as np
import pytest

import waypost as wp
from tests.support.chance import seeded
from tests.support.fleet_pairs import fleets_of, live, lose, some_places
from tests.support.twins import discovered
from tests.support.worlds import JIT_IS_OFF, WORLDS, cases
from waypost.fleet import MemberStatus
from waypost.planners.walking.kernels import blocks

SIDE = 14 if JIT_IS_OFF else 24
TICKS = 60

TWINS = discovered()
WITH_FLEETS = [twin for twin in TWINS.values() if twin.is_asking]

each_twin = pytest.mark.parametrize("twin", WITH_FLEETS, ids=str)
each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@each_rule
@each_twin
def test_fleets_equal_the_oracle(twin, rule, costs):
    random = seeded(1)
    for _ in range(cases(6)):
        fleets = fleets_of(twin, random, rule, costs, SIDE)
        live(fleets, random, TICKS, some_places(random, fleets.grid))


@each_twin
def test_who_leaves_while_waiting_is_passed_over(twin):
    random = seeded(7)
    for _ in range(4):
        fleets = fleets_of(twin, random, "both-open", "sqrt2", SIDE)
        fleets.add(some_places(random, fleets.grid, 12), some_places(random, fleets.grid, 12))
        fleets.tick(0)
        fleets.remove(fleets.twin.waiting[:3])
        fleets.tick(1000)


def test_many_on_few_ways_find_what_others_tried():
    """Few places, so that agents come to the same points again; every answer is still that of the oracle."""
    random = seeded(4)
    for twin, more in ((TWINS["dba"], {}), (TWINS["hcdps"], {"joints": 0})):
        fleets = fleets_of(twin, random, "both-open", "sqrt2", 30, ahead=4, limit=250, direct=0, depth=1, **more)
        live(fleets, random, 3 * TICKS, some_places(random, fleets.grid, 3))
        assert fleets.fleet.movers[0].route.scratch.tried.any()


@each_twin
def test_a_walker_that_learned_too_much_is_lost(twin):
    random = seeded(5)
    fleets = fleets_of(twin, random, "both-open", "sqrt2", SIDE)
    places = some_places(random, fleets.grid, 30)
    for place in places:
        there = places[0]
        if fleets.label[place] == fleets.label[there] and max(abs(place[0] - there[0]), abs(place[1] - there[1])) > 1:
            fleets.fleet.add(there, place)
            break
    lose(fleets, 0)
    fleets.fleet.tick()
    assert fleets.fleet.events.lost.tolist() == [0]
    assert fleets.fleet.status.tolist() == [MemberStatus.LOST]
    assert fleets.fleet.tick().moved == 0


def test_lists_are_made_anew_when_most_have_arrived():
    grid = wp.grid_from_text("." * 40)
    fleet = wp.build("dba", grid).fleet([(0, 0)] * 30, [(1 + i, 0) for i in range(30)], threads=1)
    (each,) = fleet.troops
    for tick in range(1, 31):
        assert fleet.tick().moved == 31 - tick
        on_way = 30 - tick
        assert each.lists.numbers["on_way"] == on_way
        assert on_way <= each.lists.numbers["listed"] <= max(8 * (on_way + 1) / 7, 1)
    assert fleet.tick().moved == 0
    assert each.lists.numbers["listed"] == 0


def test_a_pool_is_enlarged_with_all_that_is_in_it():
    pool = blocks.new_pool(16, 2)
    assert blocks.room(pool) == 2
    leg = np.int64(7)
    first = blocks.add_block(pool, leg, 3, 0)
    second = blocks.add_block(pool, leg, 5, first)
    pool[blocks.values_of(pool, leg, 3) + 4] = 11
    assert (blocks.room(pool), blocks.used_bytes(pool)) == (0, 8 * 72)
    larger = blocks.enlarged(pool, 9)
    assert blocks.room(larger) >= 9
    assert larger[blocks.values_of(larger, leg, 3) + 4] == 11
    third = blocks.add_block(larger, leg, 6, second)
    assert third not in (first, second)
    assert blocks.raised(larger, first, third, 1).shape == (3, 1)


def test_what_is_nowhere_is_refused():
    fleet = wp.build("dba", wp.grid_from_text("...")).fleet([(0, 0), (1, 0)], (2, 0), threads=1)
    with pytest.raises(wp.WaypostError, match=r"goals\[1\] \(3, 0\) is outside"):
        fleet.retarget([0, 1], [(2, 0), (3, 0)])
    fleet.remove(0)
    with pytest.raises(wp.WaypostError, match="no agent of the id 0"):
        fleet.retarget([1, 0], (0, 0))
