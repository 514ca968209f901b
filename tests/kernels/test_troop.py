"""Troops against plain Python: every move, who waits and for how long, events and status."""

import numpy as np
import pytest

import waypost as wp
from tests.fleet_pairs import by_records, by_regions, by_trees, live, lose, some_places
from tests.oracle import rules
from tests.worlds import JIT_IS_OFF, cases
from waypost.fleet import AgentStatus
from waypost.kernels import blocks, troop

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
SIDE = 14 if JIT_IS_OFF else 24
TICKS = 60

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # of records, drawn on purpose

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)


@each_rule
@pytest.mark.parametrize("name", ["dba", "hcdps"])
def test_fleets_by_regions_equal_the_oracle(name, rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(6)):
        fleets = by_regions(random, name, rule, costs, SIDE)
        live(fleets, random, TICKS, some_places(random, fleets.grid))


@each_rule
def test_fleets_by_records_equal_the_oracle(rule, costs):
    random = np.random.default_rng(2)
    for _ in range(cases(6)):
        fleets = by_records(random, rule, costs, SIDE)
        live(fleets, random, TICKS, some_places(random, fleets.grid))


@each_rule
def test_fleets_by_trees_equal_the_oracle(rule, costs):
    random = np.random.default_rng(3)
    for _ in range(cases(6)):
        fleets = by_trees(random, rule, costs, SIDE)
        live(fleets, random, TICKS, some_places(random, fleets.grid))


def test_many_on_few_ways_find_what_others_tried():
    """Few places, so that agents come to the same points again; every answer is still that of the oracle."""
    random = np.random.default_rng(4)
    for name in ("dba", "hcdps"):
        fleets = by_regions(random, name, "both-open", "sqrt2", 30, ahead=4, limit=250, direct=0, depth=1)
        live(fleets, random, 3 * TICKS, some_places(random, fleets.grid, 3))
        _, _, tried = fleets.fleet._crews[0].route._scratch
        assert tried.any()


@pytest.mark.parametrize("make", [by_records, by_trees])
def test_a_walker_that_learned_too_much_is_lost(make):
    random = np.random.default_rng(5)
    fleets = make(random, "both-open", "sqrt2", SIDE)
    places = some_places(random, fleets.grid, 30)
    for place in places:
        there = places[0]
        if fleets.label[place] == fleets.label[there] and max(abs(place[0] - there[0]), abs(place[1] - there[1])) > 1:
            fleets.fleet.add(there, place)
            break
    lose(fleets, 0)
    fleets.fleet.tick()
    assert fleets.fleet.events.lost.tolist() == [0]
    assert fleets.fleet.status.tolist() == [AgentStatus.LOST]
    assert fleets.fleet.tick().moved == 0


def test_lists_are_made_anew_when_most_have_arrived():
    grid = wp.grid_from_text("." * 40)
    fleet = wp.build("dba", grid).fleet([(0, 0)] * 30, [(1 + i, 0) for i in range(30)], threads=1)
    (each,) = fleet._troops
    for tick in range(1, 31):
        assert fleet.tick().moved == 31 - tick
        on_way = 30 - tick
        assert each.lists.numbers[troop.ON_WAY] == on_way
        assert on_way <= each.lists.numbers[troop.LIST] <= max(8 * (on_way + 1) / 7, 1)
    assert fleet.tick().moved == 0
    assert each.lists.numbers[troop.LIST] == 0


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
