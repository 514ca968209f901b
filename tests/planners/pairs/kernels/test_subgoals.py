"""Regions of a level and the subgoals of all pairs of them against the plain-Python twin."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import pair_subgoals as oracle
from tests.support.chance import seeded
from tests.support.worlds import DRAWINGS, JIT_IS_OFF, WORLDS, cases, draw, large_world, random_open, small_worlds
from waypost.indexes.building import Works
from waypost.planners.pairs.subgoals import PairSubgoals
from waypost.world.grid import Grid

each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


RULES = [
    dict(zip(("by_progress", "last_exit", "straight_first"), rule, strict=True)) for rule in product((0, 1), repeat=3)
]


def built(is_open, rule, costs, level, threads=1, by_progress=0, **rules):
    grid = Grid(np.array(is_open, bool), diagonals=rule, costs=costs)
    works = Works(threads=threads, show_progress=False)
    return PairSubgoals.build(grid, {"level": level, "by_progress": by_progress, **rules}, works)


def check(is_open, rule, costs, level, rules, pairs=None):
    """Regions, representatives and subgoals are the oracle's; of all pairs, or of some drawn by `pairs`."""
    settings = is_open, rule, costs, level
    index, twin = built(*settings, **rules), oracle.PairSubgoals(*settings, *rules.values())
    grid, count = index.grid, len(twin.regions)
    region_of = np.full(grid.mask.size, -1)
    for place, region in twin.region_of.items():
        region_of[grid.cell(place)] = region
    for found in (index.region_of, index.regions().region_of):
        assert found.tolist() == region_of.tolist()
    assert [grid.xy(cell) for cell in index.reps.tolist()] == twin.reps
    every = product(range(count), repeat=2) if pairs is None else pairs.integers(count, size=(200, 2)).tolist()
    for region, goal_region in every:
        subgoal, expected = index.subgoal(region, goal_region), twin.subgoal(region, goal_region)
        if expected is not None:
            assert grid.xy(subgoal) == expected
    reached = (
        sum(twin.subgoal(*pair) is not None for pair in product(range(count), repeat=2)) if pairs is None else None
    )
    assert reached is None or index.states == grid.cell_count + reached, "a state for each pair, as papers count"
    return index


@settings(max_examples=cases(200), deadline=None)
@given(small_worlds(), st.integers(1, 4), st.sampled_from(RULES))
def test_small_worlds_equal_the_oracle(world, level, rules):
    is_open, rule, costs, *_ = world
    check(is_open.tolist(), rule, costs, level, rules)


@each_world
def test_random_maps_equal_the_oracle(rule, costs):
    random = seeded(1)
    for _ in range(cases(25)):
        check(random_open(random, largest=14).tolist(), rule, costs, int(random.integers(1, 5)), draw(random, RULES))


@each_world
@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS)
def test_drawn_maps_equal_the_oracle(drawing, rule, costs):
    is_open = [[char != "#" for char in row] for row in drawing.split()]
    for level in (2,) if JIT_IS_OFF else (1, 2, 3, 9):
        for rules in RULES[::3] if JIT_IS_OFF else RULES:
            check(is_open, rule, costs, level, rules)


@each_world
def test_larger_maps_equal_the_oracle(rule, costs):
    random = seeded(2)
    for _ in range(cases(3)):
        (is_open, *_), _ = large_world(random, rule, costs, 16 if JIT_IS_OFF else 50)
        check(is_open.tolist(), rule, costs, int(random.integers(2, 5)), draw(random, RULES), pairs=random)


def test_a_way_that_comes_back_into_its_region_leaves_it_twice():
    drawing = "##..#.#..\n.....#.#.\n........#\n.#.......\n.........\n.....#.#."
    is_open = [[char != "#" for char in row] for row in drawing.split()]
    rules = {"by_progress": 0, "last_exit": 0, "straight_first": 0}
    first, last = (check(is_open, "both-open", "sqrt2", 2, rules | {"last_exit": which}) for which in (0, 1))
    assert first.grid.xy(first.subgoal(2, 4)) == (3, 2)
    assert last.grid.xy(last.subgoal(2, 4)) == (3, 4)


def test_a_region_without_others_has_no_subgoal():
    for drawing in (".", "..\n..", ".#.\n#.#"):
        is_open = [[char != "#" for char in row] for row in drawing.split()]
        index = built(is_open, "both-open", "1.4", 1)
        assert {index.subgoal(a, b) for a, b in product(range(index.region_count), repeat=2)} == {-1}


def test_a_level_above_the_top_is_the_top():
    index = built(np.ones((5, 9), bool), "both-open", "1.4", 30)
    assert index.region_count == 1


def test_threads_change_nothing():
    is_open = random_open(seeded(3), largest=30)
    one, two = (built(is_open, "both-open", "sqrt2", 2, threads=threads).arrays for threads in (1, 2))
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_loaded_arrays_name_the_same_subgoals():
    random = seeded(4)
    for _ in range(cases(10)):
        index = built(random_open(random, largest=12), "one-open", "1.4", 1)
        again = PairSubgoals.from_arrays(index.grid, {"level": 1, "by_progress": 0}, index.arrays)
        for a, b in product(range(index.region_count), repeat=2):
            assert index.subgoal(a, b) == again.subgoal(a, b)
