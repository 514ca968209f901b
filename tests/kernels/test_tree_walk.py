"""Walking by subgoal trees against the plain-Python walker: every move, all its work, every value learned."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.tree_pairs import Pair, random_pair, random_params
from tests.worlds import JIT_IS_OFF, cases, small_worlds
from waypost.maps.text import read_drawing

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
MOST_CELLS = 20 if JIT_IS_OFF else 200
"""Open cells of a map up to which trees of all goals are made."""

MOST_WALKED = 500

each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)
each_keeping = pytest.mark.parametrize("goals_kept", [0, 3])


@each_keeping
@each_rule
def test_walks_equal_the_oracle(rule, costs, goals_kept):
    random = np.random.default_rng(1)
    for _ in range(cases(60)):
        random_pair(random, rule, costs, goals_kept, MOST_CELLS, **random_params(random)).follow()


@each_keeping
@each_rule
def test_retargeted_walks_equal_the_oracle(rule, costs, goals_kept):
    """New goals on the way, old ones again, and the same agent on another problem."""
    random = np.random.default_rng(2)
    for _ in range(cases(20)):
        pair = random_pair(random, rule, costs, goals_kept, MOST_CELLS, **random_params(random))
        places = list(all_costs(*pair.world, pair.walker.here))
        some = [places[i] for i in random.integers(len(places), size=5)]
        for _ in range(6):
            pair.follow(most=int(random.integers(1, 40)))
            pair.retarget(some[random.integers(len(some))])
        pair.follow()
        pair.reset(some[0], some[1])
        pair.follow()


@settings(max_examples=cases(400), deadline=None)
@given(small_worlds(), st.integers(0, 1), st.sampled_from([0, 1, 3]), st.sampled_from([1, 3, 250]))
def test_walks_in_small_worlds(world, climb_exits, tries, limit):
    is_open, rule, costs, start, goal = world
    if goal not in all_costs(is_open, rule, costs, start):
        return
    Pair(is_open, rule, costs, start, goal, climb_exits=climb_exits, tries=tries, limit=limit).follow()


@each_rule
def test_a_walk_is_what_stepping_would_do(rule, costs):
    random = np.random.default_rng(3)
    for _ in range(cases(20)):
        pair = random_pair(random, rule, costs, 3, MOST_CELLS, **random_params(random))
        pair.follow_walk(int(random.integers(1, 10)))
        pair.follow_walk(MOST_WALKED)


TARGET_AGAIN = "#.. ... #.# ..# a#. .b#", "#.##... .#...#. ..a#.#. .#.b##.", "b##..#. ..##... #.#...# #..a..."
"""Drawings, rows parted by blanks, in which a walker arrives at a target on which it has stood before."""
NEAREST_TWICE = "b.. ##. a..", "... .#b a..", "..a .## .b.", ".#.b .#.. #..a"
"""Drawings in which two nodes are nearest to the start."""


@each_rule
@pytest.mark.parametrize("drawing", [*TARGET_AGAIN, *NEAREST_TWICE])
def test_what_random_worlds_seldom_hold(drawing, rule, costs):
    is_open, places = read_drawing("\n".join(drawing.split()))
    start, goal = places["a"], places["b"]
    if goal in all_costs(is_open, rule, costs, start):
        for climb_exits in (0, 1):
            for tries in (0, 1):
                Pair(is_open, rule, costs, start, goal, climb_exits=climb_exits, tries=tries, limit=1).follow()


def test_both_rules_for_the_first_target_were_met_with_every_answer():
    """The random worlds above must hold what they are for: climbs that fail first, that all fail, and learning."""
    random = np.random.default_rng(4)
    seen = set()
    for _ in range(max(50, cases(200))):
        pair = random_pair(random, "both-open", "sqrt2", 3, MOST_CELLS, climb_exits=0, tries=3, limit=6)
        walker = pair.walker
        if walker.here in walker.parent:
            seen.add("on a node")
            continue
        chosen = walker.first_target()
        ranked = sorted(walker.parent, key=lambda n: (walker.octile(walker.here, n) + walker.way_down(n), n[::-1]))
        seen.add(min(ranked.index(chosen), 1) if walker.work["climbs"] else "no step")
        seen.add("all fail" if ranked[0] == chosen and walker.work["climbs"] > 6 else "")
        pair.follow()
        seen.add("learned" if walker.ever_learned else "")
    assert seen >= {"on a node", 0, 1, "all fail", "learned"}
