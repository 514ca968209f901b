"""Stored lookahead depths, towards subgoals and towards goals, against the plain-Python twin."""

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost as wp
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.pair_depths import StoredDepths
from tests.oracle.pair_subgoals import PairSubgoals
from tests.support.chance import seeded
from tests.support.learning_worlds import KINDS, random_world
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, WORLDS, cases, draw, large_world, random_open, small_worlds
from waypost.indexes.building import Works
from waypost.maps.text import read_drawing
from waypost.planners.pairs.depths import PairDepths, SubgoalDepths, optimal_depths

CAPS = (1, 2, 3, 5, 9, 20)
LARGEST = 16 if JIT_IS_OFF else 40
ZIGZAG = """
    ####################.#.#.#.#.#.###
    ###################.#.#.#.#.#.#.##
    ...................#############.#
    ###################............##.
    ##############################.###
    ##############################.###
    ##############################.###
"""
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


def built(kind, world, threads=1, **params):
    is_open, rule, costs = world
    grid = wp.Grid(np.array(is_open, bool), diagonals=rule, costs=costs)
    return kind.build(grid, params, Works(threads=threads, show_progress=False))


def by_pairs(index):
    """{(region, goal region): depth}, of all pairs."""
    count = index.region_count
    return dict(zip(product(range(count), repeat=2), index.pair_depths.tolist(), strict=True))


def by_exits(index):
    """{(region, place of a subgoal): depth}, of all runs of all regions."""
    regions = np.repeat(np.arange(index.region_count), np.diff(index.rows.row_starts)).tolist()
    places = map(index.grid.xy, index.rows.subgoals.tolist())
    return dict(zip(zip(regions, places, strict=True), index.run_depths.tolist(), strict=True))


def check(world, level, by_progress, cap):
    """All depths of both indexes are the twin's; returns how often each depth is stored."""
    is_open, rule, costs = world
    twin = PairSubgoals(is_open.tolist(), rule, costs, level, by_progress)
    depths = StoredDepths(twin, cap)
    every = list(product(range(len(twin.reps)), repeat=2))
    to_goals = {pair: depths.to_region(*pair) for pair in every}
    exits = {(region, twin.subgoal(region, goal)) for region, goal in every}
    to_exits = {(region, place): depths.to_exit(region, place) for region, place in exits if place is not None}
    index = built(SubgoalDepths, world, level=level, by_progress=by_progress, cap=cap, goal_depths=1)
    assert by_exits(index) == to_exits
    if by_progress:
        assert not index.pair_depths.size
        index = built(PairDepths, world, level=level, cap=cap)
    assert by_pairs(index) == to_goals
    return Counter([*to_goals.values(), *to_exits.values()])


def random_settings(random):
    return {"level": int(random.integers(2, 5)), "by_progress": int(random.integers(2)), "cap": draw(random, CAPS)}


@settings(max_examples=cases(200), deadline=None)
@given(small_worlds(), st.integers(1, 4), st.integers(0, 1), st.integers(1, 9))
def test_small_worlds_equal_the_oracle(world, level, by_progress, cap):
    check(world[:3], level, by_progress, cap)


@each_world
def test_random_maps_equal_the_oracle(rule, costs):
    random = seeded(1)
    for _ in range(cases(25)):
        check((random_open(random), rule, costs), **random_settings(random))


@each_world
def test_maps_that_mislead_equal_the_oracle(rule, costs):
    """Dead ends and mazes: many depths, and many that are beyond the cap."""
    random = seeded(2)
    for _ in range(cases(10)):
        check((draw(random, KINDS)(random), rule, costs), **random_settings(random) | {"level": 3})


@each_world
@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS)
def test_drawn_maps_equal_the_oracle(drawing, rule, costs):
    is_open, _ = read_drawing(drawing)
    for cap in (9,) if JIT_IS_OFF else (2, 6, 30):
        check((is_open, rule, costs), level=2, by_progress=cap % 2, cap=cap)


def test_a_goal_seen_early_can_be_the_best_later():
    """A way of diagonals is found in few moves, and a dead end of straight ones looks better for longer."""
    is_open, _ = read_drawing(ZIGZAG)
    check((is_open, "always", "1.4"), level=1, by_progress=0, cap=20)


@each_world
def test_larger_maps_equal_the_oracle(rule, costs):
    random = seeded(3)
    for _ in range(cases(2)):
        world, _ = large_world(random, rule, costs, LARGEST)
        check(world, **random_settings(random) | {"level": 5})


@each_world
def test_lrta_moves_well_at_the_stored_depth_and_at_none_below(rule, costs):
    """By our own LRTA*, where depths are below the cap; where they are not, none below the cap is enough."""
    random = seeded(4)
    for _ in range(cases(6)):
        is_open, *_ = random_world(random, rule, costs)
        cap = draw(random, CAPS[:-1])
        index = built(PairDepths, (is_open, rule, costs), level=3, cap=cap)
        grid, depths = index.grid, by_pairs(index)
        agents = {depth: wp.build("lrta", grid, depth=depth).agent() for depth in range(1, cap)}
        pairs = list(permutations(range(index.region_count), 2))
        for region, goal_region in [pairs[i] for i in random.integers(len(pairs), size=20)] if pairs else []:
            start, goal = (int(index.reps[one]) for one in (region, goal_region))
            left = all_costs(is_open, rule, costs, grid.xy(goal))
            here = grid.xy(start)
            for depth in range(1, min(depths[region, goal_region] + 1, cap)) if here in left else []:
                agents[depth].reset(wp.Problem(start, goal))
                there = grid.xy(agents[depth].step().cell)
                is_good = rules.walk_cost(rule, costs, [here, there]) + left[there] == left[here]
                assert is_good == (depth == depths[region, goal_region])


