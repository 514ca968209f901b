"""D LRTA* against the plain-Python walker: every move, its target, its work and what it learned."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost as wp
from tests.dlrta_pairs import MOST_STEPS, Pair
from tests.learning_worlds import random_world
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.learning_steps import LIMIT
from tests.region_pairs import draw, large_world
from tests.worlds import DRAWINGS, JIT_IS_OFF, cases, small_worlds
from waypost.kernels import learned
from waypost.maps import generate
from waypost.maps.text import read_drawing
from waypost.problem import sample_problems
from waypost.step import WORK_COUNTERS
from waypost.trace import Event

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
LARGEST = 20 if JIT_IS_OFF else 50
LOWEST = 2 if JIT_IS_OFF else 1  # level: a search from each region takes long there
PARAMS = st.fixed_dictionaries(
    {
        "level": st.integers(1, 4),
        "progress": st.integers(0, 1),
        "depth": st.integers(1, 4),
        "deepest": st.integers(0, 6),
    }
)
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


def random_params(random):
    """Small and large regions; small depths are likelier, since they make it learn more."""
    return {
        "level": int(random.integers(LOWEST, 8)),
        "progress": int(random.integers(2)),
        "depth": draw(random, (1, 1, 2, 3, 5)),
        "deepest": draw(random, (0, 0, 2, 4, 8)),
    }


def small_pair(random, rule, costs, **params):
    is_open, start, goal = random_world(random, rule, costs)
    return Pair((is_open, rule, costs), start, goal, **random_params(random) | params)


@settings(max_examples=cases(200), deadline=None)
@given(small_worlds(), PARAMS)
def test_small_worlds_equal_the_oracle(world, params):
    is_open, rule, costs, start, goal = world
    if goal in all_costs(is_open, rule, costs, start):
        Pair((is_open, rule, costs), start, goal, **params).follow()


@each_world
def test_walks_equal_the_oracle(rule, costs):
    random = np.random.default_rng(1)
    for _ in range(cases(40)):
        small_pair(random, rule, costs).follow()


@each_world
def test_walks_on_larger_maps_equal_the_oracle(rule, costs):
    """Several tiles of tables, and many subgoals one after the other."""
    random = np.random.default_rng(2)
    for _ in range(cases(6)):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(world, *places[:2], **random_params(random))
        pair.follow()
        pair.reset(*places[2:4])
        pair.follow()


@each_world
def test_retargeted_walks_equal_the_oracle(rule, costs):
    """New goals on the way, the cell it stands on and old ones again, more of them than tables are kept."""
    random = np.random.default_rng(3)
    for _ in range(cases(6)):
        world, _ = large_world(random, rule, costs, LARGEST // 2)
        start = draw(random, np.argwhere(world[0])[:, ::-1].tolist())
        places = list(all_costs(*world, tuple(start)))
        goals = [places[i] for i in random.integers(0, len(places), size=12)]
        pair = Pair(world, goals[0], goals[1], **random_params(random))
        for _ in range(20):
            pair.follow(most=int(random.integers(0, 15)))
            pair.retarget(draw(random, [*goals, *goals[:2] * 3, pair.walker.here, pair.walker.goal]))
            pair.check_learned()
        pair.follow()
        pair.reset(*goals[:2])
        pair.follow()


@each_world
def test_a_walk_is_what_stepping_would_do(rule, costs):
    random = np.random.default_rng(4)
    for _ in range(cases(10)):
        pair = small_pair(random, rule, costs)
        for most in (int(random.integers(0, 10)), MOST_STEPS):
            walk = pair.agent.walk(most)
            for cell, work in zip(walk.cells[1:].tolist(), walk.work.tolist(), strict=True):
                there, expansions, growth = pair.walker.step()
                assert pair.grid.xy(cell) == there
                spent = dict(zip(WORK_COUNTERS, work, strict=True))
                assert (spent["expansions"], spent["growth"]) == (expansions, growth)
                assert sum(work) <= pair.planner.work_bound
            assert walk.status is (wp.Status.ARRIVED if pair.arrived else wp.Status.OUT_OF_MOVES)
            pair.check_learned()


@each_world
def test_events_tell_all(rule, costs):
    """Recorded walks make the same moves, and say which cells were looked around and where they were to lead."""
    random = np.random.default_rng(5)
    for number in range(max(2, cases(8))):
        one_step = {"depth": 1, "deepest": 0} if number % 2 else {}
        pair = small_pair(random, rule, costs, record=True, **one_step)
        for _ in range(MOST_STEPS // 4):
            if pair.arrived:
                break
            pair.step()
            events = pair.agent.take_events()
            cells = events["cell"][events["kind"] == Event.EXPANDED].tolist()
            assert [pair.grid.xy(cell) for cell in cells] == pair.walker.moving.looked_at


def test_a_dead_end_between_regions():
    """What misleads LRTA* for long does not mislead it towards the right subgoal."""
    is_open, places = read_drawing(DRAWINGS["spiral"])
    world = is_open, "both-open", "sqrt2"
    for level, progress, (depth, deepest) in product((1, 2, 3), (0, 1), ((1, 0), (1, 5), (4, 6))):
        params = {"level": level, "progress": progress, "depth": depth, "deepest": deepest}
        Pair(world, places["a"], places["b"], **params).follow()


@pytest.mark.parametrize("progress", [0, 1])
def test_numbers_of_subgoals_begin_anew(progress):
    """After so many that there are no more numbers."""
    grid = wp.Grid(generate.maze(21, 15, seed=1))
    fresh, worn = (wp.build("dlrta", grid, level=1, progress=progress, depth=2).agent() for _ in range(2))
    last_number = (1 << 31) - 1
    for problem in sample_problems(grid, 3, 1):
        fresh.reset(problem)
        worn.reset(problem)
        worn._state[learned.SUBGOAL_NUMBER] = last_number - 1
        assert fresh.path().tolist() == worn.path().tolist()
        assert 0 < worn._state[learned.SUBGOAL_NUMBER] < last_number - 1
        assert fresh.memory == worn.memory


def test_values_beyond_the_limit_are_refused():
    agent = wp.build("dlrta", wp.grid_from_text("......\n.####.\n......"), level=30, depth=1, deepest=0).agent(
        (1, 0), (4, 2)
    )
    while not len(agent.learned()[0]):
        agent.step()
    pages = agent._table[agent._table.size - 2 * 64 * agent._tile_count :]  # values, then marks of where it stood
    x, y = agent.position
    values = pages[:64].reshape(8, 8)
    values[:] = LIMIT - 1
    values[y + 1, x + 1] = 0
    with pytest.raises(wp.WaypostError, match=r"longest path supported, 374,\d+ cells"):
        agent.step()


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds above must hold what they are for."""
    random = np.random.default_rng(6)
    taken = Counter()
    for _ in range(60):
        rule, costs = draw(random, WORLDS)
        taken += small_pair(random, rule, costs).follow()
        world, places = large_world(random, rule, costs, LARGEST)
        taken += Pair(world, *places[:2], **random_params(random)).follow()
    assert len(taken) == 7
    assert not {rule: count for rule, count in taken.items() if count < 20}
