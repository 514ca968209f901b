"""PR LRTA* against the plain-Python twin: every move, every expansion, every value learned; and its tables."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import waypost as wp
from tests.learning_worlds import random_world
from tests.oracle import rules
from tests.oracle.dijkstra import all_costs
from tests.oracle.prlrta import PrlrtaWalker, Regions
from tests.region_pairs import draw, large_world
from tests.worlds import JIT_IS_OFF, cases, small_worlds

WORLDS = [(rule, costs) for rule in rules.DIAGONALS for costs in rules.COSTS]
LARGEST = 20 if JIT_IS_OFF else 60
MOST_STEPS = 150 if JIT_IS_OFF else 1000
PLANNERS = ("prlrta", "prlrta-f-pdb", "prlrta-pdb-g", "prlrta-pdb-pdb")
OF_REGIONS = ("level", "upper", "euclid")
each_world = pytest.mark.parametrize(("rule", "costs"), WORLDS)


class Pair:
    """An agent and a walker that must do the same."""

    def __init__(self, world, start, goal, name, **params):
        is_open, rule, costs = world
        self.grid = wp.Grid(is_open, diagonals=rule, costs=costs)
        self.planner = wp.build(name, self.grid, threads=1, **params)
        self.agent = self.planner.agent()
        of_regions = {key: value for key, value in params.items() if key in OF_REGIONS}
        self.regions = Regions(is_open.tolist(), rule, costs, **of_regions)
        self.params = {key: value for key, value in params.items() if key not in OF_REGIONS}
        self.reset(start, goal)

    def reset(self, start, goal):
        self.agent.reset(wp.Problem(self.grid.cell(start), self.grid.cell(goal)))
        self.walker = PrlrtaWalker(self.regions, start, **self.params)
        self.walker.set_goal(goal)

    def retarget(self, goal):
        self.agent.retarget(goal)
        self.walker.set_goal(goal)

    @property
    def arrived(self):
        return self.walker.here == self.walker.goal

    def follow(self, most=MOST_STEPS):
        """Walk side by side: the same places, the same work, the same targets; and the same was learned."""
        for _ in range(most):
            if self.arrived:
                break
            step = self.agent.step()
            self.check_move(step.cell, step[2:])
            assert step.status is (wp.Status.ARRIVED if self.arrived else wp.Status.MOVING)
            assert self.agent.target == self.regions.reps[self.walker.plans[-1][0]]
        self.check_learned()
        return self.walker.taken

    def check_move(self, cell, work):
        is_planned = not self.walker.left
        there, spent = self.walker.step()
        expansions, updates, climbs, probes, growth = work
        assert self.grid.xy(cell) == there
        assert (expansions, updates, climbs, growth) == (spent, 0, 0, 0)
        assert (probes > 0) == is_planned
        assert sum(work) <= self.planner.work_bound

    def check_learned(self):
        cells, values = self.agent.learned()
        learned = zip(cells.tolist(), values.tolist(), strict=True)
        assert {self.grid.xy(cell): h for cell, h in learned} == self.walker.learned
        _, closed, ever_learned = self.agent.memory
        assert (closed, ever_learned) == (self.walker.most_closed, self.walker.ever_learned)


def random_params(random, name):
    params = {"level": draw(random, (1, 1, 2, 2, 3, 4)), "euclid": int(random.integers(2))}
    params |= {"gamma": draw(random, (1.0, 1.0, 0.67, 0.2)), "first": int(random.integers(2))}
    if name != "prlrta":
        params["upper"] = draw(random, (1, 2, 3, 4, 5, 5))
    if "f-pdb" in name or name == "prlrta":
        params["depth"] = draw(random, (1, 1, 2, 3, 6))
    else:
        params["cap"] = draw(random, (1, 2, 4, 30))
    if name.endswith("pdb") and name != "prlrta-pdb-g":
        params["progress"] = int(random.integers(2))
    return params


def small_pair(random, rule, costs, name):
    is_open, start, goal = random_world(random, rule, costs)
    return Pair((is_open, rule, costs), start, goal, name, **random_params(random, name))


@settings(max_examples=cases(200), deadline=None)
@given(small_worlds(), st.sampled_from(PLANNERS), st.integers(0, 1000))
def test_small_worlds_equal_the_oracle(world, name, seed):
    is_open, rule, costs, start, goal = world
    if goal in all_costs(is_open, rule, costs, start):
        params = random_params(np.random.default_rng(seed), name)
        Pair((is_open, rule, costs), start, goal, name, **params).follow()


@each_world
@pytest.mark.parametrize("name", PLANNERS)
def test_walks_equal_the_oracle(rule, costs, name):
    random = np.random.default_rng(1)
    for _ in range(cases(40)):
        small_pair(random, rule, costs, name).follow()


@each_world
@pytest.mark.parametrize("name", PLANNERS)
def test_walks_on_larger_maps_equal_the_oracle(rule, costs, name):
    random = np.random.default_rng(2)
    for _ in range(cases(4)):
        world, places = large_world(random, rule, costs, LARGEST)
        pair = Pair(world, *places[:2], name, **random_params(random, name))
        pair.follow()
        pair.reset(*places[2:4])
        pair.follow()


@each_world
@pytest.mark.parametrize("name", PLANNERS)
def test_retargeted_walks_equal_the_oracle(rule, costs, name):
    """New goals on the way, the cell it stands on and old ones again: each begins a trip."""
    random = np.random.default_rng(3)
    for _ in range(cases(4)):
        world, places = large_world(random, rule, costs, LARGEST // 2)
        pair = Pair(world, *places[:2], name, **random_params(random, name))
        for _ in range(8):
            pair.follow(most=int(random.integers(0, 20)))
            beside = pair.regions.places[pair.regions.region_of[pair.walker.goal]]
            pair.retarget(draw(random, [*places, pair.walker.here, pair.walker.goal, *beside[:4]]))
        pair.follow()


@each_world
@pytest.mark.parametrize("name", PLANNERS)
def test_a_walk_is_what_stepping_would_do(rule, costs, name):
    """Plans are made ahead of the moves, and never more than were asked for: a new goal finds nothing learned since."""
    random = np.random.default_rng(4)
    for _ in range(cases(6)):
        pair = small_pair(random, rule, costs, name)
        for most in (int(random.integers(0, 10)), int(random.integers(0, 30)), MOST_STEPS):
            walk = pair.agent.walk(most)
            for cell, work in zip(walk.cells[1:].tolist(), walk.work.tolist(), strict=True):
                pair.check_move(cell, work)
            assert walk.status is (wp.Status.ARRIVED if pair.arrived else wp.Status.OUT_OF_MOVES)
            pair.check_learned()
            if most < 10:
                pair.retarget(pair.walker.goal)


@each_world
@pytest.mark.parametrize("name", PLANNERS[1:])
def test_tables_equal_the_oracle(rule, costs, name):
    random = np.random.default_rng(5)
    for _ in range(cases(12)):
        pair = small_pair(random, rule, costs, name)
        index, regions = pair.planner.index, pair.regions
        assert index.region_count == len(regions.places)
        assert index.graph.middles.tolist() == regions.middles
        assert [pair.grid.xy(int(cell)) for cell in index.graph.reps] == regions.reps
        uppers = range(len(regions.middles))
        for upper in uppers:
            for goal_upper in uppers:
                if upper != goal_upper and regions.middles[upper] in regions.best_costs(regions.middles[goal_upper]):
                    check_pair(index, regions, pair.params, upper, goal_upper)
                elif name == "prlrta-pdb-g":
                    assert index.arrays["pair_depths"][upper, goal_upper] == 1


def check_pair(index, regions, params, upper, goal_upper):
    middle = regions.middles[upper]
    if "progress" not in params:
        expected = regions.optimal_depth(middle, regions.middles[goal_upper], params["cap"])
        assert index.arrays["pair_depths"][upper, goal_upper] == expected
        return
    subgoal = regions.subgoal(upper, goal_upper, params["progress"])
    assert index.subgoal(upper, goal_upper) == subgoal
    if "cap" in params:
        firsts = np.cumsum(index.arrays["exit_counts"], dtype=int) - index.arrays["exit_counts"]
        row = index.arrays["exits"][firsts[upper] :].tolist()
        depth = index.arrays["exit_depths"][firsts[upper] + row.index(subgoal)]
        assert depth == regions.optimal_depth(middle, subgoal, params["cap"])


@pytest.mark.skipif(JIT_IS_OFF, reason="takes long")
def test_every_rule_is_met_often():
    """The worlds above must hold what they are for."""
    random = np.random.default_rng(6)
    met = Counter()
    for _ in range(120):
        rule, costs = draw(random, WORLDS)
        name = draw(random, PLANNERS)
        met += small_pair(random, rule, costs, name).follow()
    assert len(met) == 7
    assert not {rule: count for rule, count in met.items() if count < 10}