@each_world
def test_depths_of_all_cells_equal_the_oracle(rule, costs):
    """And those that an index stores are those of the middles of regions, in all their cells."""
    random = seeded(9)
    for _ in range(cases(8)):
        is_open, cap = draw(random, KINDS)(random), draw(random, CAPS[:-1])
        index = built(PairDepths, (is_open, rule, costs), level=3, cap=cap)
        grid = index.grid
        twin = StoredDepths(PairSubgoals(is_open.tolist(), rule, costs, 1, 0), cap)
        goal = int(random.choice(np.flatnonzero(grid.component)))
        depths = optimal_depths(grid, goal, cap)
        ways = twin.subgoals.costs_to(grid.xy(goal))
        assert depths[goal] == 1
        cells = [cell for cell in np.flatnonzero(grid.component).tolist() if cell != goal]
        places = map(grid.xy, cells)
        assert depths[cells].tolist() == [twin.optimal(xy, grid.xy(goal)) if xy in ways else 0 for xy in places]
        assert not depths[grid.component == 0].any()
        middle = int(index.reps[index.region_of[goal]])
        connected = grid.component == grid.component[goal]
        shared = optimal_depths(grid, middle, cap)[index.reps[index.region_of]]
        assert np.array_equal(index.depths_to(goal), np.where(connected, shared, 0))


@each_world
def test_depths_towards_subgoals_are_those_of_the_oracle_in_all_cells(rule, costs):
    random = seeded(10)
    for _ in range(cases(8)):
        is_open, cap, by_progress = draw(random, KINDS)(random), draw(random, CAPS[:-1]), int(random.integers(2))
        index = built(SubgoalDepths, (is_open, rule, costs), level=3, cap=cap, by_progress=by_progress)
        grid = index.grid
        subgoals = PairSubgoals(is_open.tolist(), rule, costs, 3, by_progress)
        twin = StoredDepths(subgoals, cap)
        goal = grid.xy(int(random.choice(np.flatnonzero(grid.component))))
        depths = index.depths_to(grid.cell(goal))
        ways = subgoals.costs_to(goal)
        own = subgoals.region_of[goal]
        for cell in np.flatnonzero(grid.component).tolist():
            region = subgoals.region_of[grid.xy(cell)]
            if grid.xy(cell) not in ways:
                assert depths[cell] == 0
            elif region == own:
                assert depths[cell] == 1
            else:
                assert depths[cell] == twin.to_exit(region, subgoals.subgoal(region, own))


def test_without_depths_towards_goals_there_are_none():
    index = built(SubgoalDepths, (np.ones((7, 12), bool), "both-open", "sqrt2"), level=1, by_progress=0, cap=9)
    assert not index.pair_depths.size


@each_world
def test_a_cap_cuts_off(rule, costs):
    """And does nothing else: depths below it are the same under any other."""
    random = seeded(5)
    for _ in range(cases(10)):
        world = random_open(random, largest=14), rule, costs
        high, low = (built(SubgoalDepths, world, level=2, by_progress=0, cap=cap, goal_depths=1) for cap in (12, 4))
        for of_index in (by_pairs, by_exits):
            cut_off = {pair: min(depth, 4) for pair, depth in of_index(high).items()}
            assert of_index(low) == cut_off


@each_world
def test_no_depth_is_beyond_the_number_of_cells(rule, costs):
    """Whoever sees the whole map moves well."""
    random = seeded(6)
    for _ in range(cases(10)):
        is_open = random_open(random, largest=7)
        cap = 1 + int(is_open.sum())
        index = built(SubgoalDepths, (is_open, rule, costs), level=1, by_progress=0, cap=cap, goal_depths=1)
        assert max([*by_pairs(index).values(), *by_exits(index).values()], default=1) < max(cap, 2)


@each_world
def test_one_move_is_enough_where_nothing_is_in_the_way(rule, costs):
    index = built(SubgoalDepths, (np.ones((7, 12), bool), rule, costs), level=1, by_progress=0, cap=9, goal_depths=1)
    assert {*index.run_depths.tolist(), *index.pair_depths.tolist()} == {1}


def test_threads_change_nothing():
    world = random_open(seeded(7), largest=30), "both-open", "sqrt2"
    one, two = (
        built(SubgoalDepths, world, threads, level=2, by_progress=0, cap=6, goal_depths=1).arrays for threads in (1, 2)
    )
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_depth_is_met_often():
    """The worlds above must hold what they are for."""
    random = seeded(8)
    met = Counter()
    for _ in range(40):
        rule, costs = draw(random, WORLDS)
        met += check((draw(random, KINDS)(random), rule, costs), level=3, by_progress=0, cap=6)
    assert set(met) == set(range(1, 7))
    assert min(met.values()) > 40
