"""What the oracles of the learning planners must show on their own, before anything is compared with them."""

import numpy as np
import pytest

from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.learning import WALKERS, walker
from tests.oracle.learning_steps import LIMIT
from tests.support.learning_worlds import random_params, random_world
from tests.support.worlds import DRAWINGS, WORLDS, random_open, random_place

each_walker = pytest.mark.parametrize("name", WALKERS)
each_admissible = pytest.mark.parametrize("name", [name for name in WALKERS if name != "rta"])
each_rule = pytest.mark.parametrize(("rule", "costs"), WORLDS)

LRTA_ALIKE = {
    "lrta": {"depth": 1},
    "lrta-cost": {"horizon": 1.5},
    "lrta-k": {"k": 1},
    "lss": {"lookahead": 1, "moves_per_plan": 0},
    "rtaa": {"lookahead": 1, "moves_per_plan": 0},
    "lrts": {"depth": 1, "gamma": 1.0, "quota": 1e9},
}
"""All of these look at the neighbours, take the best by the same ties and raise h to what it promises."""


def walk(walker, most=20_000):
    """The places passed; the walker must arrive."""
    passed = [walker.here]
    while walker.here != walker.goal:
        passed.append(walker.step()[0])
        assert len(passed) <= most, "does not arrive"
    return passed


def drawn(drawing):
    """is_open of a drawing, and its places a and b."""
    rows = drawing.split()
    at = {char: (x, y) for y, row in enumerate(rows) for x, char in enumerate(row)}
    return [[char != "#" for char in row] for row in rows], at["a"], at["b"]


@each_walker
@each_rule
def test_arrives_by_legal_moves_and_h_never_falls(name, rule, costs):
    random = np.random.default_rng(11)
    for _ in range(5):
        is_open, start, goal = random_world(random, rule, costs)
        one = walker(name, is_open, rule, costs, start, goal, **random_params(random, name))
        passed, known = [start], {}
        while one.here != goal:
            passed.append(one.step()[0])
            assert all(one.learned[place] >= h for place, h in known.items())
            assert all(h > one.h0(place) for place, h in one.learned.items())
            known = one.learned
            assert len(passed) < 20_000
        rules.check_walk(is_open, rule, passed, start, goal)
        assert one.memory[2] == len(one.learned)


@each_admissible
@each_rule
def test_learned_values_never_exceed_the_distance(name, rule, costs):
    random = np.random.default_rng(12)
    for _ in range(8):
        is_open, start, goal = random_world(random, rule, costs)
        one = walker(name, is_open, rule, costs, start, goal, **random_params(random, name))
        for _ in range(150):
            one.step()
        distance = all_costs(is_open, rule, costs, goal)
        assert all(h <= distance[place] for place, h in one.learned.items())


@each_rule
def test_one_step_planners_make_the_same_moves(rule, costs):
    random = np.random.default_rng(13)
    for _ in range(6):
        is_open, start, goal = random_world(random, rule, costs)
        alike = [walker(name, is_open, rule, costs, start, goal, **params) for name, params in LRTA_ALIKE.items()]
        first, *others = [(walk(one), one.learned) for one in alike]
        assert all(other == first for other in others)


@each_rule
def test_a_lookahead_over_everything_walks_an_optimal_path(rule, costs):
    random = np.random.default_rng(14)
    for _ in range(25):
        is_open = random_open(random)
        start, goal = random_place(random, is_open), random_place(random, is_open)
        distance = all_costs(is_open, rule, costs, start)
        if goal not in distance:
            continue
        for name in ("lss", "rtaa"):
            one = walker(name, is_open, rule, costs, start, goal, lookahead=len(distance), moves_per_plan=0)
            assert rules.walk_cost(rule, costs, walk(one)) == distance[goal]


@each_admissible
def test_walking_again_and_again_ends_on_an_optimal_path(name):
    """Korf's theorem: with its table kept, an admissible learner converges."""
    is_open, start, goal = drawn(DRAWINGS["dead end"])
    params = random_params(np.random.default_rng(15), name)
    one = walker(name, is_open, "both-open", "1.4", start, goal, **params)
    for _ in range(200):
        known = one.learned
        passed = walk(one)
        one.here = start
        one.set_goal(goal)
        if one.learned == known:
            break
    assert rules.walk_cost("both-open", "1.4", passed) == all_costs(is_open, "both-open", "1.4", start)[goal]


def test_rta_closes_a_dead_end_behind_it():
    is_open = [[True] * 6, [True] + [False] * 4 + [True], [False] * 5 + [True]]
    one = walker("rta", is_open, "never", "1.4", (2, 0), (5, 2))
    walk(one)
    one.set_goal((0, 1))
    walk(one)
    assert one.learned == {(5, 2): LIMIT, (5, 1): LIMIT} | {(x, 0): LIMIT for x in range(6)}


def test_a_fresh_goal_is_the_ninth():
    one = walker("lrta", [[True] * 20], "never", "1.4", (0, 0), (19, 0), depth=1)
    one.tables[19, 0][5, 0] = 99
    for x in range(1, 8):
        one.set_goal((x, 0))
    one.set_goal((19, 0))
    assert one.learned == {(5, 0): 99}
    for x in range(1, 9):
        one.set_goal((x, 0))
    one.set_goal((19, 0))
    assert one.learned == {}


def test_a_horizon_of_two_moves_arrives():
    """The way out is a straight move and a diagonal one: dearer than 2, while back and forth is not."""
    is_open, start, goal = drawn(".##b #a.#")
    walk(walker("lrta-cost", is_open, "always", "1.4", start, goal, horizon=2.0), most=1000)


def test_a_light_g_arrives():
    """Where a move costs 1 and g weighs less than 1, going back and forth seems to cost nothing."""
    is_open, start, goal = drawn(DRAWINGS["dead end"])
    walk(walker("lrts", is_open, "never", "1.4", start, goal, depth=1, gamma=0.5, quota=10.0), most=1000)


def test_deep_plies_stay_admissible():
    """The way of five diagonals is one move shorter and dearer than the other one."""
    is_open, start, goal = drawn("###b# ###.# ##..# #.#.# .##.# #a.##")
    one = walker("lrta", is_open, "always", "1.4", start, goal, depth=5)
    walk(one)
    distance = all_costs(is_open, "always", "1.4", goal)
    assert all(h <= distance[place] for place, h in one.learned.items())


@each_rule
def test_where_deep_plies_learn_nothing_h_falls(rule, costs):
    """Otherwise a walker could go back and forth forever; in a few of these worlds a way has a change of mind."""
    random = np.random.default_rng(16)
    for _ in range(30):
        is_open, start, goal = random_world(random, rule, costs)
        one = walker("lrta", is_open, rule, costs, start, goal, depth=int(random.integers(3, 10)))
        for _ in range(60):
            if one.here == goal:
                break
            here, h = one.here, one.h(one.here)
            there, _ = one.step()
            if one.h(here) == h:
                assert one.h(there) + rules.walk_cost(rule, costs, [here, there]) <= h
